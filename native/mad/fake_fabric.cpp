// The fabric itself: nodes, links, sweeps. Its agents are in fake_agents.cpp, its wires in
// fake_transport.cpp.
#include "mad/fake_fabric.h"

#include <algorithm>
#include <bit>
#include <deque>
#include <set>

#include "mad/requests.h"

namespace pve_rdma {

namespace {

constexpr std::uint32_t polling = 2, link_up = 5;        // phys_state_code
constexpr std::uint32_t down = 1, init = 2, active = 4;  // state_code
constexpr std::uint32_t cap_is_sm = 1u << 1, cap_extended_speeds = 1u << 14;

// 1X and 4X; SDR, DDR, QDR and FDR; 4096 octets: a ConnectX-3 generation fabric.
PortInfo unconnected_port(std::uint32_t number) {
    PortInfo info;
    info.gid_prefix = 0xfe80000000000000;
    info.local_port = number;
    info.link_width_supported = info.link_width_enabled = 3;
    info.link_speed_supported = info.link_speed_enabled = 7;
    info.link_speed_ext_supported = info.link_speed_ext_enabled = 1;
    info.cap_mask = cap_extended_speeds;
    info.mtu_cap_code = 5;
    info.neighbor_mtu_code = 1;
    info.vl_cap_code = 4;
    info.oper_vls_code = 4;
    info.state_code = down;
    info.phys_state_code = polling;
    return info;
}

}  // namespace

std::uint32_t FakeFabric::add_node(FakeNode node, std::uint32_t ports) {
    node.info.base_version = node.info.class_version = 1;
    node.info.ports = ports;
    node.info.system_image_guid = node.info.node_guid;
    node.info.vendor_id = 0x0002c9;
    for (std::uint32_t number = 0; number <= ports; ++number) {
        FakePort port;
        port.info = unconnected_port(number);
        port.pkeys = {PKey{0xffff}};
        node.ports.push_back(port);
    }
    nodes_.push_back(std::move(node));
    return static_cast<std::uint32_t>(nodes_.size() - 1);
}

std::uint32_t FakeFabric::add_hca(std::string description, Guid guid, std::uint32_t ports) {
    FakeNode node;
    node.description = std::move(description);
    node.info.type_code = 1;
    node.info.node_guid = guid;
    node.info.device_id = 0x1003;
    node.info.partition_cap = 128;
    const auto index = add_node(std::move(node), ports);
    for (std::uint32_t number = 1; number <= ports; ++number) {
        FakePort& port = nodes_[index].ports[number];
        port.guid = Guid{guid.value + number};
        port.guids = {port.guid};
        port.info.guid_cap = 8;
    }
    return index;
}

std::uint32_t FakeFabric::add_switch(std::string description, Guid guid, std::uint32_t ports) {
    FakeNode node;
    node.description = std::move(description);
    node.info.type_code = 2;
    node.info.node_guid = guid;
    node.info.device_id = 0xc738;
    node.info.partition_cap = 32;
    node.switch_info.linear_fdb_cap = 49152;
    node.switch_info.partition_enforcement_cap = 32;
    const auto index = add_node(std::move(node), ports);
    FakePort& management = nodes_[index].ports[0];
    management.guid = guid;
    management.guids = {guid};
    management.info.state_code = active;
    management.info.phys_state_code = link_up;
    for (std::uint32_t number = 1; number <= ports; ++number)
        nodes_[index].ports[number].info.cap_mask = 0;
    return index;
}

void FakeFabric::connect(LinkEnd a, LinkEnd b) {
    const auto best = [](std::uint32_t bits) { return std::bit_floor(bits); };
    PortInfo& one = port(a).info;
    PortInfo& other = port(b).info;
    const auto width = best(one.link_width_enabled & other.link_width_enabled);
    const auto speed = best(one.link_speed_enabled & other.link_speed_enabled);
    const auto extended = best(one.link_speed_ext_enabled & other.link_speed_ext_enabled);
    for (auto [end, peer] : {std::pair{a, b}, std::pair{b, a}}) {
        PortInfo& info = port(end).info;
        info.link_width_active = width;
        info.link_speed_active = speed;
        info.link_speed_ext_active = extended;
        info.phys_state_code = link_up;
        info.state_code = init;
        port(end).peer = peer;
    }
}

void FakeFabric::disconnect(LinkEnd end) {
    const auto peer = port(end).peer;
    if (!peer) return;
    for (const auto one : {end, *peer}) {
        port(one).peer.reset();
        port(one).info.phys_state_code = polling;
        port(one).info.state_code = down;
    }
}

void FakeFabric::start_sm(LinkEnd end, std::uint32_t priority) {
    port(end).info.cap_mask |= cap_is_sm;
    SmInfo info;
    info.guid = port(end).guid;
    info.priority = priority;
    sms_.push_back({end, info});
    std::ranges::sort(sms_, [](const Sm& a, const Sm& b) { return a.info.priority > b.info.priority; });
    for (auto& sm : sms_)
        sm.info.state_code = 2;
    sms_.front().info.state_code = 3;
    sweep();
}

void FakeFabric::sweep() {
    if (sms_.empty()) return;
    ++sms_.front().info.activity;
    const LinkEnd master = sms_.front().port;
    const auto ends = reachable(master);
    for (const auto end : ends) {
        PortInfo& info = port(end).info;
        const bool own_lid = !nodes_[end.node].info.is_switch() || end.port == 0;
        if (own_lid && !info.lid) info.lid = next_lid_++;
        info.state_code = active;
        if (const auto peer = port(end).peer)
            info.neighbor_mtu_code = std::min(info.mtu_cap_code, port(*peer).info.mtu_cap_code);
        else
            info.neighbor_mtu_code = info.mtu_cap_code;
    }
    for (const auto end : ends)
        port(end).info.sm_lid = port(master).info.lid;
    for (auto& sm : sms_)
        sm.info.lid = port(sm.port).info.lid;
}

void FakeFabric::add_group(PKey partition, std::uint32_t mtu_code) {
    FakeGroup group;
    group.record.mgid = ipoib_broadcast_group(partition);
    group.record.pkey = PKey{static_cast<std::uint16_t>(partition.value | 0x8000)};
    group.record.mlid = static_cast<std::uint32_t>(0xc000 + groups_.size());
    group.record.mtu_selector = 2;
    group.record.mtu_code = mtu_code;
    group.record.rate_selector = 2;
    group.record.rate_code = 3;
    group.record.qkey = 0x0b1b;
    groups_.push_back(group);
}

std::vector<LinkEnd> FakeFabric::reachable(LinkEnd from) const {
    std::vector<LinkEnd> out;
    std::set<LinkEnd> seen;
    std::deque<LinkEnd> todo{from};
    const auto meet = [&](LinkEnd end) {
        if (seen.insert(end).second) todo.push_back(end);
    };
    while (!todo.empty()) {
        const LinkEnd end = todo.front();
        todo.pop_front();
        out.push_back(end);
        const FakeNode& node = nodes_[end.node];
        if (const auto& peer = node.ports[end.port].peer) meet(*peer);
        if (!node.info.is_switch()) continue;
        meet({end.node, 0});
        for (std::uint32_t number = 1; number < node.ports.size(); ++number)
            if (node.ports[number].peer) meet({end.node, number});
    }
    return out;
}

std::optional<LinkEnd> FakeFabric::find_lid(LinkEnd from, std::uint32_t lid) const {
    for (const auto end : reachable(from)) {
        const FakeNode& node = nodes_[end.node];
        if ((!node.info.is_switch() || end.port == 0) && node.ports[end.port].info.lid == lid) return end;
    }
    return std::nullopt;
}

std::optional<PathRecord> FakeFabric::path(LinkEnd from, LinkEnd to) const {
    // Breadth first, so the way has the fewest hops; its MTU and rate are those of its weakest port.
    std::map<LinkEnd, LinkEnd> before{{from, from}};
    std::deque<LinkEnd> todo{from};
    const auto meet = [&](LinkEnd end, LinkEnd previous) {
        if (before.emplace(end, previous).second) todo.push_back(end);
    };
    while (!todo.empty() && !before.contains(to)) {
        const LinkEnd end = todo.front();
        todo.pop_front();
        const FakeNode& node = nodes_[end.node];
        if (const auto& peer = node.ports[end.port].peer) meet(*peer, end);
        if (!node.info.is_switch()) continue;
        for (std::uint32_t number = 0; number < node.ports.size(); ++number)
            if (number == 0 || node.ports[number].peer) meet({end.node, number}, end);
    }
    if (!before.contains(to)) return std::nullopt;
    PathRecord record;
    record.mtu_code = 5;
    record.rate_code = 12;  // 56 Gb/s
    for (LinkEnd end = to;; end = before.at(end)) {
        const PortInfo& info = nodes_[end.node].ports[end.port].info;
        record.mtu_code = std::min(record.mtu_code, info.neighbor_mtu_code);
        if (nodes_[end.node].ports[end.port].peer && info.link_width_active == 1) record.rate_code = 11;
        if (end == from) break;
    }
    record.mtu_selector = record.rate_selector = 2;
    record.slid = nodes_[from.node].ports[from.port].info.lid;
    record.dlid = nodes_[to.node].ports[to.port].info.lid;
    record.sgid = Gid::from(0xfe80000000000000, nodes_[from.node].ports[from.port].guid);
    record.dgid = Gid::from(0xfe80000000000000, nodes_[to.node].ports[to.port].guid);
    record.pkey = PKey{0xffff};
    record.reversible = 1;
    return record;
}

LocalPort FakeFabric::local_port(LinkEnd end) {
    const FakePort& port = this->port(end);
    LocalPort out;
    out.infiniband = true;
    out.via.ca = nodes_[end.node].description;
    out.via.port = end.port;
    out.via.port_guid = port.guid;
    out.via.gid_prefix = port.info.gid_prefix;
    out.via.lid = port.info.lid;
    out.via.sm_lid = port.info.sm_lid;
    out.via.sm_sl = port.info.sm_sl;
    static constexpr const char* words[] = {"NOP", "DOWN", "INIT", "ARMED", "ACTIVE"};
    out.via.state = words[port.info.state_code];
    return out;
}

void FakeFabric::at(std::chrono::microseconds since_start, std::function<void()> event) {
    events_.emplace(start_ + since_start, std::move(event));
}

}  // namespace pve_rdma
