// How one mlnxofedinstall finds what it removes: read from the bundle's own installer, or, where the bundle
// has none that can be read, taken from the table of known generations (data/installers.csv).
#pragma once

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace pve_rdma::ofed {

struct Installer {
    std::string generation;          // "4.9"; "of the bundle" when its own text was read
    std::vector<std::string> names;  // it removes what has one of these in its name, in this order
    std::vector<std::string> immune;
    bool direct_lose_arch = false, dependents_lose_arch = false;
    bool remembers = false, kernel_filter = false;
    bool certain = false;                    // otherwise the harsher reading was taken
    std::set<std::string, std::less<>> own;  // packages that it takes for its own: not foreign dependents
    std::vector<std::string> open_vswitch;   // names that count only with the flags for Open vSwitch
};

// The generation for a release ("24.10-2.1.8.0") on a Debian release ("12.9"). nullopt: no release like it.
std::optional<Installer> known_installer(std::string_view release, std::string_view debian);
// By the generation's id; for tests and for bundles that name theirs.
std::optional<Installer> installer_generation(std::string_view id);

// "24.10-2.1.8.0" against "24.9": by their numbers, as far as both have them.
bool release_at_least(std::string_view release, std::string_view least);
bool release_at_most(std::string_view release, std::string_view most);

}  // namespace pve_rdma::ofed
