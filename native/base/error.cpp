#include "base/error.h"

#include <cerrno>
#include <cstring>

namespace pve_rdma {

std::string_view to_string(ErrorCode code) {
    switch (code) {
        case ErrorCode::bad_request:
            return "bad_request";
        case ErrorCode::not_found:
            return "not_found";
        case ErrorCode::permission:
            return "permission";
        case ErrorCode::unavailable:
            return "unavailable";
        case ErrorCode::timeout:
            return "timeout";
        case ErrorCode::machine:
            return "machine";
        case ErrorCode::malformed:
            return "malformed";
        case ErrorCode::conflict:
            return "conflict";
        case ErrorCode::internal:
            return "internal";
    }
    return "internal";
}

int exit_code(ErrorCode code) {
    switch (code) {
        case ErrorCode::bad_request:
        case ErrorCode::malformed:
            return 2;
        case ErrorCode::conflict:
            return 4;
        default:
            return 3;
    }
}

std::string Error::errno_name() const {
    if (errno_value == 0) return {};
    const char* name = strerrorname_np(errno_value);
    return name ? std::string(name) : "errno " + std::to_string(errno_value);
}

// Without fmt: a static program links this file, and Debian has no static fmt.
std::string Error::text() const {
    std::string line_text;
    if (!file.empty()) line_text = file + ": ";
    if (!file.empty() && line)
        line_text = file + ":" + std::to_string(line) + ":" + std::to_string(column) + ": ";
    if (!subject.empty()) line_text += subject + ": ";
    line_text += message;
    if (errno_value) line_text += " (" + errno_name() + ": " + std::strerror(errno_value) + ")";
    if (!kernel_text.empty()) line_text += " [kernel: " + kernel_text + "]";
    return line_text;
}

Error errno_error(int errno_value, std::string subject, std::string message) {
    ErrorCode code = ErrorCode::machine;
    switch (errno_value) {
        case EACCES:
        case EPERM:
            code = ErrorCode::permission;
            break;
        case ENOENT:
        case ENODEV:
        case ENXIO:
            code = ErrorCode::not_found;
            break;
        case ETIMEDOUT:
            code = ErrorCode::timeout;
            break;
        case EOPNOTSUPP:
        case ENOSYS:
        case EPROTONOSUPPORT:
        case EAFNOSUPPORT:
            code = ErrorCode::unavailable;
            break;
        default:
            break;
    }
    return {.code = code,
            .subject = std::move(subject),
            .message = std::move(message),
            .errno_value = errno_value};
}

}  // namespace pve_rdma
