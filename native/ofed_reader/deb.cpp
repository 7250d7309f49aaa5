#include "ofed_reader/deb.h"

#include <algorithm>

#include "ofed/bundle/control.h"

namespace pve_rdma::ofed {

namespace {

constexpr std::size_t max_control = 4u << 20;
constexpr std::size_t max_dkms_conf = 1u << 20;
constexpr std::size_t max_files = 200'000;

Result<void> read_control(Archive& deb, BundlePackage& package) {
    auto tar = Archive::nested(deb, ArchiveFormats::tar, deb.here());
    if (!tar) return std::unexpected(tar.error());
    while (true) {
        const auto more = tar->next();
        if (!more) return std::unexpected(more.error());
        if (!*more) return std::unexpected(tar->broken("has no control file"));
        if (tar->member() == "control") break;
    }
    auto text = tar->content(max_control);
    if (!text) return std::unexpected(text.error());
    ControlReader reader(*text, tar->here());
    auto stanza = reader.next();
    if (!stanza) return std::unexpected(stanza.error());
    if (!*stanza) return std::unexpected(tar->broken("is empty"));
    package.name = (*stanza)->get("Package");
    package.version = (*stanza)->get("Version");
    package.architecture = (*stanza)->get("Architecture");
    if (package.name.empty() || package.version.empty())
        return std::unexpected(tar->broken("names no package or no version"));
    package.control = std::move(*text);
    while (!package.control.empty() && package.control.back() == '\n')
        package.control.pop_back();
    return {};
}

// usr/src/NAME-VERSION/dkms.conf; those deeper down belong to parts that are built with it.
bool is_dkms_conf(std::string_view path) {
    constexpr std::string_view begin = "usr/src/", end = "/dkms.conf";
    if (!path.starts_with(begin) || !path.ends_with(end) || path.size() <= begin.size() + end.size())
        return false;
    return path.substr(begin.size(), path.size() - begin.size() - end.size()).find('/') ==
           std::string_view::npos;
}

// lib/modules/KERNEL/.../NAME.ko
void note_module(std::string_view path, BundlePackage& package) {
    constexpr std::string_view begin = "lib/modules/";
    if (path.starts_with("usr/")) path.remove_prefix(4);
    const auto suffix = path.rfind(".ko");
    const auto slash = path.rfind('/');
    if (!path.starts_with(begin) || suffix == std::string_view::npos || slash == std::string_view::npos ||
        slash > suffix)
        return;
    path.remove_prefix(begin.size());
    const std::string kernel(path.substr(0, path.find('/')));
    const auto add = [](std::vector<std::string>& list, std::string word) {
        if (std::ranges::find(list, word) == list.end()) list.push_back(std::move(word));
    };
    add(package.kernels, kernel);
    add(package.modules, module_name(path.substr(path.rfind('/') + 1)));
}

Result<void> read_data(Archive& deb, BundlePackage& package, const DebScope& scope) {
    auto tar = Archive::nested(deb, ArchiveFormats::tar, deb.here());
    if (!tar) return std::unexpected(tar.error());
    while (true) {
        const auto more = tar->next();
        if (!more) return std::unexpected(more.error());
        if (!*more) return {};
        if (scope.files && package.files.size() < max_files && !tar->member().ends_with('/'))
            package.files.push_back("/" + tar->member());
        if (!tar->is_file()) continue;
        note_module(tar->member(), package);
        if (!is_dkms_conf(tar->member())) continue;
        const auto text = tar->content(max_dkms_conf);
        if (!text) return std::unexpected(text.error());
        auto conf = parse_dkms_conf(*text, tar->member());
        if (!conf) return std::unexpected(conf.error());
        package.dkms.push_back(std::move(*conf));
        // The sources follow, thousands of them: what decides has been read.
        if (!scope.files && package.name.ends_with("-dkms")) return {};
    }
}

bool may_hold_modules(const BundlePackage& package) {
    return package.name.find("dkms") != std::string::npos ||
           package.name.find("modules") != std::string::npos || package.name.starts_with("kmod-") ||
           package.name.starts_with("linux-image");
}

}  // namespace

Result<BundlePackage> read_deb(Archive& deb, const std::string& path, const DebScope& scope) {
    BundlePackage package;
    package.path = path;
    bool has_version = false;
    while (true) {
        const auto more = deb.next();
        if (!more) return std::unexpected(more.error());
        if (!*more) break;
        if (!has_version) {
            if (deb.member() != "debian-binary") return std::unexpected(deb.broken("is no Debian package"));
            has_version = true;
        } else if (deb.member().starts_with("control.tar")) {
            if (const auto read = read_control(deb, package); !read) return std::unexpected(read.error());
            if (!scope.files && !may_hold_modules(package)) return package;
        } else if (deb.member().starts_with("data.tar") && !package.name.empty()) {
            if (const auto read = read_data(deb, package, scope); !read) return std::unexpected(read.error());
            return package;
        }
    }
    if (package.name.empty()) return std::unexpected(deb.broken("has no control member"));
    return std::unexpected(deb.broken("ends before its files"));
}

}  // namespace pve_rdma::ofed
