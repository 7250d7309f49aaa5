#include "operations/reach.h"

#include <algorithm>

#include <fmt/format.h>

#include "observe/mtu_paths.h"
#include "plan/refuse.h"

namespace pve_rdma {

namespace {

// Every node passes packets of this size (RFC 791, RFC 8200).
std::uint32_t small(const IpAddress& address) {
    return address.is_v6() ? 1280 : 576;
}

constexpr MtuProbeOptions before_options{.timeout_ms = 300, .retries = 1, .deadline_ms = 3'000};
// Neighbours have to be found anew after some changes, and a bond's port takes a moment to be chosen.
constexpr MtuProbeOptions after_options{.timeout_ms = 500, .retries = 4, .deadline_ms = 10'000};

std::uint32_t link_mtu(const Network& network, const IpAddress& address) {
    const Link* link = network.find(way_to(network, address));
    return link ? link->mtu.value_or(0) : 0;
}

}  // namespace

Result<Reach> Reach::before(const Plan& plan, std::vector<ReachTarget> targets) {
    Reach reach;
    for (const auto& route : plan.target.routes)
        if (route.to.is_default() && route.via && route.table == "main")
            targets.push_back({"the gateway " + route.via->text(), *route.via});
    for (auto& target : targets)
        if (std::ranges::find(reach.targets_, target.address, &Target::address) == reach.targets_.end())
            reach.targets_.push_back({std::move(target), link_mtu(plan.target, target.address), 0});
    if (reach.targets_.empty()) return reach;

    std::vector<MtuTarget> asked;
    for (const auto& target : reach.targets_)
        asked.push_back({{target.address}, target.named && target.mtu ? target.mtu : small(target.address)});
    const auto probes = probe_paths(asked, before_options);
    if (!probes) return std::unexpected(probes.error());
    for (std::size_t i = 0; i < reach.targets_.size(); ++i) {
        Target& target = reach.targets_[i];
        target.reached = (*probes)[i].reached.value_or(0);
        if (target.named && !target.reached)
            return std::unexpected(Error{.code = ErrorCode::unavailable,
                                         .subject = target.address.text(),
                                         .message =
                                             "does not answer before the change, so nothing could be told "
                                             "afterwards; nothing was changed",
                                         .hint = "name a peer that answers echo requests, or none"});
    }
    std::erase_if(reach.targets_, [](const Target& target) { return !target.reached; });
    return reach;
}

Result<void> Reach::still() const {
    if (targets_.empty()) return {};
    std::vector<MtuTarget> asked;
    for (const auto& target : targets_)
        asked.push_back({{target.address}, target.named && target.mtu ? target.mtu : small(target.address)});
    const auto probes = probe_paths(asked, after_options);
    if (!probes) return std::unexpected(probes.error());
    for (std::size_t i = 0; i < targets_.size(); ++i) {
        const Target& target = targets_[i];
        const MtuProbe& probe = (*probes)[i];
        const std::uint32_t reached = probe.reached.value_or(0);
        if (!reached)
            return std::unexpected(Error{.code = ErrorCode::machine,
                                         .subject = target.what,
                                         .message = "answered before the change and does not any more"});
        if (target.named && reached < target.mtu)
            return std::unexpected(
                Error{.code = ErrorCode::machine,
                      .subject = target.what,
                      .message = fmt::format("the link sends packets of {}, and no more than {} get there",
                                             target.mtu, reached),
                      .hint = "pve-rdma mtu --peer " + target.address.text() + " names the place"});
    }
    return {};
}

}  // namespace pve_rdma
