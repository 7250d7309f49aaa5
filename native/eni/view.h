// What a file of interfaces(5), with the files it sources, says: stanzas, options, who is brought up.
//
// Everything carries its place, so that an edit or a diagnostic can point at it. Reading order is kept: a
// sourced file stands where its `source` line stands. Sources of meaning: interfaces(5) of ifupdown 0.8 and
// ifupdown2; where they differ, check.h says so.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "eni/document.h"
#include "eni/file_reader.h"

namespace pve_rdma::eni {

struct Place {
    std::uint32_t file = 0;  // index into View::files
    std::uint32_t line = 0;  // index into that document's lines()
    int number = 0;          // 1-based line number
    int column = 0;          // 1-based, in octets
    bool operator==(const Place&) const = default;
};

struct Option {
    std::string name{};   // as written; canonical() makes bridge_ports bridge-ports
    std::string value{};  // empty when the line is the name alone
    Place place;
};

struct Stanza {
    LineKind kind = LineKind::iface;  // iface, mapping, template_stanza or vlan
    std::string name{};               // empty when the line is the keyword alone
    std::string family{}, method{};   // empty when not given (ifupdown2 allows that)
    std::vector<std::string> inherits{};
    std::vector<std::string> further{};  // words that mean nothing
    std::vector<Option> options{};
    Place place;
    std::uint32_t index = 0;  // of that document's stanzas()

    // The first option of that name, in either spelling.
    const Option* find(std::string_view name) const;
    std::vector<const Option*> all(std::string_view name) const;
};

// auto, allow-*, no-auto-down, no-scripts, rename: interfaces named outside of a stanza.
struct Mention {
    LineKind kind = LineKind::automatic;
    std::string allow{};               // the class of allow-CLASS
    std::vector<std::string> names{};  // also patterns: /eth*, swp[1-4], all
    Place place;
};

struct SourceLine {
    bool directory = false;  // source-directory
    std::string pattern{};
    std::vector<std::uint32_t> files{};  // read from it, as indexes into View::files
    Place place;
};

// A line that says nothing: before any stanza, and no keyword.
struct Stray {
    std::string text{};
    Place place;
};

// A sourced file, or pattern, that could not be read; the line that names it.
struct Unreadable {
    Error error;
    Place place;
};

// All stanzas of one name, as ifupdown merges them: every option counts, in order of reading; where only one
// value can hold (mtu), the first does under ifupdown2.
struct Interface {
    std::string name{};
    bool automatic = false;                // named by an auto line
    std::vector<std::string> allow{};      // classes
    std::vector<std::uint32_t> stanzas{};  // indexes into View::stanzas, of kind iface or vlan
};

struct View {
    std::vector<Document> files;  // the first is the one that was asked for
    std::vector<Stanza> stanzas;
    std::vector<Mention> mentions;
    std::vector<SourceLine> sources;
    std::vector<Stray> strays;
    std::vector<Unreadable> unreadable;

    std::vector<Interface> interfaces;                         // in order of first appearance
    std::unordered_map<std::string, std::uint32_t> by_name{};  // index into interfaces

    const Interface* find(const std::string& name) const;
    // The first option of that name in the interface's stanzas.
    const Option* option(const Interface&, std::string_view name) const;
    std::vector<const Option*> options(const Interface&, std::string_view name) const;
};

// Reads a file and all it sources. Fails when the first file cannot be read or a limit (limits.h) is passed;
// a sourced file that cannot be read is a matter of `unreadable`.
Result<View> read_view(FileReader&, const std::string& path);

// A text alone: its source lines are kept, and nothing is read from them.
Result<View> view_of(std::string text, std::string name);

}  // namespace pve_rdma::eni
