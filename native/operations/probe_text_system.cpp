#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "operations/probe_text.h"

namespace pve_rdma {

std::string node_text(const NodeReport& report, const TextStyle& style) {
    const System& system = report.system;
    std::vector<std::string> parts;
    if (system.proxmox_version) parts.push_back("Proxmox VE " + *system.proxmox_version);
    if (system.distribution)
        parts.push_back(one_line(*system.distribution));
    else if (system.debian_version)
        parts.push_back("Debian " + one_line(*system.debian_version));
    if (system.kernel_release) parts.push_back("kernel " + one_line(*system.kernel_release));
    if (system.secure_boot) parts.push_back("secure boot: " + *system.secure_boot);
    std::string out = toned(one_line(system.hostname.value_or("this node")), Tone::bold, style) + "\n";
    if (!parts.empty()) out += wrapped(fmt::format("{}", fmt::join(parts, ", ")), 2, style);
    out += wrapped(report.root == "/"
                       ? fmt::format("read {}", report.taken)
                       : fmt::format("read {} from the recorded tree {}", report.taken, report.root),
                   2, style);
    return out;
}

std::string software_text(const NodeReport& report, const TextStyle& style) {
    std::vector<std::string> loaded, packages, storages;
    for (const auto& module : report.system.modules)
        if (module.loaded)
            loaded.push_back(module.origin && *module.origin != "kernel"
                                 ? fmt::format("{} ({})", module.name, *module.origin)
                                 : module.name);
    for (const auto& package : report.system.packages)
        if (package.status == "installed")
            packages.push_back(fmt::format("{} {}", package.name, package.version));
    for (const auto& storage : report.system.storages)
        storages.push_back(fmt::format("{} ({})", storage.id, storage.type));
    std::string out;
    const auto section = [&](std::string_view name, const std::vector<std::string>& words,
                             std::string_view separator) {
        if (!words.empty())
            out += heading(name, style) + wrapped(fmt::format("{}", fmt::join(words, separator)), 2, style);
    };
    section("Modules loaded", loaded, " ");
    section("Packages", packages, ", ");
    section("Storages", storages, ", ");
    return out;
}

std::string sources_text(const NodeReport& report, const TextStyle& style) {
    TextTable table({"SOURCE", "WHY"});
    constexpr std::size_t shown_parts = 5;
    for (const auto& [name, source] : report.sources) {
        const auto with_hint = [](const std::string& text, const std::string& hint) {
            return hint.empty() ? text : fmt::format("{}; {}", text, hint);
        };
        if (source.unavailable)
            table.add(
                {{name, Tone::warning},
                 one_line(with_hint(source.text.value_or(*source.unavailable), source.hint.value_or("")))});
        for (std::size_t i = 0; i < std::min(source.unread.size(), shown_parts); ++i) {
            const Unread& part = source.unread[i];
            table.add({{name, Tone::warning},
                       one_line(with_hint(fmt::format("{}: {}", part.what, part.text), part.hint))});
        }
        if (source.unread.size() > shown_parts)
            table.add({{name, Tone::warning},
                       fmt::format("and {} more: see --json", source.unread.size() - shown_parts)});
    }
    if (table.empty()) return {};
    return heading("Not read", style) + table.render(style);
}

}  // namespace pve_rdma
