#include "plan/persist_port_types.h"

#include <cerrno>

#include <fmt/format.h>

#include "eni/text_lines.h"
#include "network/port_type.h"
#include "plan/text_difference.h"

namespace pve_rdma {

namespace {

constexpr std::size_t largest_file = 1u << 20;

// One line for each port, so that it is found again by its beginning.
std::string key_of(const PortTypeName& name) {
    return fmt::format(
        "ACTION==\"add|bind\", SUBSYSTEM==\"pci\", DRIVER==\"mlx4_core\", KERNEL==\"{}\", ATTR{{{}}}=",
        name.pci, name.attribute());
}

std::string with_rule(const std::string& text, const std::string& key, const std::string& type) {
    const std::string line = fmt::format("{}\"{}\"\n", key, type);
    std::string changed;
    bool found = false;
    for (const auto old : eni::text_lines(text)) {
        if (!old.starts_with(key))
            changed += old;
        else if (!std::exchange(found, true))
            changed += line;
    }
    if (found) return changed;
    if (!changed.empty() && !changed.ends_with('\n')) changed += '\n';
    return changed + line;
}

}  // namespace

Result<void> persist_port_types(const Desired& desired, eni::FileReader& files, Persistence& out) {
    if (desired.port_types.empty()) return {};
    const auto before = files.read(port_types_file, largest_file);
    if (!before && before.error().errno_value != ENOENT) return std::unexpected(before.error());
    std::string text = before ? *before : "# Kept by pve-rdma. Edits by hand are kept.\n";
    for (const auto& want : desired.port_types)
        text = with_rule(text, key_of({want.device, want.port}), want.type);
    if (before && *before == text) return {};
    const std::string old = before.value_or("");
    out.diff += eni::unified_diff(old, text_difference(old, text), before ? port_types_file : "/dev/null",
                                  port_types_file);
    out.files.push_back({port_types_file, before ? std::optional(*before) : std::nullopt, text, {}});
    return {};
}

}  // namespace pve_rdma
