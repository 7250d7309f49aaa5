// Virtual functions.
#include <algorithm>

#include <fmt/format.h>

#include "doctor/findings.h"
#include "doctor/node.h"
#include "doctor/rules.h"

namespace pve_rdma::doctor {

namespace {

void refused(const Node& node, Findings& out) {
    const auto& log = node.report.system.kernel_log;
    for (std::size_t i = 0; i < log.size(); ++i)
        if (log[i].contains("MMIO") && log[i].contains("SR-IOV"))
            out.add(
                   log[i].substr(0, log[i].find(": ")),
                   fmt::format(
                       "The firmware setup gives the card too little address space for virtual functions: {}",
                       log[i]))
                .because(fmt::format("/system/kernel_log/{}", i), log[i]);
    for (const auto& pci : node.report.pci)
        if (is_card(pci) && pci.sriov_totalvfs == 0)
            out.add(pci.address,
                    "The card offers no virtual functions: its firmware has SR-IOV switched off.")
                .because(node.at(pci, "sriov_totalvfs"), pci.sriov_totalvfs)
                .as(Severity::info);
}

void without_iommu(const Node& node, Findings& out) {
    if (node.report.system.iommu != false) return;
    for (const auto& pci : node.report.pci)
        if (is_card(pci) && pci.sriov_numvfs.value_or(0) > 0)
            out.add(pci.address, fmt::format("The card has {} virtual functions, and the node has no IOMMU "
                                             "groups: none can be given to a guest.",
                                             *pci.sriov_numvfs))
                .because(node.at(pci, "sriov_numvfs"), pci.sriov_numvfs)
                .because("/system/iommu", node.report.system.iommu);
}

}  // namespace

std::vector<Rule> sriov_rules() {
    return {
        {.id = "SRIOV-01",
         .severity = Severity::warning,
         .title = "Virtual functions are refused",
         .reads = "/system/kernel_log; /pci/*/sriov_totalvfs",
         .condition =
             "the kernel logs that MMIO space for SR-IOV is lacking; sriov_totalvfs 0: for information",
         .meaning = "No virtual function can be made, whatever is written to sriov_numvfs.",
         .remedy = "In the firmware setup: SR-IOV, ARI and Above 4G Decoding on. On the card: mstconfig set "
                   "SRIOV_EN=1 NUM_OF_VFS=8, then switch the node off and on.",
         .sources = "xcp-ng/xcp issue 544; drivers/pci/iov.c",
         .needs = {Part::pci},
         .applies = has_card,
         .node = refused},
        {.id = "SRIOV-02",
         .severity = Severity::warning,
         .title = "Virtual functions without an IOMMU",
         .reads = "/pci/*/sriov_numvfs; /system/iommu",
         .condition = "virtual functions exist and there are no IOMMU groups",
         .meaning = "They cannot be passed to a guest.",
         .remedy = "VT-d or AMD-Vi on in the firmware setup; intel_iommu=on on the kernel's command line.",
         .sources = "Proxmox VE, PCI(e) passthrough",
         .needs = {Part::pci, Part::system},
         .applies = has_card,
         .node = without_iommu},
    };
}

}  // namespace pve_rdma::doctor
