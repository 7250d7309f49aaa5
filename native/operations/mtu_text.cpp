#include "operations/mtu_text.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "operations/probe_text.h"

namespace pve_rdma {

namespace {

std::string hops_text(const MtuChain& chain, const TextStyle& style) {
    TextTable table({"HOP", "KIND", "MTU", "CARRIES", "MORE"}, 2);
    for (const auto& hop : chain.hops) {
        std::vector<std::string> more;
        if (!hop.role.empty()) more.push_back(hop.role);
        if (hop.note) more.push_back(*hop.note);
        const bool binds = hop.counts && hop.limit == chain.mtu && chain.mtu < chain.sent;
        const Tone tone = binds ? Tone::bad : hop.counts ? Tone::plain : Tone::dim;
        table.add({{std::string(std::size_t{hop.depth} * 2, ' ') + one_line(hop.name), Tone::bold},
                   hop.kind,
                   std::to_string(hop.mtu),
                   {hop.counts ? std::to_string(hop.limit) : "-", tone},
                   fmt::format("{}", fmt::join(more, "; "))});
    }
    return table.render(style);
}

std::string chain_text(const MtuChain& chain, const TextStyle& style) {
    const bool fits = chain.mtu >= chain.sent;
    std::string out = hops_text(chain, style);
    out += toned(wrapped(chain.message, 2, style), fits ? Tone::plain : Tone::bad, style);
    if (chain.remedy) out += wrapped("to do: " + *chain.remedy, 2, style);
    return out;
}

Tone tone_of(const MtuProbe& probe) {
    if (probe.verdict == "passes") return Tone::good;
    return probe.verdict == "no_answer" || probe.verdict == "unsure" ? Tone::warning : Tone::bad;
}

std::string peer_text(const MtuPeer& peer, const TextStyle& style) {
    std::string out = toned(fmt::format("\n  {}\n", one_line(peer.address)), Tone::bold, style);
    out += toned(wrapped(one_line(peer.message), 4, style), tone_of(peer.probe), style);
    if (peer.remedy) out += wrapped("to do: " + one_line(*peer.remedy), 4, style);
    return out;
}

// The peers by the way to them, so that each chain stands once: in the order in which they were named.
std::string peers_text(const std::vector<MtuPeer>& peers, const TextStyle& style) {
    std::string out;
    std::vector<std::pair<const std::optional<MtuChain>*, std::string>> groups;
    for (const auto& peer : peers) {
        auto group = std::ranges::find_if(groups, [&](const auto& one) { return *one.first == peer.chain; });
        if (group == groups.end()) group = groups.insert(groups.end(), {&peer.chain, {}});
        group->second += peer_text(peer, style);
    }
    for (const auto& [chain, text] : groups) {
        out += heading(*chain ? "By " + one_line((*chain)->link) : "Without a route", style);
        if (*chain) out += chain_text(**chain, style);
        out += text;
    }
    return out;
}

}  // namespace

std::string mtu_text(const MtuAnswer& answer, const TextStyle& style) {
    std::string out;
    for (const auto& chain : answer.chains) {
        out += heading(fmt::format("{}  {}", one_line(chain.link), fmt::join(chain.addresses, ", ")), style);
        out += chain_text(chain, style);
    }
    out += peers_text(answer.peers, style);
    if (out.empty()) out = "no link with an address is up\n";
    return out.starts_with('\n') ? out.substr(1) : out;
}

}  // namespace pve_rdma
