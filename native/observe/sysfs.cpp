#include "observe/sysfs.h"

#include <algorithm>
#include <cerrno>

#include "observe/sysfs_device.h"

namespace pve_rdma {

namespace {

constexpr const char* class_folder = "/sys/class/infiniband";

Source no_devices(Error error) {
    if (error.errno_value == ENOENT)
        error.hint = "ib_core is not loaded: no card on this node has an RDMA driver at work";
    return Source::failed(error);
}

// Unplugged since the folder was listed, or left out by who recorded the tree.
Error leads_to_nothing(const Machine& machine, const std::string& path) {
    if (machine.live()) return errno_error(ENODEV, path, "");
    return {.code = ErrorCode::not_found, .subject = path, .message = "the tree does not hold this device"};
}

}  // namespace

void observe_sysfs_links(const Machine& machine, NodeReport& report) {
    if (!machine.live()) sysfs::read_links(machine, report.sources["sysfs"], report);
}

void observe_sysfs(const Machine& machine, NodeReport& report) {
    Source& source = report.sources["sysfs"];
    const auto names = machine.list(class_folder);
    if (!names) {
        Source failed = no_devices(names.error());
        failed.unread = std::move(source.unread);
        source = std::move(failed);
        return;
    }
    const sysfs::DeviceNodes nodes = sysfs::read_device_nodes(machine, source);
    if (!report.system.uverbs_abi) report.system.uverbs_abi = nodes.uverbs_abi;
    if (!report.system.umad_abi) report.system.umad_abi = nodes.umad_abi;
    for (const auto& name : *names) {
        SysfsReader folder(machine, source, std::string(class_folder) + "/" + name);
        if (!machine.is_directory(folder.folder())) {
            if (machine.link(folder.folder())) folder.note(leads_to_nothing(machine, folder.folder()));
            continue;
        }
        RdmaDevice* device = report.find_device(name);
        if (!device) {
            device = &report.devices.emplace_back();
            device->name = name;
        }
        sysfs::read_device(folder, nodes, report, *device);
        if (!machine.is_directory(folder.folder())) folder.note(errno_error(ENODEV, folder.folder(), ""));
    }
}

}  // namespace pve_rdma
