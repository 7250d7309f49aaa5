#include "ofed/impact/node_facts.h"

#include <algorithm>
#include <cerrno>

#include "base/number.h"
#include "observe/modules.h"
#include "observe/sysfs_values.h"
#include "observe/system_values.h"
#include "ofed/bundle/dkms_conf.h"
#include "ofed/tables.h"

namespace pve_rdma::ofed {

namespace {

constexpr std::size_t max_index = 16u << 20, max_config = 1u << 20;
constexpr std::size_t max_kernels = 32;

template <class Use>
void each_line(std::string_view text, Use&& use) {
    while (!text.empty()) {
        const auto end = text.find('\n');
        use(text.substr(0, end));
        if (end == std::string_view::npos) break;
        text.remove_prefix(end + 1);
    }
}

std::vector<std::string_view> words_of(std::string_view text) {
    std::vector<std::string_view> words;
    while (true) {
        const auto begin = text.find_first_not_of(" \t");
        if (begin == std::string_view::npos) return words;
        const auto end = text.find_first_of(" \t", begin);
        words.push_back(text.substr(begin, end - begin));
        if (end == std::string_view::npos) return words;
        text.remove_prefix(end);
    }
}

// An error other than "it is not there".
bool is_fault(const Error& error) {
    return error.errno_value != ENOENT && error.errno_value != ENOTDIR;
}

void read_modules(const Machine& machine, InstalledKernel& kernel, NodeFacts& facts) {
    const std::string folder = "/lib/modules/" + kernel.release;
    const auto index = machine.bytes(folder + "/modules.dep", max_index);
    if (!index) {
        facts.unread.push_back(Unread::from(index.error()));
        return;
    }
    each_line(*index, [&](std::string_view line) {
        const auto file = parse_module_line(line);
        if (!file) return;
        KernelModule module{file->name, file->origin, {}};
        for (const auto path : words_of(line.substr(std::min(line.find(':') + 1, line.size()))))
            module.needs.push_back(module_name(path.substr(path.rfind('/') + 1)));
        kernel.modules.push_back(std::move(module));
    });
    if (const auto built_in = machine.bytes(folder + "/modules.builtin", max_index))
        each_line(*built_in, [&](std::string_view line) {
            if (const auto file = parse_module_line(line);
                file && (file->name.starts_with("nvme") || file->name.starts_with("ib_") ||
                         file->name.starts_with("mlx")))
                kernel.built_in.push_back(file->name);
        });
}

// CONFIG_CC_VERSION_TEXT="gcc-12 (Debian 12.2.0-14) 12.2.0" -> gcc-12
std::optional<std::string> compiler_of(std::string_view config) {
    constexpr std::string_view key = "CONFIG_CC_VERSION_TEXT=\"";
    const auto at = config.find(key);
    if (at == std::string_view::npos) return std::nullopt;
    const auto value = config.substr(at + key.size());
    auto name = value.substr(0, value.find_first_of(" \""));
    return printable(
        name.substr(name.rfind('-') == std::string_view::npos || name.find("gcc") == std::string_view::npos
                        ? 0
                        : name.find("gcc")));
}

void read_kernels(const Machine& machine, const std::optional<std::string>& running, NodeFacts& facts) {
    const auto names = machine.list("/lib/modules");
    if (!names) {
        if (is_fault(names.error())) facts.unread.push_back(Unread::from(names.error()));
        return;
    }
    for (const auto& name : *names) {
        const std::string folder = "/lib/modules/" + name;
        if (!machine.is_directory(folder) || facts.kernels.size() == max_kernels) continue;
        InstalledKernel kernel;
        kernel.release = printable(name);
        kernel.running = running == name;
        kernel.image = machine.exists("/boot/vmlinuz-" + name);
        kernel.headers = machine.exists(folder + "/build/Makefile");
        kernel.symvers = machine.exists(folder + "/build/Module.symvers");
        if (machine.exists(folder + "/modules.dep")) read_modules(machine, kernel, facts);
        for (const std::string& file : {"/boot/config-" + name, folder + "/build/.config"})
            if (!kernel.compiler)
                if (const auto config = machine.text(file, max_config))
                    kernel.compiler = compiler_of(*config);
        facts.kernels.push_back(std::move(kernel));
    }
    std::ranges::sort(facts.kernels, [](const InstalledKernel& a, const InstalledKernel& b) {
        if (a.running != b.running) return a.running;
        return kernel_before(b.release, a.release);
    });
}

void read_loaded(const Machine& machine, NodeFacts& facts) {
    const auto text = machine.bytes("/proc/modules", max_config);
    if (!text) {
        facts.unread.push_back(Unread::from(text.error()));
        return;
    }
    facts.loaded.emplace();
    each_line(*text, [&](std::string_view line) {
        if (const auto name = line.substr(0, line.find(' ')); !name.empty())
            facts.loaded->push_back(printable(name));
    });
}

// "nvme" when the disk below is one, also below LVM, MD and device mapper (/sys/class/block/NAME/slaves).
bool stands_on_nvme(const Machine& machine, const std::string& block, int depth = 0) {
    if (block.starts_with("nvme")) return true;
    if (depth > 4) return false;
    const auto below = machine.list("/sys/class/block/" + block + "/slaves");
    return below && std::ranges::any_of(*below, [&](const std::string& one) {
               return stands_on_nvme(machine, one, depth + 1);
           });
}

bool any_nvme(const Machine& machine) {
    const auto blocks = machine.list("/sys/class/block");
    return blocks &&
           std::ranges::any_of(*blocks, [](const std::string& name) { return name.starts_with("nvme"); });
}

void note_mount(const Machine& machine, std::string_view line, NodeFacts& facts) {
    // 36 35 98:0 /root /target options ... - type source super-options (proc_pid_mountinfo(5))
    const auto words = words_of(line);
    const auto dash = std::ranges::find(words, "-");
    if (words.size() < 6 || words.end() - dash < 4) return;
    Mount mount;
    mount.target = printable(words[4]);
    mount.type = printable(*(dash + 1));
    const std::string_view source = *(dash + 2), options = *(dash + 3);
    mount.rdma = options.find("rdma") != std::string_view::npos;
    const bool is_root = mount.target == "/";
    if (is_root) {
        const std::string device(words[2]);
        const auto link = machine.link_name("/sys/dev/block/" + device);
        if (link) {
            facts.root_on_nvme = stands_on_nvme(machine, *link);
        } else if (mount.type == "zfs" || mount.type == "btrfs") {
            // Which disks a pool has is its own knowledge; with an NVMe disk in the node it may be one of
            // them.
            if (!any_nvme(machine)) facts.root_on_nvme = false;
        } else if (source.starts_with("/dev/")) {
            facts.root_on_nvme = source.starts_with("/dev/nvme");
        }
        if (facts.root_on_nvme.value_or(false)) mount.source_kind = "nvme";
    }
    constexpr std::string_view kinds[]{"cifs", "smb3", "nfs", "nfs4", "ceph", "lustre", "9p", "glusterfs"};
    if (is_root || std::ranges::find(kinds, mount.type) != std::end(kinds))
        facts.mounts->push_back(std::move(mount));
}

void read_mounts(const Machine& machine, NodeFacts& facts) {
    const auto text = machine.bytes("/proc/self/mountinfo", max_config);
    if (!text) {
        facts.unread.push_back(Unread::from(text.error()));
        return;
    }
    facts.mounts.emplace();
    each_line(*text, [&](std::string_view line) { note_mount(machine, line, facts); });
}

void read_dkms(const Machine& machine, NodeFacts& facts) {
    const auto names = machine.list("/var/lib/dkms");
    if (!names) return;
    for (const auto& name : *names) {
        const auto versions = machine.list("/var/lib/dkms/" + name);
        if (!versions) continue;
        for (const auto& version : *versions)
            if (!version.starts_with("kernel-") && version != "original_module" && !version.empty() &&
                machine.is_directory("/var/lib/dkms/" + name + "/" + version))
                facts.dkms.push_back(printable(name + "/" + version));
    }
}

// What the vendor's installer writes that no package of Debian has.
void read_vendor_files(const Machine& machine, NodeFacts& facts) {
    for (const auto& file : vendor_files()) {
        if (!machine.exists(std::string(file.path))) continue;
        facts.vendor_files.emplace_back(file.path);
        facts.uninstaller = facts.uninstaller || file.path.ends_with("/ofed_uninstall.sh");
    }
    const std::string folder = "/etc/apt/sources.list.d";
    if (const auto names = machine.list(folder))
        for (const auto& name : *names)
            if (const auto text = machine.text(folder + "/" + name, max_config);
                text && text->find("linux.mellanox.com") != std::string::npos)
                facts.vendor_files.push_back(printable(folder + "/" + name));
}

void read_distribution(const Machine& machine, NodeFacts& facts) {
    if (const auto text = machine.text("/etc/os-release")) {
        const auto id = os_release_value(*text, "ID");
        if (id) facts.distro = *id + os_release_value(*text, "VERSION_ID").value_or("");
    }
    if (const auto text = machine.text("/etc/debian_version")) facts.point_release = printable(*text);
}

std::vector<std::uint32_t> numbers_of(std::string_view release) {
    std::vector<std::uint32_t> numbers;
    while (!release.empty()) {
        const auto begin = release.find_first_of("0123456789");
        if (begin == std::string_view::npos) break;
        const auto end = std::min(release.find_first_not_of("0123456789", begin), release.size());
        numbers.push_back(parse_number<std::uint32_t>(release.substr(begin, end - begin)).value_or(0));
        release.remove_prefix(end);
    }
    return numbers;
}

}  // namespace

const InstalledKernel* NodeFacts::running() const {
    const auto found = std::ranges::find(kernels, true, &InstalledKernel::running);
    return found == kernels.end() ? nullptr : &*found;
}

const InstalledKernel* NodeFacts::newest() const {
    const InstalledKernel* best = nullptr;
    for (const auto& kernel : kernels)
        if (kernel.image.value_or(false) && (!best || kernel_before(best->release, kernel.release)))
            best = &kernel;
    return best;
}

bool kernel_before(std::string_view a, std::string_view b) {
    return numbers_of(a) < numbers_of(b);
}

bool kernel_at_least(std::string_view release, std::string_view least) {
    return numbers_of(release) >= numbers_of(least);
}

NodeFacts read_node_facts(const Machine& machine, const std::optional<std::string>& running_kernel) {
    NodeFacts facts;
    read_distribution(machine, facts);
    read_kernels(machine, running_kernel, facts);
    read_loaded(machine, facts);
    read_mounts(machine, facts);
    read_dkms(machine, facts);
    read_vendor_files(machine, facts);
    return facts;
}

}  // namespace pve_rdma::ofed
