// Counters of performance management (PMA). Source: IBA vol. 1, 16.1.3.5 (PortCounters) and 16.1.4.11
// (PortCountersExtended); wire() as in facts/smp.h. Names are those of sysfs `counters/`.
// *_data counts words of 4 octets. PortCounters stop at their maximum; they do not wrap.
#pragma once

#include <cstdint>

#include "base/describe.h"

namespace pve_rdma {

struct PortCounters {
    std::uint32_t port_select = 0, counter_select = 0;
    std::uint32_t symbol_error = 0, link_error_recovery = 0, link_downed = 0;
    std::uint32_t port_rcv_errors = 0, port_rcv_remote_physical_errors = 0, port_rcv_switch_relay_errors = 0;
    std::uint32_t port_xmit_discards = 0, port_xmit_constraint_errors = 0, port_rcv_constraint_errors = 0;
    std::uint32_t counter_select2 = 0;
    std::uint32_t local_link_integrity_errors = 0, excessive_buffer_overrun_errors = 0;
    std::uint32_t qp1_dropped = 0, vl15_dropped = 0;
    std::uint32_t port_xmit_data = 0, port_rcv_data = 0, port_xmit_packets = 0, port_rcv_packets = 0;
    std::uint32_t port_xmit_wait = 0;

    template <class Visit>
    static constexpr void wire(Visit&& visit) {
        visit("port_select", &PortCounters::port_select, 8, 8);
        visit("counter_select", &PortCounters::counter_select, 16, 16);
        visit("symbol_error", &PortCounters::symbol_error, 32, 16);
        visit("link_error_recovery", &PortCounters::link_error_recovery, 48, 8);
        visit("link_downed", &PortCounters::link_downed, 56, 8);
        visit("port_rcv_errors", &PortCounters::port_rcv_errors, 64, 16);
        visit("port_rcv_remote_physical_errors", &PortCounters::port_rcv_remote_physical_errors, 80, 16);
        visit("port_rcv_switch_relay_errors", &PortCounters::port_rcv_switch_relay_errors, 96, 16);
        visit("port_xmit_discards", &PortCounters::port_xmit_discards, 112, 16);
        visit("port_xmit_constraint_errors", &PortCounters::port_xmit_constraint_errors, 128, 8);
        visit("port_rcv_constraint_errors", &PortCounters::port_rcv_constraint_errors, 136, 8);
        visit("counter_select2", &PortCounters::counter_select2, 144, 8);
        visit("local_link_integrity_errors", &PortCounters::local_link_integrity_errors, 152, 4);
        visit("excessive_buffer_overrun_errors", &PortCounters::excessive_buffer_overrun_errors, 156, 4);
        visit("qp1_dropped", &PortCounters::qp1_dropped, 160, 16);
        visit("vl15_dropped", &PortCounters::vl15_dropped, 176, 16);
        visit("port_xmit_data", &PortCounters::port_xmit_data, 192, 32);
        visit("port_rcv_data", &PortCounters::port_rcv_data, 224, 32);
        visit("port_xmit_packets", &PortCounters::port_xmit_packets, 256, 32);
        visit("port_rcv_packets", &PortCounters::port_rcv_packets, 288, 32);
        visit("port_xmit_wait", &PortCounters::port_xmit_wait, 320, 32);
    }
    template <class Self, class Visit>
    static void fields(Self& self, Visit&& visit) {
        wire([&](const char* name, auto member, unsigned, unsigned) { visit(name, self.*member); });
    }
    bool operator==(const PortCounters&) const = default;
};

struct PortCountersExtended {
    std::uint32_t port_select = 0, counter_select = 0;
    std::uint64_t port_xmit_data = 0, port_rcv_data = 0, port_xmit_packets = 0, port_rcv_packets = 0;
    std::uint64_t unicast_xmit_packets = 0, unicast_rcv_packets = 0;
    std::uint64_t multicast_xmit_packets = 0, multicast_rcv_packets = 0;

    template <class Visit>
    static constexpr void wire(Visit&& visit) {
        visit("port_select", &PortCountersExtended::port_select, 8, 8);
        visit("counter_select", &PortCountersExtended::counter_select, 16, 16);
        visit("port_xmit_data", &PortCountersExtended::port_xmit_data, 64, 64);
        visit("port_rcv_data", &PortCountersExtended::port_rcv_data, 128, 64);
        visit("port_xmit_packets", &PortCountersExtended::port_xmit_packets, 192, 64);
        visit("port_rcv_packets", &PortCountersExtended::port_rcv_packets, 256, 64);
        visit("unicast_xmit_packets", &PortCountersExtended::unicast_xmit_packets, 320, 64);
        visit("unicast_rcv_packets", &PortCountersExtended::unicast_rcv_packets, 384, 64);
        visit("multicast_xmit_packets", &PortCountersExtended::multicast_xmit_packets, 448, 64);
        visit("multicast_rcv_packets", &PortCountersExtended::multicast_rcv_packets, 512, 64);
    }
    template <class Self, class Visit>
    static void fields(Self& self, Visit&& visit) {
        wire([&](const char* name, auto member, unsigned, unsigned) { visit(name, self.*member); });
    }
    bool operator==(const PortCountersExtended&) const = default;
};

}  // namespace pve_rdma
