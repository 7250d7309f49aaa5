#include "guard/database.h"

#include <algorithm>

#include "guard/stanza.h"

namespace pve_rdma::guard {

namespace {

Package parse_package(std::string_view stanza) {
    Package package;
    while (const auto field = take_field(stanza)) {
        const auto is = [&](std::string_view name) { return same_name(field->name, name); };
        if (is("Package"))
            package.name = field->value;
        else if (is("Architecture"))
            package.architecture = field->value;
        else if (is("Version"))
            package.version = field->value;
        else if (is("Depends"))
            package.depends = field->value;
        else if (is("Pre-Depends"))
            package.pre_depends = field->value;
        else if (is("Provides"))
            package.provides = field->value;
        else if (is("Conflicts"))
            package.conflicts = field->value;
        else if (is("Status")) {  // "install ok installed"
            package.want = field->value.substr(0, field->value.find(' '));
            package.state = field->value.substr(field->value.rfind(' ') + 1);
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
