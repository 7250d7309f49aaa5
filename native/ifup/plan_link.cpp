#include <algorithm>

#include <fmt/format.h>

#include "ifup/plan.h"
#include "ifup/requests.h"

namespace pve_rdma::ifup {

namespace {

const char* word(IpoibMode mode) {
    return mode == IpoibMode::connected ? "connected" : "datagram";
}

}  // namespace

Result<Plan> plan_child(const std::string& name, const Wishes& wishes, const std::optional<LinkState>& now,
                        const std::optional<LinkState>& parent) {
    if (!wishes.parent) return Plan{};
    const Origin& origin = wishes.parent->origin;
    const std::string& parent_name = wishes.parent->value;
    const auto refuse = [&](ErrorCode code, std::string message, std::string hint) {
        return std::unexpected(origin.error(
            {.code = code, .subject = name, .message = std::move(message), .hint = std::move(hint)}));
    };
    if (!wishes.pkey) return refuse(ErrorCode::bad_request, "a P_Key child needs ib-pkey", "as 0x8001");
    if (!parent)
        return refuse(ErrorCode::not_found, fmt::format("its parent {} is not there", parent_name),
                      "is the card's driver loaded, and ib_ipoib?");
    if (!parent->infiniband || parent->kind != "ipoib" || parent->child())
        return refuse(ErrorCode::bad_request, fmt::format("its parent {} is no IPoIB port", parent_name),
                      "a bond cannot have P_Key children: make one on each port, and a bond of them");
    if (now && now->kind != "ipoib")
        return refuse(ErrorCode::conflict, "another interface has this name", "choose another name");
    if (now && !now->child())
        return refuse(ErrorCode::conflict, "this is an IPoIB port, not a child", "choose another name");
    if (now && now->parent == parent->index && now->pkey == wishes.pkey->value.value) return Plan{};

    Plan plan;
    if (now)
        plan.push_back({fmt::format("delete {}, a child of another port or P_Key", name), origin,
                        delete_link(now->index)});
    const auto mode = wishes.mode ? std::optional(wishes.mode->value) : std::nullopt;
    plan.push_back(
        {fmt::format("create {}, a child of {} for {}", name, parent_name, wishes.pkey->value.text()), origin,
         create_child(name, parent->index, wishes.pkey->value, mode)});
    return plan;
}

Plan plan_mode(const LinkState& link, const Wishes& wishes) {
    if (!wishes.mode || link.mode == wishes.mode->value) return {};
    Plan plan;
    plan.push_back({fmt::format("set {} mode of {}", word(wishes.mode->value), link.name),
                    wishes.mode->origin, set_mode(link.index, wishes.mode->value)});
    return plan;
}

Plan plan_mtu(const LinkState& link, const Wishes& wishes) {
    if (!wishes.mtu || !link.infiniband || link.kind != "ipoib" || link.mtu == wishes.mtu->value) return {};
    Plan plan;
    plan.push_back({fmt::format("set mtu {} of {}", wishes.mtu->value, link.name), wishes.mtu->origin,
                    set_mtu(link.index, wishes.mtu->value)});
    return plan;
}

Plan plan_late_link(const LinkState& link, const Wishes& wishes, const std::vector<AddressState>& now) {
    if (!link.child() || !wishes.parent) return {};
    Plan plan;
    for (const auto& [address, origin] : wishes.addresses)
        if (std::ranges::find(now, address, &AddressState::address) == now.end())
            plan.push_back({fmt::format("add the address {}/{}", address.address.text(), address.length),
                            origin, add_address(link.index, address)});
    if (!link.up)
        plan.push_back({fmt::format("set {} up", link.name), wishes.parent->origin, set_up(link.index)});
    return plan;
}

Plan plan_metric(const LinkState& link, const Wishes& wishes, const std::vector<AddressState>& now) {
    Plan plan;
    for (const auto& state : now) {
        if (!state.connected_route) continue;
        const bool ours = state.protocol == own_protocol;
        if (wishes.metric ? ours && state.metric == wishes.metric->value : !ours) continue;
        const std::uint32_t metric = wishes.metric ? wishes.metric->value : 0;
        plan.push_back({fmt::format("give the connected route of {}/{} on {} metric {}",
                                    state.address.address.text(), state.address.length, link.name, metric),
                        wishes.metric ? wishes.metric->origin : Origin{},
                        resend_address(state, metric, wishes.metric ? own_protocol : std::uint8_t{0})});
    }
    return plan;
}

Plan plan_child_removal(const LinkState& link) {
    if (!link.child()) return {};
    Plan plan;
    plan.push_back({fmt::format("delete {}", link.name), {}, delete_link(link.index)});
    return plan;
}

}  // namespace pve_rdma::ifup
