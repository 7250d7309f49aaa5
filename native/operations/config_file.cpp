#include "operations/config_file.h"

#include <algorithm>
#include <filesystem>

#include "apply/digest.h"

namespace pve_rdma {

Parameter config_file_parameter() {
    return {.name = "file",
            .description = "The file; without it, /etc/network/interfaces.",
            .placeholder = "FILE",
            .positional = true,
            .faces = cli_only};
}

std::string config_path(const Request& request) {
    std::error_code ignored;
    const std::string given = request.text("file").value_or(interfaces_path);
    const auto absolute = std::filesystem::absolute(given, ignored);
    return ignored ? given : absolute.lexically_normal().string();
}

Result<eni::View> read_config(const std::string& path) {
    const auto machine = Machine::open("/");
    if (!machine) return std::unexpected(machine.error());
    MachineFiles files(*machine);
    return eni::read_view(files, path);
}

std::string config_digest(const eni::View& view) {
    std::vector<std::pair<std::string_view, std::string_view>> parts;
    for (const auto& file : view.files)
        parts.emplace_back(file.name(), file.text());
    return files_digest(parts);
}

ConfigReply config_reply(const eni::View& view, const std::vector<eni::Diagnostic>& diagnostics) {
    ConfigReply reply;
    reply.digest = config_digest(view);
    reply.files = interfaces_facts(view, diagnostics);
    std::error_code ignored;
    reply.files.front().pending = std::filesystem::exists(reply.files.front().path + ".new", ignored);
    return reply;
}

std::string render_findings(const eni::View& view, const std::vector<eni::Diagnostic>& diagnostics) {
    std::string text;
    for (const auto& one : diagnostics) {
        const auto file = std::ranges::find(view.files, one.file, &eni::Document::name);
        text += render(one, file == view.files.end() ? "" : std::string_view(file->text()));
    }
    return text;
}

bool has_error(const std::vector<eni::Diagnostic>& diagnostics) {
    return std::ranges::find(diagnostics, eni::Severity::error, &eni::Diagnostic::severity) !=
           diagnostics.end();
}

}  // namespace pve_rdma
