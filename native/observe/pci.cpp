#include "observe/pci.h"

#include <algorithm>
#include <cerrno>

#include <unistd.h>

#include "base/number.h"
#include "observe/pci_ids.h"
#include "observe/pci_values.h"
#include "observe/sysfs_reader.h"

namespace pve_rdma {

namespace {

constexpr const char* bus_folder = "/sys/bus/pci/devices";
constexpr const char* id_files[] = {"/usr/share/misc/pci.ids", "/usr/share/hwdata/pci.ids"};
constexpr std::size_t max_vpd = 4096;

bool of_interest(std::uint64_t class_code) {
    constexpr std::uint64_t network = 0x02, serial_bus_infiniband = 0x0c06;
    return class_code >> 16 == network || class_code >> 8 == serial_bus_infiniband;
}

// "../../../devices/pci0000:80/0000:80:02.2/0000:82:00.0" -> 0000:82:00.0, 0000:80:02.2.
std::vector<std::string> path_upward(std::string_view target) {
    std::vector<std::string> path;
    while (true) {
        const auto slash = target.rfind('/');
        const auto component = slash == std::string_view::npos ? target : target.substr(slash + 1);
        if (component.starts_with("pci") || component.find(':') == std::string_view::npos) break;
        path.emplace_back(component);
        if (slash == std::string_view::npos) break;
        target = target.substr(0, slash);
    }
    return path;
}

std::optional<std::uint32_t> id(SysfsReader& folder, const char* name) {
    if (const auto value = folder.number(name, 0xffff)) return static_cast<std::uint32_t>(*value);
    return std::nullopt;
}

std::optional<std::uint32_t> width(SysfsReader& folder, const char* name) {
    const auto value = folder.number(name, UINT32_MAX);
    constexpr std::uint64_t widest = 32;  // a link without training reads 0, 63 or 255
    if (!value || *value == 0 || *value > widest) return std::nullopt;
    return static_cast<std::uint32_t>(*value);
}

PciLink read_link(SysfsReader folder, const std::string& address) {
    PciLink link;
    link.address = address;
    if (const auto text = folder.text("current_link_speed")) link.current_speed_gts = parse_link_speed(*text);
    link.current_width = width(folder, "current_link_width");
    if (const auto text = folder.text("max_link_speed")) link.max_speed_gts = parse_link_speed(*text);
    link.max_width = width(folder, "max_link_width");
    if (link.current_speed_gts && link.current_width)
        link.bandwidth_gbps = link_bandwidth(*link.current_speed_gts, *link.current_width);
    if (link.max_speed_gts && link.max_width)
        link.max_bandwidth_gbps = link_bandwidth(*link.max_speed_gts, *link.max_width);
    return link;
}

class FunctionReader {
  public:
    FunctionReader(const Machine& machine, Source& source, bool serial_numbers)
        : machine_(machine), source_(source), serial_numbers_(serial_numbers) {}

    PciDevice read(const std::string& address, SysfsReader folder, std::uint32_t class_code);

  private:
    void read_links(PciDevice&);
    void read_virtual(PciDevice&, SysfsReader&, const std::vector<std::string>& names);
    void read_config(PciDevice&, SysfsReader&);
    void read_vpd(PciDevice&, SysfsReader&);
    void note_once(bool& noted, const std::string& what, const char* message);

