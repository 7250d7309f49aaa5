// `pve-rdma probe`
#include "base/file_write.h"
#include "operations/probe_text.h"
#include "operations/reply.h"
#include "operations/reports.h"
#include "operations/request.h"
#include "operations/result_schema.h"
#include "operations/table.h"

namespace pve_rdma {

namespace {

Reply run(const Request& request) {
    const auto from = request.text("from");
    if (from && request.text("root"))
        return Reply::failed("probe", {.code = ErrorCode::bad_request,
                                       .subject = "from",
                                       .message = "a record and a recorded tree cannot both be shown"});
    auto report =
        from ? load_report(*from)
             : observe({.root = request.text("root").value_or("/"), .sections = request.list("sections")});
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
    .parameters =
        {{.name = "sections",
          .type = ParameterType::list,
          .description = "Read only these parts. All but fabric are read when none is named: a walk asks "
                         "every node of the subnet, so it is done only when it is asked for.",
          .placeholder = "SECTION",
          .choices = report_sections()},
         {.name = "record",
          .description = "Write the report to a file that later operations take in place of the machine; "
                         "- is standard output.",
          .placeholder = "FILE",
          .faces = cli_only},
         {.name = "from",
          .description = "Show a recorded report in place of this machine.",
          .placeholder = "FILE",
          .faces = cli_only},
         {.name = "root",
          .description = "Read the files of a recorded tree (sys/, proc/, etc/) in place of this machine.",
          .placeholder = "DIR",
          .faces = cli_only}},
    .api = {{.method = "GET", .path = "report"}},
    .ansible = "node_info",
    .result_key = "report",
    .result_schema = report_schema,
    .run = run,
    .text = text,
};

}  // namespace pve_rdma
