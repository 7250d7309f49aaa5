// Attributes of subnet management (SMPs), except PortInfo. Source: IBA vol. 1, 14.2.5.
//
// A struct that comes from the wire lists its fields once, in wire(): JSON name, member, offset in bits (IBA
// numbering: bit 0 is the top bit of octet 0) and width in bits. fields(), the decoders and the encoders of
// mad/ all walk that list. Names that end in _code hold the number of the wire where a sibling without the
// suffix says it in words or octets.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/describe.h"
#include "base/guid.h"
#include "base/pkey.h"

namespace pve_rdma {

// SMInfo (IBA 14.2.5.13).
struct SmInfo {
    std::uint32_t lid = 0;  // where the answer came from
    Guid guid;
    std::uint64_t sm_key = 0;  // 0 unless the SM trusts the requester
    std::uint32_t activity = 0, priority = 0, state_code = 0;
    std::string state;  // NOTACTIVE, DISCOVERING, STANDBY, MASTER

    template <class Visit>
    static constexpr void wire(Visit&& visit) {
        visit("guid", &SmInfo::guid, 0, 64);
        visit("sm_key", &SmInfo::sm_key, 64, 64);
        visit("activity", &SmInfo::activity, 128, 32);
        visit("priority", &SmInfo::priority, 160, 4);
        visit("state_code", &SmInfo::state_code, 164, 4);
    }
    template <class Self, class Visit>
    static void fields(Self& self, Visit&& visit) {
        visit("lid", self.lid);
        visit("state", self.state);
        wire([&](const char* name, auto member, unsigned, unsigned) { visit(name, self.*member); });
    }
    bool operator==(const SmInfo&) const = default;
};

// NodeInfo (IBA 14.2.5.3).
struct NodeInfo {
    std::string type;  // CA, SWITCH, ROUTER
    std::uint32_t base_version = 0, class_version = 0, type_code = 0, ports = 0;
    Guid system_image_guid, node_guid, port_guid;
    std::uint32_t partition_cap = 0;  // entries of the P_Key table
    std::uint32_t device_id = 0, revision = 0;
    std::uint32_t local_port = 0;  // the port that the request came in by
    std::uint32_t vendor_id = 0;   // IEEE OUI

    bool is_switch() const { return type_code == 2; }

    template <class Visit>
    static constexpr void wire(Visit&& visit) {
        visit("base_version", &NodeInfo::base_version, 0, 8);
        visit("class_version", &NodeInfo::class_version, 8, 8);
        visit("type_code", &NodeInfo::type_code, 16, 8);
        visit("ports", &NodeInfo::ports, 24, 8);
        visit("system_image_guid", &NodeInfo::system_image_guid, 32, 64);
        visit("node_guid", &NodeInfo::node_guid, 96, 64);
        visit("port_guid", &NodeInfo::port_guid, 160, 64);
        visit("partition_cap", &NodeInfo::partition_cap, 224, 16);
        visit("device_id", &NodeInfo::device_id, 240, 16);
        visit("revision", &NodeInfo::revision, 256, 32);
        visit("local_port", &NodeInfo::local_port, 288, 8);
        visit("vendor_id", &NodeInfo::vendor_id, 296, 24);
    }
    template <class Self, class Visit>
    static void fields(Self& self, Visit&& visit) {
        visit("type", self.type);
        wire([&](const char* name, auto member, unsigned, unsigned) { visit(name, self.*member); });
    }
    bool operator==(const NodeInfo&) const = default;
};

// SwitchInfo (IBA 14.2.5.4).
struct SwitchInfo {
    std::uint32_t linear_fdb_cap = 0, random_fdb_cap = 0, multicast_fdb_cap = 0, linear_fdb_top = 0;
    std::uint32_t default_port = 0, default_multicast_primary_port = 0,
                  default_multicast_not_primary_port = 0;
    std::uint32_t life_time = 0;  // code: 4.096 us * 2^n; above 19 = no limit
    std::uint32_t port_state_change = 0, optimized_sl_to_vl_mapping = 0, lids_per_port = 0;
    std::uint32_t partition_enforcement_cap = 0;
    std::uint32_t inbound_enforcement_cap = 0, outbound_enforcement_cap = 0;
    std::uint32_t filter_raw_inbound_cap = 0, filter_raw_outbound_cap = 0;
    std::uint32_t enhanced_port0 = 0, multicast_fdb_top = 0;

