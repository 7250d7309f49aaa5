#include "apply/journal.h"

#include <array>

#include <fmt/format.h>

#include "base/json_read.h"
#include "base/json_write.h"
#include "base/number.h"

namespace pve_rdma {

namespace {

constexpr std::size_t longest_text = 512, longest_journal = 64u << 20;

constexpr std::array<std::uint32_t, 256> crc_table = [] {
    std::array<std::uint32_t, 256> table{};
    for (std::uint32_t octet = 0; octet < 256; ++octet) {
        std::uint32_t rest = octet;
        for (int bit = 0; bit < 8; ++bit)
            rest = (rest >> 1) ^ (rest & 1 ? 0xedb88320u : 0);
        table[octet] = rest;
    }
    return table;
}();

std::uint32_t crc32(std::string_view text) {
    std::uint32_t rest = ~0u;
    for (const char c : text)
        rest = (rest >> 8) ^ crc_table[(rest ^ static_cast<std::uint8_t>(c)) & 0xff];
    return ~rest;
}

std::optional<JournalLine> parse_line(std::string_view text, const std::string& path) {
    if (text.size() < 10 || text[8] != ' ') return std::nullopt;
    const auto sum = parse_number<std::uint32_t>(text.substr(0, 8), 16);
    text.remove_prefix(9);
    if (!sum || *sum != crc32(text)) return std::nullopt;
    const auto value = parse_json(text, path);
    JournalLine line;
    if (!value || !JsonReader(text, path).read(*value, line)) return std::nullopt;
    return line;
}

}  // namespace

std::string_view to_string(JournalEvent event) {
    switch (event) {
        case JournalEvent::armed:
            return "armed";
        case JournalEvent::steps:
            return "steps";
        case JournalEvent::file:
            return "file";
        case JournalEvent::restarting:
            return "restarting";
        case JournalEvent::verifying:
            return "verifying";
        case JournalEvent::pending:
            return "pending";
        case JournalEvent::failed:
            return "failed";
        case JournalEvent::undoing:
            return "undoing";
        case JournalEvent::note:
            return "note";
        case JournalEvent::restored:
            return "restored";
        case JournalEvent::restore_failed:
            return "restore_failed";
    }
    return "note";
}

Result<Journal> Journal::create(Disk& disk, const std::string& path, std::size_t octets) {
    if (auto made = disk.reserve(path, octets); !made) return std::unexpected(made.error());
    return Journal(disk, path);
}

Result<Journal> Journal::open(Disk& disk, const std::string& path) {
    Journal journal(disk, path);
    const auto text = disk.read(path, longest_journal);
    if (!text) {
        if (is_absent(text.error())) return journal;
        return std::unexpected(text.error());
    }
    for (std::size_t at = 0; at < text->size();) {
        const std::size_t end = std::min(text->find('\n', at), text->size());
        if (auto line = parse_line(std::string_view(*text).substr(at, end - at), path))
            journal.lines_.push_back(std::move(*line));
        at = end + 1;
    }
    journal.torn_ = !text->empty() && !text->ends_with('\n');
    return journal;
}

Result<void> Journal::add(JournalLine line) {
    line.seq = lines_.empty() ? 1 : lines_.back().seq + 1;
    line.text.resize(std::min(line.text.size(), longest_text));
    const std::string json = json_text(line, -1);
    const auto appended =
        disk_->append(path_, fmt::format("{}{:08x} {}\n", torn_ ? "\n" : "", crc32(json), json));
    torn_ = !appended;
    lines_.push_back(std::move(line));  // also when it is not on the disk: this process goes on by it
    return appended;
}

Result<void> Journal::add(JournalEvent event, const Error& error) {
    return add(
        {.event = std::string(to_string(event)), .errno_value = error.errno_value, .text = error.text()});
}

bool Journal::has(JournalEvent event) const {
    return std::ranges::any_of(lines_, [&](const auto& line) { return line.is(event); });
}

}  // namespace pve_rdma
