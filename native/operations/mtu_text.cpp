#include "operations/mtu_text.h"

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

// Peers that the same chain leads to, in a row, share it.
bool same_way(const MtuPeer& a, const MtuPeer& b) {
    return a.chain == b.chain;
}

}  // namespace

std::string mtu_text(const MtuAnswer& answer, const TextStyle& style) {
    std::string out;
    for (const auto& chain : answer.chains) {
        out += heading(fmt::format("{}  {}", one_line(chain.link), fmt::join(chain.addresses, ", ")), style);
        out += chain_text(chain, style);
    }
    for (std::size_t i = 0; i < answer.peers.size(); ++i) {
        const MtuPeer& peer = answer.peers[i];
        if (i == 0 || !same_way(answer.peers[i - 1], peer)) {
            if (peer.chain) {
                out += heading("By " + one_line(peer.chain->link), style);
                out += chain_text(*peer.chain, style);
            } else {
                out += heading("Without a route", style);
            }
        }
        out += toned(fmt::format("\n  {}\n", peer.address), Tone::bold, style);
        out += toned(wrapped(one_line(peer.message), 4, style), tone_of(peer.probe), style);
        if (peer.remedy) out += wrapped("to do: " + one_line(*peer.remedy), 4, style);
    }
    if (out.empty()) out = "no link with an address is up\n";
    return out.starts_with('\n') ? out.substr(1) : out;
}

}  // namespace pve_rdma
