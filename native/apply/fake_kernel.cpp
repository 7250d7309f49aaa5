#include "apply/fake_kernel.h"

#include <algorithm>
#include <cerrno>

#include "apply/harmless.h"
#include "apply/standing.h"

namespace pve_rdma {

namespace {

Result<void> carry(FakeState& state, const Change<LinkEntry>& change) {
    return change.after ? make_link(state, *change.after) : delete_link(state, change.before->name);
}

Result<void> carry(FakeState& state, const Change<SettingEntry>& change) {
    return change_setting(state, *change.after);
}

Result<void> carry(FakeState& state, const Change<AddressEntry>& change) {
    if (change.before && change.after) return replace_address(state, *change.before, kept(*change.after));
    if (change.after) return add_address(state, kept(*change.after));
    delete_address(state, kept(*change.before));
    return {};
}

Result<void> carry(FakeState& state, const Change<RouteEntry>& change) {
    if (change.before && change.after) return replace_route(state, kept(*change.before), kept(*change.after));
    if (change.after) return add_route(state, kept(*change.after));
    delete_route(state, kept(*change.before));
    return {};
}

Result<void> carry(FakeState& state, const Change<RuleEntry>& change) {
    if (change.before) std::erase(state.network.rules, *change.before);
    if (change.after) state.network.rules.push_back(*change.after);
    return {};
}

Result<void> carry(FakeState& state, const Change<SysctlEntry>& change) {
    state.network.sysctls[change.after->name] = change.after->value;
    return {};
}

}  // namespace

std::unexpected<Error> kernel_refuses(int errno_value, const std::string& subject, std::string words) {
    Error error = errno_error(errno_value, subject, "the kernel refused");
    error.kernel_text = std::move(words);
    return std::unexpected(std::move(error));
}

std::vector<StepFailure> FakeKernel::carry_out(std::span<const Step> steps) {
    for (std::size_t i = 0; i < steps.size(); ++i)
        if (const auto done = carry_out(steps[i]); !done) return {{i, done.error()}};
    return {};
}

Result<void> FakeKernel::carry_out(const Step& step) {
    if (allow)
        if (const auto allowed = allow(step); !allowed) return allowed;
    if (const auto spared = is_harmless(state_.network, step); !spared) return spared;
    const auto now = standing(state_.network, step);
    if (!now) return std::unexpected(now.error());
    if (*now == Standing::after) return {};
    if (*now == Standing::neither) return std::unexpected(another_value(step));
    return Step::with(step, [&](const auto& change) { return carry(state_, change); });
}

Link& FakeKernel::add_ethernet(const std::string& name) {
    Link& link = state_.network.links.emplace_back();
    link.ifindex = ++state_.last_ifindex;
    link.ifname = name;
    link.flags = {"BROADCAST", "MULTICAST"};
    link.mtu = 1500;
    link.link_type = "ether";
    link.min_mtu = 68;
    link.max_mtu = 9978;
    link.parentbus = "pci";
    return link;
}

Link& FakeKernel::add_ipoib(const std::string& name, const IpoibLimits& limits) {
    Link& link = add_ethernet(name);
    link.link_type = "infiniband";
    link.info_kind = "ipoib";
    link.ipoib.emplace();
    link.ipoib->key = "0xffff";
    link.ipoib->mode = "datagram";
    link.ipoib->umcast = "0000";
    link.mtu = std::min(limits.link, limits.group) - 4;
    link.max_mtu = 65520;
    state_.ipoib[name] = limits;
    return link;
}

}  // namespace pve_rdma
