// Two fields of /proc/PID/stat (proc(5)): whose child a process is, and when it began. With its number the
// second names one process, for numbers are given again. Needs no library: the guard's static program reads
// it too.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string_view>

#include "base/number.h"

namespace pve_rdma {

struct ProcessStat {
    std::int64_t parent = 0;    // field 4
    std::uint64_t started = 0;  // field 22: ticks after the boot
};

// The program's name stands in parentheses and may hold some itself, so fields count from the last one.
inline std::optional<ProcessStat> parse_process_stat(std::string_view text) {
    const auto name_end = text.rfind(')');
    if (name_end == text.npos) return std::nullopt;
    text.remove_prefix(name_end + 1);
    std::optional<std::int64_t> parent;
    std::optional<std::uint64_t> started;
    for (int field = 3; field <= 22; ++field) {
        const auto begin = text.find_first_not_of(" \n");
        if (begin == text.npos) return std::nullopt;
        text.remove_prefix(begin);
        const auto word = text.substr(0, text.find_first_of(" \n"));
        text.remove_prefix(word.size());
        if (field == 4) parent = parse_number<std::int64_t>(word);
        if (field == 22) started = parse_number<std::uint64_t>(word);
    }
    if (!parent || !started) return std::nullopt;
    return ProcessStat{*parent, *started};
}

}  // namespace pve_rdma
