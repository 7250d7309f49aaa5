// Another program, run without a shell.
#pragma once

#include <chrono>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace pve_rdma {

struct ProgramResult {
    int status = 0;      // exit status; 128 and the signal's number when a signal ended it
    std::string output;  // of standard output and standard error together, at most 1 MiB
};

// What a program reads, and what of it is kept.
struct ProgramInput {
    std::string_view text = {};         // its standard input
    std::size_t max_output = 1u << 20;  // octets; more is cut off
    bool errors_apart = false;          // its standard error is ours, and no part of the output
};

// `words[0]` is the program's path. It gets a small environment (PATH, LC_ALL).
// ErrorCode::timeout when it was ended for taking longer than `limit`, not_found when there is none.
Result<ProgramResult> run_program(const std::vector<std::string>& words, std::chrono::milliseconds limit,
                                  const ProgramInput& = {});

}  // namespace pve_rdma
