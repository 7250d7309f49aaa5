// The packages of a node, as dpkg's status file has them: names, states, relations. Source: dpkg(1),
// /var/lib/dpkg/status.
//
// Holds the text; everything it hands out are views into it. Read once, then constant: threads may share it.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "ofed/plan/relations.h"

namespace pve_rdma::ofed {

enum class PackageState : std::uint8_t {
    not_installed,
    config_files,
    half_installed,
    unpacked,
    half_configured,
    triggers_awaited,
    triggers_pending,
    installed,
};

// As dpkg writes it: "half-configured".
std::string_view to_string(PackageState);

struct InstalledPackage {
    std::string_view name, version, arch, section;
    char want = 'u';  // dpkg's first letter: u(nknown), i(nstall), h(old), r(emove: "deinstall"), p(urge)
    PackageState state = PackageState::not_installed;
    bool reinst_required = false;
    bool essential = false, protection = false;
    bool same = false, foreign = false, allowed = false;  // Multi-Arch
    std::vector<Group> needs;                             // Pre-Depends and Depends
    std::vector<Target> provides;
    std::string_view conffiles;

    // It is there in the sense of a dependency (triggers may wait).
    bool usable() const { return state >= PackageState::triggers_awaited; }
    // Some of its files are there.
    bool present() const { return state > PackageState::config_files; }
    // As dpkg prints it where a name alone could mean two packages: "libibverbs1:amd64".
    std::string full_name() const;
};

class Installed {
  public:
    // `file` names the text in errors. Stanzas without a name or status are malformed.
    static Result<Installed> parse(std::string text, const std::string& file);

    // In the order of the file, which decides the order in which dpkg names dependents.
    const std::vector<InstalledPackage>& packages() const { return packages_; }
    const InstalledPackage& at(std::size_t index) const { return packages_[index]; }
    std::size_t size() const { return packages_.size(); }

    // By "name" or "name:arch"; the present one first. nullptr: dpkg knows none.
    const InstalledPackage* find(std::string_view name) const;
    std::size_t index_of(const InstalledPackage& package) const {
        return static_cast<std::size_t>(&package - packages_.data());
    }

    // Packages of that name, and packages that provide it: who could fulfil a dependency on it.
    const std::vector<std::size_t>& candidates(std::string_view name) const;
    // Packages whose dependencies name it, in the order of the file.
    const std::vector<std::size_t>& dependers(std::string_view name) const;

    std::string_view text() const { return *text_; }

  private:
    using Index = std::map<std::string_view, std::vector<std::size_t>, std::less<>>;
    void fill_indices();

    std::shared_ptr<const std::string> text_;
    std::vector<InstalledPackage> packages_;
    Index names_, candidates_, dependers_;
};

}  // namespace pve_rdma::ofed
