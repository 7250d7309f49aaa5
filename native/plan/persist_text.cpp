#include "plan/persist_text.h"

#include <cerrno>

#include "plan/text_difference.h"

namespace pve_rdma {

Result<std::optional<std::string>> file_content(eni::FileReader& files, const std::string& path) {
    constexpr std::size_t largest = 1u << 20;
    auto text = files.read(path, largest);
    if (text) return std::move(*text);
    if (text.error().errno_value == ENOENT) return std::nullopt;
    return std::unexpected(text.error());
}

void persist_text(Persistence& out, const std::string& path, const std::optional<std::string>& before,
                  const std::string& after, const std::optional<std::string>& service) {
    const std::string old = before.value_or("");
    if (old == after) return;
    out.diff += eni::unified_diff(old, text_difference(old, after), before ? path : "/dev/null", path);
    out.files.push_back({path, before, after, service});
}

}  // namespace pve_rdma
