// How one mlnxofedinstall finds what it removes: read from the bundle's own installer, or, where the bundle
// has none that can be read, taken from the table of known generations (data/installers.csv).
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/describe.h"

namespace pve_rdma::ofed {

struct Installer {
    std::string generation;                 // "4.9"; "of the bundle" when its own text was read
    std::vector<std::string> names;         // it removes what has one of these in its name, in this order
    std::vector<std::string> open_vswitch;  // names that count only with the flags for Open vSwitch
    std::vector<std::string> immune;        // dependents for whose sake the package they need is kept
    std::vector<std::string> own;  // packages that it takes for its own: not foreign dependents; sorted
    bool direct_lose_arch = false, dependents_lose_arch = false;
    bool remembers = false, kernel_filter = false;
    bool upstream_libs = false;         // rdma-core's libraries unless --mlnx-libs asks for the others
    bool certain = false;               // otherwise the harsher reading was taken
    std::vector<std::string> required;  // asked of apt before anything else
    std::map<std::string, std::vector<std::string>>
        requires_of;  // the same, by the package that is installed

    template <class Self, class Visit>
    static void fields(Self& self, Visit&& visit) {
        visit("generation", self.generation);
        visit("names", self.names);
        visit("open_vswitch", self.open_vswitch);
        visit("immune", self.immune);
        visit("own", self.own);
        visit("direct_lose_arch", self.direct_lose_arch);
        visit("dependents_lose_arch", self.dependents_lose_arch);
        visit("remembers", self.remembers);
        visit("kernel_filter", self.kernel_filter);
        visit("upstream_libs", self.upstream_libs);
        visit("certain", self.certain);
        visit("required", self.required);
        visit("requires_of", self.requires_of);
    }
    bool operator==(const Installer&) const = default;
};

// The generation for a release ("24.10-2.1.8.0") on a Debian release ("12.9"). nullopt: no release like it.
std::optional<Installer> known_installer(std::string_view release, std::string_view debian);
// By the generation's id; for tests and for bundles that name theirs.
std::optional<Installer> installer_generation(std::string_view id);

// "24.10-2.1.8.0" against "24.9": by their numbers, as far as both have them.
bool release_at_least(std::string_view release, std::string_view least);
bool release_at_most(std::string_view release, std::string_view most);

}  // namespace pve_rdma::ofed
