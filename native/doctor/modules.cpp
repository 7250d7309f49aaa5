// Kernel modules and driver stacks: a card that nothing drives, layers that are not loaded, two stacks mixed.
#include <algorithm>

#include <fmt/format.h>

#include "doctor/findings.h"
#include "doctor/node.h"
#include "doctor/rules.h"
#include "doctor/words.h"

namespace pve_rdma::doctor {

namespace {

// The module that makes RDMA devices of what the core driver drives.
std::string_view rdma_module(std::string_view driver) {
    if (driver == "mlx5_core") return "mlx5_ib";
    if (driver == "mlx4_core") return "mlx4_ib";
    return {};
}

// InfiniBand by its PCI class, or a VPI card whose port is set to InfiniBand.
bool is_infiniband_card(const PciDevice& pci) {
    const std::uint32_t kind = pci.class_code.value_or(0) >> 8;
    if (kind == 0x0207 || kind == 0x0c06) return true;
    return is_card(pci) &&
           std::ranges::any_of(pci.port_types, [](const auto& port) { return port.second == "ib"; });
}

void card_without_device(const Node& node, Findings& out) {
    for (const auto& pci : node.report.pci) {
        if (!is_infiniband_card(pci) || !pci.rdma_devices.empty()) continue;
        if (pci.driver == "vfio-pci") continue;              // given to a guest
        if (pci.physical_function && !pci.driver) continue;  // a VF that waits for a guest
        const std::string what = pci.device_name.value_or("InfiniBand card");
        if (!pci.driver) {
            out.add(pci.address, fmt::format("{}: no driver is bound, so there is no RDMA device.", what))
                .because(node.at(pci, "class_code"), pci.class_code)
                .because_absent(node.at(pci, "driver"));
            continue;
        }
        const auto module = rdma_module(*pci.driver);
        const bool not_loaded =
            !module.empty() && !node.missing(Part::modules) && !node.module_loaded(module);
        auto& finding =
            out.add(pci.address,
                    fmt::format("{}: {} drives it, yet no RDMA device has come of it{}.", what, *pci.driver,
                                not_loaded ? fmt::format(": {} is not loaded", module) : ""))
                .because(node.at(pci, "driver"), pci.driver)
                .because(node.at(pci, "class_code"), pci.class_code);
        if (!module.empty())
            finding.do_this(
                fmt::format("modprobe {0}; to keep it: echo {0} > /etc/modules-load.d/{0}.conf. If it is "
                            "loaded, the kernel log says why the card was refused.",
                            module));
    }
}

void no_umad(const Node& node, Findings& out) {
    if (node.report.system.umad_abi || node.module_loaded("ib_umad")) return;
    for (const auto& ref : node.ports)
        if (ref.port.umad) return;
    out.add("ib_umad",
            "There is an InfiniBand port, and ib_umad is not loaded: no program can send management "
            "datagrams, so no subnet manager runs here and none can be asked.")
        .because_absent("/system/umad_abi");
}

void no_ipoib(const Node& node, Findings& out) {
    for (const auto& ref : node.ports) {
        if (!is_infiniband(ref) || ref.port.state != "ACTIVE" || !node.netdevs_of(ref).empty()) continue;
        if (std::ranges::any_of(node.report.links, [&](const Link& link) {
                return link.link_type == "infiniband" && link.parentdev && link.parentdev == ref.device.pci;
            }))
            continue;
        const bool loaded = node.module_loaded("ib_ipoib");
        out.add(ref.name(), loaded ? "The port is active and has no IP interface, though ib_ipoib is loaded."
                                   : "The port is active and has no IP interface: ib_ipoib is not loaded.")
            .because(node.at(ref, "state"), ref.port.state)
            .as(loaded ? Severity::info : Severity::warning);
    }
}

void no_user_verbs(const Node& node, Findings& out) {
    struct Layer {
        std::string_view module, lost;
    };
    constexpr Layer layers[] = {{"ib_uverbs", "no program can use RDMA"},
                                {"rdma_ucm", "programs that connect by IP address (rdma_cm) fail"}};
    // Whoever installed the libraries wants them to work.
    const Package* const library = node.find_package("rdma-core");
    for (const auto& [module, lost] : layers) {
        if (node.module_loaded(module)) continue;
        if (module == "ib_uverbs" && node.report.system.uverbs_abi) continue;
        auto& finding =
            out.add(std::string(module), fmt::format("{} is not loaded: {}.", module, lost))
                .do_this(fmt::format(
                    "modprobe {0}; rdma-core loads it at boot from /etc/rdma/modules/rdma.conf.", module))
                .as(library ? Severity::warning : Severity::info);
        finding.because(node.at(node.report.devices.front(), "name"), node.report.devices.front().name);
        if (const Module* const known = node.find_module(module))
            finding.because(node.at(*known, "loaded"), known->loaded);
        if (library) finding.because(node.at(*library, "version"), library->version);
    }
}

// A stack that does not come with the kernel: mlx_compat is its mark, and out-of-tree code taints.
const Module* foreign_module(const Node& node) {
    for (const std::string_view name : {"mlx_compat", "ib_core", "mlx5_core", "mlx4_core"}) {
        const Module* const module = node.find_module(name);
        if (!module || !module->loaded) continue;
        if (name == "mlx_compat" || (module->taint && module->taint->contains('O'))) return module;
    }
    return nullptr;
}

void mixed_stacks(const Node& node, Findings& out) {
    const Package* const library = node.find_package("libibverbs1");
    const bool in_use = std::ranges::any_of(node.report.system.modules, [](const Module& module) {
        return module.loaded && (module.name == "ib_core" || module.name.starts_with("mlx"));
    });
    if (!library || !in_use) return;
    const Module* const foreign = foreign_module(node);
    const bool vendor_library = library->version.contains("mlnx");
    if (bool(foreign) == vendor_library) return;
    auto& finding =
        out.add("libibverbs1", fmt::format("The kernel modules are {}, the verbs library {} is {}.",
                                           foreign ? "the vendor's" : "the kernel's own", library->version,
                                           vendor_library ? "the vendor's" : "Debian's"))
            .because(node.at(*library, "version"), library->version);
    if (foreign) finding.because(node.at(*foreign, "loaded"), true);
}

// The version of an installed vendor stack, by the packages that bring its kernel modules.
const Package* vendor_stack(const Node& node) {
    for (const std::string_view name :
         {"mlnx-ofed-kernel-dkms", "mlnx-ofed-kernel-modules", "mlnx-ofed-kernel-utils", "ofed-scripts"})
        if (const Package* const package = node.find_package(name)) return package;
    return nullptr;
}

void card_dropped_by_vendor(const Node& node, Findings& out) {
    const Package* const stack = vendor_stack(node);
    if (!stack) return;
    for (const auto& pci : node.report.pci) {
        const auto family = family_of(pci);
        if (!family || family->dropped_by_ofed.empty()) continue;
        if (version_numbers(stack->version) < version_numbers(family->dropped_by_ofed)) continue;
        out.add(pci.address, fmt::format("{} is no longer in MLNX_OFED since {}; {} {} is installed.",
                                         family->name, family->dropped_by_ofed, stack->name, stack->version))
            .because(node.at(pci, "device_id"), pci.device_id)
            .because(node.at(*stack, "version"), stack->version);
    }
}

}  // namespace

std::vector<Rule> module_rules() {
    return {
        {.id = "MOD-01",
         .severity = Severity::error,
         .title = "An InfiniBand card has no RDMA device",
         .reads = "/pci/*/class_code, driver, port_types, rdma_devices; /system/modules",
         .condition = "a PCI function of class 0207 or 0c06, or with a port set to ib, has no RDMA device, "
                      "and is not given to a guest",
         .meaning = "The core driver is not bound, or the module that makes RDMA devices (mlx5_ib, mlx4_ib) "
                    "is not loaded or was refused by the card.",
         .remedy = "Load the driver of the card and look in the kernel log for its first error.",
         .sources = "pci.ids; recorded tree of two ConnectX-4 without mlx5_ib",
         .needs = {Part::pci, Part::devices},
         .applies = has_card,
         .node = card_without_device},
        {.id = "MOD-02",
         .severity = Severity::error,
         .title = "ib_umad is not loaded",
         .reads = "/system/umad_abi, /system/modules, /devices/*/ports/*/umad",
         .condition = "there is an InfiniBand port, and neither the module nor its device nodes are there",
         .meaning = "Management datagrams cannot be sent: opensm, ibstat's details and every question to the "
                    "subnet manager need them.",
         .remedy = "modprobe ib_umad; to keep it: echo ib_umad > /etc/modules-load.d/ib_umad.conf",
         .sources = "Documentation/infiniband/user_mad.rst",
         .needs = {Part::devices, Part::modules},
         .applies = has_infiniband,
         .node = no_umad},
        {.id = "MOD-03",
         .severity = Severity::warning,
         .title = "An active InfiniBand port has no IP interface",
         .reads = "/devices/*/ports/*/netdevs, /links, /system/modules",
         .condition = "an ACTIVE InfiniBand port, no link of type infiniband on it",
         .meaning = "No IP over this port: Ceph, NFS, corosync and migration cannot use it.",
         .remedy = "modprobe ib_ipoib; to keep it: echo ib_ipoib > /etc/modules-load.d/ib_ipoib.conf",
         .sources = "Documentation/infiniband/ipoib.rst",
         .needs = {Part::devices, Part::links, Part::modules},
         .applies = has_infiniband,
         .node = no_ipoib},
        {.id = "MOD-04",
         .severity = Severity::warning,
         .title = "A module that RDMA programs need is not loaded",
         .reads = "/system/modules, /system/uverbs_abi, /system/packages",
         .condition = "there is an RDMA device and ib_uverbs or rdma_ucm is not loaded; a warning when "
                      "rdma-core is installed, else for information",
         .meaning = "Programs see no device, or cannot connect by address.",
         .remedy = "modprobe ib_uverbs rdma_ucm",
         .sources = "rdma-core, kernel-boot/modules",
         .needs = {Part::devices, Part::modules, Part::packages},
         .applies = has_rdma,
         .node = no_user_verbs},
        {.id = "MOD-05",
         .severity = Severity::warning,
         .title = "Kernel modules and verbs library come from different stacks",
         .reads = "/system/modules/*/taint, mlx_compat; /system/packages libibverbs1",
         .condition =
             "out-of-tree RDMA modules with Debian's libibverbs, or the kernel's own with the vendor's",
         .meaning = "Mixed stacks lose devices and features without a clear error.",
         .remedy = "Use one stack: on Proxmox VE the kernel's modules and Debian's rdma-core.",
         .sources = "open-mpi/ompi issue 5964; mej/nhc issue 175",
         .needs = {Part::modules, Part::packages},
         .node = mixed_stacks},
        {.id = "MOD-06",
         .severity = Severity::error,
         .title = "The installed vendor driver no longer knows this card",
         .reads = "/pci/*/device_id; /system/packages of MLNX_OFED",
         .condition = "the card's family was dropped in the installed MLNX_OFED or before",
         .meaning = "That driver ships no module for the card: after its next rebuild the card is gone.",
         .remedy = "Remove MLNX_OFED and use the kernel's own driver (mlx4 for ConnectX-3).",
         .sources = "release notes of MLNX_OFED 5.1",
         .needs = {Part::pci, Part::packages},
         .applies = has_card,
         .node = card_dropped_by_vendor},
    };
}

}  // namespace pve_rdma::doctor
