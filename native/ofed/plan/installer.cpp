#include "ofed/plan/installer.h"

#include <algorithm>

#include "doctor/words.h"
#include "ofed/tables.h"

namespace pve_rdma::ofed {

namespace {

Installer from_row(const InstallerRow& row) {
    Installer installer;
    installer.generation = row.id;
    installer.direct_lose_arch = row.direct_lose_arch;
    installer.dependents_lose_arch = row.dependents_lose_arch;
    installer.remembers = row.remembers;
    installer.kernel_filter = row.kernel_filter;
    installer.certain = row.certain;
    for (const auto& name : removal_names())
        if (has_word(name.installers, row.id))
            installer.names.emplace_back(name.name);
        else if (name.installers == "open-vswitch")
            installer.open_vswitch.emplace_back(name.name);
    if (row.immune)
        for (const auto& one : immune_packages())
            installer.immune.emplace_back(one.name);
    installer.own = installer.names;
    std::ranges::sort(installer.own);
    installer.upstream_libs = release_at_least(row.first, "5.0");
    return installer;
}

// The first two numbers: "24.10-2.1.8.0" -> {24, 10}.
std::vector<std::uint32_t> branch(std::string_view release) {
    auto numbers = doctor::version_numbers(release);
    if (numbers.size() > 2) numbers.resize(2);
    return numbers;
}

bool fits_debian(std::string_view wanted, std::string_view debian) {
    if (wanted == "any") return true;
    const auto numbers = doctor::version_numbers(debian);
    // An unknown release counts as one of the older: their list is the longer.
    const bool from_13 = !numbers.empty() && numbers.front() >= 13;
    return (wanted == "13+") == from_13;
}

}  // namespace

bool release_at_least(std::string_view release, std::string_view least) {
    const auto has = branch(release);
    return !has.empty() && has >= branch(least);
}

bool release_at_most(std::string_view release, std::string_view most) {
    auto has = branch(release);
    const auto limit = branch(most);
    has.resize(std::min(has.size(), limit.size()));
    return !has.empty() && has <= limit;
}

std::optional<Installer> known_installer(std::string_view release, std::string_view debian) {
    for (const auto& row : installer_rows())
        if (release_at_least(release, row.first) &&
            (row.last.empty() || release_at_most(release, row.last)) && fits_debian(row.debian, debian))
            return from_row(row);
    return std::nullopt;
}

std::optional<Installer> installer_generation(std::string_view id) {
    for (const auto& row : installer_rows())
        if (row.id == id) return from_row(row);
    return std::nullopt;
}

}  // namespace pve_rdma::ofed
