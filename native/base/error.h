// Errors are values: what went wrong, where, and what to do about it.
#pragma once

#include <expected>
#include <string>
#include <string_view>

namespace pve_rdma {

// A stable word for each kind of failure. The words are part of the reply's contract.
enum class ErrorCode {
    bad_request,  // the caller's parameters or document are wrong
    not_found,    // the named thing does not exist
    permission,   // the caller may not do or read this
    unavailable,  // a kernel interface, module or library is not there
    timeout,      // nothing answered in time
    machine,      // the kernel or the hardware refused
    malformed,    // what was read breaks its format or its limits
    conflict,     // somebody else's change, lock or digest stands in the way
    internal,     // a fault of this program
};

std::string_view to_string(ErrorCode);

// Process exit code for an error (see "Exit codes" in the manual page): 2, 3 or 4.
int exit_code(ErrorCode);

struct Error {
    ErrorCode code = ErrorCode::internal;
    std::string subject{};      // what it is about: a path, a link, a LID, a parameter
    std::string message{};      // one sentence for a person
    int errno_value = 0;        // 0 when no system call failed
    std::string kernel_text{};  // the kernel's own words (extack), empty when it gave none
    std::string file{};         // for documents: where the error stands
    int line = 0, column = 0;   // 1-based; 0 = not known
    std::string hint{};         // what the reader can do; empty when there is nothing to say

    // "ENOENT" for ENOENT; empty for 0.
    std::string errno_name() const;
    // One line: subject: message (ERRNO: text) [kernel text]. The hint is not part of it.
    std::string text() const;

    bool operator==(const Error&) const = default;
};

// The error of a failed system call; picks the code from errno_value.
Error errno_error(int errno_value, std::string subject, std::string message);

template <class T>
using Result = std::expected<T, Error>;

}  // namespace pve_rdma
