// What an IP packet meets on its way out of this node, and how large a one reaches a peer. Every size is that
// of a whole IP packet in octets, as the MTU of a link is. Sources: RFC 791 and 1191 (IPv4), 8200 and 8201
// (IPv6), 8899 (probing without ICMP).
#pragma once

#include "base/describe.h"
#include "facts/ip_address.h"
#include "facts/route.h"
#include "facts/source.h"

namespace pve_rdma {

// One thing that a packet passes: a link, or what stands behind an IPoIB link (its group, its port).
struct MtuHop {
    std::string name{};  // of the link; "mlx4_0 port 1", "group of P_Key 0xffff"; "route"
    std::string
        kind{};  // as Link.info_kind or link_type: bridge, vlan, bond, ether; ib_port, ib_group, route
    std::uint32_t depth = 0;  // 0: the link that holds the address, or that the route leaves by
    std::string role{};       // to what is above: "port of vmbr1", "below vlan5"; empty at depth 0
    std::uint32_t mtu = 0;    // its own
    std::uint32_t limit = 0;  // largest packet of the top link that passes it: mtu less what lies between
    bool counts = true;       // false: listed, yet it does not limit; `note` says why
    std::optional<std::string> note{};

    template <class Self, class Visit>
    static void fields(Self& self, Visit&& visit) {
        visit("name", self.name);
        visit("kind", self.kind);
        visit("depth", self.depth);
        visit("role", self.role);
        visit("mtu", self.mtu);
        visit("limit", self.limit);
        visit("counts", self.counts);
        visit("note", self.note);
    }
    bool operator==(const MtuHop&) const = default;
};

// The way down from one link.
struct MtuChain {
    std::string link{};
    std::vector<std::string> addresses{};  // of the link, with their prefix lengths
    std::vector<MtuHop> hops{};  // the link first, then what is below it, each before what is below that
    std::uint32_t sent = 0;      // largest packet that this node sends: the link's MTU, or the route's
    std::uint32_t mtu = 0;       // largest packet that leaves it whole: the smallest limit that counts
    std::string smallest{};      // name of the hop with that limit, the uppermost of several
    std::string message{};       // the smallest, in words
    std::optional<std::string> remedy{};  // when mtu is smaller than sent

    template <class Self, class Visit>
    static void fields(Self& self, Visit&& visit) {
        visit("link", self.link);
        visit("addresses", self.addresses);
        visit("hops", self.hops);
        visit("sent", self.sent);
        visit("mtu", self.mtu);
        visit("smallest", self.smallest);
        visit("message", self.message);
        visit("remedy", self.remedy);
    }
    bool operator==(const MtuChain&) const = default;
};

// What echo requests that may not be fragmented found out about the way to a peer, and back.
struct MtuProbe {
    // passes       the largest packet that this node sends was answered
    // router       a router says that it cannot pass on more than `router_mtu`
    // own_link     this node cannot send more in one piece, whatever its link's MTU says
    // blackhole    packets up to `reached` are answered, larger ones vanish without a word
    // no_answer    nothing is answered: nothing is known about the MTU
    // unreachable  a router or this node says that the peer cannot be reached
    // unsure       the answers contradict each other, packets are lost, or time was up
    std::string verdict{};
    std::uint32_t wanted = 0;                   // the largest size that was to be tried
    std::optional<std::uint32_t> reached{};     // largest size that was answered
    std::optional<std::uint32_t> fails_at{};    // smallest size known not to pass
    std::optional<IpAddress> router{};          // which says so (router, unreachable)
    std::optional<std::uint32_t> router_mtu{};  // what it says; absent when it names none (RFC 792)
    std::optional<Unread> refusal{};            // of unreachable: errno and its words
    std::uint32_t requests = 0, answers = 0;
    std::uint32_t lost = 0;          // requests without answer, of a size that otherwise is answered
    std::optional<double> rtt_ms{};  // the shortest

    template <class Self, class Visit>
    static void fields(Self& self, Visit&& visit) {
        visit("verdict", self.verdict);
        visit("wanted", self.wanted);
        visit("reached", self.reached);
        visit("fails_at", self.fails_at);
        visit("router", self.router);
        visit("router_mtu", self.router_mtu);
        visit("refusal", self.refusal);
        visit("requests", self.requests);
        visit("answers", self.answers);
        visit("lost", self.lost);
        visit("rtt_ms", self.rtt_ms);
    }
    bool operator==(const MtuProbe&) const = default;
};

struct MtuPeer {
    std::string address{};         // with its scope: fe80::1%vmbr1
    std::optional<Route> route{};  // the kernel's answer; absent when it has none (probe.refusal says why)
    std::optional<MtuChain> chain{};
    MtuProbe probe{};
    std::string message{};  // the verdict, in words
    std::optional<std::string> remedy{};

    template <class Self, class Visit>
    static void fields(Self& self, Visit&& visit) {
        visit("address", self.address);
        visit("route", self.route);
        visit("chain", self.chain);
        visit("probe", self.probe);
        visit("message", self.message);
        visit("remedy", self.remedy);
    }
    bool operator==(const MtuPeer&) const = default;
};

// From one node to an address of another in the same network.
struct MtuCell {
    std::string from{}, to{};  // host names
    std::string network{};     // "192.0.2.0/24"
    std::string link{};        // of `from`
    std::string address{};     // of `to`
    std::uint32_t mtu = 0;     // largest packet that leaves `from` whole and that `to` takes in: what lies
                               // between the nodes is not known to either

    template <class Self, class Visit>
    static void fields(Self& self, Visit&& visit) {
        visit("from", self.from);
        visit("to", self.to);
        visit("network", self.network);
        visit("link", self.link);
        visit("address", self.address);
        visit("mtu", self.mtu);
    }
    bool operator==(const MtuCell&) const = default;
};

// The answer of the operation: without peers the chain under each link that has an address, else the peers.
struct MtuAnswer {
    std::vector<MtuChain> chains{};
    std::vector<MtuPeer> peers{};

    template <class Self, class Visit>
    static void fields(Self& self, Visit&& visit) {
        visit("chains", self.chains);
        visit("peers", self.peers);
    }
    bool operator==(const MtuAnswer&) const = default;
};

}  // namespace pve_rdma
