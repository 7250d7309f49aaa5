// What a subnet says when a port asks it: the answers of its subnet manager, of single ports, and of a walk
// over all of it. The attributes themselves stand in smp.h, port_info.h, sa.h and pma.h.
#pragma once

#include "facts/pma.h"
#include "facts/port_info.h"
#include "facts/sa.h"
#include "facts/smp.h"
#include "facts/source.h"

namespace pve_rdma {

// What a conversation cost.
struct MadStatistics {
    std::uint64_t sent = 0;      // MADs put on the wire, retries included
    std::uint64_t answered = 0;  // replies that belonged to a request
    std::uint64_t timeouts = 0, retries = 0;
    std::uint64_t failed = 0;  // requests that ended without an answer
    std::uint64_t late = 0;    // replies to nothing (any more)
    std::uint32_t max_on_wire = 0, window = 0;
    double ms = 0;  // wall time
    bool deadline_reached = false;

    template <class Self, class Visit>
    static void fields(Self& self, Visit&& visit) {
        visit("sent", self.sent);
        visit("answered", self.answered);
        visit("timeouts", self.timeouts);
        visit("retries", self.retries);
        visit("failed", self.failed);
        visit("late", self.late);
        visit("max_on_wire", self.max_on_wire);
        visit("window", self.window);
        visit("ms", self.ms);
        visit("deadline_reached", self.deadline_reached);
    }
    bool operator==(const MadStatistics&) const = default;
};

// The local port that MADs are sent from.
struct FabricVia {
    std::string ca;
    std::uint32_t port = 0;
    Guid port_guid;
    std::uint64_t gid_prefix = 0;
    std::uint32_t lid = 0, sm_lid = 0, sm_sl = 0;
    std::string state;  // words of rdma(8)

    template <class Self, class Visit>
    static void fields(Self& self, Visit&& visit) {
        visit("ca", self.ca);
        visit("port", self.port);
        visit("port_guid", self.port_guid);
        visit("gid_prefix", self.gid_prefix);
        visit("lid", self.lid);
        visit("sm_lid", self.sm_lid);
        visit("sm_sl", self.sm_sl);
        visit("state", self.state);
    }
    bool operator==(const FabricVia&) const = default;
};

// IPoIB's broadcast group of a partition (RFC 4391, section 4). It is the group or the reason: "not_found"
// when the SA has no such group, which keeps IPoIB of that partition without carrier.
struct IpoibGroup {
    PKey pkey;  // with the membership bit, as in the group's MGID
    std::optional<McMemberRecord> group;
    std::optional<Unread> unread;

    template <class Self, class Visit>
    static void fields(Self& self, Visit&& visit) {
        visit("pkey", self.pkey);
        visit("group", self.group);
        visit("unread", self.unread);
    }
    bool operator==(const IpoibGroup&) const = default;
};

// Answers to the MADs that a probe sends from one port. What is absent stands in `unread`, under its own
// field name.
struct SubnetView {
    std::optional<PortInfo> port_info;
    std::optional<SmInfo> sm;
    std::optional<PKeyTable> pkeys;
    std::optional<PortCounters> counters;
    std::optional<PortCountersExtended> counters_extended;
    std::optional<PathRecord> path_to_sm;
    std::vector<IpoibGroup> ipoib_groups;  // of each partition that the port is in
    std::vector<Unread> unread;
    MadStatistics statistics;

    template <class Self, class Visit>
    static void fields(Self& self, Visit&& visit) {
        visit("port_info", self.port_info);
        visit("sm", self.sm);
        visit("pkeys", self.pkeys);
        visit("counters", self.counters);
        visit("counters_extended", self.counters_extended);
        visit("path_to_sm", self.path_to_sm);
        visit("ipoib_groups", self.ipoib_groups);
        visit("unread", self.unread);
        visit("statistics", self.statistics);
    }
    bool operator==(const SubnetView&) const = default;
};

// The subnet manager as seen from a port.
struct FabricSm {
    FabricVia via;
    std::optional<SmInfo> sm;                     // the master: SMInfo asked from sm_lid
    std::vector<SmInfo> known;                    // every SM that the SA lists (SMInfoRecord)
    std::optional<ClassPortInfo> administration;  // the SA's ClassPortInfo
    std::optional<PathRecord> path_to_sm;
    std::optional<PKeyTable> pkeys;  // of the local port
    std::vector<IpoibGroup> ipoib_groups;
    std::vector<Unread> unread;
    MadStatistics statistics;

    template <class Self, class Visit>
    static void fields(Self& self, Visit&& visit) {
        visit("via", self.via);
        visit("sm", self.sm);
        visit("known", self.known);
        visit("administration", self.administration);
        visit("path_to_sm", self.path_to_sm);
        visit("pkeys", self.pkeys);
        visit("ipoib_groups", self.ipoib_groups);
        visit("unread", self.unread);
        visit("statistics", self.statistics);
    }
    bool operator==(const FabricSm&) const = default;
};

// One port anywhere in the subnet, and its node.
struct FabricPort {
    FabricVia via;
    std::uint32_t lid = 0, port = 0;
    std::optional<std::string> description;
    std::optional<NodeInfo> node;
    std::optional<PortInfo> info;
    std::optional<SwitchInfo> switch_info;
    std::optional<MellanoxExtPortInfo> mellanox_ext;  // Mellanox ports that PortInfo shows at QDR
    std::vector<Guid> guids;                          // the port's GUIDs beyond trailing zeros
    std::optional<PKeyTable> pkeys;
    std::optional<ClassPortInfo> performance;  // the PMA's ClassPortInfo
    std::optional<PortCounters> counters;
    std::optional<PortCountersExtended> counters_extended;
    std::optional<SmInfo> sm;  // where the port says that it runs one
    std::vector<Unread> unread;
    MadStatistics statistics;

    template <class Self, class Visit>
    static void fields(Self& self, Visit&& visit) {
        visit("via", self.via);
        visit("lid", self.lid);
        visit("port", self.port);
        visit("description", self.description);
        visit("node", self.node);
        visit("info", self.info);
        visit("switch_info", self.switch_info);
        visit("mellanox_ext", self.mellanox_ext);
        visit("guids", self.guids);
        visit("pkeys", self.pkeys);
        visit("performance", self.performance);
        visit("counters", self.counters);
        visit("counters_extended", self.counters_extended);
        visit("sm", self.sm);
        visit("unread", self.unread);
        visit("statistics", self.statistics);
    }
    bool operator==(const FabricPort&) const = default;
};

// The path between two LIDs.
struct FabricPath {
    FabricVia via;
    std::uint32_t from = 0, to = 0;  // LIDs
    std::optional<PathRecord> path;
    std::vector<Unread> unread;
    MadStatistics statistics;

    template <class Self, class Visit>
    static void fields(Self& self, Visit&& visit) {
        visit("via", self.via);
        visit("from", self.from);
        visit("to", self.to);
        visit("path", self.path);
        visit("unread", self.unread);
        visit("statistics", self.statistics);
    }
    bool operator==(const FabricPath&) const = default;
};

}  // namespace pve_rdma
