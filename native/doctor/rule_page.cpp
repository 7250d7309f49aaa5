#include "doctor/rule.h"

namespace pve_rdma::doctor {

namespace {

std::string_view words(Part part) {
    switch (part) {
        case Part::system:
            return "system settings";
        case Part::modules:
            return "kernel modules";
        case Part::packages:
            return "packages";
        case Part::pci:
            return "PCI cards";
        case Part::devices:
            return "RDMA devices";
        case Part::links:
            return "links";
        case Part::ethtool:
            return "ethtool";
        case Part::devlink:
            return "devlink";
        case Part::routes:
            return "routes";
        case Part::kernel_log:
            return "the kernel log";
        case Part::subnet:
            return "answers of the subnet manager (root)";
        case Part::fabric:
            return "a walk of the fabric (root)";
        case Part::earlier:
            return "an earlier report of the node";
        case Part::configured:
            return "/etc/network/interfaces";
    }
    return {};
}

}  // namespace

RulePage RulePage::of(const Rule& rule) {
    RulePage page{.id = std::string(rule.id),
                  .family = std::string(rule.family),
                  .severity = rule.severity,
                  .title = std::string(rule.title),
                  .reads = std::string(rule.reads),
                  .condition = std::string(rule.condition),
                  .meaning = std::string(rule.meaning),
                  .remedy = std::string(rule.remedy),
                  .thresholds = {},
                  .needs = {},
                  .sources = std::string(rule.sources)};
    for (const auto& limit : rule.thresholds)
        page.thresholds.push_back(
            {std::string(limit.name), limit.value, std::string(limit.unit), std::string(limit.why)});
    for (const Part part : rule.needs)
        page.needs.emplace_back(words(part));
    if (rule.fabric && page.needs.empty()) page.needs.emplace_back(words(Part::fabric));
    return page;
}

}  // namespace pve_rdma::doctor
