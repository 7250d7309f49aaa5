#include "ofed_reader/confine.h"

#include <cerrno>
#include <iterator>

#include <linux/capability.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>

#include <grp.h>
#include <unistd.h>

namespace pve_rdma::ofed {

namespace {

constexpr uid_t nobody = 65534;

struct Limit {
    int resource;
    rlim_t value;
};

// A plan over all of Debian takes 64 MB; an index in memory is 50 MB.
constexpr Limit limits[]{
    {RLIMIT_AS, rlim_t{2} << 30}, {RLIMIT_CPU, 120}, {RLIMIT_FSIZE, rlim_t{256} << 20},
    {RLIMIT_NOFILE, 256},         {RLIMIT_CORE, 0},
};

Result<void> failed(const char* what) {
    return std::unexpected(errno_error(errno, "pve-rdma-ofed-reader", what));
}

Result<void> keep_only_reading() {
    __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
    __user_cap_data_struct data[2]{};
    data[0].effective = data[0].permitted = 1u << CAP_DAC_READ_SEARCH;
    if (::syscall(SYS_capset, &header, data) != 0) return failed("cannot drop its capabilities");
    return {};
}

}  // namespace

Result<void> confine() {
    for (const auto& [resource, value] : limits) {
        rlimit now{};
        if (::getrlimit(static_cast<__rlimit_resource_t>(resource), &now) == 0 && now.rlim_max < value)
            continue;
        const rlimit limit{value, value};
        if (::setrlimit(static_cast<__rlimit_resource_t>(resource), &limit) != 0)
            return failed("cannot set its limits");
    }
    if (::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return failed("cannot give up new privileges");
    if (::geteuid() != 0) return {};
    if (::prctl(PR_SET_KEEPCAPS, 1, 0, 0, 0) != 0) return failed("cannot keep the right to read");
    if (::setgroups(0, nullptr) != 0 && errno != EPERM) return failed("cannot leave its groups");
    if (::setresgid(nobody, nobody, nobody) != 0 || ::setresuid(nobody, nobody, nobody) != 0) {
        if (errno == EINVAL) return {};  // the namespace does not have the user
        return failed("cannot become another user");
    }
    return keep_only_reading();
}

}  // namespace pve_rdma::ofed
