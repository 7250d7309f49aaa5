// `pve-rdma config edit`
#include <algorithm>
#include <array>
#include <tuple>
#include <utility>

#include "operations/config_change.h"
#include "operations/config_file.h"
#include "operations/config_write.h"
#include "operations/result_schema.h"
#include "operations/table.h"

namespace pve_rdma {

namespace {

std::unexpected<Error> bad(std::string_view subject, std::string message) {
    return std::unexpected(Error{
        .code = ErrorCode::bad_request, .subject = std::string(subject), .message = std::move(message)});
}

using NamedValue = std::pair<std::string, std::string>;

Result<NamedValue> named_value(std::string_view parameter, const std::string& text) {
    const auto equals = text.find('=');
    if (equals == std::string::npos) return bad(parameter, "OPTION=VALUE is expected");
    return NamedValue{text.substr(0, equals), text.substr(equals + 1)};
}

// The parameters that say what is to be done; one of them is given.
struct Kind {
    std::string_view parameter;
    ConfigEdit kind;
};
constexpr std::array<Kind, 7> kinds{{{"set", ConfigEdit::set},
                                     {"add", ConfigEdit::add},
                                     {"unset", ConfigEdit::unset},
                                     {"create", ConfigEdit::create},
                                     {"remove", ConfigEdit::remove},
                                     {"rename", ConfigEdit::rename},
                                     {"source", ConfigEdit::source}}};

Result<AskedEdit> asked_for(const Request& request) {
    AskedEdit asked{.interface = request.text("iface").value_or(""), .family = request.text("family")};
    const Kind* given = nullptr;
    for (const auto& one : kinds) {
        const bool is_given = one.kind == ConfigEdit::remove ? request.flag(one.parameter)
                                                             : request.text(one.parameter).has_value();
        if (is_given && std::exchange(given, &one)) return bad(one.parameter, "one edit at a time");
    }
    if (!given) return bad("set", "one of --set, --add, --unset, --create, --remove, --rename, --source");
    asked.kind = given->kind;
    if (asked.kind != ConfigEdit::source && asked.interface.empty())
        return bad("iface", "is needed: the interface that is changed");
    if (asked.kind == ConfigEdit::remove) return asked;
    asked.value = request.text(given->parameter);
    if (asked.kind == ConfigEdit::set || asked.kind == ConfigEdit::add) {
        auto named = named_value(given->parameter, *asked.value);
        if (!named) return std::unexpected(named.error());
        std::tie(asked.option, asked.value) = std::move(*named);
    } else if (asked.kind == ConfigEdit::unset) {
        const auto named = named_value(given->parameter, *asked.value);
        asked.option = named ? named->first : *asked.value;
        asked.value = named ? std::optional(named->second) : std::nullopt;
    }
    for (const auto& text : request.list("with")) {
        auto named = named_value("with", text);
        if (!named) return std::unexpected(named.error());
        asked.options.push_back(std::move(*named));
    }
    if (!asked.options.empty() && asked.kind != ConfigEdit::create)
        return bad("with", "is of a stanza that is made: --create");
    return asked;
}

// Errors that the change would bring in.
std::vector<eni::Diagnostic> new_errors(const std::vector<eni::Diagnostic>& before,
                                        std::vector<eni::Diagnostic> after) {
    std::erase_if(after, [&](const eni::Diagnostic& one) {
        return one.severity != eni::Severity::error ||
               std::ranges::any_of(before, [&](const eni::Diagnostic& old) {
                   return old.id == one.id && old.file == one.file && old.message == one.message;
               });
    });
    return after;
}

Result<Reply> edit(const Request& request) {
    const auto asked = asked_for(request);
    if (!asked) return std::unexpected(asked.error());
    const std::string path = config_path(request);
    const bool dry_run = request.flag("dry_run");
    std::vector<FileLock> locks;
    if (!dry_run) {
        auto begun = begin_config_change(path);
        if (!begun) return std::unexpected(begun.error());
        locks = std::move(*begun);
    }
    const auto view = read_config(path);
    if (!view) return std::unexpected(view.error());
    if (const auto digest = request.text("digest"); digest && *digest != config_digest(*view))
        return std::unexpected(
            Error{.code = ErrorCode::conflict,
                  .subject = path,
                  .message = "the files are not those of that digest: somebody changed them",
                  .hint = "look at them again: pve-rdma config show"});
    const auto change = config_change(*view, *asked);
    if (!change) return std::unexpected(change.error());

    const auto machine = Machine::open("/");
    if (!machine) return std::unexpected(machine.error());
    MachineFiles files(*machine);
    eni::OverlayFiles with_change(files, {{change->path, change->after}});
    const auto after = eni::read_view(with_change, path);
    if (!after) return std::unexpected(after.error());
    if (std::ranges::find(after->files, change->path, &eni::Document::name) == after->files.end())
        return std::unexpected(Error{.code = ErrorCode::bad_request,
                                     .subject = change->path,
                                     .message = "is where this belongs, and " + path + " does not source it",
                                     .hint = "pve-rdma config edit --source '/etc/network/interfaces.d/*'"});
    const auto diagnostics = interfaces_findings(*after);
    if (const auto errors = new_errors(interfaces_findings(*view), diagnostics);
        !errors.empty() && !request.flag("force"))
        return std::unexpected(Error{.code = ErrorCode::bad_request,
                                     .subject = change->path,
                                     .message = "the file would have an error: " + errors.front().message,
                                     .file = errors.front().file,
                                     .line = errors.front().line,
                                     .column = errors.front().column,
                                     .hint = errors.front().hint});
    Reply reply;
    reply.operation = "config-edit";
    reply.changed = !change->change.empty();
    if (reply.changed && !dry_run)
        if (auto written = write_config(*view, *change, reply.warnings); !written)
            return std::unexpected(written.error());
    reply.config = config_reply(*after, diagnostics);
    reply.config->edited = change->path;
    reply.config->diff =
        eni::unified_diff(change->before.value_or(""), change->change, change->path, change->path);
    return reply;
}

Reply run(const Request& request) {
    auto reply = edit(request);
    return reply ? std::move(*reply) : Reply::failed("config-edit", reply.error());
}

std::string text(const Reply& reply, const TextStyle&) {
    return *reply.config->diff;
}

}  // namespace

const Operation config_edit_operation{
    .name = "config-edit",
    .summary = "Change /etc/network/interfaces",
    .description =
        "Changes one option of one interface, or makes, removes or renames an interface, and prints the "
        "change. Every other octet stays as it is. What Proxmox's editor would break or lose (P_Key "
        "children, further addresses, rdma-metric, rdma-route, rdma-rule) is put into "
        "/etc/network/interfaces.d/pve-rdma, everything else into the main file. Refused while a change of "
        "Proxmox's editor waits, when the files are not those of the digest given, and when the file would "
        "have an error that it does not have now. Nothing is applied to the running network.",
    .parameters = {config_file_parameter(),
                   {.name = "iface", .description = "The interface that is changed.", .placeholder = "NAME"},
                   {.name = "family",
                    .description = "Which of its stanzas, when there are several; of a new one: inet.",
                    .placeholder = "FAMILY",
                    .choices = {"inet", "inet6"}},
                   {.name = "set",
                    .description = "Give an option a value, in place of the one it has.",
                    .placeholder = "OPTION=VALUE"},
                   {.name = "add",
                    .description = "Add a further line of an option: address, rdma-route, post-up.",
                    .placeholder = "OPTION=VALUE"},
                   {.name = "unset",
                    .description = "Remove an option, or that line of it.",
                    .placeholder = "OPTION[=VALUE]"},
                   {.name = "create",
                    .description = "Make a stanza with this method: static, manual, dhcp.",
                    .placeholder = "METHOD"},
                   {.name = "with",
                    .type = ParameterType::list,
                    .description = "Options of the stanza that is made.",
                    .placeholder = "OPTION=VALUE",
                    .commas = false},
                   {.name = "remove",
                    .type = ParameterType::flag,
                    .description = "Remove the interface; with a family, that stanza."},
                   {.name = "rename",
                    .description = "Give the interface another name, also where others name it.",
                    .placeholder = "NEW"},
                   {.name = "source",
                    .description = "Source a file or a pattern of files.",
                    .placeholder = "PATH"},
                   {.name = "digest",
                    .description = "Change nothing unless the files still have this digest (config show).",
                    .placeholder = "DIGEST"},
                   {.name = "dry_run",
                    .type = ParameterType::flag,
                    .description = "Print the change and write nothing."},
                   {.name = "force",
                    .type = ParameterType::flag,
                    .description = "Write also when the file would then have an error."}},
    .effect = Effect::write,
    // Not in the API: an option may be a command (post-up) that root then runs.
    .result_key = "config",
    .result_schema = config_schema,
    .run = run,
    .text = text,
};

}  // namespace pve_rdma
