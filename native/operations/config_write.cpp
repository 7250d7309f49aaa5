#include "operations/config_write.h"

#include <filesystem>

#include <fmt/format.h>
#include <unistd.h>

#include "apply/replace_file.h"
#include "apply/run_program.h"
#include "observe/interfaces_file.h"

namespace pve_rdma {

namespace {

constexpr std::chrono::seconds ifquery_limit{30};

std::string ifquery_path() {
    for (const char* path : {"/usr/sbin/ifquery", "/sbin/ifquery"})
        if (::access(path, X_OK) == 0) return path;
    return {};
}

// Whether ifquery, of whichever ifupdown, can list the interfaces of a file.
Result<bool> ifquery_reads(const std::string& ifquery, const std::string& path) {
    const auto result = run_program({ifquery, "-a", "-i", path, "--list"}, ifquery_limit);
    if (!result) return std::unexpected(result.error());
    return result->status == 0;
}

// A sourced file cannot be given to ifquery alone: then the main file is asked after the change, too late to
// count. So only a change of the main file is asked about.
Result<void> ask_ifquery(const std::string& before, const std::string& after,
                         std::vector<std::string>& warnings) {
    const std::string ifquery = ifquery_path();
    if (ifquery.empty()) return {};
    const auto new_one = ifquery_reads(ifquery, after);
    if (new_one && *new_one) return {};
    const auto old_one = ifquery_reads(ifquery, before);
    if (new_one && old_one && *old_one)
        return std::unexpected(
            Error{.code = ErrorCode::malformed,
                  .subject = ifquery,
                  .message = "cannot read the file as it would become; it can read it now"});
    warnings.push_back(ifquery + " reads neither the old nor the new file: it was not asked further");
    return {};
}

}  // namespace

Result<std::vector<FileLock>> begin_config_change(const std::string& main_path) {
    std::vector<FileLock> locks;
    if (main_path == interfaces_path) {
        auto taken = take_interfaces_locks();
        if (!taken) return std::unexpected(taken.error());
        locks = std::move(*taken);
    }
    std::error_code ignored;
    if (std::filesystem::exists(std::filesystem::symlink_status(main_path + ".new", ignored)))
        return std::unexpected(
            Error{.code = ErrorCode::conflict,
                  .subject = main_path + ".new",
                  .message = "a change of Proxmox's editor waits to be applied (pending_gui_change)",
                  .hint = "apply or revert it in the node's Network panel first"});
    return locks;
}

Result<void> write_config(const eni::View& view, const eni::Document& file, const std::string& content,
                          std::vector<std::string>& warnings) {
    const auto machine = Machine::open("/");
    if (!machine) return std::unexpected(machine.error());
    MachineFiles files(*machine);
    eni::OverlayFiles with_change(files, {{file.name(), content}});
    if (const auto after = eni::read_view(with_change, view.files.front().name()); !after)
        return std::unexpected(after.error());
    const bool main_file = &file == &view.files.front();
    return replace_file({.path = file.name(),
                         .expected = file.text(),
                         .content = content,
                         .validate = [&](const std::string& path) -> Result<void> {
                             return main_file ? ask_ifquery(file.name(), path, warnings) : Result<void>{};
                         }});
}

}  // namespace pve_rdma
