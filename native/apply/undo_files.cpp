#include <algorithm>

#include <fmt/format.h>

#include "apply/digest.h"
#include "apply/undo.h"

namespace pve_rdma {

namespace {

constexpr std::size_t largest_file = 64u << 20;
constexpr unsigned file_mode = 0644;  // of a file that we had removed: they are configuration

// The file's content; none when there is no such file.
Result<std::optional<std::string>> content_of(Disk& disk, const std::string& path) {
    auto content = disk.read(path, largest_file);
    if (content) return std::move(*content);
    if (is_absent(content.error())) return std::nullopt;
    return std::unexpected(content.error());
}

Result<void> put_back(Disk& disk, const StoredTransaction& transaction, std::size_t number,
                      const std::optional<std::string>& present) {
    const FileIntent& file = transaction.intent().files[number];
    if (!file.before) return disk.remove(file.path);
    const auto before = transaction.old_content(disk, number);
    if (!before) return std::unexpected(before.error());
    if (!present) return disk.create(file.path, *before, file_mode);
    return disk.replace({.path = file.path, .expected = *present, .content = *before});
}

void undo_file(Disk& disk, const StoredTransaction& transaction, std::size_t number, Undone& undone) {
    const FileIntent& file = transaction.intent().files[number];
    const auto present = content_of(disk, file.path);
    if (!present) return undone.fail(present.error().text());
    const auto digest = *present ? std::optional(sha256(**present)) : std::nullopt;
    if (digest == file.before) return;
    if (digest != file.after)
        return undone.note(fmt::format("{}: left as it is (somebody else has changed it)", file.path));
    if (const auto done = put_back(disk, transaction, number, *present); !done)
        undone.fail(done.error().text());
}

}  // namespace

void undo_files(Disk& disk, const StoredTransaction& transaction, Undone& undone) {
    const auto& files = transaction.intent().files;
    std::size_t begun = 0;
    for (const auto& line : transaction.lines())
        if (line.is(JournalEvent::file))
            begun = std::max(begun, std::min<std::size_t>(line.first + 1, files.size()));
    while (begun-- > 0)
        undo_file(disk, transaction, begun, undone);
}

bool undo_restarts(const TransactionHost& host, const StoredTransaction& transaction, Undone& undone) {
    const auto restarted = [](const JournalLine& line) { return line.is(JournalEvent::restarting); };
    if (std::ranges::none_of(transaction.lines(), restarted)) return false;
    for (const auto& service : services_of(transaction.intent().files))
        if (const auto done = host.restart(service); !done) undone.fail(done.error().text());
    return true;
}

}  // namespace pve_rdma
