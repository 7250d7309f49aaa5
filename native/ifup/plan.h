// From what is asked for and what the kernel holds to the messages that lead from one to the other.
//
// Pure functions; no message where nothing differs. Order of messages is order of sending: what is new comes
// before what is old goes (make before break), and each names its key whole, so that no message can hit what
// is not meant.
#pragma once

#include "ifup/kernel.h"
#include "observe/netlink_message.h"
#include "wishes/wishes.h"

namespace pve_rdma::ifup {

struct Message {
    std::string what{};  // "add the route 192.0.2.0/24 metric 1": for errors, and for tests
    Origin origin{};     // the line that asks for it; no file: none does, something is taken away
    NetlinkRequest request;
    bool patient = false;  // EINVAL may pass: the source address is still tentative
};
using Plan = std::vector<Message>;

// --- before an interface comes up

// The P_Key child `name`. A child of another port or P_Key is made anew. An error when the parent cannot have
// children: on a bond of IPoIB ports the attempt crashes the kernel (6.12).
Result<Plan> plan_child(const std::string& name, const Wishes&, const std::optional<LinkState>& now,
                        const std::optional<LinkState>& parent);
// IPoIB mode, for a link that is there.
Plan plan_mode(const LinkState&, const Wishes&);
// The MTU of IPoIB links only: ifupdown sets it before the mode allows it, or before the link is there.
Plan plan_mtu(const LinkState&, const Wishes&);

// --- while it comes up

// ifupdown2 gives addresses, and sets the link up, before our hook has made a child.
Plan plan_late_link(const LinkState&, const Wishes&, const std::vector<AddressState>&);
// The metric of connected routes: addresses are sent again with IFA_RT_PRIORITY, so that the kernel itself
// changes the route without a gap.
Plan plan_metric(const LinkState&, const Wishes&, const std::vector<AddressState>&);
Plan plan_routes(const LinkState&, const Wishes&, const InterfaceState&);
// `others`: rules that other interfaces ask for; they stay.
Plan plan_rules(const std::vector<Wish<RuleEntry>>&, const std::vector<RuleEntry>& others,
                const std::vector<RuleEntry>& now);

// --- after it went down

Plan plan_child_removal(const LinkState&);

}  // namespace pve_rdma::ifup
