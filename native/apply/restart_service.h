// Services that read their files only when they start.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "base/error.h"

namespace pve_rdma {

// `systemctl try-restart`, for "NAME.service" and what it has started of "NAME@.service": what does not run
// stays so. ErrorCode::machine with systemctl's words; unavailable where systemd does not run.
Result<void> restart_service(const std::string& unit);

// Each once, of a list of files that name one or none.
template <class File>
std::vector<std::string> services_of(const std::vector<File>& files) {
    std::vector<std::string> services;
    for (const File& file : files)
        if (file.service && std::ranges::find(services, *file.service) == services.end())
            services.push_back(*file.service);
    return services;
}

}  // namespace pve_rdma
