#include "kernel/write_attribute.h"

#include <cerrno>

#include <fcntl.h>
#include <unistd.h>

namespace pve_rdma {

Result<void> write_attribute(const std::string& path, const std::string& value) {
    const int fd = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
    if (fd < 0) return std::unexpected(errno_error(errno, path, "cannot open"));
    const auto written = ::write(fd, value.data(), value.size());
    const int error = errno;
    ::close(fd);
    if (written < 0) return std::unexpected(errno_error(error, path, "cannot write " + value));
    return {};
}

}  // namespace pve_rdma
