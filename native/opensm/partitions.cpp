#include "opensm/partitions.h"

#include <algorithm>
#include <ranges>
#include <span>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/mtu.h"
#include "base/number.h"
#include "base/pkey.h"
#include "base/trimmed.h"

namespace pve_rdma::opensm {

namespace {

constexpr std::string_view blanks = " \t\r\n\f\v";

// A piece of the file: octets [begin, end).
struct Range {
    std::size_t begin = 0, end = 0;
};

struct Flag {
    std::string name{}, value{};
    Range place{};
};

struct Definition {
    Partition partition{};
    std::vector<Flag> flags{};
    Range head{}, members{};  // before the ':', and from behind it to before the ';'
};

class Reader {
  public:
    Reader(std::string_view text, const std::string& file) : text_(text), plain_(text), file_(file) {
        // Comments become blanks, so that places stay.
        bool comment = false;
        for (char& c : plain_) {
            if (c == '\n')
                comment = false;
            else if (c == '#')
                comment = true;
            if (comment) c = ' ';
        }
    }

    Result<std::vector<Definition>> read() const {
        std::vector<Definition> all;
        for (std::size_t at = plain_.find_first_not_of(blanks); at != std::string::npos;) {
            const std::size_t line_end = std::min(plain_.find('\n', at), plain_.size());
            const std::size_t colon = plain_.find(':', at);
            if (colon >= line_end)
                return wrong(at, "a partition's definition with a ':' in its line is expected");
            const std::size_t end = plain_.find(';', colon);
            if (end == std::string::npos) return wrong(at, "this partition does not end: a ';' is missing");
            auto one = definition({at, colon}, {colon + 1, end});
            if (!one) return std::unexpected(one.error());
            all.push_back(std::move(*one));
            at = plain_.find_first_not_of(blanks, end + 1);
        }
        return all;
    }

  private:
    std::unexpected<Error> wrong(std::size_t at, std::string message) const {
        const auto line_begin = text_.substr(0, at).rfind('\n');
        return std::unexpected(
            Error{.code = ErrorCode::malformed,
                  .message = std::move(message),
                  .file = file_,
                  .line = static_cast<int>(std::ranges::count(text_.substr(0, at), '\n')) + 1,
                  .column = static_cast<int>(at - (line_begin == text_.npos ? 0 : line_begin + 1)) + 1,
                  .hint = "opensm skips what it does not understand, and says so in its log only"});
    }

    Range trimmed(Range range) const {
        const auto part =
            pve_rdma::trimmed(std::string_view(plain_).substr(range.begin, range.end - range.begin));
        const auto begin = static_cast<std::size_t>(part.data() - plain_.data());
        return {begin, begin + part.size()};
    }
    std::string words(Range range) const { return plain_.substr(range.begin, range.end - range.begin); }

    std::vector<Range> split(Range range) const {
        std::vector<Range> parts;
        while (true) {
            const std::size_t comma = std::min(plain_.find(',', range.begin), range.end);
            parts.push_back(trimmed({range.begin, comma}));
            if (comma == range.end) return parts;
            range.begin = comma + 1;
        }
    }

    Flag flag(Range range) const {
        const std::string text = words(range);
        const auto equals = text.find('=');
        const std::string_view all = text, value = equals == text.npos ? "" : all.substr(equals + 1);
        return {std::string(pve_rdma::trimmed(all.substr(0, equals))), std::string(pve_rdma::trimmed(value)),
                range};
    }

    Result<Definition> definition(Range head, Range members) const {
        Definition one{.head = trimmed(head), .members = members};
        const auto parts = split(head);
        Flag name = flag(parts.front());
        // opensm takes a name that begins with a digit, and has no key beside it, for the key.
        if (name.value.empty() && !name.name.empty() && name.name[0] >= '0' && name.name[0] <= '9')
            std::swap(name.name, name.value);
        one.partition.name = name.name;
        if (!name.value.empty()) {
            const auto key = parse_number<std::uint16_t>(name.value, 0);
            if (!key) return wrong(parts.front().begin, fmt::format("\"{}\" is no P_Key", name.value));
            one.partition.pkey = *key & 0x7fff;
        }
        for (const Range part : std::span(parts).subspan(1)) {
            one.flags.push_back(flag(part));
            const Flag& last = one.flags.back();
            if (last.name == "ipoib") one.partition.ipoib = true;
            if (last.name != "mtu") continue;
            const auto code = parse_number<std::uint32_t>(last.value, 0);
            if (!code || mtu_octets(*code) == 0)
                return wrong(part.begin, "mtu is a code from 1 (256 octets) to 5 (4096)");
            one.partition.mtu = mtu_octets(*code);
        }
        for (const Range member : split(members))
            if (member.begin < member.end) one.partition.members.push_back(words(member));
        return one;
    }

