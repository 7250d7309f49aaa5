// The removal step of mlnxofedinstall (remove_old_packages), emulated: which packages it finds by name, which
// dependents it adds, where it stops, and what the apt-get remove that it then calls takes off the node.
//
// Pure: a function of the status file, the installer and its flags. The real installers 4.1, 4.9 and 5.0 were
// run to their end for comparison.
#pragma once

#include <string>
#include <vector>

#include "ofed/plan/installed.h"
#include "ofed/plan/installer.h"
#include "ofed/plan/installer_flags.h"

namespace pve_rdma::ofed {

enum class RemovalOutcome {
    nothing,     // no package is found
    removes,     // apt-get remove -y takes `removed`
    stops,       // without --force, when foreign packages depend: exit code 174
    never_ends,  // the search follows a circle of dependents for ever
};
std::string_view to_string(RemovalOutcome);

struct VendorRemoval {
    RemovalOutcome outcome = RemovalOutcome::nothing;
    std::vector<std::string> matched;     // found by name, in the order of the search
    std::vector<std::string> dependents;  // added since they depend, in the order of the search
    std::vector<std::string> immune;      // kept for the sake of an immune dependent
    std::vector<std::string> arguments;   // of apt-get remove -y
    std::vector<std::string> foreign;     // names that exit 174 prints: some dependents are missing in them
    std::vector<std::string> circle;      // never_ends: the packages of the circle
    std::vector<std::size_t> roots;       // packages found by name and not kept
    std::vector<std::size_t>
        removed;  // what goes when apt-get remove runs, also where the outcome is `stops`
};

VendorRemoval emulate_removal(const Installed&, const Installer&, const InstallerFlags&);

}  // namespace pve_rdma::ofed