    const Machine& machine_;
    Source& source_;
    bool serial_numbers_;
    bool config_noted_ = false, vpd_noted_ = false;
};

PciDevice FunctionReader::read(const std::string& address, SysfsReader folder, std::uint32_t class_code) {
    PciDevice device;
    device.address = address;
    device.class_code = class_code;
    device.vendor_id = id(folder, "vendor");
    device.device_id = id(folder, "device");
    device.subsystem_vendor_id = id(folder, "subsystem_vendor");
    device.subsystem_device_id = id(folder, "subsystem_device");
    if (const auto revision = folder.number("revision", 0xff))
        device.revision = static_cast<std::uint32_t>(*revision);
    device.driver = folder.link_name("driver");
    if (const auto node = folder.signed_number("numa_node"); node && *node >= -1 && *node < 1 << 16)
        device.numa_node = static_cast<int>(*node);
    device.local_cpulist = folder.text("local_cpulist");
    if (const auto group = folder.link_name("iommu_group"))
        device.iommu_group = parse_number<std::uint32_t>(*group);
    const auto names = folder.list("");
    const auto has = [&](std::string_view name) { return std::ranges::find(names, name) != names.end(); };
    read_links(device);
    read_virtual(device, folder, names);
    for (const auto& name : names)
        if (name.starts_with("mlx4_port") && !name.ends_with("_mtu"))
            if (const auto type = folder.text(name)) device.port_types[name] = *type;
    if (has("net")) device.netdevs = folder.list("net");
    for (const auto& name : names)  // virtio's netdev stands on a device of its own below the function
        if (name.starts_with("virtio") && device.netdevs.empty()) device.netdevs = folder.list(name + "/net");
    if (has("infiniband")) device.rdma_devices = folder.list("infiniband");
    if (has("config")) read_config(device, folder);
    if (has("vpd") && !device.physical_function) read_vpd(device, folder);
    return device;
}

void FunctionReader::read_links(PciDevice& device) {
    std::vector<std::string> path = {device.address};
    if (const auto target = machine_.link(std::string(bus_folder) + "/" + device.address))
        if (auto found = path_upward(*target); !found.empty()) path = std::move(found);
    for (const auto& address : path) {
        PciLink link =
            read_link(SysfsReader(machine_, source_, std::string(bus_folder) + "/" + address), address);
        const bool known =
            link.current_speed_gts || link.current_width || link.max_speed_gts || link.max_width;
        if (known || address == device.address) device.links.push_back(std::move(link));
    }
    find_slowest_link(device);
}

void FunctionReader::read_virtual(PciDevice& device, SysfsReader& folder,
                                  const std::vector<std::string>& names) {
    device.physical_function = folder.link_name("physfn");
    folder.fill(device.sriov_totalvfs, "sriov_totalvfs");
    folder.fill(device.sriov_numvfs, "sriov_numvfs");
    for (const auto& name : names)
        if (name.starts_with("virtfn"))
            if (auto address = folder.link_name(name))
                device.virtual_functions.push_back(std::move(*address));
}

void FunctionReader::read_config(PciDevice& device, SysfsReader& folder) {
    const std::string path = folder.folder() + "/config";
    Result<std::string> last = machine_.part(path, 0, 1);
    if (!last) return folder.note(last.error());
    const auto control = read_pcie_control([&](std::size_t offset, std::size_t size) {
        last = machine_.part(path, offset, size);
        return last.value_or("");
    });
    if (control) {
        device.max_payload_size = control->max_payload_size;
        device.max_payload_size_supported = control->max_payload_size_supported;
        device.max_read_request_size = control->max_read_request_size;
        device.aspm = control->aspm;
    } else if (!last) {
        folder.note(last.error());
    } else if (last->empty() && machine_.live()) {
        note_once(config_noted_, "/sys/bus/pci/devices/*/config", "configuration space ends after 64 octets");
    }
}

void FunctionReader::read_vpd(PciDevice& device, SysfsReader& folder) {
    const auto octets = machine_.bytes(folder.folder() + "/vpd", max_vpd);
    if (!octets) {
        const int failure = octets.error().errno_value;
        if (failure == EACCES || failure == EPERM)
            note_once(vpd_noted_, "/sys/bus/pci/devices/*/vpd", "vital product data is closed");
        else if (failure != ENODEV)  // ENODEV: the function has none
            folder.note(octets.error());
        return;
    }
    if (octets->empty()) return;
    PciVpd vpd = parse_vpd(*octets);
    if (!serial_numbers_) vpd.serial_number.reset();
    if (vpd != PciVpd{}) device.vpd = std::move(vpd);
}

void FunctionReader::note_once(bool& noted, const std::string& what, const char* message) {
    if (noted || ::geteuid() == 0) return;
    noted = true;
    Error error = errno_error(EACCES, what, message);
    error.hint = "read it as root";
    source_.unread.push_back(Unread::from(error));
}

void add_names(const Machine& machine, std::vector<PciDevice>& devices) {
    for (const char* file : id_files) {
        const auto size = machine.size(file);
        if (!size) continue;
        return name_devices(
            [&](std::size_t offset, std::size_t length) {
                return machine.part(file, offset, length).value_or("");
            },
            *size, devices);
    }
}

}  // namespace

void observe_pci(const Machine& machine, NodeReport& report, bool serial_numbers) {
    Source& source = report.sources["pci"];
    const auto addresses = machine.list(bus_folder);
    if (!addresses) {
        source = Source::failed(addresses.error());
        return;
    }
    FunctionReader reader(machine, source, serial_numbers);
    for (const auto& address : *addresses) {
        SysfsReader folder(machine, source, std::string(bus_folder) + "/" + address);
        const auto class_code = folder.number("class", 0xffffff);
        if (class_code && of_interest(*class_code))
            report.pci.push_back(reader.read(address, folder, static_cast<std::uint32_t>(*class_code)));
    }
    add_names(machine, report.pci);
}

}  // namespace pve_rdma
