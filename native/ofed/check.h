// The check of a vendor's driver against a node: facts in, findings out. Pure: no IO; the same facts give the
// same findings. The form of a finding is that of the doctor; an error means BLOCK, a warning WARN.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "doctor/findings.h"
#include "doctor/node.h"
#include "ofed/bundle/contents.h"
#include "ofed/impact/modules.h"
#include "ofed/impact/node_facts.h"
#include "ofed/plan/installed.h"
#include "ofed/plan/installer_flags.h"
#include "ofed/plan/overwrites.h"
#include "ofed/plan/question.h"
#include "ofed/plan/vendor_removal.h"

namespace pve_rdma::ofed {

// What is to be judged. What is not known is nullptr, absent or empty, and is said to be so.
struct CheckInput {
    const doctor::Node& node;
    const NodeFacts& facts;
    const Installed* installed = nullptr;
    const std::vector<Bundle>& bundles;
    std::vector<std::string> packages;  // asked of the node's own apt sources: doca-ofed
    InstallerFlags flags;
    std::vector<AptPlan> plans;
    std::string no_plans{};             // why apt could not be asked; empty: it could
    std::optional<FileOwners> owners;   // absent: the bundle's files were not compared
    std::optional<std::string> pasted;  // commands that somebody means to run before
};

// The questions whose plans the check looks for, by their id.
inline constexpr const char* plan_prerequisites = "prerequisites";  // the installer's apt-get install
inline constexpr const char* plan_removal = "removal";              // the installer's apt-get remove
inline constexpr const char* plan_packages = "packages";  // apt install of the bundle or of `packages`

// The same, with what follows from it at once.
struct Situation {
    explicit Situation(const CheckInput&);

    const CheckInput& in;
    const Bundle* vendor = nullptr;      // the bundle that has an installer
    std::optional<std::string> release;  // of the driver: "24.10-2.1.8.0"
    std::optional<Installer> installer;  // its own, or the known one of its release
    std::optional<VendorRemoval> removal;
    std::vector<const BundlePackage*> packages;  // that would be installed
    std::vector<BundlePackage> from_plan;        // those of them that only an apt plan names
    std::vector<ReplacedModule> replaced;
    std::vector<LostModule> lost;  // on the running kernel
    bool replaces_core = false;    // ib_core: the driver, not only a tool
    bool builds = false;           // DKMS builds something

    const AptPlan* plan(std::string_view id) const;
    bool replaces(std::string_view module) const;
    bool on_proxmox() const;
};

void check_removal(const Situation&, doctor::Findings&);
void check_apt(const Situation&, doctor::Findings&);
void check_bundle(const Situation&, doctor::Findings&);
void check_cards(const Situation&, doctor::Findings&);
void check_kernels(const Situation&, doctor::Findings&);
void check_modules(const Situation&, doctor::Findings&);
void check_tools(const Situation&, doctor::Findings&);
void check_cleanup(const Situation&, doctor::Findings&);

}  // namespace pve_rdma::ofed
