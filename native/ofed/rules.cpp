#include "ofed/rules.h"

#include <algorithm>
#include <cassert>
#include <vector>

namespace pve_rdma::ofed {

namespace {

using doctor::Rule;
using doctor::Severity;

constexpr std::string_view stay = "Stay with the kernel's own driver.";

Rule rule(std::string_view id, Severity severity, std::string_view title, std::string_view condition,
          std::string_view meaning, std::string_view remedy, std::string_view sources) {
    return {.id = id,
            .severity = severity,
            .title = title,
            .reads = {},
            .condition = condition,
            .meaning = meaning,
            .remedy = remedy,
            .sources = sources,
            .family = "vendor driver"};
}

const std::vector<Rule>& table() {
    static const std::vector<Rule> rules{
        rule(
            "OFED-01", Severity::error, "The installer's removal takes packages that the node lives by",
            "The removal step of mlnxofedinstall, emulated on the node's packages, reaches a protected "
            "package, or a metapackage.",
            "The installer removes what has one of its names in it, and all that depends on that. Debian's "
            "verbs "
            "libraries are below librados2, so Proxmox VE goes with them. What a metapackage stands for goes "
            "with the next autoremove. Without --force it stops (exit code 174) and recommends --force.",
            stay, "mlnxofedinstall of 4.1 to 26.x; runs of the real ones"),
        rule("OFED-02", Severity::error, "The installer does not come to an end",
             "Dependents are followed without a memory, and packages of the node depend on each other in a "
             "circle.",
             "It hangs at \"Removing old packages\" for ever.", stay,
             "mlnxofedinstall 4.1, run on a Proxmox node"),
        rule("OFED-03", Severity::warning, "The installer removes packages",
             "The emulated removal takes packages, none of them protected.",
             "They are gone before the vendor's packages are in.",
             "Look through the list; keep what is needed with apt-mark hold, which makes the installer stop.",
             "mlnxofedinstall"),
        rule("OFED-04", Severity::error,
             "What the installer asks of apt beforehand removes packages, or cannot be had",
             "apt-get install of the installer's prerequisites, planned on the node's packages and sources.",
             "It runs before any question is asked and without --no-remove. The package ifupdown conflicts "
             "with "
             "ifupdown2, and pve-manager needs the latter.",
             "Leave out the parts that need it (--ovs, --ovs-dpdk), or install the prerequisites by hand "
             "first.",
             "public case C02; mlnxofedinstall"),
        rule("OFED-05", Severity::error, "apt would remove or replace packages",
             "The plan of apt for the packages.",
             "What apt removes or brings to another version, with the reason.", stay, "libapt-pkg"),
        rule("OFED-06", Severity::warning, "dpkg aborts over a file of another package",
             "A package of the bundle has a file that a package of the node owns, and does not declare "
             "Replaces.",
             "dpkg -i stops in the middle: the old packages are gone and some of the new ones are not in.",
             "Remove the owner first if nothing needs it, or leave the package out.",
             "dpkg(1); public case C07"),
        rule("OFED-07", Severity::warning, "The installer is not known",
             "No removal list in the bundle could be read, and its release is none of the known ones, or is "
             "one whose "
             "list was not seen.",
             "The harsher of the known readings is taken.",
             "Compare with the list that it prints without --force.", ""),
        rule("OFED-08", Severity::warning, "The bundle is for another release of the distribution",
             "The marker file of the bundle is not ID and VERSION_ID of the node (with Debian: the point "
             "release).",
             "The installer refuses (exit code 172) unless --distro or --skip-distro-check is given.",
             "Take the bundle of the node's release.", "mlnxofedinstall; public case C08"),
        rule("OFED-09", Severity::error, "The bundle is for another architecture", "The .arch of the bundle.",
             "Nothing of it can run here.", "Take the bundle of the node's architecture.", "mlnxofedinstall"),
        rule("OFED-10", Severity::error, "The driver does not know the card",
             "The card's family was dropped before this release, or never was in it.",
             "The card has no driver afterwards. --without-fw-update switches the installer's own check of "
             "it off.",
             stay, "MLNX_OFED release notes 4.9, 5.1, 24.10; the installers' list of unsupported devices"),
        rule("OFED-11", Severity::error, "The driver does not build for the kernel",
             "The running kernel is newer than the branch can be built for.",
             "The build fails after the removal.", stay, "microsoft/lisa pull 3007"),
        rule("OFED-12", Severity::warning, "The vendor has not tested this kernel",
             "No release of MLNX_OFED or DOCA names a kernel of Proxmox; others are tested with the kernel "
             "of the "
             "distribution that they are built for.",
             "The build may fail, or succeed and misbehave; nobody has looked.",
             "Build the modules for this kernel on another machine first; leave out mlnx-nvme.",
             "release notes; public case C64"),
        rule("OFED-13", Severity::error, "The kernel's headers are missing",
             "No Makefile or no Module.symvers below /lib/modules/KERNEL/build.",
             "DKMS cannot build for that kernel. A kernel that is not the running one: at its next boot the "
             "card has "
             "no driver, or the kernel's own.",
             "Install proxmox-headers of that kernel (pve-headers up to Proxmox VE 7).",
             "dkms(8); public cases C37, C40"),
        rule("OFED-14", Severity::warning, "Headers of a kernel that is not there any more",
             "A build folder without an image.",
             "DKMS builds for it again and again; when that fails dpkg stays unconfigured.",
             "Remove these headers.", "public case C16"),
        rule("OFED-15", Severity::warning, "Modules cannot be loaded beside the vendor's",
             "They import symbols of modules that the bundle replaces (modules.dep); the versions of these "
             "symbols "
             "change with the replacement.",
             "They say: disagrees about version of symbol. What stands on them stops.",
             "Stop what uses them first.", "public cases C11, C17, C20, C43; kernel: CONFIG_MODVERSIONS"),
        rule("OFED-16", Severity::warning, "Modules of others are built against the kernel's own RDMA core",
             "A DKMS package that uses ib_core or the NVMe core is installed.",
             "It must be rebuilt against the vendor's headers; some do not build there.",
             "Rebuild it for the vendor's Module.symvers, or stay with the kernel's own driver.",
             "public cases C13, C25, C26, C29, C67"),
        rule("OFED-17", Severity::warning, "The next kernel may stay unconfigured",
             "A dkms.conf with AUTOINSTALL: DKMS builds for every kernel that is installed later.",
             "Proxmox's kernel packages fail to configure when that build fails.",
             "Build for the newest kernel before it is installed; keep an older one bootable.",
             "public cases C14, C61, C65"),
        rule("OFED-18", Severity::error, "Secure Boot refuses modules that are built here",
             "Secure Boot is on and the bundle's modules are built by DKMS.",
             "Unless the machine's own key is enrolled, none of them is loaded: the card is gone after the "
             "reboot.",
             "Enrol the key that DKMS signs with (mokutil --import), or switch Secure Boot off.",
             "public case C38"),
        rule("OFED-19", Severity::warning, "Firmware",
             "The installer updates firmware unless --without-fw-update is given; some branches need a newer "
             "one.",
             "A board of another maker, or one with another board's firmware on it, may be left unusable.",
             "Give --without-fw-update.", "mlnxofedinstall; public cases C01, C49"),
        rule("OFED-20", Severity::error, "A clean-up that takes packages by a pattern of their names",
             "Commands like those of the DOCA guides: a loop of apt remove over dpkg --list, "
             "ofed_uninstall.sh --force, "
             "apt-get autoremove.",
             "Nothing in them stops before packages of Proxmox.",
             "Do not run it; remove the packages by name, after apt-get -s remove.",
             "DOCA-Host installation guides 2.10 to 3.2.1"),
        rule("OFED-21", Severity::error, "The vendor's NVMe driver below the root disk",
             "The bundle's NVMe modules would be installed and the node's root lies on NVMe, or the kernel "
             "has nvme built in.",
             "The initramfs takes them: a module that fails is a node that does not boot. A reload of nvme "
             "cannot be "
             "done on a running root.",
             "Leave out --with-nvmf.", "public cases C19, C22; proxmox/pve-kernel commit f4ddb14"),
        rule("OFED-22", Severity::warning, "The firmware tools do not work here",
             "A version of MFT or mstflint that is known to fail with the card, the kernel or its compiler.",
             "The tool refuses the card, or its module does not build.", "Take mstflint of the distribution.",
             "public cases C40, C52, C53, C55, C56"),
        rule("OFED-23", Severity::warning, "The network goes while the driver is changed",
             "A link that a default route or a service of the cluster uses stands on the card.",
             "openibd restart takes all ports of the card down.",
             "Have a console; migrate the guests; reboot in place of a restart of openibd.", ""),
        rule("OFED-24", Severity::info, "The kernel's own driver drives the card",
             "A card whose driver is loaded from the kernel's own modules.",
             "Nothing has to be installed for it.", "", "public cases C50, C51, C58"),
        rule("OFED-25", Severity::warning, "Words that no known installer takes", "The flags given.",
             "The installer ends with exit code 22.", "Look at its --help.", "mlnxofedinstall"),
        rule("OFED-26", Severity::info, "The card's trouble has another cause than the driver",
             "The kernel's log has a line, with the card's address, that stands in a list of known causes.",
             "The card has no driver now, and would have none with another one.", "",
             "public cases C41, C46, C47"),
    };
    return rules;
}

}  // namespace

std::span<const Rule> check_rules() {
    return table();
}

const Rule& check_rule(std::string_view id) {
    const auto found = std::ranges::find(table(), id, &Rule::id);
    assert(found != table().end());
    return *found;
}

}  // namespace pve_rdma::ofed
