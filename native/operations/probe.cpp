// `pve-rdma probe`
#include "base/file_write.h"
#include "mad/observe_subnet.h"
#include "observe/node.h"
#include "operations/probe_text.h"
#include "operations/reply.h"
#include "operations/request.h"
#include "operations/result_schema.h"
#include "operations/table.h"

namespace pve_rdma {

namespace {

// MADs are a layer above the observers of one machine, so their section is added here.
constexpr std::string_view subnet_section = "subnet";

std::vector<std::string_view> sections() {
    auto names = node_sections();
    names.push_back(subnet_section);
    return names;
}

Result<NodeReport> load(const std::string& path) {
    const auto here = Machine::open("/");
    const auto text = here->bytes(path, 64u << 20);
    if (!text) return std::unexpected(text.error());
    return parse_report(*text, path);
}

Result<NodeReport> observe(const Request& request) {
    const auto machine = Machine::open(request.text("root").value_or("/"));
    if (!machine) return std::unexpected(machine.error());
    const NodeScope scope{.sections = request.list("sections")};
    NodeReport report = observe_node(*machine, scope);
    if (scope.wants("devices") && scope.wants(subnet_section)) observe_subnet(*machine, report);
    return report;
}

Reply run(const Request& request) {
    const auto from = request.text("from");
    if (from && request.text("root"))
        return Reply::failed("probe", {.code = ErrorCode::bad_request,
                                       .subject = "from",
                                       .message = "a record and a recorded tree cannot both be shown"});
    auto report = from ? load(*from) : observe(request);
    if (!report) return Reply::failed("probe", report.error());
    Reply reply;
    reply.operation = "probe";
    if (const auto path = request.text("record")) {
        const std::string document = report_json(*report) + "\n";
        if (*path == "-") {
            reply.printed = document;
        } else if (const auto written = write_file(*path, document); !written) {
            return Reply::failed("probe", written.error());
        }
    }
    reply.report = std::move(*report);
    return reply;
}

std::string text(const Reply& reply, const TextStyle& style) {
    return probe_text(*reply.report, style);
}

}  // namespace

const Operation probe_operation{
    .name = "probe",
    .summary = "Show a node's RDMA and network hardware",
    .description =
        "Reads what the kernel, the drivers and the cards of this node say, and prints it as one report. "
        "Changes nothing. What could not be read is listed with its reason; most of it needs no root.",
    .parameters = {{.name = "sections",
                    .type = ParameterType::list,
                    .description = "Read only these parts.",
                    .placeholder = "SECTION",
                    .choices = sections()},
                   {.name = "record",
                    .description =
                        "Write the report to a file that later operations take in place of the machine; "
                        "- is standard output.",
                    .placeholder = "FILE",
                    .faces = cli_only},
                   {.name = "from",
                    .description = "Show a recorded report in place of this machine.",
                    .placeholder = "FILE",
                    .faces = cli_only},
                   {.name = "root",
                    .description =
                        "Read the files of a recorded tree (sys/, proc/, etc/) in place of this machine.",
                    .placeholder = "DIR",
                    .faces = cli_only}},
    .api_path = "report",
    .ansible = "node_info",
    .result_key = "report",
    .result_schema = report_schema,
    .run = run,
    .text = text,
};

}  // namespace pve_rdma
