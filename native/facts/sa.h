// Records of subnet administration (SA), and ClassPortInfo. Sources: IBA vol. 1, 13.4.8.1 (ClassPortInfo),
// 15.2.5.16 (PathRecord), 15.2.5.17 (MCMemberRecord); wire() as in facts/smp.h.
#pragma once

#include <cstdint>
#include <string>

#include "base/describe.h"
#include "base/guid.h"
#include "base/pkey.h"

namespace pve_rdma {

// The path between two ports, as the SM routes it.
struct PathRecord {
    std::uint32_t mtu = 0;  // octets
    double rate_gbps = 0;
    std::uint64_t service_id = 0;
    Gid dgid, sgid;
    std::uint32_t dlid = 0, slid = 0;
    std::uint32_t raw_traffic = 0, flow_label = 0, hop_limit = 0, traffic_class = 0;
    std::uint32_t reversible = 0, numb_path = 0;
    PKey pkey;
    std::uint32_t qos_class = 0, sl = 0;
    std::uint32_t mtu_selector = 0, mtu_code = 0, rate_selector = 0, rate_code = 0;
    std::uint32_t packet_life_time_selector = 0, packet_life_time = 0;  // 4.096 us * 2^n
    std::uint32_t preference = 0;

    template <class Visit>
    static constexpr void wire(Visit&& visit) {
        visit("service_id", &PathRecord::service_id, 0, 64);
        visit("dgid", &PathRecord::dgid, 64, 128);
        visit("sgid", &PathRecord::sgid, 192, 128);
        visit("dlid", &PathRecord::dlid, 320, 16);
        visit("slid", &PathRecord::slid, 336, 16);
        visit("raw_traffic", &PathRecord::raw_traffic, 352, 1);
        visit("flow_label", &PathRecord::flow_label, 356, 20);
        visit("hop_limit", &PathRecord::hop_limit, 376, 8);
        visit("traffic_class", &PathRecord::traffic_class, 384, 8);
        visit("reversible", &PathRecord::reversible, 392, 1);
        visit("numb_path", &PathRecord::numb_path, 393, 7);
        visit("pkey", &PathRecord::pkey, 400, 16);
        visit("qos_class", &PathRecord::qos_class, 416, 12);
        visit("sl", &PathRecord::sl, 428, 4);
        visit("mtu_selector", &PathRecord::mtu_selector, 432, 2);
        visit("mtu_code", &PathRecord::mtu_code, 434, 6);
        visit("rate_selector", &PathRecord::rate_selector, 440, 2);
        visit("rate_code", &PathRecord::rate_code, 442, 6);
        visit("packet_life_time_selector", &PathRecord::packet_life_time_selector, 448, 2);
        visit("packet_life_time", &PathRecord::packet_life_time, 450, 6);
        visit("preference", &PathRecord::preference, 456, 8);
    }
    template <class Self, class Visit>
    static void fields(Self& self, Visit&& visit) {
        visit("mtu", self.mtu);
        visit("rate_gbps", self.rate_gbps);
        wire([&](const char* name, auto member, unsigned, unsigned) { visit(name, self.*member); });
    }
    bool operator==(const PathRecord&) const = default;
};

// A multicast group, or one member of it. IPoIB's broadcast group carries the MTU of its datagram mode + 4.
struct McMemberRecord {
    std::uint32_t mtu = 0;  // octets
    double rate_gbps = 0;
    Gid mgid, port_gid;
    std::uint32_t qkey = 0, mlid = 0, mtu_selector = 0, mtu_code = 0, traffic_class = 0;
    PKey pkey;
    std::uint32_t rate_selector = 0, rate_code = 0;
    std::uint32_t packet_life_time_selector = 0, packet_life_time = 0;
    std::uint32_t sl = 0, flow_label = 0, hop_limit = 0;
    std::uint32_t scope = 0, join_state = 0, proxy_join = 0;

