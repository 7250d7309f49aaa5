#include "plan/persist_port_types.h"

#include <fmt/format.h>

#include "eni/text_lines.h"
#include "network/port_type.h"
#include "plan/persist_text.h"

namespace pve_rdma {

namespace {

// One line for each port, so that it is found again by its beginning.
std::string key_of(const PortTypeName& name) {
    return fmt::format(
        "ACTION==\"add|bind\", SUBSYSTEM==\"pci\", DRIVER==\"mlx4_core\", KERNEL==\"{}\", ATTR{{{}}}=",
        name.pci, name.attribute());
}

}  // namespace

Result<void> persist_port_types(const Desired& desired, eni::FileReader& files, Persistence& out) {
    if (desired.port_types.empty()) return {};
    const auto before = file_content(files, port_types_file);
    if (!before) return std::unexpected(before.error());
    std::string text = before->value_or(kept_by_us);
    for (const auto& want : desired.port_types) {
        const std::string key = key_of({want.device, want.port});
        const auto is_its_rule = [&](std::string_view line) { return line.starts_with(key); };
        text = eni::with_line(text, is_its_rule, fmt::format("{}\"{}\"", key, want.type));
    }
    persist_text(out, port_types_file, *before, text);
    return {};
}

}  // namespace pve_rdma
