#include "observe/modules.h"

#include <algorithm>
#include <cerrno>

#include "observe/sysfs_reader.h"

namespace pve_rdma {

namespace {

// Sorted: searched by name for every line of modules.dep.
constexpr std::string_view names[] = {
    "8021q",          "atlantic",   "be2net",      "bna",       "bnx2x",    "bnxt_en",   "bnxt_re",
    "bonding",        "bridge",     "cxgb4",       "efa",       "ena",      "erdma",     "hfi1",
    "hns_roce_hw_v2", "i40e",       "i40iw",       "ib_cm",     "ib_core",  "ib_ipoib",  "ib_iser",
    "ib_isert",       "ib_mthca",   "ib_qib",      "ib_srp",    "ib_srpt",  "ib_ucm",    "ib_umad",
    "ib_uverbs",      "ice",        "ionic",       "irdma",     "iw_cm",    "iw_cxgb4",  "ixgbe",
    "knem",           "ksmbd",      "mana_ib",     "mlx4_core", "mlx4_en",  "mlx4_ib",   "mlx5_core",
    "mlx5_ib",        "mlx5_vdpa",  "mlx_compat",  "mlxfw",     "nfp",      "nvme_rdma", "nvmet_rdma",
    "ocrdma",         "opa_vnic",   "openvswitch", "qed",       "qede",     "qedr",      "qlcnic",
    "rdma_cm",        "rdma_rxe",   "rdma_ucm",    "rdmavt",    "rds_rdma", "rpcrdma",   "rtrs_client",
    "rtrs_server",    "sfc",        "siw",         "smc",       "svcrdma",  "team",      "usnic_verbs",
    "vfio_pci",       "vmw_pvrdma", "vrf",         "vxlan",     "xprtrdma"};
static_assert(std::ranges::is_sorted(names));

constexpr std::size_t max_parameter = 512;

bool wanted(std::string_view name) {
    return std::ranges::binary_search(names, name);
}

Module& module_of(std::vector<Module>& modules, std::string_view name) {
    const auto found = std::ranges::find(modules, name, &Module::name);
    if (found != modules.end()) return *found;
    Module& added = modules.emplace_back();
    added.name = name;
    return added;
}

// A module without initstate is part of the kernel image: it has a folder only for its parameters.
void read_loaded(SysfsReader& folder, Module& module) {
    const auto entries = folder.list("");
    const auto has = [&](std::string_view name) { return std::ranges::find(entries, name) != entries.end(); };
    if (has("initstate"))
        module.loaded = folder.text("initstate").value_or("live") != "going";
    else
        module.built_in = module.loaded = true;
    if (has("version")) module.version = folder.text("version");
    if (has("srcversion")) module.srcversion = folder.text("srcversion");
    if (has("refcnt")) folder.fill(module.reference_count, "refcnt");
    if (has("taint")) module.taint = folder.text("taint");
    if (has("holders")) module.holders = folder.list("holders");
    if (!has("parameters")) return;
    for (const auto& parameter : folder.list("parameters")) {
        // Many are write-only or for root: that is their mode, not a failure.
        const auto value = folder.machine().text(folder.folder() + "/parameters/" + parameter);
        if (value && value->size() <= max_parameter) module.parameters[parameter] = *value;
        if (!value && value.error().errno_value != EACCES && value.error().errno_value != EPERM)
            folder.note(value.error());
    }
}

// Lines of one index file below /lib/modules/RELEASE.
template <class Use>
void each_module_file(const Machine& machine, Source& source, const std::string& path, Use&& use) {
    constexpr std::size_t max_index = 16u << 20;  // about 1 MB on a distribution's kernel
    const auto index = machine.bytes(path, max_index);
    if (!index) {
        if (index.error().errno_value != ENOENT) source.unread.push_back(Unread::from(index.error()));
        return;
    }
    std::string_view rest = *index;
    while (!rest.empty()) {
        const auto newline = rest.find('\n');
        if (const auto file = parse_module_line(rest.substr(0, newline)); file && wanted(file->name))
            use(*file);
        if (newline == std::string_view::npos) break;
        rest.remove_prefix(newline + 1);
    }
}

}  // namespace

std::vector<std::string_view> modules_of_interest() {
    return {std::begin(names), std::end(names)};
}

std::optional<ModuleFile> parse_module_line(std::string_view line) {
    const auto path = line.substr(0, line.find(':'));
    const auto slash = path.rfind('/');
    const auto base = slash == std::string_view::npos ? path : path.substr(slash + 1);
    const auto suffix = base.find(".ko");
    if (suffix == std::string_view::npos || suffix == 0) return std::nullopt;
    ModuleFile file{path, std::string(base.substr(0, suffix)), {}};
    std::ranges::replace(file.name, '-', '_');
    file.origin = path.substr(0, path.find('/'));
    if (path.starts_with("updates/dkms/")) file.origin = "dkms";
    return file;
}

void observe_modules(const Machine& machine, NodeReport& report) {
    Source& source = report.sources["modules"];
    auto& modules = report.system.modules;
    const auto loaded = machine.list("/sys/module");
    if (!loaded) {
        source = Source::failed(loaded.error());
        return;
    }
    for (const auto& name : *loaded) {
        if (!wanted(name)) continue;
        SysfsReader folder(machine, source, "/sys/module/" + name);
        read_loaded(folder, module_of(modules, name));
    }
    if (report.system.kernel_release) {
        const std::string folder = "/lib/modules/" + *report.system.kernel_release;
        each_module_file(machine, source, folder + "/modules.dep", [&](const ModuleFile& file) {
            Module& module = module_of(modules, file.name);
            module.file = file.path;
            module.origin = file.origin;
        });
        each_module_file(machine, source, folder + "/modules.builtin", [&](const ModuleFile& file) {
            Module& module = module_of(modules, file.name);
            module.loaded = true;
            module.built_in = true;
        });
    }
    std::ranges::sort(modules, {}, &Module::name);
}

}  // namespace pve_rdma