    template <class Visit>
    static constexpr void wire(Visit&& visit) {
        visit("linear_fdb_cap", &SwitchInfo::linear_fdb_cap, 0, 16);
        visit("random_fdb_cap", &SwitchInfo::random_fdb_cap, 16, 16);
        visit("multicast_fdb_cap", &SwitchInfo::multicast_fdb_cap, 32, 16);
        visit("linear_fdb_top", &SwitchInfo::linear_fdb_top, 48, 16);
        visit("default_port", &SwitchInfo::default_port, 64, 8);
        visit("default_multicast_primary_port", &SwitchInfo::default_multicast_primary_port, 72, 8);
        visit("default_multicast_not_primary_port", &SwitchInfo::default_multicast_not_primary_port, 80, 8);
        visit("life_time", &SwitchInfo::life_time, 88, 5);
        visit("port_state_change", &SwitchInfo::port_state_change, 93, 1);
        visit("optimized_sl_to_vl_mapping", &SwitchInfo::optimized_sl_to_vl_mapping, 94, 2);
        visit("lids_per_port", &SwitchInfo::lids_per_port, 96, 16);
        visit("partition_enforcement_cap", &SwitchInfo::partition_enforcement_cap, 112, 16);
        visit("inbound_enforcement_cap", &SwitchInfo::inbound_enforcement_cap, 128, 1);
        visit("outbound_enforcement_cap", &SwitchInfo::outbound_enforcement_cap, 129, 1);
        visit("filter_raw_inbound_cap", &SwitchInfo::filter_raw_inbound_cap, 130, 1);
        visit("filter_raw_outbound_cap", &SwitchInfo::filter_raw_outbound_cap, 131, 1);
        visit("enhanced_port0", &SwitchInfo::enhanced_port0, 132, 1);
        visit("multicast_fdb_top", &SwitchInfo::multicast_fdb_top, 144, 16);
    }
    template <class Self, class Visit>
    static void fields(Self& self, Visit&& visit) {
        wire([&](const char* name, auto member, unsigned, unsigned) { visit(name, self.*member); });
    }
    bool operator==(const SwitchInfo&) const = default;
};

// The vendor attribute 0xff90 of Mellanox devices: FDR10, which PortInfo shows as QDR.
struct MellanoxExtPortInfo {
    std::uint32_t state_change_enable = 0;
    std::uint32_t link_speed_supported = 0, link_speed_enabled = 0, link_speed_active = 0;  // 1 = FDR10

    template <class Visit>
    static constexpr void wire(Visit&& visit) {
        visit("state_change_enable", &MellanoxExtPortInfo::state_change_enable, 24, 8);
        visit("link_speed_supported", &MellanoxExtPortInfo::link_speed_supported, 56, 8);
        visit("link_speed_enabled", &MellanoxExtPortInfo::link_speed_enabled, 88, 8);
        visit("link_speed_active", &MellanoxExtPortInfo::link_speed_active, 120, 8);
    }
    template <class Self, class Visit>
    static void fields(Self& self, Visit&& visit) {
        wire([&](const char* name, auto member, unsigned, unsigned) { visit(name, self.*member); });
    }
    bool operator==(const MellanoxExtPortInfo&) const = default;
};

// The P_Key table of a port; the position is the index, 0x0000 an empty entry; trailing empty entries are
// left out.
struct PKeyTable {
    std::uint32_t capacity = 0;
    std::vector<PKey> entries;

    template <class Self, class Visit>
    static void fields(Self& self, Visit&& visit) {
        visit("capacity", self.capacity);
        visit("entries", self.entries);
    }
    bool operator==(const PKeyTable&) const = default;
};

}  // namespace pve_rdma
