// The node around the cards: kernel, distribution, modules, packages, storage kinds, limits.
#pragma once

#include "base/describe.h"
#include "facts/module.h"
#include "facts/package.h"

namespace pve_rdma {

// A storage of Proxmox VE (/etc/pve/storage.cfg): its kind only, never where it lies or how to log in.
struct Storage {
    std::string id;
    std::string type;                // dir, nfs, cephfs, rbd, iscsi, zfspool, lvm, ...
    std::vector<std::string> nodes;  // empty: every node
    bool disabled = false;
    std::optional<bool> rdma;  // its mount options name RDMA as the transport

    template <class Self, class Visit>
    static void fields(Self& self, Visit&& visit) {
        visit("id", self.id);
        visit("type", self.type);
        visit("nodes", self.nodes);
        visit("disabled", self.disabled);
        visit("rdma", self.rdma);
    }
    bool operator==(const Storage&) const = default;
};

// How much memory a process may pin (RLIMIT_MEMLOCK), in octets; "unlimited" when there is no limit.
struct MemlockLimit {
    std::string process;  // "self", or the process's name
    std::optional<std::uint32_t> pid;
    std::string soft, hard;

    template <class Self, class Visit>
    static void fields(Self& self, Visit&& visit) {
        visit("process", self.process);
        visit("pid", self.pid);
        visit("soft", self.soft);
        visit("hard", self.hard);
    }
    bool operator==(const MemlockLimit&) const = default;
};

struct HugePages {
    std::uint64_t size_kib = 0;
    std::optional<std::uint64_t> total, free;

    template <class Self, class Visit>
    static void fields(Self& self, Visit&& visit) {
        visit("size_kib", self.size_kib);
        visit("total", self.total);
        visit("free", self.free);
    }
    bool operator==(const HugePages&) const = default;
};

// A network that the cluster's services depend on, by this node's address in it or by its prefix.
struct ServiceNetwork {
    std::string service;  // "corosync link 0", "ceph public", "ceph cluster", "migration"
    std::string network;  // as it is configured: an address, a prefix, or a host's name

    template <class Self, class Visit>
    static void fields(Self& self, Visit&& visit) {
        visit("service", self.service);
        visit("network", self.network);
    }
    bool operator==(const ServiceNetwork&) const = default;
};

struct System {
    std::optional<std::string> hostname;
    std::optional<std::string> kernel_release, kernel_version, machine;  // uname -r, -v, -m
    std::vector<std::string> command_line;      // the kernel's, only the words that matter to cards and names
    std::optional<std::string> distribution;    // os-release PRETTY_NAME
    std::optional<std::string> debian_version;  // /etc/debian_version: "13.1"
    std::optional<std::string> proxmox_version;  // of pve-manager: "9.2.11"
    std::optional<bool> cluster_filesystem;      // /etc/pve is there (pmxcfs)
    std::optional<std::uint32_t> cpus;           // online
    std::optional<std::uint32_t> numa_nodes;
    std::optional<bool> iommu;                          // the kernel made IOMMU groups
    std::optional<std::string> secure_boot;             // "enabled", "disabled", "no EFI"
    std::optional<std::string> lockdown;                // none, integrity, confidentiality
    std::optional<std::uint32_t> umad_abi, uverbs_abi;  // absent: ib_umad, ib_uverbs are not loaded
    std::map<std::string, std::string> sysctls;         // sysctl name -> value
    std::vector<MemlockLimit> memlock;
    std::vector<HugePages> huge_pages;
    std::vector<Module> modules;
    std::vector<Package> packages;
    std::vector<Storage> storages;
    std::vector<ServiceNetwork> networks;
    std::map<std::string, std::string> opensm;  // what opensm.conf sets, of the settings that rules read
    std::vector<std::string> kernel_log;  // lines of card drivers that tell of trouble, without their times

    template <class Self, class Visit>
    static void fields(Self& self, Visit&& visit) {
        visit("hostname", self.hostname);
        visit("kernel_release", self.kernel_release);
        visit("kernel_version", self.kernel_version);
        visit("machine", self.machine);
        visit("command_line", self.command_line);
        visit("distribution", self.distribution);
        visit("debian_version", self.debian_version);
        visit("proxmox_version", self.proxmox_version);
        visit("cluster_filesystem", self.cluster_filesystem);
        visit("cpus", self.cpus);
        visit("numa_nodes", self.numa_nodes);
        visit("iommu", self.iommu);
        visit("secure_boot", self.secure_boot);
        visit("lockdown", self.lockdown);
        visit("umad_abi", self.umad_abi);
        visit("uverbs_abi", self.uverbs_abi);
        visit("sysctls", self.sysctls);
        visit("memlock", self.memlock);
        visit("huge_pages", self.huge_pages);
        visit("modules", self.modules);
        visit("packages", self.packages);
        visit("storages", self.storages);
        visit("networks", self.networks);
        visit("opensm", self.opensm);
        visit("kernel_log", self.kernel_log);
    }
    bool operator==(const System&) const = default;
};

}  // namespace pve_rdma
