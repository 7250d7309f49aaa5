// Node::missing: what is not known of a node, and why, in one sentence that is the same for every rule.
#include <algorithm>

#include <fmt/format.h>

#include "doctor/node.h"

namespace pve_rdma::doctor {

namespace {

const Source* source_of(const NodeReport& report, const std::string& name) {
    const auto found = report.sources.find(name);
    return found == report.sources.end() ? nullptr : &found->second;
}

std::string reason(std::string_view what, const Source& source) {
    const std::string why = source.text.value_or(source.unavailable.value_or("not read"));
    return source.hint && !source.hint->empty() ? fmt::format("{}: {} ({})", what, why, *source.hint)
                                                : fmt::format("{}: {}", what, why);
}

// A part that one source gives.
std::optional<std::string> from_source(const NodeReport& report, std::string_view what,
                                       const std::string& name) {
    const Source* const source = source_of(report, name);
    if (!source) return fmt::format("{}: not in the report", what);
    if (source->unavailable) return reason(what, *source);
    return std::nullopt;
}

// No such file says as much as a file would: there is none of its kind.
bool tells_that_there_is_none(const Source& source) {
    return source.unavailable == "ENOENT" || source.unavailable == "not_found";
}

}  // namespace

std::optional<std::string> Node::why_missing(Part part) const {
    switch (part) {
        case Part::system:
            return from_source(report, "system settings", "system");
        case Part::modules:
            return from_source(report, "kernel modules", "modules");
        case Part::packages:
            return from_source(report, "packages", "packages");
        case Part::pci:
            return report.pci.empty() ? from_source(report, "PCI cards", "pci") : std::nullopt;
        case Part::devices: {
            if (!report.devices.empty()) return std::nullopt;
            const Source* const sysfs = source_of(report, "sysfs");
            if (!sysfs) return "RDMA devices: not in the report";
            if (sysfs->unavailable && !tells_that_there_is_none(*sysfs))
                return reason("RDMA devices", *sysfs);
            return std::nullopt;
        }
        case Part::links:  // every node has at least lo
            return report.links.empty() ? std::optional<std::string>("links: not in the report")
                                        : std::nullopt;
        case Part::ethtool:
            return from_source(report, "ethtool", "ethtool");
        case Part::devlink:
            return report.devlink.empty() ? from_source(report, "devlink", "devlink") : std::nullopt;
        case Part::routes: {
            const auto why = from_source(report, "routes", "rtnetlink");
            return report.routes.empty() ? why : std::nullopt;
        }
        case Part::kernel_log:
            return report.system.kernel_log.empty() ? from_source(report, "kernel log", "kernel-log")
                                                    : std::nullopt;
        case Part::subnet: {
            if (std::ranges::any_of(ports, [](const PortRef& ref) { return bool(ref.port.subnet); }))
                return std::nullopt;
            const Source* const umad = source_of(report, "umad");
            return umad ? reason("subnet manager", *umad)
                        : "subnet manager: no port with a link could be asked (MADs need root and ib_umad)";
        }
        case Part::fabric: {
            if (!report.fabric.empty()) return std::nullopt;
            const Source* const source = source_of(report, "fabric");
            return source ? reason("walk of the fabric", *source)
                          : "walk of the fabric: not in the report (needs root; add the section fabric)";
        }
        case Part::earlier:
            return earlier ? std::nullopt
                           : std::optional<std::string>(
                                 "growth of counters: give an earlier report of the node beside this one");
        case Part::configured:
            if (configured) return std::nullopt;
            return from_source(report, "/etc/network/interfaces", "interfaces")
                .value_or("/etc/network/interfaces: not in the report");
    }
    return std::nullopt;
}

std::optional<std::string> Node::missing(Part part) const {
    const auto [entry, fresh] = missing_.try_emplace(static_cast<int>(part));
    if (fresh) entry->second = why_missing(part);
    return entry->second;
}

}  // namespace pve_rdma::doctor
