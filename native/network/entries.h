// What a change of a network is about, one value for each object: a link that can be made, a setting of a
// link, an address, a route, a rule, a sysctl. Each knows its key, so that "the same object with another
// value" can be told from "another object". Links are named, not numbered: a number does not survive that the
// link is made again. Words (scope, protocol, type) are those of `ip -j`.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "base/describe.h"
#include "facts/address.h"
#include "facts/route.h"

namespace pve_rdma {

// Routes, rules and addresses that we put into the kernel carry this number (RTA_PROTOCOL, FRA_PROTOCOL,
// IFA_PROTO; /etc/iproute2/rt_protos.d/pve-rdma.conf names it).
inline constexpr std::uint8_t own_protocol = 201;
inline constexpr const char* own_route_protocol = "201";  // as facts spell it

// A link that is made and deleted by software: its kind and all that it is made with.
struct LinkEntry {
    std::string name{};
    std::string kind{};                             // bond, bridge, vlan, ipoib (a P_Key child)
    std::optional<std::string> parent{};            // of vlan and ipoib: the link below
    std::optional<std::string> pkey{};              // of ipoib: 0x8001
    std::optional<std::uint32_t> id{};              // of vlan
    std::map<std::string, std::string> settings{};  // of its kind, by key (settings.h); others are defaults

    template <class Self, class Visit>
    static void fields(Self& self, Visit&& visit) {
        visit("name", self.name);
        visit("kind", self.kind);
        visit("parent", self.parent);
        visit("pkey", self.pkey);
        visit("id", self.id);
        visit("settings", self.settings);
    }
    bool operator==(const LinkEntry&) const = default;
};

// One setting of a link (settings.h lists them). `value` is canonical text: "9000", "true", "connected".
struct SettingEntry {
    std::string link{}, key{}, value{};

    template <class Self, class Visit>
    static void fields(Self& self, Visit&& visit) {
        visit("link", self.link);
        visit("key", self.key);
        visit("value", self.value);
    }
    bool operator==(const SettingEntry&) const = default;
};

struct AddressEntry {
    std::string dev{};
    IpAddress local{};
    std::uint8_t length = 0;          // bits
    std::optional<IpAddress> peer{};  // when it is another than local
    std::optional<IpAddress> broadcast{};
    std::string scope = "global";
    std::uint32_t metric = 0;  // of its connected route; 0: the kernel's default
    bool noprefixroute = false, nodad = false;
    std::optional<std::string> label{}, protocol{};

    // An interface holds an address of one length once; IPv6 holds it once whatever its length.
    bool same_place(const AddressEntry& other) const {
        return dev == other.dev && local == other.local && (local.is_v6() || length == other.length);
    }
    std::string text() const;  // "192.0.2.1/24 dev nic0"

    template <class Self, class Visit>
    static void fields(Self& self, Visit&& visit) {
        visit("dev", self.dev);
        visit("local", self.local);
        visit("length", self.length);
        visit("peer", self.peer);
        visit("broadcast", self.broadcast);
        visit("scope", self.scope);
        visit("metric", self.metric);
        visit("noprefixroute", self.noprefixroute);
        visit("nodad", self.nodad);
        visit("label", self.label);
        visit("protocol", self.protocol);
    }
    bool operator==(const AddressEntry&) const = default;
};

// A route with at most one path. Those with several, with a tunnel, a nexthop object or realms are no
// RouteEntry: we do not make such routes and do not touch them.
struct RouteEntry {
    bool v6 = false;
    IpPrefix to{};
    std::optional<IpAddress> via{};
    std::string dev{};  // empty: blackhole and its like
    std::optional<IpAddress> source{};
    std::uint32_t metric = 0;  // IPv6: 1024 where none is asked for
    std::string table = "main";
    std::string type = "unicast";
    std::string scope = "global";
    std::string protocol = own_route_protocol;
    std::optional<std::string> tos{}, pref{};
    std::uint32_t mtu = 0, advmss = 0;  // 0: not set
    bool onlink = false;

    // The kernel keeps one IPv4 route for each of these keys; IPv6 joins several paths to one route.
    bool same_place(const RouteEntry& other) const {
        return v6 == other.v6 && to == other.to && metric == other.metric && table == other.table &&
               tos == other.tos;
    }
    // The same way to the same place, whatever its metric and who made it.
    bool same_way(const RouteEntry& other) const {
        return v6 == other.v6 && to == other.to && table == other.table && via == other.via &&
               dev == other.dev && type == other.type;
    }
    std::string text() const;  // "default via 192.0.2.254 dev nic1 metric 100"

    template <class Self, class Visit>
    static void fields(Self& self, Visit&& visit) {
        visit("v6", self.v6);
        visit("to", self.to);
        visit("via", self.via);
        visit("dev", self.dev);
        visit("source", self.source);
        visit("metric", self.metric);
        visit("table", self.table);
        visit("type", self.type);
        visit("scope", self.scope);
        visit("protocol", self.protocol);
        visit("tos", self.tos);
        visit("pref", self.pref);
        visit("mtu", self.mtu);
        visit("advmss", self.advmss);
        visit("onlink", self.onlink);
    }
    bool operator==(const RouteEntry&) const = default;
};

// A rule that looks up a table. Others (goto, l3mdev, suppressing ...) are no RuleEntry.
struct RuleEntry {
    bool v6 = false;
    std::uint32_t priority = 0;
    std::optional<IpPrefix> from{}, to{};
    std::string iif{}, oif{};
    std::uint32_t mark = 0, mask = 0;  // mask 0: the mark does not matter
    std::string table = "main";
    std::string protocol = own_route_protocol;

    // What it matches and where it leads, whoever made it.
    bool same_place(const RuleEntry& other) const {
        return v6 == other.v6 && priority == other.priority && from == other.from && to == other.to &&
               iif == other.iif && oif == other.oif && mark == other.mark && mask == other.mask &&
               table == other.table;
    }
    std::string text() const;  // "from 192.0.2.5 priority 100 table 40"

    template <class Self, class Visit>
    static void fields(Self& self, Visit&& visit) {
        visit("v6", self.v6);
        visit("priority", self.priority);
        visit("from", self.from);
        visit("to", self.to);
        visit("iif", self.iif);
        visit("oif", self.oif);
        visit("mark", self.mark);
        visit("mask", self.mask);
        visit("table", self.table);
        visit("protocol", self.protocol);
    }
    bool operator==(const RuleEntry&) const = default;
};

// Octets that are equal where same_place() holds (for routes: where all but the metric of it does): keys of
// tables, so that a million routes are compared in linear time.
std::string place_key(const RouteEntry&);
std::string destination_key(const RouteEntry&);
std::string place_key(const RuleEntry&);
std::string place_key(const AddressEntry&);

// As the kernel shows it once it has taken it, whatever it was asked for.
AddressEntry kept(AddressEntry);
RouteEntry kept(RouteEntry);
inline RuleEntry kept(RuleEntry rule) {
    return rule;
}

// A named value of the kernel: a sysctl, or what a card's port speaks (port_type.h).
struct SysctlEntry {
    std::string name{}, value{};  // "net.ipv4.conf.all.rp_filter", words separated by one blank

    template <class Self, class Visit>
    static void fields(Self& self, Visit&& visit) {
        visit("name", self.name);
        visit("value", self.value);
    }
    bool operator==(const SysctlEntry&) const = default;
};

}  // namespace pve_rdma
