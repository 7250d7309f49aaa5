// What `pve-rdma ofed guard` answers.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace pve_rdma {

struct GuardHook {
    std::string name;     // dpkg, apt
    std::string path;     // the file that names the hook
    std::string state;    // "intact", "absent", "changed": not as it was written
    bool heeded = false;  // the hooked program would run it

    template <class Self, class Visit>
    static void fields(Self& self, Visit&& visit) {
        visit("name", self.name);
        visit("path", self.path);
        visit("state", self.state);
        visit("heeded", self.heeded);
    }
};

struct GuardedPackages {
    std::string tier;                    // node, cluster, storage, access, library, local
    std::vector<std::string> patterns;   // one of these stays; of a single one, each package that fits
    std::vector<std::string> installed;  // the packages of this node that fit
    std::string why;

    template <class Self, class Visit>
    static void fields(Self& self, Visit&& visit) {
        visit("tier", self.tier);
        visit("patterns", self.patterns);
        visit("installed", self.installed);
        visit("why", self.why);
    }
};

struct GuardReply {
    std::string state;       // "on", "off", "partly"
    bool effective = false;  // on, its program runs, dpkg and apt heed it
    std::vector<GuardHook> hooks;
    std::string program;
    bool program_runs = false;
    bool waiver = false;              // the next refusal will be waived
    std::vector<std::string> marked;  // protected packages that somebody has marked for removal
    std::vector<GuardedPackages> guarded;
    std::vector<std::string> journal;  // last refusals and waivers, oldest first

    template <class Self, class Visit>
    static void fields(Self& self, Visit&& visit) {
        visit("state", self.state);
        visit("effective", self.effective);
        visit("hooks", self.hooks);
        visit("program", self.program);
        visit("program_runs", self.program_runs);
        visit("waiver", self.waiver);
        visit("marked", self.marked);
        visit("guarded", self.guarded);
        visit("journal", self.journal);
    }
};

}  // namespace pve_rdma
