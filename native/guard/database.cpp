#include "guard/database.h"

#include <algorithm>
#include <optional>

#include "guard/stanza.h"

namespace pve_rdma::guard {

namespace {

struct Member {
    std::string_view name;
    std::string_view Package::* place;
};
constexpr Member members[] = {{"Package", &Package::name},      {"Architecture", &Package::architecture},
                              {"Version", &Package::version},   {"Status", &Package::status},
                              {"Depends", &Package::depends},   {"Pre-Depends", &Package::pre_depends},
                              {"Provides", &Package::provides}, {"Conflicts", &Package::conflicts}};

std::string_view Package::* place_of(std::string_view name) {
    for (const Member& member : members)
        if (member.name.size() == name.size() && (member.name[0] | 0x20) == (name[0] | 0x20) &&
            (member.name == name || same_letters(member.name, name)))
            return member.place;
    return nullptr;
}

// The next stanza of the text, which is shortened by it. One look at each line: a node's file has tens of
// thousands, and every run of dpkg waits for this.
std::optional<Package> take_package(std::string_view& text) {
    while (text.starts_with('\n'))
        text.remove_prefix(1);
    if (text.empty()) return std::nullopt;
    Package package;
    std::string_view Package::* place = nullptr;  // of the field that continuation lines belong to
    while (!text.empty() && text[0] != '\n') {
        const auto end = std::min(text.find('\n'), text.size());
        const auto line = text.substr(0, end);
        text.remove_prefix(std::min(end + 1, text.size()));
        if (line[0] == ' ' || line[0] == '\t') {
            if (place) {
                auto& value = package.*place;
                value = {value.data(), static_cast<std::size_t>(line.data() + line.size() - value.data())};
            }
            continue;
        }
        // No field that counts has a longer name.
        const auto colon = line.substr(0, 13).find(':');
        place = colon == std::string_view::npos || colon == 0 ? nullptr : place_of(line.substr(0, colon));
        if (place) package.*place = line.substr(colon + 1);
    }
    for (const Member& member : members)
        package.*member.place = trimmed(package.*member.place);
    return package;
}

}  // namespace

std::vector<Package> parse_database(std::string_view status, const std::vector<std::string>& notes) {
    std::vector<Package> packages;
    packages.reserve(status.size() / 512);  // room that is not used costs nothing
    while (const auto package = take_package(status))
        packages.push_back(*package);
    for (std::string_view note : notes)
        while (const auto newer = take_package(note)) {
            const auto same = std::ranges::find_if(packages, [&](const Package& one) {
                return one.name == newer->name && one.architecture == newer->architecture;
            });
            if (same == packages.end())
                packages.push_back(*newer);
            else
                *same = *newer;
        }
    return packages;
}

}  // namespace pve_rdma::guard
