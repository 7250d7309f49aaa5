// What a check must know of a node beside its report: kernels with their headers and module indices, what is
// loaded and mounted, what DKMS builds. Read below a root folder; nothing is asked of a kernel.
//
// Sources: /lib/modules/KERNEL/{modules.dep,modules.builtin,build}, /boot, /proc/modules,
// /proc/self/mountinfo, /sys/class/block, /var/lib/dkms, /etc/os-release.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/describe.h"
#include "facts/source.h"
#include "observe/machine.h"

namespace pve_rdma::ofed {

// A line of modules.dep: a module and all that must be loaded before it.
struct KernelModule {
    std::string name;                // as lsmod writes it
    std::string origin;              // kernel, updates, dkms, extra ...
    std::vector<std::string> needs;  // names

    template <class Self, class Visit>
    static void fields(Self& self, Visit&& visit) {
        visit("name", self.name);
        visit("origin", self.origin);
        visit("needs", self.needs);
    }
    bool operator==(const KernelModule&) const = default;
};

struct InstalledKernel {
    std::string release;
    bool running = false;
    std::optional<bool> image;            // /boot/vmlinuz-RELEASE is there
    std::optional<bool> headers;          // its build folder has a Makefile
    std::optional<bool> symvers;          // and Module.symvers, without which no module can be built
    std::optional<std::string> compiler;  // CONFIG_CC_VERSION_TEXT's program: "gcc-12", of the headers
    std::vector<KernelModule> modules;    // empty: modules.dep could not be read
    std::vector<std::string> built_in;    // of the modules that a driver could replace: nvme, nvme_core ...

    template <class Self, class Visit>
    static void fields(Self& self, Visit&& visit) {
        visit("release", self.release);
        visit("running", self.running);
        visit("image", self.image);
        visit("headers", self.headers);
        visit("symvers", self.symvers);
        visit("compiler", self.compiler);
        visit("modules", self.modules);
        visit("built_in", self.built_in);
    }
    bool operator==(const InstalledKernel&) const = default;
};

struct Mount {
    std::string target, type, source_kind;  // source_kind: "nvme" for a disk of that kind, otherwise empty
    bool rdma = false;                      // its options name RDMA as the transport

    template <class Self, class Visit>
    static void fields(Self& self, Visit&& visit) {
        visit("target", self.target);
        visit("type", self.type);
        visit("source_kind", self.source_kind);
        visit("rdma", self.rdma);
    }
    bool operator==(const Mount&) const = default;
};

struct NodeFacts {
    std::optional<std::string> distro;         // ID and VERSION_ID as the installer joins them: "debian12"
    std::optional<std::string> point_release;  // /etc/debian_version: "12.9"
    std::vector<InstalledKernel> kernels;      // the running one first, then the newest
    std::optional<std::vector<std::string>>
        loaded;                                // names of /proc/modules; not known on a record without it
    std::optional<std::vector<Mount>> mounts;  // those that matter: root, cifs, nfs, ceph, lustre ...
    std::optional<bool> root_on_nvme;
    std::vector<std::string> dkms;          // "drbd/9.2.13": what DKMS has
    bool uninstaller = false;               // an ofed_uninstall.sh is there
    std::vector<std::string> vendor_files;  // of data/vendor_files.csv, and apt sources that name the vendor
    std::vector<Unread> unread;

    template <class Self, class Visit>
    static void fields(Self& self, Visit&& visit) {
        visit("distro", self.distro);
        visit("point_release", self.point_release);
        visit("kernels", self.kernels);
        visit("loaded", self.loaded);
        visit("mounts", self.mounts);
        visit("root_on_nvme", self.root_on_nvme);
        visit("dkms", self.dkms);
        visit("uninstaller", self.uninstaller);
        visit("vendor_files", self.vendor_files);
        visit("unread", self.unread);
    }
    bool operator==(const NodeFacts&) const = default;

    const InstalledKernel* running() const;
    // The kernel that the next boot takes, as far as that is known: the newest with an image.
    const InstalledKernel* newest() const;
};

NodeFacts read_node_facts(const Machine&, const std::optional<std::string>& running_kernel);

// Newer kernels sort behind older ones: by their numbers.
bool kernel_before(std::string_view a, std::string_view b);
// 6.8.12-9-pve is at least 5.6.
bool kernel_at_least(std::string_view release, std::string_view least);

}  // namespace pve_rdma::ofed
