// ask_walk: every node, port and link, by direct-routed SMPs from the local port outwards.
//
// A NodeInfo for each link (the end that was found first asks), a NodeDescription for each node, a PortInfo
// for each port of a switch and each port by which a CA is reached.
#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "mad/ask.h"
#include "mad/link_limits.h"
#include "mad/questions.h"

namespace pve_rdma {

namespace {

constexpr std::uint32_t mellanox_oui = 0x0002c9;
constexpr std::uint32_t qdr = 4;

struct Found {
    WalkNode fact;
    DirectRoute route;
    bool is_switch = false;
    Guid port_guid;                              // of a switch's port 0
    std::vector<std::optional<LinkEnd>> peers;   // by port number
    std::vector<std::optional<WalkPort>> ports;  // by port number
};

class Walk {
  public:
    Walk(MadEngine& engine, FabricWalk& out) : engine_(engine), out_(out) {}

    void start() { visit({}, std::nullopt); }
    std::optional<Error> local_failure;

    void finish() {
        if (open_at_deadline_) {
            out_.complete = false;
            out_.errors.push_back({.what = "walk",
                                   .error = "ETIMEDOUT",
                                   .text = fmt::format("stopped at the deadline with {} questions unanswered",
                                                       open_at_deadline_),
                                   .hint = "allow more time"});
        }
        for (auto& node : found_) {
            for (auto& port : node.ports)
                if (port) node.fact.ports.push_back(std::move(*port));
            out_.nodes.push_back(std::move(node.fact));
        }
        for (std::uint32_t node = 0; node < found_.size(); ++node)
            for (std::uint32_t port = 0; port < found_[node].peers.size(); ++port) {
                const LinkEnd end{node, port};
                const auto& peer = found_[node].peers[port];
                if (peer && end <= *peer) out_.links.push_back(link_between(out_.nodes, end, *peer));
            }
    }

  private:
    void fail(const Error& error) {
        out_.complete = false;
        if (engine_.statistics().deadline_reached) {
            ++open_at_deadline_;
            return;
        }
        out_.errors.push_back(Unread::from(error));
    }

    // The node behind `from`, or the local one.
    void visit(const DirectRoute& route, std::optional<LinkEnd> from) {
        engine_.submit(get_smp({.route = route}, attribute::node_info),
                       [this, route, from](const auto& reply) {
                           if (!reply) {
                               if (!from) local_failure = reply.error();
                               return fail(reply.error());
                           }
                           arrived(route, from, decode_node_info(smp_data(*reply)));
                       });
    }

    void arrived(const DirectRoute& route, std::optional<LinkEnd> from, const NodeInfo& info) {
        const auto known = find(info, from);
        // From a node whose GUID stands twice, what is met again cannot be told apart for sure: it is named,
        // not walked. So the walk ends.
        if (!known && from && found_[from->node].fact.duplicate_of && by_guid_.contains(info.node_guid))
            return report_duplicate(info, route);
        const std::uint32_t index = known ? *known : add(info, route);
        Found& node = found_[index];
        const auto local_port = static_cast<std::uint8_t>(info.local_port);
        if (from && local_port < node.peers.size()) {
            node.peers[local_port] = *from;
            found_[from->node].peers[from->port] = LinkEnd{index, local_port};
        }
        if (!known) {
            describe(index);
            if (node.is_switch) {
                for (std::uint32_t port = 0; port <= node.fact.ports_count; ++port)
                    read_port(index, static_cast<std::uint8_t>(port), route, info);
                return;
            }
        }
        if (!node.is_switch && local_port < node.ports.size() && !node.ports[local_port])
            read_port(index, local_port, route, info);
    }

    // Which of the nodes found so far has answered; none: a new one.
    std::optional<std::uint32_t> find(const NodeInfo& info, std::optional<LinkEnd> from) const {
        const auto candidates = by_guid_.find(info.node_guid);
        if (!from || candidates == by_guid_.end()) return std::nullopt;
        for (const auto index : candidates->second)
            if (same(found_[index], info, *from)) return index;
        return std::nullopt;
    }

    static bool same(const Found& node, const NodeInfo& info, LinkEnd from) {
        if (node.is_switch != info.is_switch() || node.fact.ports_count != info.ports ||
            node.fact.device_id != info.device_id || node.fact.system_image_guid != info.system_image_guid)
            return false;
        if (info.local_port >= node.peers.size()) return false;
        // A port has one cable: another peer at the same port is another node with the same GUID.
        const auto& peer = node.peers[info.local_port];
        if (peer && *peer != from) return false;
        // Nor has a port without a link one.
        const auto& port = node.ports[info.local_port];
        if (port && port->phys_state != "LINK_UP") return false;
        if (node.is_switch) return node.port_guid == info.port_guid;
        return !port || port->guid == info.port_guid;
    }

