// RDMA devices (HCAs and RNICs) and their ports. Names and values are those of rdma(8), ibv_devinfo(1) and
// ibstat(8); which source each field comes from stands in observe/ beside the code that reads it.
#pragma once

#include "base/describe.h"
#include "base/guid.h"
#include "base/pkey.h"
#include "facts/fabric.h"

namespace pve_rdma {

// One entry of a port's GID table (IBA 4.1.1; RoCE Annex A17).
struct GidEntry {
    std::uint32_t index = 0;
    Gid gid;
    std::optional<std::string> type;       // "IB", "RoCE v1", "RoCE v2"
    std::optional<std::uint32_t> ifindex;  // netdev that the entry belongs to
    std::optional<std::string> netdev;     // its name

    template <class Self, class Visit>
    static void fields(Self& self, Visit&& visit) {
        visit("index", self.index);
        visit("gid", self.gid);
        visit("type", self.type);
        visit("ifindex", self.ifindex);
        visit("netdev", self.netdev);
    }
    bool operator==(const GidEntry&) const = default;
};

struct PKeyEntry {
    std::uint32_t index = 0;
    PKey pkey;

    template <class Self, class Visit>
    static void fields(Self& self, Visit&& visit) {
        visit("index", self.index);
        visit("pkey", self.pkey);
    }
    bool operator==(const PKeyEntry&) const = default;
};

struct Port {
    std::uint32_t number = 0;
    std::optional<std::string> state;  // NOP, DOWN, INIT, ARMED, ACTIVE, ACTIVE_DEFER (as rdma(8))
    std::optional<std::string>
        phys_state;  // SLEEP, POLLING, DISABLED, PORT_CONFIGURATION_TRAINING, LINK_UP, ...
    std::optional<std::string> link_layer;  // InfiniBand, Ethernet
    std::optional<std::uint32_t> lid, lmc, sm_lid, sm_sl;
    std::optional<std::uint64_t> subnet_prefix;
    std::optional<Guid> port_guid;            // the low half of GID 0
    std::optional<std::string> rate;          // sysfs text, "56 Gb/sec (4X FDR)"
    std::optional<double> rate_gbps;          // the number in it
    std::optional<std::string> active_width;  // "4X"
    std::optional<std::string> active_speed;  // of a lane: SDR, DDR, QDR, FDR10, FDR, EDR, HDR, NDR, XDR
    std::optional<double> lane_gbps;          // the same as ibv_devinfo prints it: 14 for FDR
    std::optional<std::uint32_t> max_mtu, active_mtu;  // octets: 256 .. 4096
    std::optional<std::uint64_t> cap_mask;             // PortInfo.CapabilityMask (IBA 14.2.5.6)
    std::optional<std::uint32_t> cap_mask2;
    std::vector<std::string> cap_flags;  // the same by name, as rdma(8)
    std::optional<std::uint32_t> ifindex;
    std::optional<std::string> netdev;  // RoCE: the port's netdev; IB: its first IPoIB interface
    std::vector<std::string> netdevs;   // every netdev on this port, IPoIB children too
    std::vector<GidEntry> gids;         // entries that are set
    std::optional<std::uint32_t> gid_table_length, pkey_table_length;
    std::vector<PKeyEntry> pkeys;  // entries that are not 0
    std::optional<std::uint64_t> max_msg_sz;
    std::optional<std::uint32_t> bad_pkey_counter, qkey_violation_counter, max_vl_num, init_type_reply,
        subnet_timeout;
    std::map<std::string, std::uint64_t> counters;     // sysfs names; the port's PortCounters
    std::map<std::string, std::uint64_t> hw_counters;  // names of `rdma statistic`
    std::optional<std::string> umad, issm;             // device nodes, "umad0"
    std::optional<SubnetView> subnet;                  // what MADs sent from this port were answered

