// PortInfo: state, link, MTU and error limits of a port. Source: IBA vol. 1, 14.2.5.6; wire() as in
// facts/smp.h.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/describe.h"

namespace pve_rdma {

struct PortInfo {
    // What the codes mean. State words are those of rdma(8), as in facts/device.h.
    std::string state;              // NOP, DOWN, INIT, ARMED, ACTIVE
    std::string phys_state;         // POLLING, DISABLED, LINK_UP, ...
    std::string link_down_default;  // NOP, SLEEP, POLLING
    std::string width;              // active: "4X"
    std::string speed;              // active, extended speeds and FDR10 included: "FDR"
    std::vector<std::string> widths_enabled, widths_supported, speeds_enabled, speeds_supported;
    std::uint32_t neighbor_mtu = 0;  // octets; what the SM allows on this link
    std::uint32_t mtu_cap = 0;       // octets; what the port can
    std::string vl_cap, oper_vls;    // "VL0-7"
    std::vector<std::string> capabilities;

    // As on the wire.
    std::optional<std::uint64_t> mkey = 0;  // a secret: left out of a node report
    std::uint64_t gid_prefix = 0;
    std::uint32_t lid = 0, sm_lid = 0, cap_mask = 0, diag_code = 0, mkey_lease_period = 0, local_port = 0;
    std::uint32_t link_width_enabled = 0, link_width_supported = 0, link_width_active = 0;
    std::uint32_t link_speed_supported = 0, link_speed_active = 0, link_speed_enabled = 0;
    std::uint32_t state_code = 0, phys_state_code = 0, link_down_default_code = 0;
    std::uint32_t mkey_protect = 0, lmc = 0;
    std::uint32_t neighbor_mtu_code = 0, sm_sl = 0, vl_cap_code = 0, init_type = 0;
    std::uint32_t vl_high_limit = 0, vl_arbitration_high_cap = 0, vl_arbitration_low_cap = 0;
    std::uint32_t init_type_reply = 0, mtu_cap_code = 0, vl_stall_count = 0, hoq_life = 0, oper_vls_code = 0;
    std::uint32_t partition_enforcement_inbound = 0, partition_enforcement_outbound = 0;
    std::uint32_t filter_raw_inbound = 0, filter_raw_outbound = 0;
    std::uint32_t mkey_violations = 0, pkey_violations = 0, qkey_violations = 0;
    std::uint32_t guid_cap = 0, client_reregister = 0, multicast_pkey_trap_suppression = 0;
    std::uint32_t subnet_timeout = 0, resp_time_value = 0, local_phys_errors = 0, overrun_errors = 0;
    std::uint32_t max_credit_hint = 0, link_round_trip_latency = 0, cap_mask2 = 0;
    std::uint32_t link_speed_ext_active = 0, link_speed_ext_supported = 0, link_speed_ext_enabled = 0;

    bool is_sm() const { return cap_mask & 1u << 1; }
    bool link_up() const { return phys_state_code == 5; }

