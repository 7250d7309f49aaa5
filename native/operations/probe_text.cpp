#include "operations/probe_text.h"

namespace pve_rdma {

std::string heading(std::string_view words, const TextStyle& style) {
    return "\n" + toned(std::string(words), Tone::bold, style) + "\n";
}

std::string probe_text(const NodeReport& report, const TextStyle& style) {
    return node_text(report, style) + devices_text(report, style) + cards_text(report, style) +
           links_text(report, style) + routes_text(report, style) + software_text(report, style) +
           sources_text(report, style);
}

}  // namespace pve_rdma
