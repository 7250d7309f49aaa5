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

// How often ifquery, of whichever ifupdown, complains about a file. ifupdown2's says "error:" for a line that
// it drops, and ends well all the same.
Result<int> ifquery_complaints(const std::string& ifquery, const std::string& path) {
    const auto result = run_program({ifquery, "-a", "-i", path, "--list"}, ifquery_limit);
    if (!result) return std::unexpected(result.error());
    int complaints = result->status == 0 ? 0 : 1;
    for (std::size_t at = 0; (at = result->output.find("error:", at)) != std::string::npos; ++at)
        ++complaints;
    return complaints;
}

// Only a change of the main file is asked about: ifquery reads a sourced file by its name in the main one,
// where the new content does not stand yet.
Result<void> ask_ifquery(const std::string& before, const std::string& after,
                         std::vector<std::string>& warnings) {
    const std::string ifquery = ifquery_path();
    if (ifquery.empty()) return {};
    const auto now = ifquery_complaints(ifquery, after);
    if (now && *now == 0) return {};
    const auto earlier = ifquery_complaints(ifquery, before);
    if (now && earlier && *now > *earlier)
        return std::unexpected(Error{.code = ErrorCode::malformed,
                                     .subject = ifquery,
                                     .message = "complains about the file as it would become, not as it is"});
    warnings.push_back(now ? ifquery + " complains about this file, before the change as after it"
                           : "not asked: " + now.error().text());
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

Result<void> write_config(const eni::View& view, const ConfigChange& change,
                          std::vector<std::string>& warnings) {
    const auto machine = Machine::open("/");
    if (!machine) return std::unexpected(machine.error());
    MachineFiles files(*machine);
    eni::OverlayFiles with_change(files, {{change.path, change.after}});
    if (const auto after = eni::read_view(with_change, view.files.front().name()); !after)
        return std::unexpected(after.error());
    const bool main_file = change.path == view.files.front().name();
    return replace_file({.path = change.path,
                         .expected = change.before,
                         .content = change.after,
                         .validate = [&](const std::string& path) -> Result<void> {
                             return main_file ? ask_ifquery(change.path, path, warnings) : Result<void>{};
                         }});
}

Result<void> validate_config(const FileChange& change, const std::string& path,
                             std::vector<std::string>& warnings) {
    if (change.path != interfaces_path || !change.before) return {};
    return ask_ifquery(change.path, path, warnings);
}

}  // namespace pve_rdma
