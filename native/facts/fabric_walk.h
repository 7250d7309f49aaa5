// The map of a subnet: nodes, ports and links, as a walk by direct-routed SMPs finds them (IBA 14.2.2). It
// needs no subnet manager.
#pragma once

#include "facts/fabric.h"

namespace pve_rdma {

struct WalkPort {
    std::uint32_t number = 0;
    std::optional<Guid> guid;  // ports of CAs, and port 0 of a switch
    std::uint32_t lid = 0, lmc = 0, sm_lid = 0;
    std::string state, phys_state;                // words of rdma(8)
    std::string width, speed;                     // active
    std::string max_width, max_speed;             // the best that is enabled
    std::string supported_width;                  // the best that the port has, enabled or not
    std::uint32_t neighbor_mtu = 0, mtu_cap = 0;  // octets
    std::uint32_t cap_mask = 0;

    template <class Self, class Visit>
    static void fields(Self& self, Visit&& visit) {
        visit("number", self.number);
        visit("guid", self.guid);
        visit("lid", self.lid);
        visit("lmc", self.lmc);
        visit("sm_lid", self.sm_lid);
        visit("state", self.state);
        visit("phys_state", self.phys_state);
        visit("width", self.width);
        visit("speed", self.speed);
        visit("max_width", self.max_width);
        visit("max_speed", self.max_speed);
        visit("supported_width", self.supported_width);
        visit("neighbor_mtu", self.neighbor_mtu);
        visit("mtu_cap", self.mtu_cap);
        visit("cap_mask", self.cap_mask);
    }
    bool operator==(const WalkPort&) const = default;
};

struct WalkNode {
    std::string type;  // CA, SWITCH, ROUTER
    Guid guid, system_image_guid;
    std::string description;
    std::string path;  // direct route from the local port: "0", "0,1", "0,1,35"
    std::uint32_t ports_count = 0, vendor_id = 0, device_id = 0, revision = 0;
    std::optional<std::uint32_t> duplicate_of;  // index of another node that has the same GUID
    std::vector<WalkPort> ports;                // that were read: all of a switch, those reached of a CA

    const WalkPort* find_port(std::uint32_t number) const {
        for (const auto& port : ports)
            if (port.number == number) return &port;
        return nullptr;
    }

    template <class Self, class Visit>
    static void fields(Self& self, Visit&& visit) {
        visit("type", self.type);
        visit("guid", self.guid);
        visit("system_image_guid", self.system_image_guid);
        visit("description", self.description);
        visit("path", self.path);
        visit("ports_count", self.ports_count);
        visit("vendor_id", self.vendor_id);
        visit("device_id", self.device_id);
        visit("revision", self.revision);
        visit("duplicate_of", self.duplicate_of);
        visit("ports", self.ports);
    }
    bool operator==(const WalkNode&) const = default;
};

// One end of a link. `node` is an index into FabricWalk.nodes: a GUID may stand there twice.
struct LinkEnd {
    std::uint32_t node = 0, port = 0;

    template <class Self, class Visit>
    static void fields(Self& self, Visit&& visit) {
        visit("node", self.node);
        visit("port", self.port);
    }
    auto operator<=>(const LinkEnd&) const = default;
};

struct FabricLink {
    LinkEnd from, to;                 // from < to
    std::string width, speed;         // of `from`, or of `to` when that could not be read
    std::uint32_t neighbor_mtu = 0;   // octets; the smaller of both ends
    std::vector<std::string> capped;  // what stays below what both ends may, and which end caps the MTU

    template <class Self, class Visit>
    static void fields(Self& self, Visit&& visit) {
        visit("from", self.from);
        visit("to", self.to);
        visit("width", self.width);
        visit("speed", self.speed);
        visit("neighbor_mtu", self.neighbor_mtu);
        visit("capped", self.capped);
    }
    bool operator==(const FabricLink&) const = default;
};

struct FabricWalk {
    FabricVia via;
    std::vector<WalkNode> nodes;  // in the order they were found; 0 is the local one
    std::vector<FabricLink> links;
    std::vector<SmInfo> sms;     // of every port that says it runs one
    std::vector<Unread> errors;  // what did not answer, with its path; duplicate GUIDs
    bool complete = true;        // false: the deadline or an error cut something off
    MadStatistics statistics;

    template <class Self, class Visit>
    static void fields(Self& self, Visit&& visit) {
        visit("via", self.via);
        visit("nodes", self.nodes);
        visit("links", self.links);
        visit("sms", self.sms);
        visit("errors", self.errors);
        visit("complete", self.complete);
        visit("statistics", self.statistics);
    }
    bool operator==(const FabricWalk&) const = default;
};

}  // namespace pve_rdma
