// Kernel modules that a bundle replaces, and those that cannot be loaded any more beside the replaced ones:
// each imports symbols of a replaced module, and those symbols get other versions (CONFIG_MODVERSIONS). Pure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "ofed/bundle/contents.h"
#include "ofed/impact/node_facts.h"
#include "ofed/tables.h"

namespace pve_rdma::ofed {

struct ReplacedModule {
    std::string name, package;
    bool from_table = false;  // known by the package's name only
    bool operator==(const ReplacedModule&) const = default;
};

// By the packages that would be installed.
std::vector<ReplacedModule> replaced_modules(const std::vector<const BundlePackage*>& packages);

struct LostModule {
    std::string name, kernel;
    std::vector<std::string> needs;  // replaced modules that it stands on
    bool loaded = false;
    const ModuleUser* user = nullptr;  // what stops with it; nullptr: nothing that people know
};

// On one kernel. What the bundle replaces is not lost; what an earlier vendor's driver has left is neither. A
// kernel whose modules.dep is not known is judged by what is known of modules in general.
std::vector<LostModule> lost_modules(const InstalledKernel&, const std::vector<ReplacedModule>&,
                                     const NodeFacts&);

}  // namespace pve_rdma::ofed