    template <class Visit>
    static constexpr void wire(Visit&& visit) {
        visit("mkey", &PortInfo::mkey, 0, 64);
        visit("gid_prefix", &PortInfo::gid_prefix, 64, 64);
        visit("lid", &PortInfo::lid, 128, 16);
        visit("sm_lid", &PortInfo::sm_lid, 144, 16);
        visit("cap_mask", &PortInfo::cap_mask, 160, 32);
        visit("diag_code", &PortInfo::diag_code, 192, 16);
        visit("mkey_lease_period", &PortInfo::mkey_lease_period, 208, 16);
        visit("local_port", &PortInfo::local_port, 224, 8);
        visit("link_width_enabled", &PortInfo::link_width_enabled, 232, 8);
        visit("link_width_supported", &PortInfo::link_width_supported, 240, 8);
        visit("link_width_active", &PortInfo::link_width_active, 248, 8);
        visit("link_speed_supported", &PortInfo::link_speed_supported, 256, 4);
        visit("state_code", &PortInfo::state_code, 260, 4);
        visit("phys_state_code", &PortInfo::phys_state_code, 264, 4);
        visit("link_down_default_code", &PortInfo::link_down_default_code, 268, 4);
        visit("mkey_protect", &PortInfo::mkey_protect, 272, 2);
        visit("lmc", &PortInfo::lmc, 277, 3);
        visit("link_speed_active", &PortInfo::link_speed_active, 280, 4);
        visit("link_speed_enabled", &PortInfo::link_speed_enabled, 284, 4);
        visit("neighbor_mtu_code", &PortInfo::neighbor_mtu_code, 288, 4);
        visit("sm_sl", &PortInfo::sm_sl, 292, 4);
        visit("vl_cap_code", &PortInfo::vl_cap_code, 296, 4);
        visit("init_type", &PortInfo::init_type, 300, 4);
        visit("vl_high_limit", &PortInfo::vl_high_limit, 304, 8);
        visit("vl_arbitration_high_cap", &PortInfo::vl_arbitration_high_cap, 312, 8);
        visit("vl_arbitration_low_cap", &PortInfo::vl_arbitration_low_cap, 320, 8);
        visit("init_type_reply", &PortInfo::init_type_reply, 328, 4);
        visit("mtu_cap_code", &PortInfo::mtu_cap_code, 332, 4);
        visit("vl_stall_count", &PortInfo::vl_stall_count, 336, 3);
        visit("hoq_life", &PortInfo::hoq_life, 339, 5);
        visit("oper_vls_code", &PortInfo::oper_vls_code, 344, 4);
        visit("partition_enforcement_inbound", &PortInfo::partition_enforcement_inbound, 348, 1);
        visit("partition_enforcement_outbound", &PortInfo::partition_enforcement_outbound, 349, 1);
        visit("filter_raw_inbound", &PortInfo::filter_raw_inbound, 350, 1);
        visit("filter_raw_outbound", &PortInfo::filter_raw_outbound, 351, 1);
        visit("mkey_violations", &PortInfo::mkey_violations, 352, 16);
        visit("pkey_violations", &PortInfo::pkey_violations, 368, 16);
        visit("qkey_violations", &PortInfo::qkey_violations, 384, 16);
        visit("guid_cap", &PortInfo::guid_cap, 400, 8);
        visit("client_reregister", &PortInfo::client_reregister, 408, 1);
        visit("multicast_pkey_trap_suppression", &PortInfo::multicast_pkey_trap_suppression, 409, 2);
        visit("subnet_timeout", &PortInfo::subnet_timeout, 411, 5);
        visit("resp_time_value", &PortInfo::resp_time_value, 419, 5);
        visit("local_phys_errors", &PortInfo::local_phys_errors, 424, 4);
        visit("overrun_errors", &PortInfo::overrun_errors, 428, 4);
        visit("max_credit_hint", &PortInfo::max_credit_hint, 432, 16);
        visit("link_round_trip_latency", &PortInfo::link_round_trip_latency, 456, 24);
        visit("cap_mask2", &PortInfo::cap_mask2, 480, 16);
        visit("link_speed_ext_active", &PortInfo::link_speed_ext_active, 496, 4);
        visit("link_speed_ext_supported", &PortInfo::link_speed_ext_supported, 500, 4);
        visit("link_speed_ext_enabled", &PortInfo::link_speed_ext_enabled, 507, 5);
    }
    template <class Self, class Visit>
    static void fields(Self& self, Visit&& visit) {
        visit("state", self.state);
        visit("phys_state", self.phys_state);
        visit("link_down_default", self.link_down_default);
        visit("width", self.width);
        visit("speed", self.speed);
        visit("widths_enabled", self.widths_enabled);
        visit("widths_supported", self.widths_supported);
        visit("speeds_enabled", self.speeds_enabled);
        visit("speeds_supported", self.speeds_supported);
        visit("neighbor_mtu", self.neighbor_mtu);
        visit("mtu_cap", self.mtu_cap);
        visit("vl_cap", self.vl_cap);
        visit("oper_vls", self.oper_vls);
        visit("capabilities", self.capabilities);
        wire([&](const char* name, auto member, unsigned, unsigned) { visit(name, self.*member); });
    }
    bool operator==(const PortInfo&) const = default;
};

}  // namespace pve_rdma
