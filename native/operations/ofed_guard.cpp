// `pve-rdma ofed guard`
#include <cerrno>

#include <sys/stat.h>

#include <unistd.h>

#include "apply/file_lock.h"
#include "apply/run_program.h"
#include "base/file_write.h"
#include "guard/hooks.h"
#include "guard/permit.h"
#include "operations/guard_state.h"
#include "operations/reply.h"
#include "operations/request.h"
#include "operations/result_schema.h"
#include "operations/table.h"

namespace pve_rdma {

namespace {

// A killed apt leaves its wish to remove packages behind, and `dpkg --remove --pending` would carry it out.
Result<void> take_marks_away(const std::vector<std::string>& marked) {
    std::vector<std::string> words{"/usr/bin/apt-mark", "install"};
    words.insert(words.end(), marked.begin(), marked.end());
    const auto ran = run_program(words, std::chrono::minutes(1));
    if (!ran) return std::unexpected(ran.error());
    if (ran->status == 0) return {};
    return std::unexpected(Error{.code = ErrorCode::machine,
                                 .subject = words[0],
                                 .message = "cannot take the marks away: " + ran->output});
}

Result<void> write_hook(const guard::Hook& hook) {
    const std::string path(hook.path);
    if (auto written = write_file(path, hook.text); !written) return written;
    // Whatever the caller's umask: a dpkg that cannot read its configuration complains.
    if (::chmod(path.c_str(), 0644) != 0)
        return std::unexpected(errno_error(errno, path, "cannot set the mode"));
    return {};
}

Result<void> remove_hook(const guard::Hook& hook) {
    const std::string path(hook.path);
    if (::unlink(path.c_str()) != 0 && errno != ENOENT)
        return std::unexpected(errno_error(errno, path, "cannot remove"));
    return {};
}

Result<void> switch_on(const GuardReply& state) {
    if (!state.program_runs)
        return std::unexpected(Error{.code = ErrorCode::unavailable,
                                     .subject = state.program,
                                     .message = "does not run",
                                     .hint = "install the package pve-rdma again"});
    for (std::size_t index = 0; index < guard::hooks.size(); ++index)
        if (state.hooks[index].state != "intact")
            if (auto written = write_hook(guard::hooks[index]); !written) return written;
    guard::take_waiver();
    return state.marked.empty() ? Result<void>{} : take_marks_away(state.marked);
}

Result<void> switch_off() {
    for (auto hook = guard::hooks.rbegin(); hook != guard::hooks.rend(); ++hook)
        if (auto removed = remove_hook(*hook); !removed) return removed;
    return {};
}

Result<Reply> guard_node(const Request& request) {
    const std::string action = *request.text("action");
    const bool once = request.flag("once"), reads = action == "status";
    if (once && action != "off")
        return std::unexpected(
            Error{.code = ErrorCode::bad_request, .subject = "once", .message = "goes with off alone"});
    Reply reply;
    reply.operation = "ofed-guard";
    if (!reads && ::geteuid() != 0)
        return std::unexpected(Error{.code = ErrorCode::permission,
                                     .subject = "ofed guard " + action,
                                     .message = "only root can switch the guard",
                                     .hint = "run as root; `pve-rdma ofed guard status` needs no root"});
    std::optional<FileLock> lock;
    if (!reads) {
        auto taken = take_own_lock("guard");
        if (!taken) return std::unexpected(taken.error());
        lock.emplace(std::move(*taken));
    }
    reply.guard = guard_state(reply.warnings);
    const GuardReply& state = *reply.guard;
    if (action == "on")
        reply.changed = state.state != "on" || !state.marked.empty() || state.waiver;
    else if (action == "off")
        reply.changed = once ? state.state != "off" && !state.waiver : state.state != "off";
    if (once && state.state == "off")
        reply.warnings.emplace_back("the guard is off: there is nothing to waive");
    if (reply.changed && !request.flag("dry_run")) {
        const auto done = action == "on" ? switch_on(state) : once ? guard::grant_waiver() : switch_off();
        if (!done) return std::unexpected(done.error());
        reply.warnings.clear();
        reply.guard = guard_state(reply.warnings);
    }
    reply.ok = reply.guard->state == "off" || (reply.guard->effective && reply.guard->marked.empty());
    return reply;
}

Reply run(const Request& request) {
    auto reply = guard_node(request);
    return reply ? std::move(*reply) : Reply::failed("ofed-guard", reply.error());
}

std::string text(const Reply& reply, const TextStyle& style) {
    return guard_text(*reply.guard, style);
}

}  // namespace

const Operation ofed_guard_operation{
    .name = "ofed-guard",
    .summary = "Keep installers from taking Proxmox VE off the node",
    .description =
        "While the guard is on, dpkg and apt refuse to remove, purge, downgrade or overwrite the packages "
        "that make "
        "a Proxmox VE node, and what those need, whoever asks and with whatever force. Upgrades pass. The "
        "list and "
        "the last refusals are shown; files in /etc/pve-rdma/guard.d add to the list, one pattern a line. "
        "Exit code "
        "1 when the guard is on in part or without effect, or when packages are marked for removal.",
    .parameters = {{.name = "action",
                    .description = "Switch the guard on or off, or show how it stands.",
                    .placeholder = "ACTION",
                    .required = true,
                    .positional = true,
                    .choices = {"on", "off", "status"}},
                   {.name = "once",
                    .type = ParameterType::flag,
                    .description =
                        "With off: let the next action pass that would be refused, within ten minutes, and "
                        "stay on. It is logged."},
                   {.name = "dry_run",
                    .type = ParameterType::flag,
                    .description = "Say whether anything would change, and change nothing."}},
    .effect = Effect::write,
    .api = {{.method = "GET",
             .path = "ofed/guard",
             .without = {"once", "dry_run"},
             .preset = {{"action", "status"}}},
            {.method = "PUT", .path = "ofed/guard", .access = Access::root, .task = true}},
    .ansible = "ofed_guard",
    .result_key = "guard",
    .result_schema = guard_schema,
    .run = run,
    .text = text,
};

}  // namespace pve_rdma
