#include "guard/journal.h"

#include <ctime>

#include <fcntl.h>
#include <syslog.h>
#include <unistd.h>

#include "guard/files.h"
#include "guard/relation.h"

namespace pve_rdma::guard {

namespace {

constexpr std::size_t max_journal = 64u << 20;

std::string now() {
    const std::time_t seconds = std::time(nullptr);
    std::tm parts{};
    ::gmtime_r(&seconds, &parts);
    char text[32];
    return {text, std::strftime(text, sizeof text, "%FT%TZ", &parts)};
}

}  // namespace

void note(const std::string& text) {
    const std::string line = now() + " " + text + "\n";
    const int fd = ::open(journal_path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0644);
    if (fd >= 0) {
        [[maybe_unused]] const auto written = ::write(fd, line.data(), line.size());
        ::close(fd);
    }
    ::openlog("pve-rdma-guard", LOG_PID, LOG_DAEMON);
    ::syslog(LOG_WARNING, "%s", text.c_str());
}

Result<std::vector<std::string>> last_notes(std::size_t count) {
    const auto text = read_text(journal_path, max_journal);
    if (!text && text.error().code == ErrorCode::not_found) return {};
    if (!text) return std::unexpected(text.error());
    std::vector<std::string> lines;
    std::string_view rest = *text;
    while (const auto line = take_part(rest, '\n')) {
        lines.emplace_back(*line);
        if (lines.size() > count) lines.erase(lines.begin());
    }
    return lines;
}

}  // namespace pve_rdma::guard
