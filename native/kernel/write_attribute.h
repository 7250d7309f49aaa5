// Files of sysfs and of /proc/sys: the kernel takes a value by one write(2).
#pragma once

#include <string>

#include "base/error.h"

namespace pve_rdma {

Result<void> write_attribute(const std::string& path, const std::string& value);

}  // namespace pve_rdma
