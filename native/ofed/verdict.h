// The answer of `pve-rdma ofed check`: the level, what would happen, and what to do instead. The findings
// stand beside it in the reply.
#pragma once

#include <string>
#include <vector>

#include "doctor/finding.h"
#include "ofed/check.h"

namespace pve_rdma::ofed {

struct BundleSummary {
    std::string path, kind;
    std::optional<std::string> release, distro, machine;
    std::uint64_t packages = 0;
    std::vector<std::string> skipped;

    template <class Self, class Visit>
    static void fields(Self& self, Visit&& visit) {
        visit("path", self.path);
        visit("kind", self.kind);
        visit("release", self.release);
        visit("distro", self.distro);
        visit("machine", self.machine);
        visit("packages", self.packages);
        visit("skipped", self.skipped);
    }
};

// A package that goes, whoever removes it.
struct RemovedPackage {
    std::string name, version, by;    // by: installer, prerequisites, apt
    std::optional<std::string> tier;  // of what must not go
    std::vector<std::string> chain;   // why, in sentences

    template <class Self, class Visit>
    static void fields(Self& self, Visit&& visit) {
        visit("name", self.name);
        visit("version", self.version);
        visit("by", self.by);
        visit("tier", self.tier);
        visit("chain", self.chain);
    }
};

struct AffectedModule {
    std::string name, fate;  // replaced, lost
    std::optional<std::string> package, kernel;
    bool loaded = false;
    std::vector<std::string> needs;

    template <class Self, class Visit>
    static void fields(Self& self, Visit&& visit) {
        visit("name", self.name);
        visit("fate", self.fate);
        visit("package", self.package);
        visit("kernel", self.kernel);
        visit("loaded", self.loaded);
        visit("needs", self.needs);
    }
};

// One step of the plan. Commands are for people: this program runs none of them.
struct Step {
    std::string title, why;
    std::vector<std::string> commands;

    template <class Self, class Visit>
    static void fields(Self& self, Visit&& visit) {
        visit("title", self.title);
        visit("why", self.why);
        visit("commands", self.commands);
    }
};

struct Verdict {
    std::string level;  // BLOCK, WARN, OK
    std::optional<std::string> release;
    std::vector<BundleSummary> bundles;
    std::vector<std::string> flags;
    std::optional<std::string> installer;  // whose removal was emulated: "of the bundle", "4.9"
    std::optional<std::string> removal;    // nothing, removes, stops, never_ends
    std::vector<RemovedPackage> removed;
    std::vector<AptChange> changes;  // of apt, for the packages
    std::vector<AffectedModule> modules;
    bool stay = false;  // the answer is the kernel's own driver
    std::vector<Step> plan;
    std::string script;  // the plan as a shell script, for reading

    template <class Self, class Visit>
    static void fields(Self& self, Visit&& visit) {
        visit("level", self.level);
        visit("release", self.release);
        visit("bundles", self.bundles);
        visit("flags", self.flags);
        visit("installer", self.installer);
        visit("removal", self.removal);
        visit("removed", self.removed);
        visit("changes", self.changes);
        visit("modules", self.modules);
        visit("stay", self.stay);
        visit("plan", self.plan);
        visit("script", self.script);
    }
};

struct Judgement {
    Verdict verdict;
    std::vector<doctor::Finding> findings;  // worst first
    std::vector<doctor::Unjudged>
        unjudged;  // unknown is not fine: with any of these the level is WARN at least
};

Judgement judge(const CheckInput&);

}  // namespace pve_rdma::ofed
