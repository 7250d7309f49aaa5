#include "guard/database.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <optional>

#include <sys/mman.h>

#include "guard/stanza.h"

namespace pve_rdma::guard {

namespace {

constexpr std::size_t typical_stanza = 768;  // octets; most nodes have longer ones

struct Member {
    std::string_view name;
    std::string_view Package::* place;
};
// By their first letters, which are all that most lines are looked at for.
constexpr Member members[] = {{"Architecture", &Package::architecture},
                              {"Conflicts", &Package::conflicts},
                              {"Depends", &Package::depends},
                              {"Package", &Package::name},
                              {"Pre-Depends", &Package::pre_depends},
                              {"Provides", &Package::provides},
                              {"Status", &Package::status},
                              {"Version", &Package::version}};

// The members that begin with a letter: [first, last) in their list.
struct Span {
    std::uint8_t first = 0, last = 0;
};
constexpr auto by_letter = [] {
    std::array<Span, 256> spans{};
    for (std::uint8_t i = 0; i < std::size(members); ++i)
        for (const char letter : {members[i].name[0], static_cast<char>(members[i].name[0] | 0x20)}) {
            Span& span = spans[static_cast<unsigned char>(letter)];
            if (span.last == 0) span.first = i;
            span.last = static_cast<std::uint8_t>(i + 1);
        }
    return spans;
}();

const Member* member_of(std::string_view line) {
    const Span span = by_letter[static_cast<unsigned char>(line[0])];
    for (const Member* member = members + span.first; member != members + span.last; ++member) {
        const auto length = member->name.size();
        if (line.size() <= length || line[length] != ':') continue;
        const auto name = line.substr(0, length);
        if (name == member->name || same_letters(name, member->name)) return member;
    }
    return nullptr;
}

// The next stanza of the text, which is shortened by it. One look at each line: a node's file has tens of
// thousands, and every run of dpkg waits for this.
std::optional<Package> take_package(std::string_view& text) {
    const char *at = text.data(), *const end = at + text.size();
    while (at != end && *at == '\n')
        ++at;
    if (at == end) return std::nullopt;
    Package package;
    std::string_view* value = nullptr;  // of the field that continuation lines belong to
    while (at != end && *at != '\n') {
        const auto* found =
            static_cast<const char*>(std::memchr(at, '\n', static_cast<std::size_t>(end - at)));
        const char* const line_end = found ? found : end;
        if (*at == ' ' || *at == '\t') {
            if (value) *value = {value->data(), line_end};
        } else if (const Member* member = member_of({at, line_end})) {
            value = &(package.*member->place);
            *value = {at + member->name.size() + 1, line_end};
        } else {
            value = nullptr;
        }
        at = found ? found + 1 : end;
    }
    text = {at, end};
    for (const Member& member : members)
        package.*member.place = trimmed(package.*member.place);
    return package;
}

// Asks for fresh memory at once: a fault for each page of it costs more than reading what goes there.
void make_pages(void* data, std::size_t octets) {
    constexpr std::uintptr_t page = 4096;
    const auto begin = (reinterpret_cast<std::uintptr_t>(data) + page - 1) & ~(page - 1);
    const auto end = (reinterpret_cast<std::uintptr_t>(data) + octets) & ~(page - 1);
    if (begin < end)
        ::madvise(reinterpret_cast<void*>(begin), end - begin, MADV_POPULATE_WRITE);  // Linux 5.14
}

}  // namespace

std::vector<Package> parse_database(std::string_view status, const std::vector<std::string>& notes) {
    std::vector<Package> packages;
    packages.reserve(status.size() / typical_stanza);
    make_pages(packages.data(), packages.capacity() * sizeof(Package));
    while (const auto package = take_package(status))
        packages.push_back(*package);
    for (std::string_view note : notes)
        while (const auto newer = take_package(note)) {
            const auto same = std::ranges::find_if(packages, [&](const Package& one) {
                return one.name == newer->name && one.architecture == newer->architecture;
            });
            if (same == packages.end())
                packages.push_back(*newer);
            else
                *same = *newer;
        }
    return packages;
}

}  // namespace pve_rdma::guard
