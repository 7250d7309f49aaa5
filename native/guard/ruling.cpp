#include "guard/ruling.h"

#include <cstdio>

#include "guard/journal.h"
#include "guard/permit.h"

namespace pve_rdma::guard {

namespace {

constexpr std::size_t shown = 12;

void say(const std::string& line) {
    std::fprintf(stderr, "%s\n", line.c_str());
}

}  // namespace

bool passes(const Ruling& ruling) {
    if (ruling.losses.empty()) return true;
    std::string names;
    for (std::size_t index = 0; index < ruling.losses.size() && index < shown; ++index)
        names += (index ? ", " : "") + ruling.losses[index].package;
    if (ruling.losses.size() > shown) names += ", ...";
    if (take_waiver()) {
        note("allowed once: " + ruling.call + " (" + names + ")");
        say("pve-rdma guard: allowed once, as asked: " + names);
        return true;
    }
    note("refused: " + ruling.call + " (" + names + ")");
    say("pve-rdma guard: refused, nothing was changed: " + ruling.call);
    for (std::size_t index = 0; index < ruling.losses.size() && index < shown; ++index)
        say("  " + ruling.losses[index].package + ": " + ruling.losses[index].reason);
    if (ruling.losses.size() > shown) say("  and " + std::to_string(ruling.losses.size() - shown) + " more");
    say("  to let this pass once: pve-rdma ofed guard off --once");
    return false;
}

}  // namespace pve_rdma::guard
