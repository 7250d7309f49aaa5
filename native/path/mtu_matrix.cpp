#include "path/mtu_matrix.h"

#include <fmt/format.h>

#include "facts/ip_network.h"
#include "path/mtu_chain.h"

namespace pve_rdma {

namespace {

struct End {
    std::string node, link, address;
    std::uint32_t mtu;
};

bool is_shared(const Address& address) {
    return address.local && address.scope == "global" && address.ifname != "lo" &&
           address.prefixlen < 8u * address.local->length;
}

}  // namespace

std::vector<MtuCell> mtu_matrix(std::span<const NamedReport> nodes) {
    std::map<std::string, std::vector<End>> networks;
    for (const auto& [name, report] : nodes) {
        const MtuChains chains(report);
        for (const auto& address : report.addresses) {
            if (!is_shared(address)) continue;
            const auto chain = chains.under(address.ifname);
            if (!chain) continue;
            const std::string network =
                fmt::format("{}/{}", masked(*address.local, address.prefixlen).text(), address.prefixlen);
            networks[network].push_back({name, address.ifname, address.local->text(), chain->mtu});
        }
    }
    std::vector<MtuCell> cells;
    for (const auto& [network, ends] : networks)
        for (const auto& from : ends)
            for (const auto& to : ends)
                if (from.node != to.node)
                    cells.push_back(
                        {from.node, to.node, network, from.link, to.address, std::min(from.mtu, to.mtu)});
    return cells;
}

}  // namespace pve_rdma
