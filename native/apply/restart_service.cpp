#include "apply/restart_service.h"

#include <filesystem>

#include <fmt/format.h>

#include "apply/run_program.h"

namespace pve_rdma {

namespace {

constexpr std::chrono::seconds limit{60};

}  // namespace

Result<void> restart_service(const std::string& unit) {
    if (!std::filesystem::is_directory("/run/systemd/system"))
        return std::unexpected(Error{.code = ErrorCode::unavailable,
                                     .subject = unit,
                                     .message = "cannot be restarted: systemd does not run here"});
    // The pattern is systemctl's own; it stands for units that are loaded.
    const std::string instances = unit.substr(0, unit.rfind('.')) + "@*.service";
    const auto done = run_program({"/usr/bin/systemctl", "try-restart", unit, instances}, limit);
    if (!done) return std::unexpected(done.error());
    if (done->status == 0) return {};
    return std::unexpected(Error{
        .code = ErrorCode::machine,
        .subject = unit,
        .message = fmt::format("cannot be restarted: {}", done->output.substr(0, done->output.find('\n'))),
        .hint = fmt::format("systemctl status {}", unit)});
}

}  // namespace pve_rdma
