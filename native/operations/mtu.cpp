// `pve-rdma mtu`
#include <algorithm>

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
    for (const auto& word : words) {
        auto peer = peer_address(word, links);
        if (!peer) return std::unexpected(peer.error());
        if (std::ranges::find(peers, *peer) == peers.end())
            peers.push_back(std::move(*peer));
        else
            warnings.push_back(fmt::format("{} is named twice and asked once", peer->text));
    }
    return peers;
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

Reply run(const Request& request) {
    const auto machine = Machine::open("/");
    if (!machine) return Reply::failed("mtu", machine.error());
    const NodeReport report = observe(*machine);
    if (report.links.empty()) return Reply::failed("mtu", no_links(report));
    Reply reply;
    reply.operation = "mtu";
    const auto peers = peers_of(request, report.links, reply.warnings);
    if (!peers) return Reply::failed("mtu", peers.error());
    const MtuChains chains(report);
    MtuAnswer& answer = reply.mtu.emplace();
    if (peers->empty()) {
        answer.chains = chains.all();
        return reply;
    }
    std::vector<EchoTarget> targets;
    for (const auto& peer : *peers)
        targets.push_back({peer.address, peer.ifindex});
    auto ways = find_ways(targets, report.links);
    if (!ways) return Reply::failed("mtu", ways.error());
    std::vector<MtuTarget> wanted;
    for (std::size_t i = 0; i < targets.size(); ++i) {
        MtuPeer& peer = answer.peers.emplace_back();
        peer.address = (*peers)[i].text;
        Result<Route>& route = (*ways)[i];
        if (!route && route.error().code == ErrorCode::bad_request)
            return Reply::failed("mtu", route.error());
        if (!route) {
            peer.probe = {.verdict = "unreachable", .refusal = Unread::from(route.error())};
            continue;
        }
        peer.chain = chains.under(*route);
        peer.route = std::move(*route);
        if (peer.chain) wanted.push_back({targets[i], peer.chain->sent});
    }
    auto probes = probe_paths(wanted, probe_options(request));
    if (!probes) return Reply::failed("mtu", probes.error());
    auto probe = probes->begin();
    for (auto& peer : answer.peers) {
        if (peer.chain) peer.probe = std::move(*probe++);
        explain(peer);
        reply.ok &= peer.probe.verdict == "passes";
    }
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
    .api_path = "mtu",
    .ansible = "mtu_info",
    .result_key = "mtu",
    .result_schema = mtu_schema,
    .run = run,
    .text = text,
};

}  // namespace pve_rdma
