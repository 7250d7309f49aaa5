#include "eni/file_reader.h"

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <set>

#include "eni/glob.h"
#include "eni/limits.h"

namespace pve_rdma::eni {

namespace {

Error too_many(const std::string& path) {
    return {.code = ErrorCode::malformed, .subject = path, .message = "more names than are looked at"};
}

// Names in a folder that a component matches. A folder that is not there holds none.
Result<std::vector<std::string>> matching_names(FileReader& files, const std::string& folder,
                                                const std::string& component) {
    auto names = files.list(folder.empty() ? "/" : folder);
    if (!names) {
        const int why = names.error().errno_value;
        if (why == ENOENT || why == ENOTDIR) return std::vector<std::string>{};
        return std::unexpected(names.error());
    }
    if (names->size() > max_folder_names) return std::unexpected(too_many(folder));
    std::erase_if(*names, [&](const std::string& name) {
        return (name.starts_with('.') && !component.starts_with('.')) || !glob_match(component, name);
    });
    std::ranges::sort(*names);
    return names;
}

}  // namespace

Result<std::string> MemoryFiles::read(const std::string& path, std::size_t limit) {
    const auto found = files_.find(path);
    if (found == files_.end()) return std::unexpected(errno_error(ENOENT, path, "cannot open"));
    if (found->second.size() > limit)
        return std::unexpected(
            Error{.code = ErrorCode::malformed, .subject = path, .message = "larger than is read"});
    return found->second;
}

Result<std::vector<std::string>> MemoryFiles::list(const std::string& folder) {
    const std::string prefix = folder.ends_with('/') ? folder : folder + "/";
    std::set<std::string> names;
    for (auto at = files_.lower_bound(prefix); at != files_.end() && at->first.starts_with(prefix); ++at)
        names.insert(at->first.substr(prefix.size(), at->first.find('/', prefix.size()) - prefix.size()));
    if (names.empty()) return std::unexpected(errno_error(ENOENT, folder, "cannot list"));
    return std::vector<std::string>(names.begin(), names.end());
}

Result<std::string> OverlayFiles::read(const std::string& path, std::size_t limit) {
    const auto found = files_.find(path);
    return found == files_.end() ? below_.read(path, limit) : found->second;
}

Result<std::vector<std::string>> OverlayFiles::list(const std::string& folder) {
    auto names = MemoryFiles(files_).list(folder);
    auto below = below_.list(folder);
    if (!names) return below;
    if (below) names->insert(names->end(), below->begin(), below->end());
    std::ranges::sort(*names);
    names->erase(std::unique(names->begin(), names->end()), names->end());
    return names;
}

Result<std::vector<std::string>> expand_pattern(FileReader& files, const std::string& pattern) {
    std::vector<std::string> paths{""};
    std::size_t at = 0;
    bool wild = false;
    while (at < pattern.size() && !paths.empty()) {
        const std::size_t begin = pattern.find_first_not_of('/', at);
        if (begin == std::string::npos) break;
        at = std::min(pattern.find('/', begin), pattern.size());
        const std::string component = pattern.substr(begin, at - begin);
        if (!has_wildcard(component)) {
            for (auto& path : paths)
                path += "/" + component;
            continue;
        }
        wild = true;
        std::vector<std::string> longer;
        for (const auto& path : paths) {
            const auto names = matching_names(files, path, component);
            if (!names) return std::unexpected(names.error());
            for (const auto& name : *names)
                longer.push_back(path + "/" + name);
            if (longer.size() > max_files) return std::unexpected(too_many(pattern));
        }
        paths = std::move(longer);
    }
    // A component behind a wildcard may not exist in every folder.
    if (wild && !has_wildcard(pattern.substr(pattern.rfind('/') + 1)))
        std::erase_if(paths, [&](const std::string& path) {
            const auto slash = path.rfind('/');
            const auto names = files.list(path.substr(0, slash));
            return !names || std::ranges::find(*names, path.substr(slash + 1)) == names->end();
        });
    return paths;
}

Result<std::vector<std::string>> directory_files(FileReader& files, const std::string& folder) {
    auto names = files.list(folder);
    if (!names) return std::unexpected(names.error());
    if (names->size() > max_folder_names) return std::unexpected(too_many(folder));
    std::erase_if(*names, [](const std::string& name) {
        return !std::ranges::all_of(name,
                                    [](unsigned char c) { return std::isalnum(c) || c == '_' || c == '-'; });
    });
    std::ranges::sort(*names);
    for (auto& name : *names)
        name = folder + (folder.ends_with('/') ? "" : "/") + name;
    return names;
}

}  // namespace pve_rdma::eni