    template <class Self, class Visit>
    static void fields(Self& self, Visit&& visit) {
        visit("number", self.number);
        visit("state", self.state);
        visit("phys_state", self.phys_state);
        visit("link_layer", self.link_layer);
        visit("lid", self.lid);
        visit("lmc", self.lmc);
        visit("sm_lid", self.sm_lid);
        visit("sm_sl", self.sm_sl);
        visit("subnet_prefix", self.subnet_prefix);
        visit("port_guid", self.port_guid);
        visit("rate", self.rate);
        visit("rate_gbps", self.rate_gbps);
        visit("active_width", self.active_width);
        visit("active_speed", self.active_speed);
        visit("lane_gbps", self.lane_gbps);
        visit("max_mtu", self.max_mtu);
        visit("active_mtu", self.active_mtu);
        visit("cap_mask", self.cap_mask);
        visit("cap_mask2", self.cap_mask2);
        visit("cap_flags", self.cap_flags);
        visit("ifindex", self.ifindex);
        visit("netdev", self.netdev);
        visit("netdevs", self.netdevs);
        visit("gids", self.gids);
        visit("gid_table_length", self.gid_table_length);
        visit("pkey_table_length", self.pkey_table_length);
        visit("pkeys", self.pkeys);
        visit("max_msg_sz", self.max_msg_sz);
        visit("bad_pkey_counter", self.bad_pkey_counter);
        visit("qkey_violation_counter", self.qkey_violation_counter);
        visit("max_vl_num", self.max_vl_num);
        visit("init_type_reply", self.init_type_reply);
        visit("subnet_timeout", self.subnet_timeout);
        visit("counters", self.counters);
        visit("hw_counters", self.hw_counters);
        visit("umad", self.umad);
        visit("issm", self.issm);
        visit("subnet", self.subnet);
    }
    bool operator==(const Port&) const = default;
};

struct RdmaDevice {
    std::string name;
    std::optional<std::uint32_t> index;
    std::optional<std::string> node_type;  // CA, SWITCH, ROUTER, RNIC, USNIC, USNIC_UDP, UNSPECIFIED
    std::optional<std::string> protocol;   // ib, roce, iw, opa, usnic
    std::optional<std::string> fw_ver;
    std::optional<Guid> node_guid, sys_image_guid;
    // ibv_device_attr: vendor_id is the maker's IEEE OUI (0x02c9), not the PCI vendor (0x15b3).
    std::optional<std::uint32_t> vendor_id, vendor_part_id, hw_ver;
    std::optional<std::string> hw_rev;    // sysfs text
    std::optional<std::string> hca_type;  // "MT4099"
    std::optional<std::string> board_id;  // the PSID
    std::optional<std::string> node_desc;
    std::optional<std::string> driver;  // the PCI driver
    std::optional<std::string> pci;     // address of the function, key of NodeReport.pci
    std::optional<int> numa_node;
    std::optional<bool> virtual_function;
    std::optional<std::string> uverbs;               // device node, "uverbs0"
    std::optional<bool> adaptive_moderation;         // rdma dev: dim
    std::map<std::string, std::uint64_t> limits;     // ibv_device_attr, names of ibv_devinfo -v
    std::map<std::string, std::uint64_t> resources;  // rdma resource: qp, cq, mr, pd, cm_id, ctx, srq in use
    std::vector<Port> ports;

    Port* find_port(std::uint32_t number);

    template <class Self, class Visit>
    static void fields(Self& self, Visit&& visit) {
        visit("name", self.name);
        visit("index", self.index);
        visit("node_type", self.node_type);
        visit("protocol", self.protocol);
        visit("fw_ver", self.fw_ver);
        visit("node_guid", self.node_guid);
        visit("sys_image_guid", self.sys_image_guid);
        visit("vendor_id", self.vendor_id);
        visit("vendor_part_id", self.vendor_part_id);
        visit("hw_ver", self.hw_ver);
        visit("hw_rev", self.hw_rev);
        visit("hca_type", self.hca_type);
        visit("board_id", self.board_id);
        visit("node_desc", self.node_desc);
        visit("driver", self.driver);
        visit("pci", self.pci);
        visit("numa_node", self.numa_node);
        visit("virtual_function", self.virtual_function);
        visit("uverbs", self.uverbs);
        visit("adaptive_moderation", self.adaptive_moderation);
        visit("limits", self.limits);
        visit("resources", self.resources);
        visit("ports", self.ports);
    }
    bool operator==(const RdmaDevice&) const = default;
};

}  // namespace pve_rdma
