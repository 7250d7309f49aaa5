#include "base/json_read.h"
#include "base/json_write.h"
#include "facts/report.h"

namespace pve_rdma {

std::string report_json(const NodeReport& report, int indent) {
    std::string json = json_text(report, indent);
    return report.unknown.empty() ? json : with_unknown_keys(json, report.unknown, "", indent);
}

Result<NodeReport> parse_report(std::string_view text, const std::string& file) {
    auto root = parse_json(text, file);
    if (!root) return std::unexpected(root.error());
    NodeReport report;
    const auto refuse = [&](const char* key, const char* message, const char* hint) {
        Error error = json_error(text, file, (*root)[key], std::string("/") + key, message);
        error.hint = hint;
        return std::unexpected(error);
    };
    if (!root->isMember("kind") || (*root)["kind"] != report.kind)
        return refuse("kind", "not a node report", "a report is written by: pve-rdma probe --record FILE");
    if (!root->isMember("v") || !(*root)["v"].isInt() || (*root)["v"].asInt() < 1)
        return refuse("v", "a node report has a version number \"v\"", "");
    JsonReader reader(text, file);
    if (auto read = reader.read(*root, report); !read) return std::unexpected(read.error());
    report.unknown = reader.take_unknown();
    return report;
}

}  // namespace pve_rdma