    std::uint32_t add(const NodeInfo& info, const DirectRoute& route) {
        const auto index = static_cast<std::uint32_t>(found_.size());
        Found node;
        node.route = route;
        node.is_switch = info.is_switch();
        node.port_guid = info.port_guid;
        node.fact.type = info.type;
        node.fact.guid = info.node_guid;
        node.fact.system_image_guid = info.system_image_guid;
        node.fact.path = route.text();
        node.fact.ports_count = info.ports;
        node.fact.vendor_id = info.vendor_id;
        node.fact.device_id = info.device_id;
        node.fact.revision = info.revision;
        // The port numbers that a node gives away may not fit its own count; ports are 8 bits wide.
        const auto slots = std::max(info.ports, info.local_port) + 1;
        node.peers.resize(slots);
        node.ports.resize(slots);
        auto& same_guid = by_guid_[info.node_guid];
        if (!same_guid.empty()) {
            node.fact.duplicate_of = same_guid.front();
            report_duplicate(info, route);
        }
        same_guid.push_back(index);
        found_.push_back(std::move(node));
        return index;
    }

    void report_duplicate(const NodeInfo& info, const DirectRoute& route) {
        const Found& first = found_[by_guid_[info.node_guid].front()];
        out_.errors.push_back(
            {.what = "direct route " + route.text(),
             .error = "conflict",
             .text = fmt::format("the node GUID {} of direct route {} answers here too",
                                 info.node_guid.text(), first.route.text()),
             .hint =
                 "a cloned card: give it a GUID of its own (mstflint sg); or a cable was moved during the "
                 "walk"});
    }

    void describe(std::uint32_t index) {
        engine_.submit(get_smp({.route = found_[index].route}, attribute::node_description),
                       [this, index](const auto& reply) {
                           if (!reply) return fail(reply.error());
                           found_[index].fact.description = decode_node_description(smp_data(*reply));
                       });
    }

    void read_port(std::uint32_t index, std::uint8_t number, const DirectRoute& route, const NodeInfo& node) {
        const Guid guid = node.port_guid;
        engine_.submit(get_smp({.route = route}, attribute::port_info, number),
                       [this, index, number, route, guid](const auto& reply) {
                           if (!reply) return fail(reply.error());
                           port(index, number, route, guid, decode_port_info(smp_data(*reply)));
                       });
    }

    void port(std::uint32_t index, std::uint8_t number, const DirectRoute& route, Guid guid,
              const PortInfo& info) {
        Found& node = found_[index];
        WalkPort& port = node.ports[number].emplace();
        port.number = number;
        if (!node.is_switch || number == 0) port.guid = guid;
        port.lid = info.lid;
        port.lmc = info.lmc;
        port.sm_lid = info.sm_lid;
        port.state = info.state;
        port.phys_state = info.phys_state;
        port.width = info.width;
        port.speed = info.speed;
        if (!info.widths_enabled.empty()) port.max_width = info.widths_enabled.back();
        if (!info.speeds_enabled.empty()) port.max_speed = info.speeds_enabled.back();
        if (!info.widths_supported.empty()) port.supported_width = info.widths_supported.back();
        port.neighbor_mtu = info.neighbor_mtu;
        port.mtu_cap = info.mtu_cap;
        port.cap_mask = info.cap_mask;
        if (info.is_sm()) ask_sm(route, info.lid);
        if ((node.is_switch && number == 0) || !info.link_up()) return;
        if (node.fact.vendor_id == mellanox_oui && info.speed == "QDR" && info.link_speed_active == qdr)
            ask_fdr10(index, number, route);
        // A CA does not forward: only the local one is left by its port.
        if (!node.is_switch && route.hops > 0) return;
        if (node.peers[number] || route.hops == DirectRoute::max_hops) return;
        visit(route.then(number), LinkEnd{index, number});
    }

    void ask_sm(const DirectRoute& route, std::uint32_t lid) {
        engine_.submit(get_smp({.route = route}, attribute::sm_info), [this, lid](const auto& reply) {
            if (!reply) return fail(reply.error());
            out_.sms.push_back(decode_sm_info(smp_data(*reply), lid));
        });
    }

    void ask_fdr10(std::uint32_t index, std::uint8_t number, const DirectRoute& route) {
        engine_.submit(get_smp({.route = route}, attribute::mellanox_ext_port_info, number),
                       [this, index, number](const auto& reply) {
                           if (!reply) return;  // not every Mellanox device has it
                           WalkPort& port = *found_[index].ports[number];
                           const auto ext = decode_mellanox_ext_port_info(smp_data(*reply));
                           if (ext.link_speed_active & 1) port.speed = "FDR10";
                           if (ext.link_speed_enabled & 1 && port.max_speed == "QDR")
                               port.max_speed = "FDR10";
                       });
    }

    MadEngine& engine_;
    FabricWalk& out_;
    std::vector<Found> found_;
    std::map<Guid, std::vector<std::uint32_t>> by_guid_;
    std::uint64_t open_at_deadline_ = 0;
};

}  // namespace

Result<FabricWalk> ask_walk(MadTransport& transport, const LocalPort& local, const MadOptions& options) {
    FabricWalk out;
    out.via = local.via;
    MadEngine engine(transport, options);
    Walk walk(engine, out);
    walk.start();
    engine.run();
    if (walk.local_failure) return std::unexpected(*walk.local_failure);
    walk.finish();
    out.statistics = engine.statistics();
    return out;
}

}  // namespace pve_rdma
