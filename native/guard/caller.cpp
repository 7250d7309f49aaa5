#include "guard/caller.h"

#include <algorithm>

#include <unistd.h>

#include "base/process_stat.h"
#include "guard/files.h"
#include "guard/relation.h"

namespace pve_rdma::guard {

namespace {

constexpr std::size_t max_stat = 64u << 10, max_words = 8u << 20;  // the kernel's limit of arguments is less
constexpr std::size_t max_line = 300;

}  // namespace

std::string Process::line() const {
    std::string text;
    for (const std::string& word : words)
        text += (text.empty() ? "" : " ") + word;
    for (char& c : text)
        if (static_cast<unsigned char>(c) < ' ' || c == 0x7f) c = '?';
    if (text.size() > max_line) text = text.substr(0, max_line) + "...";
    return text;
}

Result<Process> parse_process(pid_t id, std::string_view stat, std::string_view cmdline) {
    Process process{.id = id};
    const auto fields = parse_process_stat(stat);
    if (!fields)
        return std::unexpected(Error{.code = ErrorCode::malformed,
                                     .subject = "/proc/" + std::to_string(id) + "/stat",
                                     .message = "does not read as proc(5) says"});
    process.parent = static_cast<pid_t>(fields->parent);
    process.started = std::to_string(fields->started);
    while (!cmdline.empty()) {
        const auto end = cmdline.find('\0');
        process.words.emplace_back(cmdline.substr(0, end));
        cmdline.remove_prefix(end == std::string_view::npos ? cmdline.size() : end + 1);
    }
    return process;
}

bool is_shell_of(const Process& process, std::string_view program) {
    return process.words.size() >= 3 && process.words[1] == "-c" && process.words.back().contains(program);
}

Result<Process> read_process(pid_t id) {
    const std::string folder = "/proc/" + std::to_string(id);
    const auto stat = read_text(folder + "/stat", max_stat);
    if (!stat) return std::unexpected(stat.error());
    const auto cmdline = read_text(folder + "/cmdline", max_words);
    if (!cmdline) return std::unexpected(cmdline.error());
    return parse_process(id, *stat, *cmdline);
}

Result<Process> find_caller(std::string_view program) {
    auto process = read_process(::getppid());
    if (process && is_shell_of(*process, program)) return read_process(process->parent);
    return process;
}

}  // namespace pve_rdma::guard