    template <class Visit>
    static constexpr void wire(Visit&& visit) {
        visit("mgid", &McMemberRecord::mgid, 0, 128);
        visit("port_gid", &McMemberRecord::port_gid, 128, 128);
        visit("qkey", &McMemberRecord::qkey, 256, 32);
        visit("mlid", &McMemberRecord::mlid, 288, 16);
        visit("mtu_selector", &McMemberRecord::mtu_selector, 304, 2);
        visit("mtu_code", &McMemberRecord::mtu_code, 306, 6);
        visit("traffic_class", &McMemberRecord::traffic_class, 312, 8);
        visit("pkey", &McMemberRecord::pkey, 320, 16);
        visit("rate_selector", &McMemberRecord::rate_selector, 336, 2);
        visit("rate_code", &McMemberRecord::rate_code, 338, 6);
        visit("packet_life_time_selector", &McMemberRecord::packet_life_time_selector, 344, 2);
        visit("packet_life_time", &McMemberRecord::packet_life_time, 346, 6);
        visit("sl", &McMemberRecord::sl, 352, 4);
        visit("flow_label", &McMemberRecord::flow_label, 356, 20);
        visit("hop_limit", &McMemberRecord::hop_limit, 376, 8);
        visit("scope", &McMemberRecord::scope, 384, 4);
        visit("join_state", &McMemberRecord::join_state, 388, 4);
        visit("proxy_join", &McMemberRecord::proxy_join, 392, 1);
    }
    template <class Self, class Visit>
    static void fields(Self& self, Visit&& visit) {
        visit("mtu", self.mtu);
        visit("rate_gbps", self.rate_gbps);
        wire([&](const char* name, auto member, unsigned, unsigned) { visit(name, self.*member); });
    }
    bool operator==(const McMemberRecord&) const = default;
};

// What a management class (SA, PMA) can, and where it redirects to.
struct ClassPortInfo {
    std::uint32_t base_version = 0, class_version = 0, cap_mask = 0, cap_mask2 = 0, resp_time_value = 0;
    Gid redirect_gid;
    std::uint32_t redirect_traffic_class = 0, redirect_sl = 0, redirect_flow_label = 0, redirect_lid = 0;
    PKey redirect_pkey;
    std::uint32_t redirect_qp = 0, redirect_qkey = 0;
    Gid trap_gid;
    std::uint32_t trap_traffic_class = 0, trap_sl = 0, trap_flow_label = 0, trap_lid = 0;
    PKey trap_pkey;
    std::uint32_t trap_hop_limit = 0, trap_qp = 0, trap_qkey = 0;

    template <class Visit>
    static constexpr void wire(Visit&& visit) {
        visit("base_version", &ClassPortInfo::base_version, 0, 8);
        visit("class_version", &ClassPortInfo::class_version, 8, 8);
        visit("cap_mask", &ClassPortInfo::cap_mask, 16, 16);
        visit("cap_mask2", &ClassPortInfo::cap_mask2, 32, 27);
        visit("resp_time_value", &ClassPortInfo::resp_time_value, 59, 5);
        visit("redirect_gid", &ClassPortInfo::redirect_gid, 64, 128);
        visit("redirect_traffic_class", &ClassPortInfo::redirect_traffic_class, 192, 8);
        visit("redirect_sl", &ClassPortInfo::redirect_sl, 200, 4);
        visit("redirect_flow_label", &ClassPortInfo::redirect_flow_label, 204, 20);
        visit("redirect_lid", &ClassPortInfo::redirect_lid, 224, 16);
        visit("redirect_pkey", &ClassPortInfo::redirect_pkey, 240, 16);
        visit("redirect_qp", &ClassPortInfo::redirect_qp, 264, 24);
        visit("redirect_qkey", &ClassPortInfo::redirect_qkey, 288, 32);
        visit("trap_gid", &ClassPortInfo::trap_gid, 320, 128);
        visit("trap_traffic_class", &ClassPortInfo::trap_traffic_class, 448, 8);
        visit("trap_sl", &ClassPortInfo::trap_sl, 456, 4);
        visit("trap_flow_label", &ClassPortInfo::trap_flow_label, 460, 20);
        visit("trap_lid", &ClassPortInfo::trap_lid, 480, 16);
        visit("trap_pkey", &ClassPortInfo::trap_pkey, 496, 16);
        visit("trap_hop_limit", &ClassPortInfo::trap_hop_limit, 512, 8);
        visit("trap_qp", &ClassPortInfo::trap_qp, 520, 24);
        visit("trap_qkey", &ClassPortInfo::trap_qkey, 544, 32);
    }
    template <class Self, class Visit>
    static void fields(Self& self, Visit&& visit) {
        wire([&](const char* name, auto member, unsigned, unsigned) { visit(name, self.*member); });
    }
    bool operator==(const ClassPortInfo&) const = default;
};

}  // namespace pve_rdma
