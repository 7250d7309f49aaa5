// Another program, run without a shell.
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "base/error.h"

namespace pve_rdma {

struct ProgramResult {
    int status = 0;      // exit status; 128 and the signal's number when a signal ended it
    std::string output;  // of standard output and standard error together, at most 1 MiB
};

// `words[0]` is the program's path. It gets an empty standard input and a small environment (PATH, LC_ALL).
// ErrorCode::timeout when it was ended for taking longer than `limit`, not_found when there is none.
Result<ProgramResult> run_program(const std::vector<std::string>& words, std::chrono::milliseconds limit);

}  // namespace pve_rdma
