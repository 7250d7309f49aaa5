#include "ofed_reader/bundle_reader.h"

#include <algorithm>
#include <filesystem>
#include <fstream>

#include <sys/stat.h>

#include <fmt/format.h>

#include "ofed/bundle/control.h"
#include "ofed/bundle/installer_text.h"
#include "ofed_reader/deb.h"

namespace pve_rdma::ofed {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t max_text = 4u << 20;
constexpr std::size_t max_index = 256u << 20;
constexpr std::size_t max_packages = 20'000;
constexpr int max_folder_depth = 12;

std::string_view base_name(std::string_view path) {
    return path.substr(path.rfind('/') + 1);
}

std::string first_line(std::string_view text) {
    text = text.substr(0, std::min<std::size_t>(text.find_first_of("\r\n"), 128));
    return std::string(text);
}

// What a bundle's small files say; its packages are added beside it.
class Collector {
  public:
    Collector(Bundle& bundle, const BundleScope& scope) : bundle_(bundle), scope_(scope) {}

    static bool wants(std::string_view name) {
        constexpr std::string_view names[]{"distro", ".mlnx",           "mlnx",       ".arch",
                                           "arch",   "mlnxofedinstall", "install.pl", "common.pl"};
        return std::ranges::find(names, name) != std::end(names);
    }
    // The topmost file of a name counts.
    void take(std::string_view path, std::string text) {
        const auto depth = std::ranges::count(path, '/');
        auto& slot = files_[std::string(base_name(path))];
        if (slot.second.empty() || depth < slot.first) slot = {depth, std::move(text)};
    }
    void add(BundlePackage package) {
        if (bundle_.packages.size() < max_packages) bundle_.packages.push_back(std::move(package));
    }
    void finish() {
        const auto line = [&](const char* name, const char* other) -> std::optional<std::string> {
            for (const char* one : {name, other})
                if (files_.contains(one)) return first_line(files_[one].second);
            return std::nullopt;
        };
        bundle_.release = line(".mlnx", "mlnx");
        bundle_.distro = line("distro", "distro");
        bundle_.machine = line(".arch", "arch");
        for (const char* name : {"mlnxofedinstall", "install.pl"})
            if (!bundle_.installer && files_.contains(name))
                bundle_.installer =
                    read_installer(files_[name].second, files_["common.pl"].second, scope_.debian);
    }

