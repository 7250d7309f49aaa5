#include "plan/persist_sysctls.h"

#include <fmt/format.h>

#include "eni/text_lines.h"
#include "plan/persist_text.h"

namespace pve_rdma {

Result<void> persist_sysctls(const Desired& desired, eni::FileReader& files, Persistence& out) {
    if (desired.sysctl.empty()) return {};
    const auto before = file_content(files, sysctl_file);
    if (!before) return std::unexpected(before.error());
    std::string text = before->value_or(kept_by_us);
    for (const auto& [name, value] : desired.sysctl) {
        const auto sets_it = [&](std::string_view line) {
            return line.substr(0, line.find_first_of(" \t=")) == name;
        };
        text = eni::with_line(text, sets_it, fmt::format("{} = {}", name, value));
    }
    persist_text(out, sysctl_file, *before, text);
    return {};
}

}  // namespace pve_rdma
