// A walk for a person, as a tree from the own port, and for Graphviz.
#include <algorithm>
#include <functional>
#include <map>

#include <fmt/format.h>

#include "base/text.h"
#include "mad/fabric.h"
#include "mad/link_limits.h"
#include "mad/render_text.h"

namespace pve_rdma {

namespace {

struct Edge {
    std::uint32_t port, peer, peer_port;
    const FabricLink* link;
};

std::vector<std::vector<Edge>> edges_by_node(const FabricWalk& walk) {
    std::vector<std::vector<Edge>> out(walk.nodes.size());
    for (const auto& link : walk.links) {
        out[link.from.node].push_back({link.from.port, link.to.node, link.to.port, &link});
        if (link.from != link.to)
            out[link.to.node].push_back({link.to.port, link.from.node, link.from.port, &link});
    }
    for (auto& edges : out)
        std::ranges::sort(edges, {}, &Edge::port);
    return out;
}

std::string node_name(const WalkNode& node) {
    return node.description.empty() ? node.guid.text() : node.description;
}

std::uint32_t node_lid(const WalkNode& node) {
    for (const auto& port : node.ports)
        if (port.lid) return port.lid;
    return 0;
}

std::string link_text(const FabricLink& link) {
    return fmt::format("{} {} MTU {}", link.width, link.speed, link.neighbor_mtu);
}

// Depth first by the breadth-first tree: each node stands once, below the node that is nearest to the own
// port; links to nodes that stand elsewhere are named.
class Tree {
  public:
    explicit Tree(const FabricWalk& walk) : walk_(walk), edges_(edges_by_node(walk)) {}

    std::string text() {
        if (walk_.nodes.empty()) return {};
        find_parents();
        out_ = node_line(0) + "\n";
        below(0, 1);
        return std::move(out_);
    }

  private:
    // HCAs do not forward, so the tree branches at switches; what no switch leads to (a cable was pulled
    // during the walk) hangs where it was last seen.
    void find_parents() {
        parents_.assign(walk_.nodes.size(), nullptr);
        std::vector<std::uint32_t> order{0};
        std::vector<bool> seen(walk_.nodes.size());
        seen[0] = true;
        const auto expand = [&](std::uint32_t node, bool any_port) {
            for (const auto& edge : edges_[node])
                if (!seen[edge.peer] && (any_port || edge.port == walk_.via.port)) {
                    seen[edge.peer] = true;
                    parents_[edge.peer] = edge.link;
                    order.push_back(edge.peer);
                }
        };
        for (const bool through_hcas : {false, true})
            for (std::size_t i = 0; i < order.size(); ++i) {
                const bool forwards = through_hcas || walk_.nodes[order[i]].type == "SWITCH";
                if (forwards || i == 0) expand(order[i], forwards);
            }
    }

    std::string node_line(std::uint32_t index) const {
        const WalkNode& node = walk_.nodes[index];
        std::string text = node.type == "CA" ? "" : fmt::format("{} ", node.type);
        text += node_name(node);
        if (const auto lid = node_lid(node)) text += fmt::format(", LID {}", lid);
        if (node.duplicate_of) text += ", DUPLICATE GUID";
        return text;
    }

    // A fabric is a few hops deep; what lies deeper than the columns allow keeps the last indentation.
    static std::string indentation(std::size_t depth) {
        return std::string(2 * std::min<std::size_t>(depth, 12), ' ');
    }

    void below(std::uint32_t index, std::size_t depth) {
        for (const auto& edge : edges_[index]) {
            if (parents_[index] == edge.link) continue;
            const bool child = parents_[edge.peer] == edge.link;
            // A link between two nodes of the tree is named once, at its `from`.
            if (!child && edge.link->from != LinkEnd{index, edge.port}) continue;
            const std::string head =
                fmt::format("{}[{}] {} -> ", indentation(depth), edge.port, link_text(*edge.link));
            const std::string peer =
                child ? fmt::format("[{}] {}", edge.peer_port, node_line(edge.peer))
                      : fmt::format("[{}] {} (see there)", edge.peer_port, node_name(walk_.nodes[edge.peer]));
            out_ += head + shortened(peer, text_columns - columns_of(head)) + "\n";
            for (const auto& why : edge.link->capped)
                out_ += wrapped(indentation(depth) + "    ! ", why);
            if (child) below(edge.peer, depth + 1);
        }
    }

    const FabricWalk& walk_;
    std::vector<std::vector<Edge>> edges_;
    std::vector<const FabricLink*> parents_;
    std::string out_;
};

std::string quoted(std::string_view text) {
    std::string out = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\') out += '\\';
        out += c == '\n' ? ' ' : c;
    }
    return out + '"';
}

}  // namespace

std::string render_text(const FabricWalk& walk) {
    const auto switches = std::ranges::count(walk.nodes, "SWITCH", &WalkNode::type);
    std::string out = wrapped(
        "", fmt::format("{} port {}: {} nodes ({} switches), {} links; {} MADs in {:.1f} ms{}", walk.via.ca,
                        walk.via.port, walk.nodes.size(), switches, walk.links.size(), walk.statistics.sent,
                        walk.statistics.ms, walk.complete ? "" : "; NOT COMPLETE"));
    for (const auto& sm : walk.sms)
        out += wrapped("", fmt::format("subnet manager {} at LID {}, priority {}, GUID {}", sm.state, sm.lid,
                                       sm.priority, sm.guid.text()));
    if (walk.sms.empty()) out += "no subnet manager\n";
    out += Tree(walk).text();
    for (const auto& error : walk.errors) {
        out += wrapped("! ", fmt::format("{}: {}", error.what, error.text));
        if (!error.hint.empty()) out += wrapped("  ", error.hint);
    }
    return out;
}

std::string render_dot(const FabricWalk& walk) {
    std::string out = "graph fabric {\n  node [fontname=\"sans-serif\"];\n";
    for (std::size_t i = 0; i < walk.nodes.size(); ++i) {
        const WalkNode& node = walk.nodes[i];
        out += fmt::format("  n{} [label={}, shape={}{}];\n", i, quoted(node_name(node)),
                           node.type == "CA" ? "ellipse" : "box", node.duplicate_of ? ", color=red" : "");
    }
    for (const auto& link : walk.links)
        out += fmt::format("  n{} -- n{} [label={}{}];\n", link.from.node, link.to.node,
                           quoted(fmt::format("{}:{} {}", link.from.port, link.to.port, link_text(link))),
                           link.capped.empty() ? "" : ", color=red");
    return out + "}\n";
}

}  // namespace pve_rdma
