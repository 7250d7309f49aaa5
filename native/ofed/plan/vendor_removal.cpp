#include "ofed/plan/vendor_removal.h"

#include <algorithm>
#include <map>
#include <set>

#include "ofed/plan/dependents.h"

namespace pve_rdma::ofed {

namespace {

// Names that no installer touches.
bool excluded(std::string_view name) {
    return name.starts_with("xen") || name.find("ovsvf-config") != std::string_view::npos ||
           name.find("opensmtpd") != std::string_view::npos;
}

// What --kernel-only leaves of the list, in installers that filter it.
bool of_kernel(std::string_view name) {
    return name.ends_with("-dkms") || name.ends_with("modules") || name == "mlnx-tools" ||
           name == "ofed-scripts" || name == "mlnx-ofed-kernel-utils" || name == "mlnx-en-utils" ||
           name == "knem";
}

std::string_view without_arch(std::string_view name) {
    return name.substr(0, name.find(':'));
}

// dpkg-query's state letters [rhi][iU]: wanted in some way, and installed or unpacked.
bool counts_as_installed(const InstalledPackage& package) {
    return (package.want == 'r' || package.want == 'h' || package.want == 'i') &&
           (package.state == PackageState::installed || package.state == PackageState::unpacked);
}

class Search {
  public:
    Search(const Installed& installed, const Installer& installer, VendorRemoval& found)
        : installed_(installed), installer_(installer), found_(found) {
        for (std::size_t i = 0; i < installed.size(); ++i)
            if (counts_as_installed(installed.at(i))) by_name_.push_back(i);
        std::ranges::sort(by_name_, {}, [&](std::size_t i) {
            return std::pair(installed.at(i).name, installed.at(i).arch);
        });
    }

    void name(std::string_view part) {
        for (const auto index : by_name_) {
            const auto& package = installed_.at(index);
            if (package.name.find(part) == std::string_view::npos || excluded(package.name)) continue;
            const std::string key =
                installer_.direct_lose_arch ? std::string(package.name) : package.full_name();
            if (!selected_.insert(key).second) continue;
            found_.matched.push_back(key);
            roots_.push_back(index);
            note_foreign(key);
            requirers_of(key, index);
        }
    }

    void finish() {
        Removed removed(installed_);
        const auto take = [&](const std::string& name) {
            if (kept_.contains(std::string(without_arch(name)))) return;
            found_.arguments.push_back(name);
            if (const auto* package = installed_.find(name)) removed.add(installed_.index_of(*package));
        };
        for (const auto& name : found_.matched)
            take(name);
        for (const auto& name : found_.dependents)
            take(name);
        for (const auto index : roots_)
            if (!kept_.contains(std::string(installed_.at(index).name))) found_.roots.push_back(index);
        found_.immune = {kept_.begin(), kept_.end()};
        close_over_dependents(installed_, removed);
        found_.removed = removed.list();
    }

  private:
    void note_foreign(const std::string& name) {
        if (!std::ranges::binary_search(installer_.own, name) && name.find("mlnx-ofed-") == std::string::npos)
            found_.foreign.push_back(name);
    }

    // get_requires: the dependents that dpkg names, each with its own dependents first.
    void requirers_of(const std::string& key, std::size_t package) {
        if (std::ranges::find(path_, package) != path_.end() && !installer_.remembers) {
            if (found_.circle.empty()) note_circle(package);
            return;
        }
        if (!visited_.insert(key).second) return;
        if (installed_.at(package).name == "rdma") return;
        path_.push_back(package);
        for (const auto index : direct_dependents(installed_, package)) {
            const auto& dependent = installed_.at(index);
            const std::string name =
                installer_.dependents_lose_arch ? std::string(dependent.name) : dependent.full_name();
            if (std::ranges::find(installer_.immune, name) != installer_.immune.end()) {
                kept_.insert(std::string(installed_.at(package).name));
                visited_.insert(name);
                break;
            }
            requirers_of(name, index);
            mark(name, dependent);
        }
        path_.pop_back();
    }

    void mark(const std::string& name, const InstalledPackage& package) {
        if (excluded(name) || kept_.contains(std::string(package.name))) return;
        if (!counts_as_installed(package) || !selected_.insert(name).second) return;
        found_.dependents.push_back(name);
        note_foreign(name);
    }

    void note_circle(std::size_t package) {
        for (auto at = std::ranges::find(path_, package); at != path_.end(); ++at)
            found_.circle.emplace_back(installed_.at(*at).name);
        found_.circle.emplace_back(installed_.at(package).name);
    }

    const Installed& installed_;
    const Installer& installer_;
    VendorRemoval& found_;
    std::vector<std::size_t> by_name_, roots_, path_;
    std::set<std::string, std::less<>> selected_, visited_, kept_;
};

}  // namespace

std::string_view to_string(RemovalOutcome outcome) {
    switch (outcome) {
        case RemovalOutcome::nothing:
            return "nothing";
        case RemovalOutcome::removes:
            return "removes";
        case RemovalOutcome::stops:
            return "stops";
        case RemovalOutcome::never_ends:
            break;
    }
    return "never_ends";
}

VendorRemoval emulate_removal(const Installed& installed, const Installer& installer,
                              const InstallerFlags& flags) {
    VendorRemoval found;
    Search search(installed, installer, found);
    const bool filtered = flags.kernel_only && installer.kernel_filter;
    const auto names = [&](const std::vector<std::string>& list) {
        for (const auto& name : list)
            if (!excluded(name) && (!filtered || of_kernel(name))) search.name(name);
    };
    names(installer.names);
    if (flags.open_vswitch) names(installer.open_vswitch);
    search.finish();
    if (!found.circle.empty())
        found.outcome = RemovalOutcome::never_ends;
    else if (found.arguments.empty())
        found.outcome = RemovalOutcome::nothing;
    else if (!flags.force && !found.foreign.empty())
        found.outcome = RemovalOutcome::stops;
    else
        found.outcome = RemovalOutcome::removes;
    return found;
}

}  // namespace pve_rdma::ofed
