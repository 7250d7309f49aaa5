#include "ofed_reader/apt_world.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include <apt-pkg/cachefile.h>
#include <apt-pkg/configuration.h>
#include <apt-pkg/error.h>
#include <apt-pkg/fileutl.h>
#include <apt-pkg/init.h>
#include <apt-pkg/macros.h>
#include <apt-pkg/pkgsystem.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "ofed/plan/installed.h"
#include "ofed_reader/prune.h"

namespace pve_rdma::ofed {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t max_status = 64u << 20;
constexpr std::uint64_t max_list = 512u << 20;

Error apt_error(std::string subject, std::string message) {
    std::string text;
    for (std::string line; !_error->empty();) {
        _error->PopMessage(line);
        if (!text.empty()) text += "; ";
        text += line;
    }
    return {.code = ErrorCode::machine,
            .subject = std::move(subject),
            .message = text.empty() ? std::move(message) : fmt::format("{} ({})", message, text)};
}

Result<std::string> read_whole(const std::string& path, std::uint64_t limit) {
    FileFd file;
    if (!file.Open(path, FileFd::ReadOnly, FileFd::Extension))
        return std::unexpected(apt_error(path, "cannot read"));
    std::string text(std::min<std::uint64_t>(file.Size(), limit + 1), '\0');
    unsigned long long got = 0;
    if (!file.Read(text.data(), text.size(), &got)) return std::unexpected(apt_error(path, "cannot read"));
    if (got > limit)
        return std::unexpected(
            Error{.code = ErrorCode::malformed, .subject = path, .message = "is too large"});
    text.resize(got);
    return text;
}

Result<void> write_whole(const std::string& path, std::string_view text) {
    std::ofstream file(path, std::ios::binary);
    file << text;
    file.close();
    if (file) return {};
    return std::unexpected(errno_error(errno, path, "cannot write"));
}

// The native architecture is that of dpkg itself; others stand in a file of their own.
std::vector<std::string> architectures(const Installed& installed, const std::string& root) {
    std::vector<std::string> list;
    for (const char* name : {"dpkg", "libc6", "base-files"})
        if (const auto* package = installed.find(name); package && package->arch != "all" && list.empty())
            list.emplace_back(package->arch);
    if (list.empty())
        for (const auto& package : installed.packages())
            if (package.arch != "all" && !package.arch.empty() && list.empty())
                list.emplace_back(package.arch);
    std::ifstream file(root + "/var/lib/dpkg/arch");
    for (std::string line; std::getline(file, line) && list.size() < 16;)
        if (!line.empty() && std::ranges::find(list, line) == list.end()) list.push_back(line);
    return list;
}

void settle(const ReaderQuestion& question, const std::string& status, const std::string& scratch,
            const std::vector<std::string>& archs) {
    _config->Set("Dir::State::lists", scratch + "/lists/");
    _config->Set("Dir::State::status", status);
    _config->Set("Dir::Cache", scratch + "/cache/");
    _config->Set("Dir::Cache::pkgcache", "");
    _config->Set("Dir::Cache::srcpkgcache", "");
    _config->Set("Debug::NoLocking", true);
    _config->Set("APT::Get::Simulate", true);
    _config->Clear("APT::Architectures");
    if (!archs.empty()) _config->Set("APT::Architecture", archs.front());
    for (const auto& arch : archs)
        _config->Set("APT::Architectures::", arch);
    if (question.root != "/")
        _config->Set("Dir::State::extended_states", question.root + "/var/lib/apt/extended_states");
}

// Index files of the node's lists, "..._Packages" perhaps with a suffix of compression.
bool is_index(const std::string& name) {
    const auto at = name.rfind("_Packages");
    return at != std::string::npos && name.find('_', at + 1) == std::string::npos;
}

void want_installed(Pruner& pruner, const Installed& installed) {
    for (const auto& package : installed.packages())
        if (package.present()) {
            pruner.want(package.name);
            for (const auto& group : package.needs)
                for (const auto& target : group)
                    pruner.want(target.name);
        }
}

std::string_view word_name(std::string_view word) {
    return word.substr(0, word.find_first_of(":=/"));
}

// The bundle's stanzas as one index.
std::string bundle_index(const std::vector<Bundle>& bundles) {
    std::string text;
    for (const auto& bundle : bundles)
        for (const auto& package : bundle.packages) {
            text += package.control + "\n";
            if (package.control.find("\nFilename:") == std::string::npos)
                text += fmt::format("Filename: {}\n", package.path);
            text += "\n";
        }
    return text;
}

struct NodeLists {
    const std::string& folder;
    const std::vector<std::string>& names;
};

// The stanzas of the node's lists that a plan can reach, as lists of their own below scratch.
Result<void> write_reached(const ReaderQuestion& question, const std::vector<Bundle>& bundles,
                           const Installed& installed, const NodeLists& lists, const std::string& scratch,
                           std::string_view from_bundles) {
    Pruner pruner;
    std::vector<std::string> texts;
    texts.reserve(lists.names.size());
    for (const auto& name : lists.names) {
        auto text = read_whole(lists.folder + name, max_list);
        if (!text) return std::unexpected(text.error());
        texts.push_back(std::move(*text));
        pruner.add_index(texts.back());
    }
    // All of a bundle stays: what its packages need is to be reached.
    pruner.add_index(from_bundles);
    if (!from_bundles.empty())
        for (const auto& bundle : bundles)
            for (const auto& package : bundle.packages)
                pruner.want(package.name);
    want_installed(pruner, installed);
    for (const auto& one : question.questions)
        for (const auto* words : {&one.install, &one.remove})
            for (const auto& word : *words)
                pruner.want(word_name(word));
    const auto pruned = pruner.prune();
    for (std::size_t i = 0; i < lists.names.size(); ++i) {
        const auto& name = lists.names[i];
        const auto written =
            write_whole(scratch + "/lists/" + name.substr(0, name.rfind("_Packages") + 9), pruned[i]);
        if (!written) return written;
    }
    return {};
}

}  // namespace

