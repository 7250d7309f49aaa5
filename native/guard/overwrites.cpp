#include "guard/overwrites.h"

#include <algorithm>

#include "guard/archive.h"
#include "guard/files.h"
#include "guard/name_index.h"
#include "guard/relation.h"
#include "guard/tar_names.h"

namespace pve_rdma::guard {

namespace {

constexpr std::size_t max_list = 64u << 20;

bool takes_over(const Incoming& coming, const Package& package) {
    std::string_view replaces = coming.replaces;
    while (const auto part = take_part(replaces, ','))
        if (fits(parse_relation(*part), package.name, package.version, package.provides)) return true;
    return false;
}

// dpkg has one list for each package, or one for each architecture of it.
Result<std::string> file_list(const std::string& admindir, const Package& package) {
    const std::string stem = admindir + "/info/" + std::string(package.name);
    auto text = read_text(stem + ".list", max_list);
    if (!text && text.error().code == ErrorCode::not_found)
        text = read_text(stem + ":" + std::string(package.architecture) + ".list", max_list);
    if (!text && text.error().code == ErrorCode::not_found) return {};  // dpkg says so, and goes on
    return text;
}

// Files that dpkg puts elsewhere (dpkg-divert): three lines for each: the file, where it goes, whose it is.
Result<std::vector<std::string>> diverted_files(const std::string& admindir) {
    const auto text = read_text(admindir + "/diversions", max_list);
    if (!text && text.error().code == ErrorCode::not_found) return {};
    if (!text) return std::unexpected(text.error());
    std::vector<std::string> names;
    std::string_view rest = *text;
    for (int line = 0; const auto part = take_part(rest, '\n'); ++line)
        if (line % 3 == 0) names.push_back(listed_name(*part));
    return names;
}

std::string first_common(std::string_view list, const std::vector<std::string>& files,
                         const std::vector<std::string>& diverted) {
    while (const auto line = take_part(list, '\n')) {
        const std::string name = listed_name(*line);
        if (std::ranges::binary_search(files, name) && std::ranges::find(diverted, name) == diverted.end())
            return std::string(*line);
    }
    return {};
}

}  // namespace

std::vector<bool> needed_packages(const std::vector<Package>& installed, const std::vector<Kept>& kept) {
    const NameIndex index(installed);
    std::vector<bool> needed(installed.size());
    std::vector<std::size_t> open;
    const auto need = [&](std::size_t place) {
        if (!needed[place]) open.push_back(place);
        needed[place] = true;
    };
    for (std::size_t place = 0; place < installed.size(); ++place)
        if (installed[place].present() && is_protected(kept, installed[place].name)) need(place);
    while (!open.empty()) {
        const Package& package = installed[open.back()];
        open.pop_back();
        for (std::string_view groups : {package.pre_depends, package.depends})
            while (auto group = take_part(groups, ','))
                while (const auto part = take_part(*group, '|'))
                    std::ranges::for_each(index.bearers(parse_relation(*part).name), need);
    }
    return needed;
}

Result<std::vector<Loss>> overwrites(const std::string& admindir, const std::vector<Package>& installed,
                                     const std::vector<Kept>& kept, const std::vector<Incoming>& incoming,
                                     bool approved_by_apt) {
    const auto needed = needed_packages(installed, kept);
    const auto diverted = diverted_files(admindir);
    if (!diverted) return std::unexpected(diverted.error());
    std::vector<Loss> losses;
    for (const Incoming& coming : incoming) {
        const auto files = archive_files(coming.file);
        if (!files) return std::unexpected(files.error());
        bool member = approved_by_apt;
        for (std::size_t index = 0; index < installed.size(); ++index)
            member = member || (needed[index] && installed[index].name == coming.name);
        for (std::size_t index = 0; index < installed.size(); ++index) {
            const Package& package = installed[index];
            if (!needed[index] || package.name == coming.name || (member && takes_over(coming, package)))
                continue;
            const auto list = file_list(admindir, package);
            if (!list) return std::unexpected(list.error());
            if (const auto file = first_common(*list, *files, *diverted); !file.empty())
                losses.push_back({std::string(package.name), coming.name + " would overwrite its " + file});
        }
    }
    return losses;
}

}  // namespace pve_rdma::guard
