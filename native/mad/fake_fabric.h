// A fabric inside this process: HCAs and switches with their management agents, a subnet manager and its
// administration, answering MADs octet by octet as devices do. For tests: it knows what the ibsim laboratory
// cannot do (M_Keys, RMPP, several ports, lost packets, a frozen HCA) and lets time pass without waiting.
//
// Shapes: nodes are numbered as they are added; ports count from 1, a switch has port 0 besides. The wire
// fields of NodeInfo, PortInfo and so on may be changed freely between MADs; their words are not looked at.
// Threads: one.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "facts/fabric_walk.h"
#include "mad/port_choice.h"
#include "mad/transport.h"

namespace pve_rdma {

struct FakePort {
    PortInfo info;
    Guid guid;
    std::vector<PKey> pkeys;
    std::vector<Guid> guids;
    PortCounters counters;
    PortCountersExtended counters_extended;
    MellanoxExtPortInfo mellanox_ext;
    std::optional<LinkEnd> peer;
};

struct FakeNode {
    NodeInfo info;
    SwitchInfo switch_info;
    std::string description;
    std::vector<FakePort> ports;        // by number; [0] of an HCA is unused
    bool silent = false;                // its agents hang: nothing is answered, switches still forward
    bool refuses_without_mkey = false;  // M_Key protection level 2: a Get without the key is dropped
    bool knows_mellanox_ext = false;
};

struct FakeGroup {
    McMemberRecord record;
};

class FakeFabric {
  public:
    std::uint32_t add_hca(std::string description, Guid guid, std::uint32_t ports = 1);
    std::uint32_t add_switch(std::string description, Guid guid, std::uint32_t ports = 36);
    // Both ends train to the best width and speed that they share.
    void connect(LinkEnd a, LinkEnd b);
    void disconnect(LinkEnd end);
    // A subnet manager behind a port: the first, or one with a higher priority, becomes master and sweeps.
    void start_sm(LinkEnd port, std::uint32_t priority);
    // The master gives every port that it reaches a LID, its MTU, and makes it ACTIVE.
    void sweep();
    void add_group(PKey partition, std::uint32_t mtu_code);

    FakeNode& node(std::uint32_t index) { return nodes_.at(index); }
    FakePort& port(LinkEnd end) { return nodes_.at(end.node).ports.at(end.port); }
    LocalPort local_port(LinkEnd end);
    // The fabric must outlive the transport.
    std::unique_ptr<MadTransport> open(LinkEnd end);

    // What happens on the way.
    std::chrono::microseconds delay{10};  // of each hop, and of each answer
    bool frozen = false;                  // the HCA: sent MADs never come back, not even as timed out
    bool joins_segments = false;          // as the kernel does; false: RMPP segments reach the caller
    std::uint32_t vl15_limit = 0;         // SMPs under way beyond this are dropped; 0: no limit
    std::function<bool(const MadOctets&)> lost{};  // true: this MAD never arrives
    void at(std::chrono::microseconds since_start, std::function<void()> event);

    MadTime now() const { return now_; }
    std::uint64_t received() const { return received_; }  // MADs that came out of an opened port
    std::uint64_t acknowledged() const { return acknowledged_; }

  private:
    friend class FakeTransport;
    friend class FakeAgents;
    struct Sm {
        LinkEnd port;
        SmInfo info;
    };
    struct Arrival {
        IncomingMad mad;
        bool smp = false;
    };

    std::uint32_t add_node(FakeNode node, std::uint32_t ports);
    Result<void> send(LinkEnd from, const OutgoingMad& mad);
    std::optional<IncomingMad> receive(MadTime until);
    void deliver(std::chrono::microseconds after, Arrival arrival);
    void run_events();
    // Where a direct route ends: the node, and the port the MAD came in by. Nothing: it is lost on the way.
    std::optional<LinkEnd> follow(LinkEnd from, const MadOctets& mad) const;
    std::optional<LinkEnd> find_lid(LinkEnd from, std::uint32_t lid) const;
    std::vector<LinkEnd> reachable(LinkEnd from) const;  // every port, the way there through switches
    // The MTU and rate code of the way between two ports.
    std::optional<PathRecord> path(LinkEnd from, LinkEnd to) const;
    void acknowledge(const OutgoingMad& mad);
    void send_segments(std::uint64_t transaction);

    std::vector<FakeNode> nodes_;
    std::vector<Sm> sms_;
    std::vector<FakeGroup> groups_;
    std::uint32_t next_lid_ = 1;

    struct Transfer {
        std::vector<MadOctets> segments;
        std::size_t sent = 0, window_end = 1;
    };
    std::map<std::uint64_t, Transfer> transfers_;
    static constexpr MadTime start_{std::chrono::hours(1)};
    MadTime now_ = start_;
    std::multimap<MadTime, Arrival> arrivals_;
    std::multimap<MadTime, std::function<void()>> events_;
    std::uint32_t smps_under_way_ = 0;
    std::uint64_t received_ = 0, acknowledged_ = 0;
};

}  // namespace pve_rdma