  private:
    Bundle& bundle_;
    const BundleScope& scope_;
    std::map<std::string, std::pair<std::ptrdiff_t, std::string>> files_;
};

Result<void> read_outer(const std::string& path, const BundleScope& scope, Bundle& bundle) {
    Budget budget;
    auto archive = Archive::open(path, ArchiveFormats::outer, budget);
    if (!archive) return std::unexpected(archive.error());
    Collector collector(bundle, scope);
    while (true) {
        const auto more = archive->next();
        if (!more) return std::unexpected(more.error());
        if (!*more) break;
        bundle.kind = archive->is_iso() ? "iso" : "tar";
        if (!archive->is_file()) continue;
        const std::string member = archive->member();
        if (member.ends_with(".deb")) {
            auto deb = Archive::nested(*archive, ArchiveFormats::deb, archive->here());
            if (!deb) return std::unexpected(deb.error());
            auto package = read_deb(*deb, member, {.files = scope.files});
            if (!package) return std::unexpected(package.error());
            collector.add(std::move(*package));
        } else if (Collector::wants(base_name(member))) {
            auto text = archive->content(max_text);
            if (!text) return std::unexpected(text.error());
            collector.take(member, std::move(*text));
        }
    }
    collector.finish();
    if (bundle.packages.empty())
        return std::unexpected(Error{.code = ErrorCode::malformed,
                                     .subject = path,
                                     .message = "holds no Debian package",
                                     .hint = "an MLNX_OFED bundle for Debian or Ubuntu is expected"});
    return {};
}

Result<BundlePackage> read_deb_file(const std::string& path, const std::string& name,
                                    const BundleScope& scope) {
    Budget budget;
    auto deb = Archive::open(path, ArchiveFormats::deb, budget);
    if (!deb) return std::unexpected(deb.error());
    return read_deb(*deb, name, {.files = scope.files});
}

// An apt index without its packages: control fields are all that is known of them.
Result<void> read_index(const std::string& path, Bundle& bundle) {
    std::ifstream file(path, std::ios::binary);
    std::string text{std::istreambuf_iterator<char>(file), {}};
    if (text.size() > max_index)
        return std::unexpected(Error{.code = ErrorCode::malformed, .subject = path, .message = "too large"});
    ControlReader reader(text, path);
    while (bundle.packages.size() < max_packages) {
        auto stanza = reader.next();
        if (!stanza) return std::unexpected(stanza.error());
        if (!*stanza) break;
        const auto& fields = (*stanza)->fields;
        const char* begin = fields.front().name.data();
        const auto& last = fields.back().value;
        const char* end = last.empty() ? fields.back().name.data() + fields.back().name.size() + 1
                                       : last.data() + last.size();
        BundlePackage package;
        package.name = (*stanza)->get("Package");
        package.version = (*stanza)->get("Version");
        package.architecture = (*stanza)->get("Architecture");
        package.path = (*stanza)->get("Filename");
        package.control.assign(begin, end);
        if (!package.name.empty() && !package.version.empty()) bundle.packages.push_back(std::move(package));
    }
    return {};
}

// Links to files within the folder count as the files; links to folders are not followed, so nothing goes in
// circles.
Result<void> read_folder(const std::string& root, const BundleScope& scope, Bundle& bundle) {
    Collector collector(bundle, scope);
    std::error_code failure;
    const fs::path top = fs::canonical(root, failure);
    if (failure) return std::unexpected(errno_error(failure.value(), root, "cannot open the folder"));
    std::vector<std::string> indices;
    std::vector<fs::path> files;
    for (auto at = fs::recursive_directory_iterator(top, failure);
         !failure && at != fs::recursive_directory_iterator(); at.increment(failure)) {
        if (at.depth() >= max_folder_depth) at.disable_recursion_pending();
        if (files.size() > 200'000)
            return std::unexpected(
                Error{.code = ErrorCode::malformed, .subject = root, .message = "holds too many files"});
        files.push_back(at->path());
    }
    if (failure) return std::unexpected(errno_error(failure.value(), root, "cannot read the folder"));
    std::ranges::sort(files);
    for (const auto& file : files) {
        const std::string name = file.lexically_relative(top).string();
        const bool wanted =
            name.ends_with(".deb") || Collector::wants(base_name(name)) || base_name(name) == "Packages";
        if (!wanted) continue;
        const fs::path real = fs::canonical(file, failure);
        if (failure) {
            bundle.skipped.push_back(fmt::format("{}: a link that leads nowhere", name));
            continue;
        }
        if (!real.string().starts_with(top.string() + "/"))
            return std::unexpected(Error{.code = ErrorCode::malformed,
                                         .subject = file.string(),
                                         .message = "a link that leads out of the folder"});
        if (real != file && name.ends_with(".deb")) continue;  // the file itself is read where it lies
        if (!fs::is_regular_file(real, failure)) continue;
        if (name.ends_with(".deb")) {
            auto package = read_deb_file(real.string(), name, scope);
            if (!package) return std::unexpected(package.error());
            collector.add(std::move(*package));
        } else if (base_name(name) == "Packages") {
            indices.push_back(real.string());
        } else if (fs::file_size(real, failure) <= max_text) {
            std::ifstream stream(real, std::ios::binary);
            collector.take(name, {std::istreambuf_iterator<char>(stream), {}});
        }
    }
    collector.finish();
    bundle.kind = "folder";
    if (bundle.packages.empty()) {
        bundle.kind = "index";
        for (const auto& index : indices)
            if (const auto read = read_index(index, bundle); !read) return std::unexpected(read.error());
    }
    if (bundle.packages.empty())
        return std::unexpected(Error{.code = ErrorCode::malformed,
                                     .subject = root,
                                     .message = "holds no Debian package and no index of any"});
    return {};
}

}  // namespace

Result<Bundle> read_bundle(const std::string& path, const BundleScope& scope) {
    Bundle bundle;
    bundle.path = path;
    struct stat status{};
    if (::stat(path.c_str(), &status) != 0) return std::unexpected(errno_error(errno, path, "cannot open"));
    if (S_ISDIR(status.st_mode)) {
        if (const auto read = read_folder(path, scope, bundle); !read) return std::unexpected(read.error());
        return bundle;
    }
    if (!S_ISREG(status.st_mode))
        return std::unexpected(Error{
            .code = ErrorCode::malformed, .subject = path, .message = "is neither a file nor a folder"});
    if (status.st_size == 0)
        return std::unexpected(Error{.code = ErrorCode::malformed, .subject = path, .message = "is empty"});
    if (path.ends_with(".deb")) {
        auto package = read_deb_file(path, std::string(base_name(path)), scope);
        if (!package) return std::unexpected(package.error());
        bundle.kind = "deb";
        bundle.packages.push_back(std::move(*package));
        return bundle;
    }
    if (const auto read = read_outer(path, scope, bundle); !read) return std::unexpected(read.error());
    return bundle;
}

}  // namespace pve_rdma::ofed
