// Commands that somebody means to run before: OFED-20. Read as text; nothing is run.
#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "ofed/check.h"
#include "ofed/plan/chains.h"
#include "ofed/plan/cleanup_loop.h"
#include "ofed/plan/dependents.h"
#include "ofed/rules.h"
#include "ofed/tables.h"

namespace pve_rdma::ofed {

void check_cleanup(const Situation& of, doctor::Findings& out) {
    if (!of.in.pasted) return;
    out.speak_for(check_rule("OFED-20"), of.in.node.name);
    const auto loop = read_cleanup(*of.in.pasted);
    if (loop.removing_commands.empty()) return;
    if (!of.in.installed) {
        out.add("commands", fmt::format("Removes packages by a pattern: {}", loop.removing_commands.front()));
        return out.unknown("the node's dpkg status could not be read");
    }
    const auto& installed = *of.in.installed;
    Removed removed(installed);
    std::vector<std::size_t> roots;
    for (std::size_t i = 0; i < installed.size(); ++i)
        if (installed.at(i).present() && loop.takes(installed.at(i).name) && removed.add(i))
            roots.push_back(i);
    close_over_dependents(installed, removed);
    std::vector<std::string> precious;
    for (const auto index : removed.list())
        if (protected_tier(installed.at(index).name)) precious.emplace_back(installed.at(index).name);
    auto& finding = out.add("commands", fmt::format("{}: takes {} of the node's packages by the pattern {}",
                                                    loop.removing_commands.front(), removed.list().size(),
                                                    fmt::join(loop.patterns, " ")));
    if (precious.empty()) {
        finding.message += ", none of them protected now. It decides by names, and removes without asking.";
        return;
    }
    const Chains chains(installed, roots, removed.list(), "has a name that the pattern finds");
    const auto* worst = installed.find(precious.front());
    finding.message +=
        fmt::format(", {} of them protected: {}. Why: {}.", precious.size(), fmt::join(precious, ", "),
                    fmt::join(chains.chain(installed.index_of(*worst)), "; "));
}

}  // namespace pve_rdma::ofed