    std::string_view text_;
    std::string plain_;
    const std::string& file_;
};

bool is_meant(const Partition& partition, const PartitionEdit& edit) {
    if (partition.pkey && edit.pkey) return *partition.pkey == *edit.pkey;
    return partition.name == edit.name;
}

std::uint32_t mtu_code(std::uint32_t octets) {
    for (std::uint32_t code = 1; code <= 5; ++code)
        if (mtu_octets(code) == octets) return code;
    return 0;
}

std::string line_of(const PartitionEdit& edit, std::string_view members) {
    std::string line = edit.name;
    if (edit.pkey) line += fmt::format("=0x{:04x}", *edit.pkey);
    line += ",ipoib";
    if (edit.mtu) line += fmt::format(",mtu={}", mtu_code(*edit.mtu));
    return fmt::format("{}:{};\n", line,
                       edit.members ? fmt::to_string(fmt::join(*edit.members, ",")) : members);
}

// A definition as asked, in place. Of its members and of its head, the later first, so that places stay.
void change(std::string& text, const Definition& one, const PartitionEdit& edit) {
    if (edit.members && *edit.members != one.partition.members)
        text.replace(one.members.begin, one.members.end - one.members.begin,
                     fmt::to_string(fmt::join(*edit.members, ",")));
    if (!edit.mtu || (one.partition.ipoib && one.partition.mtu.value_or(2048) == *edit.mtu)) return;
    const std::string value = fmt::format("mtu={}", mtu_code(*edit.mtu));
    const auto old = std::ranges::find(one.flags, "mtu", &Flag::name);
    std::string more;
    if (!one.partition.ipoib) more += ",ipoib";
    if (old == one.flags.end()) more += "," + value;
    text.insert(one.head.end, more);
    if (old != one.flags.end()) text.replace(old->place.begin, old->place.end - old->place.begin, value);
}

// With its line, when nothing else stands there.
void remove(std::string& text, const Definition& one) {
    std::size_t begin = one.head.begin, end = one.members.end + 1;
    const auto line_begin = text.rfind('\n', begin) + 1;
    const auto rest = text.find_first_not_of(" \t\r", end);
    const bool alone = text.find_first_not_of(" \t", line_begin) == begin &&
                       (rest == std::string::npos || text[rest] == '\n');
    if (alone) {
        begin = line_begin;
        end = rest == std::string::npos ? text.size() : rest + 1;
    }
    text.erase(begin, end - begin);
}

bool holds(const std::vector<Definition>& all, const PartitionEdit& edit) {
    const auto good = [&](const Definition& one) {
        return is_meant(one.partition, edit) &&
               (!edit.mtu || (one.partition.ipoib && one.partition.mtu.value_or(2048) == *edit.mtu)) &&
               (!edit.members || one.partition.members == *edit.members);
    };
    const auto meant = [&](const Definition& one) { return is_meant(one.partition, edit); };
    return edit.absent ? std::ranges::none_of(all, meant) : std::ranges::any_of(all, good);
}

}  // namespace

Result<std::vector<Partition>> parse_partitions(std::string_view text, const std::string& file) {
    const auto all = Reader(text, file).read();
    if (!all) return std::unexpected(all.error());
    std::vector<Partition> partitions;
    for (const auto& one : *all)
        partitions.push_back(one.partition);
    return partitions;
}

Result<std::string> with_partition(const std::optional<std::string>& before, const std::string& file,
                                   const PartitionEdit& edit) {
    std::string text = before.value_or("");
    const auto all = Reader(text, file).read();
    if (!all) return std::unexpected(all.error());
    std::vector<const Definition*> meant;
    for (const auto& one : *all)
        if (is_meant(one.partition, edit)) meant.push_back(&one);
    const bool is_default = edit.pkey == PKey::default_partition;
    if (edit.absent) {
        for (const Definition* one : meant | std::views::reverse)
            remove(text, *one);
    } else if (meant.empty()) {
        if (!text.empty() && !text.ends_with('\n')) text += '\n';
        if (!before && !is_default)
            text += line_of({.name = "Default", .pkey = PKey::default_partition}, "ALL=full");
        // Without a rule of its own the default partition of a file is that of opensm(8).
        text += line_of(edit, before && is_default ? "ALL=limited,SELF=full" : "ALL=full");
    } else {
        // Several definitions of one key are one partition; its group is made by the one that has IPoIB.
        const auto with_ipoib =
            std::ranges::find_if(meant, [](const Definition* one) { return one->partition.ipoib; });
        change(text, with_ipoib == meant.end() ? *meant.front() : **with_ipoib, edit);
    }
    const auto after = Reader(text, file).read();
    if (!after || !holds(*after, edit))
        return std::unexpected(Error{.code = ErrorCode::bad_request,
                                     .subject = edit.name,
                                     .message = "this partition cannot be written down as asked",
                                     .hint = "a name and members of letters, digits, - and _ can"});
    return text;
}

}  // namespace pve_rdma::opensm
