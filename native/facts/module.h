// Kernel modules that RDMA and fast networks stand on.
// Sources: Documentation/ABI/testing/sysfs-module, stable/sysfs-module; /lib/modules/RELEASE/modules.dep.
#pragma once

#include "base/describe.h"

namespace pve_rdma {

struct Module {
    std::string name;  // as lsmod writes it: with underscores
    bool loaded = false;
    std::optional<bool> built_in;           // part of the kernel image: cannot be unloaded or replaced
    std::optional<std::string> version;     // MODULE_VERSION; out-of-tree stacks set it, the kernel's seldom
    std::optional<std::string> srcversion;  // of the loaded code
    std::optional<std::uint32_t> reference_count;
    std::vector<std::string> holders;               // modules that use it
    std::map<std::string, std::string> parameters;  // those that can be read
    std::optional<std::string> taint;               // "OE": out of tree, unsigned
    std::optional<std::string> file;                // below /lib/modules/RELEASE, what modprobe would load
    std::optional<std::string> origin;  // of that file: kernel, updates, dkms, extra, weak-updates

    template <class Self, class Visit>
    static void fields(Self& self, Visit&& visit) {
        visit("name", self.name);
        visit("loaded", self.loaded);
        visit("built_in", self.built_in);
        visit("version", self.version);
        visit("srcversion", self.srcversion);
        visit("reference_count", self.reference_count);
        visit("holders", self.holders);
        visit("parameters", self.parameters);
        visit("taint", self.taint);
        visit("file", self.file);
        visit("origin", self.origin);
    }
    bool operator==(const Module&) const = default;
};

}  // namespace pve_rdma
