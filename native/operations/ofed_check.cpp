// `pve-rdma ofed check`
#include <fstream>
#include <iterator>

#include "ofed/node_input.h"
#include "ofed/rules.h"
#include "operations/ofed_text.h"
#include "operations/reply.h"
#include "operations/reports.h"
#include "operations/request.h"
#include "operations/result_schema.h"
#include "operations/table.h"

namespace pve_rdma {

namespace {

constexpr std::size_t max_commands = 64u << 10;

Result<std::string> read_commands(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    if (!file) return std::unexpected(errno_error(errno, path, "cannot read"));
    std::string text(max_commands, '\0');
    file.read(text.data(), static_cast<std::streamsize>(text.size()));
    text.resize(static_cast<std::size_t>(file.gcount()));
    return text;
}

std::vector<std::string_view> rule_ids() {
    std::vector<std::string_view> ids;
    for (const auto& rule : ofed::check_rules())
        ids.push_back(rule.id);
    return ids;
}

Reply run(const Request& request) {
    if (const auto id = request.text("explain")) {
        Reply page;
        page.operation = "ofed-check";
        page.rule = doctor::RulePage::of(ofed::check_rule(*id));
        return page;
    }
    ofed::CheckRequest check;
    check.flags = request.list("installer_flags");
    check.bundles = request.list("bundle");
    check.packages = request.list("packages");
    check.files = request.flag("files");
    check.root = request.text("root").value_or("/");
    if (const auto path = request.text("commands")) {
        auto text = read_commands(*path);
        if (!text) return Reply::failed("ofed-check", text.error());
        check.pasted = std::move(*text);
    }
    if (check.bundles.empty() && check.packages.empty() && !check.pasted)
        return Reply::failed(
            "ofed-check",
            {.code = ErrorCode::bad_request,
             .subject = "bundle",
             .message = "a bundle, packages or commands are to be named",
             .hint = "pve-rdma ofed check MLNX_OFED_LINUX-24.10-2.1.8.0-debian12.5-x86_64.tgz"});
    const auto machine = Machine::open(check.root);
    if (!machine) return Reply::failed("ofed-check", machine.error());
    const auto report = observe({.root = check.root});
    if (!report) return Reply::failed("ofed-check", report.error());
    auto judged = ofed::check_node(check, *report, *machine);
    if (!judged) return Reply::failed("ofed-check", judged.error());
    Reply reply;
    reply.operation = "ofed-check";
    reply.ok = judged->verdict.level != "BLOCK";
    if (request.flag("script")) reply.printed = judged->verdict.script;
    reply.ofed = std::move(judged->verdict);
    reply.findings = std::move(judged->findings);
    reply.unjudged = std::move(judged->unjudged);
    return reply;
}

}  // namespace

const Operation ofed_check_operation{
    .name = "ofed-check",
    .summary = "Say what a vendor's driver would do to this node, and whether it is safe",
    .description =
        "Reads an MLNX_OFED bundle (.tgz, .iso, a folder), Debian packages or a DOCA repository without "
        "running "
        "anything of it, and says what the installer or apt would remove and why, which kernel modules are "
        "replaced "
        "or cannot be loaded afterwards, whether it builds and knows the card, and what to do instead. The "
        "words "
        "behind -- are those for mlnxofedinstall. BLOCK ends with exit code 1; what is not known never "
        "counts as OK. "
        "Changes nothing.",
    .parameters =
        {{.name = "bundle",
          .type = ParameterType::list,
          .description = "The bundle: a .tgz, an .iso, a folder, or .deb files.",
          .placeholder = "BUNDLE",
          .positional = true,
          .faces = static_cast<unsigned>(Face::cli) | static_cast<unsigned>(Face::ansible)},
         {.name = "packages",
          .type = ParameterType::list,
          .description = "Packages of the node's own apt sources in place of a bundle, as doca-ofed.",
          .placeholder = "PACKAGE"},
         {.name = "installer_flags",
          .type = ParameterType::list,
          .description = "The words for mlnxofedinstall.",
          .placeholder = "FLAG",
          .rest = true},
         {.name = "files",
          .type = ParameterType::flag,
          .description =
              "Compare the files of every package with those of the node: it takes some seconds more."},
         {.name = "commands",
          .description =
              "A file of commands that somebody means to run before, as the clean-up of the DOCA guides.",
          .placeholder = "FILE",
          .faces = cli_only},
         {.name = "explain",
          .description = "Print the page of a rule, and check nothing.",
          .placeholder = "RULE",
          .choices = rule_ids()},
         {.name = "script",
          .type = ParameterType::flag,
          .description = "Print the plan as a shell script, for reading; nothing is run.",
          .faces = cli_only},
         {.name = "root",
          .description =
              "Read the files of a recorded tree (sys/, proc/, etc/, var/) in place of this machine.",
          .placeholder = "DIR",
          .faces = cli_only}},
    .api = {{.method = "POST", .path = "ofed/check", .task = true}},
    .ansible = "ofed_check",
    .result_key = "ofed",
    .result_schema = ofed_check_schema,
    .run = run,
    .text = ofed_check_text,
};

}  // namespace pve_rdma
