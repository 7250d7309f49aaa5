// `pve-rdma mtu`
#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "mad/observe_subnet.h"
#include "observe/mtu_paths.h"
#include "observe/node.h"
#include "operations/mtu_peers.h"
#include "operations/mtu_text.h"
#include "operations/reply.h"
#include "operations/request.h"
#include "operations/result_schema.h"
#include "operations/table.h"
#include "path/mtu_chain.h"
#include "path/mtu_words.h"

namespace pve_rdma {

namespace {

// More belong into several requests; the time for them would pass any caller's patience.
constexpr std::size_t most_peers = 4096;

// Links and addresses; the HCAs and what their subnets say only where a link stands on one, since that costs
// firmware commands and MADs.
NodeReport observe(const Machine& machine) {
    NodeReport report = observe_node(machine, {.sections = {"links"}});
    if (std::ranges::find(report.links, "infiniband", &Link::link_type) == report.links.end()) return report;
    report = observe_node(machine, {.sections = {"links", "devices"}});
    observe_subnet(machine, report);
    return report;
}

Result<std::vector<PeerAddress>> peers_of(const Request& request, const std::vector<Link>& links,
                                          std::vector<std::string>& warnings) {
    const auto words = request.list("peer");
    if (words.size() > most_peers)
        return std::unexpected(
            Error{.code = ErrorCode::bad_request,
                  .subject = "peer",
                  .message = fmt::format("{} peers; at most {} at once", words.size(), most_peers)});
    std::vector<PeerAddress> peers;
    std::set<std::string> seen;
    for (const auto& word : words) {
        auto peer = peer_address(word, links);
        if (!peer) return std::unexpected(peer.error());
        if (seen.insert(peer->text).second)
            peers.push_back(std::move(*peer));
        else
            warnings.push_back(fmt::format("{} is named twice and asked once", peer->text));
    }
    return peers;
}

// What the chains lack: a table that kept changing, the group of an IPoIB link that only root may ask for.
void warn_of_gaps(const NodeReport& report, std::vector<std::string>& warnings) {
    for (const auto& name : {"rtnetlink", "umad"}) {
        const auto source = report.sources.find(name);
        if (source == report.sources.end()) continue;
        if (source->second.unavailable)
            warnings.push_back(fmt::format("{}: {}", name, source->second.text.value_or("unavailable")));
        for (const auto& unread : source->second.unread)
            warnings.push_back(fmt::format("{}: {}", name, unread.text));
    }
}

// No links: nothing at all can be said, and the reason stands in the report's source.
Error no_links(const NodeReport& report) {
    Error error{.code = ErrorCode::unavailable, .subject = "rtnetlink", .message = "no links could be read"};
    if (const auto source = report.sources.find("rtnetlink"); source != report.sources.end())
        error.kernel_text = source->second.text.value_or("");
    return error;
}

MtuProbeOptions probe_options(const Request& request) {
    MtuProbeOptions options;
    const auto take = [&](const char* name, std::uint32_t& option) {
        if (const auto value = request.integer(name)) option = static_cast<std::uint32_t>(*value);
    };
    take("timeout_ms", options.timeout_ms);
    take("retries", options.retries);
    take("deadline_ms", options.deadline_ms);
    return options;
}

// Route and chain of each peer. An error: the kernel cannot be asked, or an address is not one peer's.
Result<std::vector<MtuPeer>> ways_to(const std::vector<PeerAddress>& addresses, const NodeReport& report) {
    std::vector<EchoTarget> targets;
    targets.reserve(addresses.size());
    for (const auto& address : addresses)
        targets.push_back({address.address, address.ifindex});
    auto routes = find_ways(targets, report.links);
    if (!routes) return std::unexpected(routes.error());
    const MtuChains chains(report);
    std::vector<MtuPeer> peers;
    for (std::size_t i = 0; i < addresses.size(); ++i) {
        Result<Route>& route = (*routes)[i];
        if (!route && route.error().code == ErrorCode::bad_request) return std::unexpected(route.error());
        MtuPeer& peer = peers.emplace_back(MtuPeer{.address = addresses[i].text});
        if (route) {
            peer.chain = chains.under(*route);
            peer.route = std::move(*route);
            if (peer.chain) continue;
            route = std::unexpected(Error{.code = ErrorCode::not_found,
                                          .subject = peer.address,
                                          .message = "the link of its route is gone"});
        }
        peer.probe = {.verdict = "unreachable", .refusal = Unread::from(route.error())};
    }
    return peers;
}

// Probes the peers that have a chain.
Result<void> probe(std::vector<MtuPeer>& peers, const std::vector<PeerAddress>& addresses,
                   const MtuProbeOptions& options) {
    std::vector<MtuTarget> targets;
    for (std::size_t i = 0; i < peers.size(); ++i)
        if (peers[i].chain)
            targets.push_back({{addresses[i].address, addresses[i].ifindex}, peers[i].chain->sent});
    auto probes = probe_paths(std::move(targets), options);
    if (!probes) return std::unexpected(probes.error());
    auto found = probes->begin();
    for (auto& peer : peers)
        if (peer.chain) peer.probe = std::move(*found++);
    return {};
}

Reply run(const Request& request) {
    const auto machine = Machine::open("/");
    if (!machine) return Reply::failed("mtu", machine.error());
    const NodeReport report = observe(*machine);
    if (report.links.empty()) return Reply::failed("mtu", no_links(report));
    Reply reply;
    reply.operation = "mtu";
    warn_of_gaps(report, reply.warnings);
    const auto addresses = peers_of(request, report.links, reply.warnings);
    if (!addresses) return Reply::failed("mtu", addresses.error());
    MtuAnswer& answer = reply.mtu.emplace();
    if (addresses->empty()) {
        answer.chains = MtuChains(report).all();
        return reply;
    }
    auto peers = ways_to(*addresses, report);
    if (!peers) return Reply::failed("mtu", peers.error());
    if (const auto done = probe(*peers, *addresses, probe_options(request)); !done)
        return Reply::failed("mtu", done.error());
    for (auto& peer : *peers) {
        explain(peer);
        reply.ok &= peer.probe.verdict == "passes";
    }
    answer.peers = std::move(*peers);
    return reply;
}

std::string text(const Reply& reply, const TextStyle& style) {
    return mtu_text(*reply.mtu, style);
}

}  // namespace

const Operation mtu_operation{
    .name = "mtu",
    .summary = "Show the MTU of every hop under an address, and what reaches a peer",
    .description =
        "Without peers: for each link with an address, what a packet passes on its way down (bridge, bond, "
        "VLAN, "
        "VXLAN, IPoIB with its group and port) and which hop is the smallest. With peers: the same for the "
        "route "
        "to each, and a search with ICMP echo requests that may not be fragmented for the largest packet "
        "that "
        "reaches it, telling a router that names its MTU, a blackhole (small packets pass, larger ones "
        "vanish), "
        "and a peer that answers nothing apart. Exit code 1 when the largest packet that this node sends "
        "does not "
        "reach a peer. Needs no root where net.ipv4.ping_group_range has a group of the caller.",
    .parameters = {{.name = "peer",
                    .type = ParameterType::list,
                    .description = "Addresses to probe, IPv4 or IPv6 (fe80::1%vmbr0 for link-local ones).",
                    .placeholder = "ADDRESS"},
                   {.name = "timeout_ms",
                    .type = ParameterType::integer,
                    .description = "Wait this long for a peer's first answer; later ones by its round trip.",
                    .placeholder = "MS",
                    .minimum = 10,
                    .maximum = 10'000,
                    .default_value = MtuProbeOptions{}.timeout_ms},
                   {.name = "retries",
                    .type = ParameterType::integer,
                    .description = "Ask again this many times before a size counts as not answered.",
                    .placeholder = "N",
                    .minimum = 1,
                    .maximum = 10,
                    .default_value = MtuProbeOptions{}.retries},
                   {.name = "deadline_ms",
                    .type = ParameterType::integer,
                    .description = "Give up after this time; peers that are not settled then are unsure.",
                    .placeholder = "MS",
                    .minimum = 100,
                    .maximum = 600'000,
                    .default_value = MtuProbeOptions{}.deadline_ms}},
    // Who may look at a node may not make its root send packets to addresses of his choice.
    .api = {{.method = "GET", .path = "mtu", .without = {"peer", "timeout_ms", "retries", "deadline_ms"}},
            {.method = "POST", .path = "mtu", .access = Access::modify, .task = true}},
    .ansible = "mtu_info",
    .result_key = "mtu",
    .result_schema = mtu_schema,
    .run = run,
    .text = text,
};

}  // namespace pve_rdma
