#include "observe/kernel_log.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <unordered_set>

#include <sys/klog.h>

#include "observe/sysfs_values.h"

namespace pve_rdma {

namespace {

// Actions of syslog(2).
constexpr int read_all = 3, size_of_buffer = 10;
constexpr std::size_t max_log = 16u << 20;
constexpr std::size_t max_line = 400;

constexpr std::array<std::string_view, 10> speakers{"mlx4",  "mlx5", "infiniband", "ib_",   "ib0",
                                                    "ipoib", "rdma", "bnxt",       "irdma", "nvme"};
constexpr std::array<std::string_view, 16> troubles{
    "fail",        "error",        "abort",         "timed out", "timeout",  "fatal",
    "compromised", "insufficient", "not supported", "dropped",   "syndrome", "MMIO",
    "not enough",  "Too many",     "unsupported",   "assert"};

bool contains_any(std::string_view line, std::span<const std::string_view> words) {
    return std::ranges::any_of(
        words, [&](std::string_view word) { return line.find(word) != std::string_view::npos; });
}

// "<4>[    1.234567] mlx5_core ..." -> "mlx5_core ..."
std::string_view without_time(std::string_view line) {
    if (line.starts_with('<'))
        if (const auto end = line.find('>'); end != std::string_view::npos) line.remove_prefix(end + 1);
    if (line.starts_with('['))
        if (const auto end = line.find(']'); end != std::string_view::npos) line.remove_prefix(end + 1);
    while (line.starts_with(' '))
        line.remove_prefix(1);
    return line;
}

Result<std::string> kernel_log(const Machine& machine) {
    if (!machine.live()) return machine.text("/var/log/dmesg", max_log);
    const int size = ::klogctl(size_of_buffer, nullptr, 0);
    if (size < 0) return std::unexpected(errno_error(errno, "kernel log", "cannot read"));
    std::string text(std::min(static_cast<std::size_t>(size), max_log), '\0');
    const int got = ::klogctl(read_all, text.data(), static_cast<int>(text.size()));
    if (got < 0) return std::unexpected(errno_error(errno, "kernel log", "cannot read"));
    text.resize(static_cast<std::size_t>(got));
    return text;
}

}  // namespace

std::vector<std::string> troubles_in_log(std::string_view text) {
    std::vector<std::string> lines;
    std::unordered_set<std::string> seen;
    while (!text.empty()) {
        const auto newline = text.find('\n');
        const auto line = without_time(text.substr(0, newline)).substr(0, max_line);
        if (contains_any(line, speakers) && contains_any(line, troubles))
            if (std::string one = printable(line); seen.insert(one).second) lines.push_back(std::move(one));
        if (newline == std::string_view::npos) break;
        text.remove_prefix(newline + 1);
    }
    if (lines.size() > max_kernel_log_lines)
        lines.erase(lines.begin(), lines.end() - static_cast<std::ptrdiff_t>(max_kernel_log_lines));
    return lines;
}

void observe_kernel_log(const Machine& machine, NodeReport& report) {
    const auto text = kernel_log(machine);
    if (text) {
        report.sources["kernel-log"];
        report.system.kernel_log = troubles_in_log(*text);
    } else if (machine.live() || text.error().errno_value != ENOENT) {
        Error error = text.error();
        if (error.errno_value == EPERM) error.hint = "run as root, or set kernel.dmesg_restrict to 0";
        report.sources["kernel-log"] = Source::failed(error);
    }
}

}  // namespace pve_rdma
