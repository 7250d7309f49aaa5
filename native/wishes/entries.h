// What our options of interfaces(5) can ask for, and what the kernel holds of it: the same plain values on
// both sides, so that a plan is a comparison.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/pkey.h"
#include "facts/ip_address.h"
#include "network/entries.h"

namespace pve_rdma::ifup {

// What we put into the kernel carries own_protocol. It is the only memory of what is ours: what carries it
// and is no longer asked for goes, what does not carry it is never touched.

inline constexpr std::uint32_t main_table = 254;

enum class IpoibMode : std::uint16_t { datagram = 0, connected = 1 };  // as IFLA_IPOIB_MODE counts

// A route through the interface that asks for it.
struct RouteEntry {
    bool v6 = false;
    IpPrefix to{};
    std::optional<IpAddress> via{};
    std::optional<IpAddress> source{};
    std::uint32_t metric = 0;
    std::uint32_t table = main_table;
    std::uint32_t mtu = 0;  // 0: the link's
    bool onlink = false;

    std::string text() const;  // "192.0.2.0/24 via 192.0.2.1 metric 1"
    // The kernel keeps one IPv4 route for each of these keys, and joins IPv6 ones to a multipath route.
    bool same_place(const RouteEntry& other) const {
        return v6 == other.v6 && to == other.to && metric == other.metric && table == other.table;
    }
    bool operator==(const RouteEntry&) const = default;
};

struct RuleEntry {
    bool v6 = false;
    std::optional<IpPrefix> from{}, to{};
    std::string iif{}, oif{};
    std::uint32_t mark = 0, mask = 0;  // mask 0: the mark does not matter
    std::uint32_t priority = 0;
    std::uint32_t table = 0;

    std::string text() const;  // "from 192.0.2.5 priority 100 table 40"
    bool operator==(const RuleEntry&) const = default;
};

struct AddressEntry {
    IpAddress address{};
    std::uint8_t length = 0;
    bool operator==(const AddressEntry&) const = default;
};

}  // namespace pve_rdma::ifup
