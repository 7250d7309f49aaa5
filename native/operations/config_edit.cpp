// `pve-rdma config edit`
#include <algorithm>

#include "eni/edit.h"
#include "operations/config_file.h"
#include "operations/config_write.h"
#include "operations/result_schema.h"
#include "operations/table.h"

namespace pve_rdma {

namespace {

// What is asked: one option of one interface.
struct Asked {
    std::string interface, option;
    std::optional<std::string> family, value;  // no value: the option goes
};

Result<Asked> asked_for(const Request& request) {
    const auto bad = [](const char* subject, const char* message) {
        return std::unexpected(Error{.code = ErrorCode::bad_request, .subject = subject, .message = message});
    };
    Asked asked{*request.text("iface"), {}, request.text("family"), {}};
    const auto set = request.text("set"), unset = request.text("unset");
    if (set.has_value() == unset.has_value())
        return bad("set", "either --set OPTION=VALUE or --unset OPTION");
    const auto equals = set ? set->find('=') : std::string::npos;
    if (set && equals == std::string::npos) return bad("set", "OPTION=VALUE is expected");
    asked.option = set ? set->substr(0, equals) : *unset;
    if (set) asked.value = set->substr(equals + 1);
    return asked;
}

// The stanza of that name and family that has the option; else the first one of that name and family.
Result<const eni::Stanza*> stanza_for(const eni::View& view, const Asked& asked) {
    const eni::Interface* interface = view.find(asked.interface);
    const eni::Stanza* found = nullptr;
    if (interface)
        for (const auto index : interface->stanzas) {
            const eni::Stanza& stanza = view.stanzas[index];
            if (asked.family && stanza.family != *asked.family) continue;
            const bool has = stanza.find(asked.option);
            if (!found || (has && !found->find(asked.option)))
                found = &stanza;
            else if (has)
                return std::unexpected(
                    Error{.code = ErrorCode::conflict,
                          .subject = asked.option,
                          .message = fmt::format("stands in two stanzas of {}, in lines {} and {}",
                                                 asked.interface, found->place.number, stanza.place.number),
                          .hint = "name the stanza: --family inet or --family inet6"});
        }
    if (found) return found;
    return std::unexpected(Error{.code = ErrorCode::not_found,
                                 .subject = asked.interface,
                                 .message = asked.family ? "there is no stanza of that name and family"
                                                         : "there is no stanza of that name"});
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
    const auto stanza = stanza_for(*view, *asked);
    if (!stanza) return std::unexpected(stanza.error());
    const eni::Document& document = view->files[(*stanza)->place.file];
    const auto change = asked->value
                            ? eni::set_option(document, (*stanza)->index, asked->option, *asked->value)
                            : eni::remove_option(document, (*stanza)->index, asked->option);
    if (!change) return std::unexpected(change.error());
    const auto content = eni::changed_text(document.text(), *change);
    if (!content) return std::unexpected(content.error());

    const auto machine = Machine::open("/");
    if (!machine) return std::unexpected(machine.error());
    MachineFiles files(*machine);
    eni::OverlayFiles with_change(files, {{document.name(), *content}});
    const auto after = eni::read_view(with_change, path);
    if (!after) return std::unexpected(after.error());
    const auto diagnostics = config_findings(*after);
    if (const auto errors = new_errors(config_findings(*view), diagnostics);
        !errors.empty() && !request.flag("force"))
        return std::unexpected(Error{.code = ErrorCode::bad_request,
                                     .subject = asked->option,
                                     .message = "the file would have an error: " + errors.front().message,
                                     .file = errors.front().file,
                                     .line = errors.front().line,
                                     .column = errors.front().column,
                                     .hint = errors.front().hint});
    Reply reply;
    reply.operation = "config-edit";
    reply.changed = !change->empty();
    if (reply.changed && !dry_run)
        if (auto written = write_config(*view, document, *content, reply.warnings); !written)
            return std::unexpected(written.error());
    reply.config = config_reply(*after, diagnostics);
    reply.config->edited = document.name();
    reply.config->diff = eni::unified_diff(document.text(), *change, document.name(), document.name());
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
    .summary = "Change one option in /etc/network/interfaces",
    .description =
        "Sets or removes one option of one interface, and prints the change. Every other octet of the "
        "file stays as it is. Refused while a change of Proxmox's editor waits, when the files are not "
        "those of the digest given, and when the file would have an error that it does not have now. "
        "Nothing is applied to the running network.",
    .parameters = {config_file_parameter(),
                   {.name = "iface",
                    .description = "The interface whose stanza is changed.",
                    .placeholder = "NAME",
                    .required = true},
                   {.name = "family",
                    .description = "Which of its stanzas, when there are several.",
                    .placeholder = "FAMILY",
                    .choices = {"inet", "inet6"}},
                   {.name = "set",
                    .description = "Give an option a value, in place of the one it has.",
                    .placeholder = "OPTION=VALUE"},
                   {.name = "unset", .description = "Remove an option.", .placeholder = "OPTION"},
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
    .result_key = "config",
    .result_schema = config_schema,
    .run = run,
    .text = text,
};

}  // namespace pve_rdma
