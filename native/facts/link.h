// Network links. Names and values are those of `ip -j -d link`, but for the data of a kind: it stands under
// the kind's name (bond, bridge, vlan ...) and under KIND_port for a port of one, not under linkinfo. Source:
// struct ifinfomsg and IFLA_* (linux/if_link.h).
#pragma once

#include "facts/address.h"
#include "facts/bond_link.h"
#include "facts/boxed.h"
#include "facts/bridge_link.h"
#include "facts/ethernet.h"
#include "facts/ipoib_link.h"
#include "facts/vf.h"
#include "facts/virtual_link.h"
#include "facts/vlan_link.h"

namespace pve_rdma {

struct Link {
    std::uint32_t ifindex = 0;
    std::string ifname{};
    std::optional<std::string> link{};  // name of the link below or the peer, in this network namespace
    std::optional<std::uint32_t> link_index{};   // its ifindex, there; 0: none
    std::optional<std::int32_t> link_netnsid{};  // the namespace it is in, when it is another
    std::vector<std::string> flags{};            // NO-CARRIER, BROADCAST, UP, LOWER_UP, M-DOWN ...
    std::optional<std::uint32_t> mtu{};
    std::optional<std::string>
        xdp{};  // mode of an attached XDP program: xdp, xdpgeneric, xdpoffload, xdpmulti
    std::optional<std::string> qdisc{};
    std::optional<std::string> master{};
    std::optional<std::string> operstate{};
    std::optional<std::string> linkmode{};
    std::optional<std::string> group{};
    std::optional<std::uint32_t> txqlen{};  // 0 is left out
    std::string link_type{};                // ether, infiniband, loopback, none ...
    std::optional<HardwareAddress> address{};
    std::optional<bool> link_pointtopoint{};  // then broadcast is the peer
    std::optional<HardwareAddress> broadcast{};
    std::optional<HardwareAddress> permaddr{};  // when it is another than address
    std::optional<bool> proto_down{};
    std::optional<bool> carrier{};
    std::optional<std::uint32_t> carrier_changes{};
    std::optional<std::uint32_t> promiscuity{};
    std::optional<std::uint32_t> allmulti{};
    std::optional<std::uint32_t> min_mtu{};
    std::optional<std::uint32_t> max_mtu{};
    std::optional<std::string> info_kind{};
    std::optional<std::string> info_slave_kind{};
    Boxed<Bond> bond{};
    Boxed<BondPort> bond_port{};
    Boxed<Bridge> bridge{};
    Boxed<BridgePort> bridge_port{};
    std::vector<BridgeVlan> bridge_vlans{};
    Boxed<Vlan> vlan{};
    Boxed<Ipoib> ipoib{};
    Boxed<Vxlan> vxlan{};
    Boxed<Macvlan> macvlan{};
    Boxed<Vrf> vrf{};
    Boxed<Vrf> vrf_port{};
    Boxed<Tun> tun{};
    std::optional<std::string> inet6_addr_gen_mode{};
    std::optional<std::uint32_t> num_tx_queues{};
    std::optional<std::uint32_t> num_rx_queues{};
    std::optional<std::uint32_t> gso_max_size{};
    std::optional<std::uint32_t> gso_max_segs{};
    std::optional<std::uint32_t> tso_max_size{};
    std::optional<std::uint32_t> tso_max_segs{};
    std::optional<std::uint32_t> gro_max_size{};
    std::optional<std::string> phys_port_name{};
    std::optional<std::string> phys_port_id{};
    std::optional<std::string> phys_switch_id{};
    std::optional<std::string> parentbus{};
    std::optional<std::string> parentdev{};
    std::optional<std::string> ifalias{};
    std::optional<std::uint32_t> num_vf{};
    std::vector<Vf> vfinfo_list{};
    std::vector<std::string> altnames{};
    Boxed<Ethernet> ethernet{};

    template <class Self, class Visit>
    static void fields(Self& self, Visit&& visit) {
        visit("ifindex", self.ifindex);
        visit("ifname", self.ifname);
        visit("link", self.link);
        visit("link_index", self.link_index);
        visit("link_netnsid", self.link_netnsid);
        visit("flags", self.flags);
        visit("mtu", self.mtu);
        visit("xdp", self.xdp);
        visit("qdisc", self.qdisc);
        visit("master", self.master);
        visit("operstate", self.operstate);
        visit("linkmode", self.linkmode);
        visit("group", self.group);
        visit("txqlen", self.txqlen);
        visit("link_type", self.link_type);
        visit("address", self.address);
        visit("link_pointtopoint", self.link_pointtopoint);
        visit("broadcast", self.broadcast);
        visit("permaddr", self.permaddr);
        visit("proto_down", self.proto_down);
        visit("carrier", self.carrier);
        visit("carrier_changes", self.carrier_changes);
        visit("promiscuity", self.promiscuity);
        visit("allmulti", self.allmulti);
        visit("min_mtu", self.min_mtu);
        visit("max_mtu", self.max_mtu);
        visit("info_kind", self.info_kind);
        visit("info_slave_kind", self.info_slave_kind);
        visit("bond", self.bond);
        visit("bond_port", self.bond_port);
        visit("bridge", self.bridge);
        visit("bridge_port", self.bridge_port);
        visit("bridge_vlans", self.bridge_vlans);
        visit("vlan", self.vlan);
        visit("ipoib", self.ipoib);
        visit("vxlan", self.vxlan);
        visit("macvlan", self.macvlan);
        visit("vrf", self.vrf);
        visit("vrf_port", self.vrf_port);
        visit("tun", self.tun);
        visit("inet6_addr_gen_mode", self.inet6_addr_gen_mode);
        visit("num_tx_queues", self.num_tx_queues);
        visit("num_rx_queues", self.num_rx_queues);
        visit("gso_max_size", self.gso_max_size);
        visit("gso_max_segs", self.gso_max_segs);
        visit("tso_max_size", self.tso_max_size);
        visit("tso_max_segs", self.tso_max_segs);
        visit("gro_max_size", self.gro_max_size);
        visit("phys_port_name", self.phys_port_name);
        visit("phys_port_id", self.phys_port_id);
        visit("phys_switch_id", self.phys_switch_id);
        visit("parentbus", self.parentbus);
        visit("parentdev", self.parentdev);
        visit("ifalias", self.ifalias);
        visit("num_vf", self.num_vf);
        visit("vfinfo_list", self.vfinfo_list);
        visit("altnames", self.altnames);
        visit("ethernet", self.ethernet);
    }
    bool operator==(const Link&) const = default;
};

}  // namespace pve_rdma
