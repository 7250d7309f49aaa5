// Clean-up commands as the vendor's guides have them, read as text:
//     for f in $( dpkg --list | grep -E 'doca|flexio|dpa-gdbserver|dpa-stats' | awk '{print $2}' ); do
//         apt remove --purge $f -y ; done
//     /usr/sbin/ofed_uninstall.sh --force ; apt-get autoremove
// Nothing of it is run. Pure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace pve_rdma::ofed {

struct CleanupLoop {
    std::vector<std::string>
        removing_commands;              // lines that remove packages by a pattern, or all that is unused
    std::vector<std::string> patterns;  // words of grep's alternatives; "*" for what nobody can foresee

    // A line of `dpkg --list` for this package would be found by a pattern.
    bool takes(std::string_view package) const;
};

// At most 64 KiB of text and 256 patterns are looked at.
CleanupLoop read_cleanup(std::string_view text);

}  // namespace pve_rdma::ofed
