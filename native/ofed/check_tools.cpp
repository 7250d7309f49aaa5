// The vendor's firmware tools: OFED-22.
#include <algorithm>

#include <fmt/format.h>

#include "boards/boards.h"
#include "ofed/check.h"
#include "ofed/plan/version.h"
#include "ofed/rules.h"

namespace pve_rdma::ofed {

namespace {

constexpr std::uint16_t mellanox = 0x15b3;

bool has_family(const NodeReport& report, std::string_view families) {
    if (families.empty()) return true;
    return std::ranges::any_of(report.pci, [&](const PciDevice& pci) {
        if (pci.vendor_id != mellanox || !pci.device_id) return false;
        const auto family = family_by_pci_id(mellanox, static_cast<std::uint16_t>(*pci.device_id));
        if (!family) return false;
        std::string name(family->name);
        std::ranges::replace(name, ' ', '_');
        return has_word(families, name);
    });
}

// The package that a row means, and not one whose name only begins alike: mft, mft-oem; not mft-tests of
// others.
bool is_tool(std::string_view package, std::string_view prefix) {
    return package == prefix || package.starts_with(std::string(prefix) + "-");
}

}  // namespace

void check_tools(const Situation& of, doctor::Findings& out) {
    out.speak_for(check_rule("OFED-22"), of.in.node.name);
    const auto& kernel = of.in.node.report.system.kernel_release;
    for (const auto* package : of.packages)
        for (const auto& limit : tool_limits()) {
            if (!is_tool(package->name, limit.package)) continue;
            if (compare_versions(package->version, limit.fails_from) < 0) continue;
            if (!limit.works_from.empty() && compare_versions(package->version, limit.works_from) >= 0)
                continue;
            if (!limit.kernel.empty() && !kernel) out.unknown("the running kernel is not known");
            if (!limit.kernel.empty() && (!kernel || !kernel_at_least(*kernel, limit.kernel))) continue;
            if (!has_family(of.in.node.report, limit.families)) continue;
            out.add(package->name,
                    fmt::format(
                        "{} {}: {}{}.", package->name, package->version, limit.what,
                        limit.kernel.empty() ? "" : fmt::format(" on kernels from {} on", limit.kernel)))
                .as(limit.confidence == Confidence::high ? doctor::Certainty::certain
                                                         : doctor::Certainty::likely)
                .do_this(fmt::format("Take {}.", limit.remedy));
        }
}

}  // namespace pve_rdma::ofed
