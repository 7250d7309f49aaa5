#include "path/mtu_words.h"

#include <algorithm>

#include <fmt/format.h>

namespace pve_rdma {

namespace {

// The own chain already has a hop that ends there. Ports of bridges and many cards let the four octets of a
// VLAN tag pass on top of their MTU (is_skb_forwardable() of net/core/dev.c), tagged or not.
bool own_chain_explains(const MtuPeer& peer) {
    if (!peer.chain || !peer.probe.reached || peer.chain->mtu >= peer.chain->sent) return false;
    return *peer.probe.reached >= peer.chain->mtu && *peer.probe.reached <= peer.chain->mtu + 4;
}

// A path MTU that the kernel learned earlier and still heeds, though the whole size passes now.
bool keeps_old_mtu(const MtuPeer& peer) {
    return peer.route && peer.route->expires && peer.route->metrics && peer.route->metrics->mtu &&
           *peer.route->metrics->mtu < peer.probe.wanted;
}

void explain_passes(MtuPeer& peer) {
    peer.message = fmt::format("{} reaches the peer in one piece", peer.probe.reached.value_or(0));
    if (!keeps_old_mtu(peer)) return;
    peer.message += fmt::format("; yet a router said {} earlier, and the kernel heeds that for {} s more",
                                *peer.route->metrics->mtu, *peer.route->expires);
    peer.remedy = "wait, or forget it: ip route flush cache";
}

std::string router_text(const MtuProbe& probe) {
    const std::string who = probe.router ? probe.router->text() : "a router";
    return probe.router_mtu ? fmt::format("router {} passes on no more than {}", who, *probe.router_mtu)
                            : fmt::format("router {} refuses larger packets and names no MTU", who);
}

void explain_router(MtuPeer& peer) {
    const MtuProbe& probe = peer.probe;
    peer.message = fmt::format("{} is too large: {}", probe.wanted, router_text(probe));
    if (probe.reached) peer.message += fmt::format("; {} reaches the peer", *probe.reached);
    peer.remedy = fmt::format(
        "TCP adapts as long as those ICMP messages are not filtered. For {} on the whole way raise the MTU "
        "of "
        "that router's link; or set {} here",
        probe.wanted, probe.reached.value_or(probe.router_mtu.value_or(0)));
}

void explain_blackhole(MtuPeer& peer) {
    const MtuProbe& probe = peer.probe;
    peer.message = fmt::format("blackhole above {}: larger packets vanish, and nobody says so",
                               probe.reached.value_or(0));
    if (probe.router_mtu) peer.message += fmt::format(" ({})", router_text(probe));
    if (own_chain_explains(peer)) {
        peer.message += fmt::format(". {} on this node is the reason", peer.chain->smallest);
        peer.remedy = peer.chain->remedy;
        return;
    }
    peer.remedy = fmt::format(
        "a switch, a bridge or the peer's own link on the way there or back has a smaller MTU than {}: raise "
        "it "
        "to {}, or set {} on every node of that network. Connections hang until then",
        probe.wanted, probe.wanted, probe.reached.value_or(0));
}

void explain_no_answer(MtuPeer& peer) {
    peer.message = fmt::format(
        "no answer to {} small echo requests: the peer is away, or ICMP is dropped. This says nothing about "
        "the "
        "MTU",
        peer.probe.requests);
    peer.remedy = "start the peer, or let echo requests through its firewall, and ask again";
}

// The refusal is this node's own: it found no neighbour (ARP, neighbour discovery) on the link.
bool is_own(const MtuPeer& peer) {
    if (!peer.chain || !peer.probe.router) return false;
    const std::string prefix = peer.probe.router->text() + "/";
    return std::ranges::any_of(peer.chain->addresses,
                               [&](const std::string& address) { return address.starts_with(prefix); });
}

void explain_unreachable(MtuPeer& peer) {
    const MtuProbe& probe = peer.probe;
    const std::string words = probe.refusal ? probe.refusal->text : "cannot be reached";
    if (is_own(peer)) {
        const auto next = peer.route && peer.route->gateway ? peer.route->gateway->text() : peer.address;
        peer.message = fmt::format("nobody on {} has the address {}: the peer is away, or on another network",
                                   peer.chain->link, next);
        peer.remedy = "check the cable, the VLAN and the address; the MTU is not the reason";
        return;
    }
    peer.message = probe.router ? fmt::format("router {} says: {}", probe.router->text(), words) : words;
    if (probe.refusal && !probe.refusal->hint.empty()) peer.remedy = probe.refusal->hint;
}

void explain_own_link(MtuPeer& peer) {
    const MtuProbe& probe = peer.probe;
    peer.message =
        fmt::format("this node itself sends no more than {} to it in one piece, though {} has {}",
                    probe.reached.value_or(0), peer.chain ? peer.chain->link : "its link", probe.wanted);
    peer.remedy = "look for a tunnel or IPsec on the way (ip xfrm policy), or a link whose MTU just changed";
}

void explain_unsure(MtuPeer& peer) {
    const MtuProbe& probe = peer.probe;
    peer.message = probe.reached ? fmt::format("unsure: {} reaches the peer", *probe.reached)
                                 : std::string("unsure: time was up before an answer");
    if (probe.fails_at) peer.message += fmt::format(", {} did not", *probe.fails_at);
    if (probe.lost) peer.message += fmt::format("; {} of {} requests were lost", probe.lost, probe.requests);
    peer.remedy = probe.lost ? "find the loss first (counters of the links on the way), then ask again"
                             : "ask again with a larger deadline";
}

}  // namespace

void explain(MtuPeer& peer) {
    const std::string& verdict = peer.probe.verdict;
    peer.remedy.reset();
    if (verdict == "passes")
        explain_passes(peer);
    else if (verdict == "router")
        explain_router(peer);
    else if (verdict == "blackhole")
        explain_blackhole(peer);
    else if (verdict == "no_answer")
        explain_no_answer(peer);
    else if (verdict == "unreachable")
        explain_unreachable(peer);
    else if (verdict == "own_link")
        explain_own_link(peer);
    else
        explain_unsure(peer);
}

}  // namespace pve_rdma
