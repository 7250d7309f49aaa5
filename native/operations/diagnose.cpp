// `pve-rdma diagnose`
#include "doctor/diagnose.h"

#include "doctor/rules.h"
#include "operations/diagnose_text.h"
#include "operations/reply.h"
#include "operations/reports.h"
#include "operations/request.h"
#include "operations/result_schema.h"
#include "operations/table.h"
#include "path/mtu_matrix.h"

namespace pve_rdma {

namespace {

using doctor::Input;
using doctor::Severity;

Result<std::vector<Input>> inputs(const Request& request) {
    const auto files = request.list("report"), documents = request.list("documents");
    const auto root = request.text("root");
    if ((!files.empty() || !documents.empty()) && root)
        return std::unexpected(Error{.code = ErrorCode::bad_request,
                                     .subject = "root",
                                     .message = "reports and a recorded tree cannot both be diagnosed"});
    std::vector<Input> found;
    for (const auto& document : documents) {
        const std::string name = fmt::format("document {}", found.size() + 1);
        auto report = parse_report(document, name);
        if (!report) return std::unexpected(report.error());
        found.push_back({std::move(*report), name});
    }
    if (files.empty() && documents.empty()) {
        const bool live = !root || *root == "/";
        auto report = observe({.root = root.value_or("/"), .fabric = live && !request.flag("no_fabric")});
        if (!report) return std::unexpected(report.error());
        found.push_back({std::move(*report), root.value_or("this node")});
        return found;
    }
    for (const auto& file : files) {
        auto report = load_report(file);
        if (!report) return std::unexpected(report.error());
        found.push_back({std::move(*report), file});
    }
    return found;
}

Reply run(const Request& request) {
    Reply reply;
    reply.operation = "diagnose";
    if (const auto id = request.text("explain")) {
        reply.rule = doctor::RulePage::of(*doctor::find_rule(*id));
        return reply;
    }
    const auto reports = inputs(request);
    if (!reports) return Reply::failed("diagnose", reports.error());
    doctor::Scope scope{.rules = request.list("rule")};
    if (const auto least = request.text("severity")) scope.least = Severity::parse(*least).value();
    const doctor::Cluster cluster(*reports);
    auto diagnosis = doctor::diagnose(cluster, scope);
    if (cluster.nodes().size() > 1) {
        std::vector<NamedReport> newest;
        for (const auto& node : cluster.nodes())
            newest.push_back({node.name, node.report});
        reply.matrix = mtu_matrix(newest);
    }
    reply.ok = !diagnosis.has_errors();
    reply.findings = std::move(diagnosis.findings);
    reply.unjudged = std::move(diagnosis.unjudged);
    return reply;
}

std::string text(const Reply& reply, const TextStyle& style) {
    return reply.rule ? rule_page_text(*reply.rule, style) : diagnosis_text(reply, style);
}

}  // namespace

const Operation diagnose_operation{
    .name = "diagnose",
    .summary = "Say what is wrong with a node or a cluster, why, and what to do",
    .description =
        "Judges this node, one recorded report, or many as a cluster. Each finding names its rule, how sure "
        "it is, the facts it rests on, and a remedy. What is not known is listed as not judged: it is not "
        "fine. Two reports of one host are its history, which counters need. On this node the InfiniBand "
        "fabric is walked too, where root and ib_umad allow it. Changes nothing; exit code 1 when an error "
        "is found.",
    .parameters = {{.name = "report",
                    .type = ParameterType::list,
                    .description = "Reports that pve-rdma probe --record wrote, in place of this machine.",
                    .placeholder = "REPORT",
                    .positional = true,
                    .faces = cli_only},
                   {.name = "documents",
                    .type = ParameterType::list,
                    .description = "Reports as JSON text, in place of this machine.",
                    .placeholder = "JSON",
                    .faces = api_only},
                   {.name = "explain",
                    .description = "Print the page of a rule, and judge nothing.",
                    .placeholder = "RULE",
                    .choices = doctor::rule_ids()},
                   {.name = "severity",
                    .description = "The least severe findings to show.",
                    .placeholder = "SEVERITY",
                    .choices = {"info", "warning", "error"}},
                   {.name = "rule",
                    .type = ParameterType::list,
                    .description = "Judge by these rules only.",
                    .placeholder = "RULE",
                    .choices = doctor::rule_ids()},
                   {.name = "no_fabric",
                    .type = ParameterType::flag,
                    .description =
                        "Do not walk the InfiniBand fabric: a walk asks every node of the subnet."},
                   {.name = "root",
                    .description =
                        "Read the files of a recorded tree (sys/, proc/, etc/) in place of this machine.",
                    .placeholder = "DIR",
                    .faces = cli_only}},
    .api = {{.method = "GET", .path = "findings", .without = {"documents"}}},
    .ansible = "diagnose",
    .result_key = "findings",
    .result_schema = findings_schema,
    .run = run,
    .text = text,
};

}  // namespace pve_rdma
