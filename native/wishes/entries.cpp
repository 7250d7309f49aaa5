#include "wishes/entries.h"

#include <fmt/format.h>

namespace pve_rdma::ifup {

std::string RouteEntry::text() const {
    std::string text = to.is_default() && v6 ? "::/0" : to.text();
    if (via) text += " via " + via->text();
    if (source) text += " src " + source->text();
    if (metric) text += fmt::format(" metric {}", metric);
    if (table != main_table) text += fmt::format(" table {}", table);
    if (mtu) text += fmt::format(" mtu {}", mtu);
    if (onlink) text += " onlink";
    return text;
}

std::string RuleEntry::text() const {
    std::string text = v6 ? "inet6 " : "";
    if (from) text += "from " + from->text() + " ";
    if (to) text += "to " + to->text() + " ";
    if (!iif.empty()) text += "iif " + iif + " ";
    if (!oif.empty()) text += "oif " + oif + " ";
    if (mask) text += fmt::format("fwmark {:#x}/{:#x} ", mark, mask);
    return text + fmt::format("priority {} table {}", priority, table);
}

}  // namespace pve_rdma::ifup