AptWorld::AptWorld() = default;
AptWorld::AptWorld(AptWorld&&) noexcept = default;
AptWorld& AptWorld::operator=(AptWorld&&) noexcept = default;
AptWorld::~AptWorld() = default;

std::string apt_library_version() {
    return fmt::format("{}.{}", APT_PKG_MAJOR, APT_PKG_MINOR);
}

Result<AptWorld> AptWorld::open(const ReaderQuestion& question, const std::vector<Bundle>& bundles,
                                const std::string& scratch, Lists extent) {
    const std::string root = question.root == "/" ? "" : question.root;
    const std::string status = question.status.value_or(root + "/var/lib/dpkg/status");
    ::unsetenv("APT_CONFIG");
    if (!root.empty()) {
        _config->Set("Dir", root + "/");
        _config->Set("Dir::Etc", "etc/apt/");
    }
    if (!pkgInitConfig(*_config))
        return std::unexpected(apt_error("apt", "its configuration cannot be read"));
    auto status_text = read_whole(status, max_status);
    if (!status_text) return std::unexpected(status_text.error());
    auto installed = Installed::parse(std::move(*status_text), status);
    if (!installed) return std::unexpected(installed.error());

    const std::string lists = _config->FindDir("Dir::State::lists");
    settle(question, status, scratch, architectures(*installed, root));
    std::error_code failure;
    for (const char* folder : {"/lists/partial", "/cache"})
        fs::create_directories(scratch + folder, failure);

    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(lists, failure)) {
        const std::string name = entry.path().filename();
        const bool index = is_index(name);
        if (index) names.push_back(name);
        if ((index && extent == Lists::whole) || name.ends_with("Release"))
            fs::create_symlink(entry.path(), scratch + "/lists/" + name, failure);
    }
    std::string from_bundles;
    if (std::ranges::any_of(question.questions, &AptQuestion::with_bundle))
        from_bundles = bundle_index(bundles);
    if (extent == Lists::reached)
        if (const auto written =
                write_reached(question, bundles, *installed, {lists, names}, scratch, from_bundles);
            !written)
            return std::unexpected(written.error());
    if (!from_bundles.empty()) {
        const std::string name = scratch + "/bundle_Packages";
        if (const auto written = write_whole(name, from_bundles); !written)
            return std::unexpected(written.error());
        _config->Set("APT::Sources::With::", name);
    }

    if (!pkgInitSystem(*_config, _system)) return std::unexpected(apt_error("apt", "cannot start"));
    AptWorld world;
    world.cache_ = std::make_unique<pkgCacheFile>();
    if (!world.cache_->Open(nullptr, false))
        return std::unexpected(apt_error(status, "apt cannot read the node's packages"));
    world.index_packages_ = world.cache_->GetPkgCache()->Head().VersionCount;
    _error->Discard();
    return world;
}

}  // namespace pve_rdma::ofed
