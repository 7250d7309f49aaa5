#include "guard/database.h"

#include <algorithm>

#include "guard/stanza.h"

namespace pve_rdma::guard {

namespace {

struct Member {
    std::string_view name;
    std::string_view Package::* place;
};
constexpr Member members[] = {{"Package", &Package::name},
                              {"Architecture", &Package::architecture},
                              {"Version", &Package::version},
                              {"Depends", &Package::depends},
                              {"Pre-Depends", &Package::pre_depends},
                              {"Provides", &Package::provides},
                              {"Conflicts", &Package::conflicts}};

Package parse_package(std::string_view stanza) {
    Package package;
    while (const auto field = take_field(stanza)) {
        for (const Member& member : members)
            if (same_name(field->name, member.name)) package.*member.place = trimmed(field->value);
        if (same_name(field->name, "Status")) {  // "install ok installed"
            const auto words = trimmed(field->value);
            package.want = words.substr(0, words.find(' '));
            package.state = words.substr(words.rfind(' ') + 1);
        }
    }
    return package;
}

}  // namespace

std::vector<Package> parse_database(std::string_view status, const std::vector<std::string>& notes) {
    std::vector<Package> packages;
    packages.reserve(status.size() / 1024);
    while (const auto stanza = take_stanza(status))
        packages.push_back(parse_package(*stanza));
    for (std::string_view note : notes)
        while (const auto stanza = take_stanza(note)) {
            const Package newer = parse_package(*stanza);
            const auto same = std::ranges::find_if(packages, [&](const Package& one) {
                return one.name == newer.name && one.architecture == newer.architecture;
            });
            if (same == packages.end())
                packages.push_back(newer);
            else
                *same = newer;
        }
    return packages;
}

}  // namespace pve_rdma::guard
