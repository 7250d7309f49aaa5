#include "observe/interfaces_file.h"

#include <algorithm>
#include <cctype>

#include "eni/check.h"
#include "eni/known_options.h"
#include "observe/sysfs_values.h"
#include "wishes/wishes.h"

namespace pve_rdma {

namespace {

constexpr const char* source_name = "interfaces";

const char* kind_word(eni::LineKind kind) {
    switch (kind) {
        case eni::LineKind::mapping:
            return "mapping";
        case eni::LineKind::template_stanza:
            return "template";
        case eni::LineKind::vlan:
            return "vlan";
        default:
            return "iface";
    }
}

std::vector<std::string> printed(const std::vector<std::string>& words) {
    std::vector<std::string> result;
    for (const auto& word : words)
        result.push_back(printable(word));
    return result;
}

std::optional<std::string> given(const std::string& word) {
    return word.empty() ? std::nullopt : std::optional(printable(word));
}

// A hook's command may carry a password as well.
bool secret(const eni::Option& option) {
    if (eni::secret_option(option.name)) return true;
    std::string value = option.value;
    std::ranges::transform(value, value.begin(), [](unsigned char c) { return std::tolower(c); });
    return std::ranges::any_of(
        std::initializer_list<const char*>{"passw", "passphrase", "psk", "secret", "token"},
        [&](const char* word) { return value.find(word) != std::string::npos; });
}

InterfacesStanza stanza_facts(const eni::View& view, const eni::Stanza& stanza) {
    InterfacesStanza facts;
    facts.kind = kind_word(stanza.kind);
    facts.name = printable(stanza.name);
    facts.family = given(stanza.family);
    facts.method = given(stanza.method);
    if (const auto* interface = view.find(stanza.name);
        interface && (stanza.kind == eni::LineKind::iface || stanza.kind == eni::LineKind::vlan)) {
        facts.automatic = interface->automatic;
        facts.allow = printed(interface->allow);
    }
    facts.inherits = printed(stanza.inherits);
    facts.line = stanza.place.number;
    for (const auto& option : stanza.options) {
        facts.options.push_back({printable(option.name), std::nullopt, option.place.number});
        if (!secret(option)) facts.options.back().value = printable(option.value);
    }
    return facts;
}

}  // namespace

Result<std::string> MachineFiles::read(const std::string& path, std::size_t limit) {
    auto content = machine_.bytes(path, limit + 1);
    if (content && content->size() > limit)
        return std::unexpected(
            Error{.code = ErrorCode::malformed,
                  .subject = path,
                  .message = "larger than the limit of " + std::to_string(limit) + " octets"});
    return content;
}

Result<std::vector<std::string>> MachineFiles::list(const std::string& folder) {
    return machine_.list(folder);
}

std::vector<InterfacesFile> interfaces_facts(const eni::View& view,
                                             const std::vector<eni::Diagnostic>& diagnostics) {
    std::vector<InterfacesFile> files(view.files.size());
    for (std::size_t index = 0; index < files.size(); ++index)
        files[index].path = view.files[index].name();
    for (const auto& stanza : view.stanzas)
        files[stanza.place.file].stanzas.push_back(stanza_facts(view, stanza));
    for (const auto& mention : view.mentions)
        if (mention.kind == eni::LineKind::automatic)
            for (const auto& name : mention.names)
                files[mention.place.file].automatic.push_back(printable(name));
    for (const auto& source : view.sources) {
        auto& facts = files[source.place.file].sources.emplace_back();
        facts.pattern = printable(source.pattern);
        facts.directory = source.directory;
        facts.line = source.place.number;
        for (const auto file : source.files)
            facts.files.push_back(view.files[file].name());
    }
    for (const auto& one : diagnostics) {
        const auto file = std::ranges::find(files, one.file, &InterfacesFile::path);
        if (file != files.end())
            file->diagnostics.push_back({one.id, std::string(to_string(one.severity)), one.line, one.column,
                                         printable(one.message), printable(one.hint)});
    }
    return files;
}

std::vector<eni::Diagnostic> interfaces_findings(const eni::View& view) {
    auto findings = eni::check(view);
    for (auto& finding : ifup::check_wishes(view))
        findings.push_back(std::move(finding));
    return findings;
}

void observe_interfaces(const Machine& machine, NodeReport& report) {
    MachineFiles files(machine);
    const auto view = eni::read_view(files, interfaces_path);
    if (!view) {
        report.sources[source_name] = Source::failed(view.error());
        return;
    }
    Source& source = report.sources[source_name];
    for (const auto& unread : view->unreadable)
        if (unread.error.code != ErrorCode::not_found) source.unread.push_back(Unread::from(unread.error));
    report.interfaces_files = interfaces_facts(*view, interfaces_findings(*view));
    report.interfaces_files.front().pending = machine.exists(std::string(interfaces_path) + ".new");
}

}  // namespace pve_rdma
