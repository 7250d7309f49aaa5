#include "observe/system.h"

#include <algorithm>
#include <cerrno>

#include <sys/utsname.h>

#include "base/number.h"
#include "observe/sysfs_reader.h"
#include "observe/sysfs_values.h"
#include "observe/system_values.h"

namespace pve_rdma {

namespace {

constexpr const char* sysctl_names[] = {
    "net.ipv4.ip_forward",
    "net.ipv4.conf.all.rp_filter",
    "net.ipv4.conf.default.rp_filter",
    "net.ipv4.conf.all.arp_ignore",
    "net.ipv4.conf.default.arp_ignore",
    "net.ipv4.conf.all.arp_announce",
    "net.ipv4.conf.default.arp_announce",
    "net.ipv4.conf.all.arp_filter",
    "net.ipv4.conf.default.arp_filter",
    "net.ipv4.tcp_mtu_probing",
    "net.ipv4.ip_no_pmtu_disc",
    "net.ipv4.tcp_rmem",
    "net.ipv4.tcp_wmem",
    "net.ipv6.conf.all.forwarding",
    "net.ipv6.conf.all.disable_ipv6",
    "net.ipv6.conf.default.disable_ipv6",
    "net.ipv6.conf.all.keep_addr_on_down",
    "net.core.rmem_max",
    "net.core.wmem_max",
    "net.core.netdev_max_backlog",
};

// Daemons whose memlock limit decides whether RDMA works from them; their pid files.
struct Daemon {
    const char* name;
    const char* pid_file;
};
constexpr Daemon daemons[] = {{"pvedaemon", "/run/pvedaemon.pid"}, {"pvestatd", "/run/pvestatd.pid"}};
constexpr const char* guests_folder = "/run/qemu-server";
constexpr std::size_t max_guests = 32;

constexpr const char* secure_boot_variable =
    "/sys/firmware/efi/efivars/SecureBoot-8be4df61-93ca-11d2-aa0d-00e098032b8c";

void read_kernel(const Machine& machine, SysfsReader& files, System& system) {
    if (machine.live()) {
        utsname name{};
        if (::uname(&name) == 0) {
            system.hostname = printable(name.nodename);
            system.kernel_release = printable(name.release);
            system.kernel_version = printable(name.version);
            system.machine = printable(name.machine);
        }
    } else {
        files.fill(system.hostname, "proc/sys/kernel/hostname");
        files.fill(system.hostname, "etc/hostname");
        files.fill(system.kernel_release, "proc/sys/kernel/osrelease");
        files.fill(system.kernel_version, "proc/sys/kernel/version");
        if (!system.kernel_release)
            if (const auto text = files.text("proc/version")) system.kernel_release = version_release(*text);
    }
    if (const auto text = files.text("proc/cmdline")) system.command_line = command_line_words(*text);
    if (const auto text = files.text("sys/kernel/security/lockdown")) system.lockdown = chosen_word(*text);
}

void read_distribution(const Machine& machine, SysfsReader& files, System& system) {
    if (const auto text = files.text("etc/os-release"))
        system.distribution = os_release_value(*text, "PRETTY_NAME");
    files.fill(system.debian_version, "etc/debian_version");
    if (machine.exists("/etc")) system.cluster_filesystem = machine.exists("/etc/pve/.members");
}

// Four octets of attributes, then the value (efivarfs).
void read_secure_boot(const Machine& machine, SysfsReader& files, System& system) {
    if (!machine.exists("/sys/firmware")) return;
    if (!machine.exists("/sys/firmware/efi")) {
        system.secure_boot = "no EFI";
        return;
    }
    const auto variable = machine.bytes(secure_boot_variable, 16);
    if (!variable)
        files.note(variable.error());
    else if (variable->size() == 5)
        system.secure_boot = (*variable)[4] ? "enabled" : "disabled";
}

void read_processors(const Machine& machine, SysfsReader& files, System& system) {
    if (const auto text = files.text("sys/devices/system/cpu/online")) system.cpus = count_in_list(*text);
    if (const auto text = files.text("sys/devices/system/node/online"))
        system.numa_nodes = count_in_list(*text);
    if (const auto groups = machine.list("/sys/kernel/iommu_groups")) system.iommu = !groups->empty();
    for (const auto& name : files.list("sys/kernel/mm/hugepages")) {  // hugepages-2048kB
        constexpr std::string_view prefix = "hugepages-", suffix = "kB";
        if (!name.starts_with(prefix) || !name.ends_with(suffix)) continue;
        const auto digits =
            std::string_view(name).substr(prefix.size(), name.size() - prefix.size() - suffix.size());
        HugePages pages;
        pages.size_kib = parse_number<std::uint64_t>(digits).value_or(0);
        SysfsReader folder = files.object("sys/kernel/mm/hugepages/" + name);
        folder.fill(pages.total, "nr_hugepages");
        folder.fill(pages.free, "free_hugepages");
        if (pages.size_kib) system.huge_pages.push_back(pages);
    }
}

void read_sysctls(SysfsReader& files, System& system) {
    for (const char* name : sysctl_names) {
        std::string path = std::string("proc/sys/") + name;
        std::replace(path.begin() + sizeof "proc/sys", path.end(), '.', '/');
        if (auto value = files.text(path)) system.sysctls[name] = std::move(*value);
    }
}

void add_memlock(const Machine& machine, System& system, const std::string& process, const std::string& pid) {
    const auto number = parse_number<std::uint32_t>(pid);
    if (pid != "self" && !number) return;
    const auto text = machine.text("/proc/" + pid + "/limits");
    if (!text) return;  // the process has ended, or it is another user's
    if (auto limits = memlock_limits(*text))
        system.memlock.push_back({process, number, std::move(limits->first), std::move(limits->second)});
}

void read_memlock(const Machine& machine, System& system) {
    add_memlock(machine, system, "self", "self");
    for (const auto& [name, pid_file] : daemons)
        if (const auto pid = machine.text(pid_file)) add_memlock(machine, system, name, *pid);
    const auto guests = machine.list(guests_folder);
    if (!guests) return;
    std::size_t count = 0;
    for (const auto& file : *guests) {
        if (!file.ends_with(".pid") || ++count > max_guests) continue;
        if (const auto pid = machine.text(std::string(guests_folder) + "/" + file))
            add_memlock(machine, system, "qemu " + file.substr(0, file.size() - 4), *pid);
    }
}

}  // namespace

void observe_system(const Machine& machine, NodeReport& report) {
    Source& source = report.sources["system"];
    System& system = report.system;
    SysfsReader files(machine, source, "");
    read_kernel(machine, files, system);
    read_distribution(machine, files, system);
    read_secure_boot(machine, files, system);
    read_processors(machine, files, system);
    read_sysctls(files, system);
    read_memlock(machine, system);
}

}  // namespace pve_rdma
