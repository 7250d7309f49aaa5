// What is known about the vendor's installers, drivers and tools, and about what a node must not lose. Facts
// carried over from public documents and public bundles into data/*.csv, which are compiled in; a row that
// does not fit its columns does not compile. Every row has its source and how sure it is.
//
// Pure: no file is read, nothing fails. The texts live as long as the program. Threads: any.
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "boards/boards.h"

namespace pve_rdma::ofed {

// A generation of mlnxofedinstall: how its removal step works.
struct InstallerRow {
    std::string_view id;           // "4.9", "26-debian13"
    std::string_view first, last;  // releases; an empty last is open
    std::string_view debian;       // "any", "12-", "13+"
    bool direct_lose_arch = false, dependents_lose_arch = false;
    bool remembers = false;      // otherwise a circle of dependents never ends
    bool immune = false;         // the list of immune dependents counts
    bool kernel_filter = false;  // --kernel-only narrows the removal, not only the installation
    bool certain = false;        // a bundle of this range was run to its end
    Confidence confidence{};
    std::string_view source;
};

// A name that the installer searches for, and the generations (by id, with blanks between) that do.
struct RemovalName {
    std::string_view name, installers;
    Confidence confidence{};
    std::string_view source;
};

struct NamedFact {
    std::string_view name;
    Confidence confidence{};
    std::string_view source;
};

// Patterns with "*", as protected.csv has them.
struct ProtectedPattern {
    std::string_view pattern, tier;
    Confidence confidence{};
    std::string_view source;
};

// A driver branch (by its first and last release) and the first kernel that it does not build for.
struct KernelLimit {
    std::string_view first, last, kernel;
    bool certain = false;
    Confidence confidence{};
    std::string_view source;
};

// The kernel modules of a vendor package, by its name without -dkms or -modules.
struct PackageModules {
    std::string_view package, modules;  // with blanks between
    Confidence confidence{};
    std::string_view source;
};

// What stops for people when a module cannot be loaded.
struct ModuleUser {
    std::string_view module, users, remedy;
    bool only_proxmox = false;
    std::string_view needs;  // replaced modules that it stands on, with blanks between
    Confidence confidence{};
    std::string_view source;
};

struct ThirdParty {
    std::string_view package, module, what;
    bool warning = false;
    Confidence confidence{};
    std::string_view source;
};

struct FirmwareNeed {
    std::string_view release, family;
    FirmwareVersion least;
    Confidence confidence{};
    std::string_view source;
};

struct ToolLimit {
    std::string_view package, fails_from, works_from, families, kernel, what, remedy;
    Confidence confidence{};
    std::string_view source;
};

struct KnownOverwrite {
    std::string_view package, origin, owner, file;
    Confidence confidence{};
    std::string_view source;
};

struct VendorFile {
    std::string_view path, what;
    Confidence confidence{};
    std::string_view source;
};

struct LogCause {
    std::string_view words, what, remedy;
    Confidence confidence{};
    std::string_view source;
};

struct StockKernel {
    std::string_view marker, series;  // "debian12", "6.1"
    Confidence confidence{};
    std::string_view source;
};

std::span<const LogCause> log_causes();
std::span<const StockKernel> stock_kernels();
std::span<const VendorFile> vendor_files();
std::span<const KernelLimit> kernel_limits();
std::span<const PackageModules> package_modules();
std::span<const ModuleUser> module_users();
std::span<const ThirdParty> third_parties();
std::span<const FirmwareNeed> firmware_needs();
std::span<const ToolLimit> tool_limits();
std::span<const KnownOverwrite> known_overwrites();
std::span<const InstallerRow> installer_rows();
std::span<const RemovalName> removal_names();
std::span<const NamedFact> immune_packages();
std::span<const ProtectedPattern> protected_patterns();

// The tier of a package that must stay; nullopt: it may go.
std::optional<std::string_view> protected_tier(std::string_view package);

// A word of a list with blanks between.
bool has_word(std::string_view words, std::string_view word);

// "*" stands for any text, everything else for itself.
bool matches_pattern(std::string_view text, std::string_view pattern);

}  // namespace pve_rdma::ofed
