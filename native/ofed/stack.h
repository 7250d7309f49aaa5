// Which driver stack a node has: the kernel's own, the vendor's, or parts of both; what is half done, what is
// left over, and the way back. Pure: facts in, words out. What is not known is said to be "unknown", never
// "inbox".
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ofed/impact/node_facts.h"
#include "ofed/plan/installed.h"
#include "ofed/verdict.h"

namespace pve_rdma::ofed {

// Of one kernel: whose modules it would load at its next boot. Here and below: inbox, vendor, mixed, none,
// unknown.
struct KernelStack {
    std::string release, drivers;
    bool running = false;

    template <class Self, class Visit>
    static void fields(Self& self, Visit&& visit) {
        visit("release", self.release);
        visit("running", self.running);
        visit("drivers", self.drivers);
    }
    bool operator==(const KernelStack&) const = default;
};

struct VendorPackage {
    std::string name, version, state;  // state: installed, half-configured, ... as dpkg writes it
    bool needed = false;               // packages of others depend on it: it is to be replaced, not removed

    template <class Self, class Visit>
    static void fields(Self& self, Visit&& visit) {
        visit("name", self.name);
        visit("version", self.version);
        visit("state", self.state);
        visit("needed", self.needed);
    }
    bool operator==(const VendorPackage&) const = default;
};

// What is half done or left over.
struct StackFault {
    std::string subject, message, remedy;

    template <class Self, class Visit>
    static void fields(Self& self, Visit&& visit) {
        visit("subject", self.subject);
        visit("message", self.message);
        visit("remedy", self.remedy);
    }
    bool operator==(const StackFault&) const = default;
};

struct DriverStack {
    std::string stack;                   // inbox, OFED, DOCA, mixed, none, unknown
    std::optional<std::string> release;  // of the vendor's driver: "24.10.2.1.8.1"
    std::string loaded, libraries;       // whose modules run now, whose verbs libraries are installed
    std::vector<KernelStack> kernels;
    std::vector<VendorPackage> packages;
    std::vector<StackFault> half_done, leftovers;
    std::vector<Step> back;  // empty where there is nothing to go back from

    template <class Self, class Visit>
    static void fields(Self& self, Visit&& visit) {
        visit("stack", self.stack);
        visit("release", self.release);
        visit("loaded", self.loaded);
        visit("libraries", self.libraries);
        visit("kernels", self.kernels);
        visit("packages", self.packages);
        visit("half_done", self.half_done);
        visit("leftovers", self.leftovers);
        visit("back", self.back);
    }
};

// `installed` is nullptr when dpkg's status could not be read.
DriverStack driver_stack(const NodeFacts&, const Installed* installed);

// A package that the vendor has built, by its version or its name.
bool is_vendors(const InstalledPackage&);

}  // namespace pve_rdma::ofed
