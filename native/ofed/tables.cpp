#include "ofed/tables.h"

#include <algorithm>

#include "ofed/table_field.h"

namespace pve_rdma::ofed {

namespace {

consteval InstallerRow installer_row(Field id, Field first, Field last, Field debian, Field direct,
                                     Field dependents, Field remembers, Field immune, Field kernel_filter,
                                     Field certain, Field sure, Field source) {
    return {required(id),       required(first), last.text,        required(debian),
            yes(direct),        yes(dependents), yes(remembers),   yes(immune),
            yes(kernel_filter), yes(certain),    confidence(sure), required(source)};
}

consteval RemovalName removal_row(Field name, Field installers, Field sure, Field source) {
    return {required(name), required(installers), confidence(sure), required(source)};
}

consteval NamedFact named_row(Field name, Field sure, Field source) {
    return {required(name), confidence(sure), required(source)};
}

consteval ProtectedPattern protected_row(Field pattern, Field tier, Field sure, Field source) {
    return {required(pattern), required(tier), confidence(sure), required(source)};
}

consteval KernelLimit kernel_row(Field first, Field last, Field kernel, Field certain, Field sure,
                                 Field source) {
    return {required(first), required(last),   required(kernel),
            yes(certain),    confidence(sure), required(source)};
}

consteval PackageModules modules_row(Field package, Field modules, Field sure, Field source) {
    return {required(package), required(modules), confidence(sure), required(source)};
}

consteval ModuleUser user_row(Field module, Field users, Field remedy, Field proxmox, Field needs, Field sure,
                              Field source) {
    return {required(module), required(users),  required(remedy), yes(proxmox),
            required(needs),  confidence(sure), required(source)};
}

consteval ThirdParty third_row(Field package, Field module, Field what, Field severity, Field sure,
                               Field source) {
    constexpr std::pair<std::string_view, bool> words[]{{"warning", true}, {"info", false}};
    return {required(package),     required(module), required(what),
            word(severity, words), confidence(sure), required(source)};
}

consteval FirmwareNeed firmware_row(Field release, Field family, Field least, Field sure, Field source) {
    const auto version = FirmwareVersion::read(least.text);
    if (!version) throw "not a firmware version";
    return {required(release), required(family), *version, confidence(sure), required(source)};
}

consteval ToolLimit tool_row(Field package, Field fails, Field works, Field families, Field kernel,
                             Field what, Field remedy, Field sure, Field source) {
    return {required(package), required(fails),  works.text,       families.text,   kernel.text,
            required(what),    required(remedy), confidence(sure), required(source)};
}

consteval KnownOverwrite overwrite_row(Field package, Field origin, Field owner, Field file, Field sure,
                                       Field source) {
    return {required(package), required(origin), required(owner),
            required(file),    confidence(sure), required(source)};
}

consteval VendorFile vendor_file_row(Field path, Field what, Field sure, Field source) {
    return {required(path), required(what), confidence(sure), required(source)};
}

consteval LogCause cause_row(Field words, Field what, Field remedy, Field sure, Field source) {
    return {required(words), required(what), required(remedy), confidence(sure), required(source)};
}

consteval StockKernel stock_row(Field marker, Field series, Field sure, Field source) {
    return {required(marker), required(series), confidence(sure), required(source)};
}

constexpr LogCause causes[]{
#define ROW(...) cause_row(__VA_ARGS__),
#include "ofed/data/log_causes.inc"
#undef ROW
};
constexpr StockKernel stock[]{
#define ROW(...) stock_row(__VA_ARGS__),
#include "ofed/data/stock_kernels.inc"
#undef ROW
};
constexpr VendorFile files[]{
#define ROW(...) vendor_file_row(__VA_ARGS__),
#include "ofed/data/vendor_files.inc"
#undef ROW
};
constexpr KernelLimit kernels[]{
#define ROW(...) kernel_row(__VA_ARGS__),
#include "ofed/data/kernel_limits.inc"
#undef ROW
};
constexpr PackageModules modules[]{
#define ROW(...) modules_row(__VA_ARGS__),
#include "ofed/data/package_modules.inc"
#undef ROW
};
constexpr ModuleUser users[]{
#define ROW(...) user_row(__VA_ARGS__),
#include "ofed/data/module_users.inc"
#undef ROW
};
constexpr ThirdParty third[]{
#define ROW(...) third_row(__VA_ARGS__),
#include "ofed/data/third_party.inc"
#undef ROW
};
constexpr FirmwareNeed firmware[]{
#define ROW(...) firmware_row(__VA_ARGS__),
#include "ofed/data/firmware_needs.inc"
#undef ROW
};
constexpr ToolLimit tools[]{
#define ROW(...) tool_row(__VA_ARGS__),
#include "ofed/data/mft_limits.inc"
#undef ROW
};
constexpr KnownOverwrite overwrites[]{
#define ROW(...) overwrite_row(__VA_ARGS__),
#include "ofed/data/known_overwrites.inc"
#undef ROW
};
constexpr InstallerRow installers[]{
#define ROW(...) installer_row(__VA_ARGS__),
#include "ofed/data/installers.inc"
#undef ROW
};
constexpr RemovalName removals[]{
#define ROW(...) removal_row(__VA_ARGS__),
#include "ofed/data/removal_names.inc"
#undef ROW
};
constexpr NamedFact immune[]{
#define ROW(...) named_row(__VA_ARGS__),
#include "ofed/data/immune.inc"
#undef ROW
};
constexpr ProtectedPattern patterns[]{
#define ROW(...) protected_row(__VA_ARGS__),
#include "ofed/data/protected.inc"
#undef ROW
};

}  // namespace

std::span<const InstallerRow> installer_rows() {
    return installers;
}
std::span<const RemovalName> removal_names() {
    return removals;
}
std::span<const NamedFact> immune_packages() {
    return immune;
}
std::span<const ProtectedPattern> protected_patterns() {
    return patterns;
}

std::span<const LogCause> log_causes() {
    return causes;
}
std::span<const StockKernel> stock_kernels() {
    return stock;
}
std::span<const VendorFile> vendor_files() {
    return files;
}
std::span<const KernelLimit> kernel_limits() {
    return kernels;
}
std::span<const PackageModules> package_modules() {
    return modules;
}
std::span<const ModuleUser> module_users() {
    return users;
}
std::span<const ThirdParty> third_parties() {
    return third;
}
std::span<const FirmwareNeed> firmware_needs() {
    return firmware;
}
std::span<const ToolLimit> tool_limits() {
    return tools;
}
std::span<const KnownOverwrite> known_overwrites() {
    return overwrites;
}

bool has_word(std::string_view words, std::string_view word) {
    while (!words.empty()) {
        const auto end = words.find(' ');
        if (words.substr(0, end) == word) return true;
        if (end == std::string_view::npos) break;
        words.remove_prefix(end + 1);
    }
    return false;
}

std::optional<std::string_view> protected_tier(std::string_view package) {
    for (const auto& one : patterns)
        if (matches_pattern(package, one.pattern)) return one.tier;
    return std::nullopt;
}

bool matches_pattern(std::string_view text, std::string_view pattern) {
    // The last star takes as much as is needed: enough for patterns without "?" and sets.
    std::size_t at = 0, in = 0, star = std::string_view::npos, resume = 0;
    while (at < text.size()) {
        if (in < pattern.size() && pattern[in] == '*') {
            star = in++;
            resume = at;
        } else if (in < pattern.size() && pattern[in] == text[at]) {
            ++in;
            ++at;
        } else if (star != std::string_view::npos) {
            in = star + 1;
            at = ++resume;
        } else {
            return false;
        }
    }
    return pattern.find_first_not_of('*', in) == std::string_view::npos;
}

}  // namespace pve_rdma::ofed
