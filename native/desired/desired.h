// What is wanted of a network: a partial document. What it does not name is not touched.
//
//     {"links": [{"name": "ib0", "kind": "ipoib", "mode": "connected", "mtu": 65520,
//                 "addresses": [{"address": "192.0.2.1/24", "metric": 10}]}],
//      "routes": [{"to": "default", "via": "192.0.2.254", "dev": "ens18", "metric": 1},
//                 {"to": "198.51.100.0/24", "dev": "ens18", "state": "absent"}],
//      "rules": [{"from": "192.0.2.5", "priority": 100, "table": "40"}],
//      "port_types": [{"device": "0000:03:00.0", "port": 1, "type": "eth"}],
//      "sysctl_profile": "throughput",
//      "sysctl": {"net.ipv4.conf.all.rp_filter": 2},
//      "subnet_manager": {"priority": 10, "ports": ["mlx4_0/1"],
//                         "partitions": [{"name": "Default", "pkey": "0x7fff", "mtu": 4096}]}}
//
// A link takes, besides the members below, every setting of network/settings.h by its name (mtu, up, mode,
// miimon, autonegotiation, fec, vfs ...).
#pragma once

#include <map>
#include <string>
#include <vector>

#include "network/entries.h"

namespace pve_rdma {

enum class Presence { present, absent };

// "192.0.2.1/24"; without a length the whole address.
struct Cidr {
    IpAddress address{};
    std::uint8_t length = 0;
    std::string text() const;
    static Result<Cidr> parse(std::string_view);
    bool operator==(const Cidr&) const = default;
};

struct DesiredAddress {
    Cidr address{};
    std::optional<std::uint32_t> metric{};  // of its connected route
    std::optional<std::string> state{};     // present, absent

    template <class Self, class Visit>
    static void fields(Self& self, Visit&& visit) {
        visit("address", self.address);
        visit("metric", self.metric);
        visit("state", self.state);
    }
};

struct DesiredVf {
    std::uint32_t vf = 0;
    std::map<std::string, std::string> settings{};  // by name: mac, vlan, trust ...

    template <class Self, class Visit>
    static void fields(Self& self, Visit&& visit) {
        visit("vf", self.vf);
    }
};

struct DesiredLink {
    std::string name{};
    std::optional<std::string> kind{}, state{}, parent{}, pkey{};
    std::optional<std::uint32_t> id{};                // of a VLAN
    std::optional<std::vector<std::string>> ports{};  // of a bond or bridge: all of them, but for guests'
    std::vector<DesiredAddress> addresses{};          // others stay as they are
    std::vector<DesiredVf> virtual_functions{};
    std::map<std::string, std::string> settings{};  // by name

    template <class Self, class Visit>
    static void fields(Self& self, Visit&& visit) {
        visit("name", self.name);
        visit("kind", self.kind);
        visit("state", self.state);
        visit("parent", self.parent);
        visit("pkey", self.pkey);
        visit("id", self.id);
        visit("ports", self.ports);
        visit("addresses", self.addresses);
        visit("virtual_functions", self.virtual_functions);
    }
};

struct DesiredRoute {
    std::string to{};  // a prefix, "default" (IPv4, or the family of via), "::/0"
    std::optional<IpAddress> via{}, src{};
    std::optional<std::string> dev{}, table{}, type{}, state{};
    std::optional<std::uint32_t> metric{}, mtu{}, advmss{};
    std::optional<bool> onlink{};

    template <class Self, class Visit>
    static void fields(Self& self, Visit&& visit) {
        visit("to", self.to);
        visit("via", self.via);
        visit("dev", self.dev);
        visit("src", self.src);
        visit("metric", self.metric);
        visit("table", self.table);
        visit("type", self.type);
        visit("mtu", self.mtu);
        visit("advmss", self.advmss);
        visit("onlink", self.onlink);
        visit("state", self.state);
    }
};

struct DesiredRule {
    std::optional<std::string> family{}, from{}, to{}, iif{}, oif{}, fwmark{}, table{}, state{};
    std::uint32_t priority = 0;

    template <class Self, class Visit>
    static void fields(Self& self, Visit&& visit) {
        visit("family", self.family);
        visit("from", self.from);
        visit("to", self.to);
        visit("iif", self.iif);
        visit("oif", self.oif);
        visit("fwmark", self.fwmark);
        visit("priority", self.priority);
        visit("table", self.table);
        visit("state", self.state);
    }
};

// What a port of a ConnectX-3 card speaks.
struct DesiredPortType {
    std::string device{};    // its PCI function, "0000:03:00.0"
    std::uint32_t port = 0;  // 1 or 2
    std::string type{};      // ib, eth, auto

    template <class Self, class Visit>
    static void fields(Self& self, Visit&& visit) {
        visit("device", self.device);
        visit("port", self.port);
        visit("type", self.type);
    }
};

// A partition of opensm's partitions.conf.
struct DesiredPartition {
    std::string name{};
    std::optional<std::string> pkey{};                  // "0x8001"; the membership bit does not matter
    std::optional<std::uint32_t> mtu{};                 // octets: 256 ... 4096
    std::optional<std::vector<std::string>> members{};  // "ALL=full", "0x0002c9030002fce9=limited"
    std::optional<std::string> state{};

    template <class Self, class Visit>
    static void fields(Self& self, Visit&& visit) {
        visit("name", self.name);
        visit("pkey", self.pkey);
        visit("mtu", self.mtu);
        visit("members", self.members);
        visit("state", self.state);
    }
    std::uint16_t key()
        const;  // the low 15 bits of pkey, which has been checked; none: the default partition
};

// The subnet manager of this node: opensm's files. Whether it runs at all is for systemd.
struct DesiredSubnetManager {
    std::optional<std::uint32_t> priority{};          // 0 ... 15; the highest is the master (IBA 14.4.1)
    std::optional<std::vector<std::string>> ports{};  // GUIDs or "mlx4_0/1"; "all" or "none" alone
    std::vector<DesiredPartition> partitions{};       // others stay as they are

    template <class Self, class Visit>
    static void fields(Self& self, Visit&& visit) {
        visit("priority", self.priority);
        visit("ports", self.ports);
        visit("partitions", self.partitions);
    }
};

struct Desired {
    std::vector<DesiredLink> links{};
    std::vector<DesiredRoute> routes{};
    std::vector<DesiredRule> rules{};
    std::vector<DesiredPortType> port_types{};
    std::optional<std::string> sysctl_profile{};  // of network/sysctl_profile.h
    std::optional<DesiredSubnetManager> subnet_manager{};
    std::map<std::string, std::string> sysctl{};

    template <class Self, class Visit>
    static void fields(Self& self, Visit&& visit) {
        visit("links", self.links);
        visit("routes", self.routes);
        visit("rules", self.rules);
        visit("port_types", self.port_types);
        visit("sysctl_profile", self.sysctl_profile);
        visit("subnet_manager", self.subnet_manager);
    }
};

inline bool absent(const std::optional<std::string>& state) {
    return state == "absent";
}

// Strict: an unknown key, a duplicate one, a value of the wrong type, a name twice is an error with its
// place. `file` names the document in errors. What the values mean for links that exist is the planner's
// matter.
Result<Desired> parse_desired(std::string_view text, const std::string& file);

// The document again; numbers and truth values as such. Parsing it gives the same values.
std::string desired_json(const Desired&, int indent);

}  // namespace pve_rdma
