#include "ofed/plan/installed.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "ofed/bundle/control.h"

namespace pve_rdma::ofed {

namespace {

constexpr std::pair<std::string_view, PackageState> states[]{
    {"not-installed", PackageState::not_installed},
    {"config-files", PackageState::config_files},
    {"half-installed", PackageState::half_installed},
    {"unpacked", PackageState::unpacked},
    {"half-configured", PackageState::half_configured},
    {"triggers-awaited", PackageState::triggers_awaited},
    {"triggers-pending", PackageState::triggers_pending},
    {"installed", PackageState::installed},
};

constexpr std::pair<std::string_view, char> wants[]{
    {"unknown", 'u'}, {"install", 'i'}, {"hold", 'h'}, {"deinstall", 'r'}, {"purge", 'p'}};

const std::vector<std::size_t> nobody;

// "install ok installed"
bool read_status(std::string_view text, InstalledPackage& package) {
    const auto first = text.find(' '), last = text.rfind(' ');
    if (first == std::string_view::npos || first == last) return false;
    const auto want =
        std::ranges::find(wants, text.substr(0, first), &std::pair<std::string_view, char>::first);
    const auto state =
        std::ranges::find(states, text.substr(last + 1), &std::pair<std::string_view, PackageState>::first);
    if (want == std::end(wants) || state == std::end(states)) return false;
    package.want = want->second;
    package.state = state->second;
    package.reinst_required = text.substr(first + 1, last - first - 1) == "reinstreq";
    return true;
}

// One pass over the fields: the file has thousands of stanzas.
InstalledPackage package_of(const Stanza& stanza, std::string_view& status) {
    InstalledPackage package;
    const auto needs = [&](std::string_view value) {
        for (auto& group : parse_relations(value))
            package.needs.push_back(std::move(group));
    };
    for (const auto& [name, value] : stanza.fields) {
        if (name == "Package")
            package.name = value;
        else if (name == "Status")
            status = value;
        else if (name == "Version")
            package.version = value;
        else if (name == "Architecture")
            package.arch = value;
        else if (name == "Section")
            package.section = value;
        else if (name == "Essential")
            package.essential = value == "yes";
        else if (name == "Protected" || name == "Important")
            package.protection = package.protection || value == "yes";
        else if (name == "Multi-Arch") {
            package.same = value == "same";
            package.foreign = value == "foreign";
            package.allowed = value == "allowed";
        } else if (name == "Depends" || name == "Pre-Depends")
            needs(value);
        else if (name == "Provides") {
            for (const auto& group : parse_relations(value))
                package.provides.push_back(group.front());
        } else if (name == "Conffiles")
            package.conffiles = value;
    }
    return package;
}

}  // namespace

std::string_view to_string(PackageState state) {
    return std::ranges::find(states, state, &std::pair<std::string_view, PackageState>::second)->first;
}

std::string InstalledPackage::full_name() const {
    return same ? fmt::format("{}:{}", name, arch) : std::string(name);
}

Result<Installed> Installed::parse(std::string text, const std::string& file) {
    Installed installed;
    installed.text_ = std::make_shared<const std::string>(std::move(text));
    ControlReader reader(*installed.text_, file);
    while (true) {
        auto stanza = reader.next();
        if (!stanza) return std::unexpected(stanza.error());
        if (!*stanza) break;
        std::string_view status;
        InstalledPackage package = package_of(**stanza, status);
        if (package.name.empty() || !read_status(status, package))
            return std::unexpected(
                Error{.code = ErrorCode::malformed,
                      .subject = file,
                      .message = "a stanza without a package or with a status that dpkg does not know",
                      .file = file,
                      .line = (*stanza)->line});
        installed.packages_.push_back(std::move(package));
    }
    installed.fill_indices();
    return installed;
}

void Installed::fill_indices() {
    for (std::size_t i = 0; i < packages_.size(); ++i) {
        const auto& package = packages_[i];
        names_[package.name].push_back(i);
        candidates_[package.name].push_back(i);
        for (const auto& provided : package.provides)
            candidates_[provided.name].push_back(i);
        for (const auto& group : package.needs)
            for (const auto& target : group) {
                auto& list = dependers_[target.name];
                if (list.empty() || list.back() != i) list.push_back(i);
            }
    }
}

const InstalledPackage* Installed::find(std::string_view name) const {
    const auto colon = name.find(':');
    const auto arch = colon == std::string_view::npos ? std::string_view() : name.substr(colon + 1);
    const auto found = names_.find(name.substr(0, colon));
    if (found == names_.end()) return nullptr;
    const InstalledPackage* best = nullptr;
    for (const auto index : found->second) {
        const auto& package = packages_[index];
        if (!arch.empty() && package.arch != arch) continue;
        if (!best || (!best->present() && package.present())) best = &package;
    }
    return best;
}

const std::vector<std::size_t>& Installed::candidates(std::string_view name) const {
    const auto found = candidates_.find(name);
    return found == candidates_.end() ? nobody : found->second;
}

const std::vector<std::size_t>& Installed::dependers(std::string_view name) const {
    const auto found = dependers_.find(name);
    return found == dependers_.end() ? nobody : found->second;
}

}  // namespace pve_rdma::ofed
