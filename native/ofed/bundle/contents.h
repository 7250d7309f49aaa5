// What a vendor's bundle holds, as far as a check needs it. One JSON form: it comes from the reader's
// process.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/describe.h"
#include "ofed/bundle/dkms_conf.h"
#include "ofed/plan/installer.h"

namespace pve_rdma::ofed {

struct BundlePackage {
    std::string name, version, architecture;
    std::string path;                  // in the bundle: "DEBS/COMMON/iser-dkms_24.10_all.deb"
    std::string control;               // its stanza, as it stands in the package
    std::vector<DkmsConf> dkms;        // usr/src/NAME-VERSION/dkms.conf
    std::vector<std::string> modules;  // kernel modules that are built already, as lsmod writes them
    std::vector<std::string> kernels;  // that these are built for (lib/modules/KERNEL)
    std::vector<std::string> files;    // absolute paths; only when they were asked for

    template <class Self, class Visit>
    static void fields(Self& self, Visit&& visit) {
        visit("name", self.name);
        visit("version", self.version);
        visit("architecture", self.architecture);
        visit("path", self.path);
        visit("control", self.control);
        visit("dkms", self.dkms);
        visit("modules", self.modules);
        visit("kernels", self.kernels);
        visit("files", self.files);
    }
    bool operator==(const BundlePackage&) const = default;
};

struct Bundle {
    std::string path;                    // as it was named
    std::string kind;                    // tar, iso, folder, deb, index
    std::optional<std::string> release;  // .mlnx: "24.10-2.1.8.0"
    std::optional<std::string> distro;   // the marker: "debian12.5"
    std::optional<std::string> machine;  // .arch: "x86_64"
    std::optional<Installer> installer;  // what its own mlnxofedinstall says of itself
    std::vector<BundlePackage> packages;
    std::vector<std::string> skipped;  // packages that could not be read, with the reason

    template <class Self, class Visit>
    static void fields(Self& self, Visit&& visit) {
        visit("path", self.path);
        visit("kind", self.kind);
        visit("release", self.release);
        visit("distro", self.distro);
        visit("machine", self.machine);
        visit("installer", self.installer);
        visit("packages", self.packages);
        visit("skipped", self.skipped);
    }
    bool operator==(const Bundle&) const = default;
};

}  // namespace pve_rdma::ofed
