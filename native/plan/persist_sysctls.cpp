#include "plan/persist_sysctls.h"

#include <cerrno>

#include <fmt/format.h>

#include "plan/text_difference.h"

namespace pve_rdma {

Result<void> persist_sysctls(const Desired& desired, eni::FileReader& files, Persistence& out) {
    if (desired.sysctl.empty()) return {};
    constexpr std::size_t limit = 1 << 20;
    const auto before = files.read(sysctl_file, limit);
    if (!before && before.error().errno_value != ENOENT) return std::unexpected(before.error());
    std::string text = before ? *before : "# Kept by pve-rdma. Edits by hand are kept.\n";
    for (const auto& [name, value] : desired.sysctl) {
        const std::string line = fmt::format("{} = {}\n", name, value);
        bool found = false;
        std::string changed;
        for (std::size_t at = 0; at < text.size();) {
            const std::size_t end = std::min(text.find('\n', at), text.size() - 1) + 1;
            const std::string old = text.substr(at, end - at);
            const auto key_end = old.find_first_of(" \t=");
            at = end;
            if (old.substr(0, key_end) != name)
                changed += old;
            else if (!std::exchange(found, true))
                changed += line;
        }
        if (!changed.empty() && !changed.ends_with('\n')) changed += '\n';
        text = found ? changed : changed + line;
    }
    if (before && *before == text) return {};
    FileChange change{sysctl_file, before ? std::optional(*before) : std::nullopt, text};
    out.diff += eni::unified_diff(before ? *before : "", text_difference(before ? *before : "", text),
                                  before ? sysctl_file : "/dev/null", sysctl_file);
    out.files.push_back(std::move(change));
    return {};
}

}  // namespace pve_rdma
