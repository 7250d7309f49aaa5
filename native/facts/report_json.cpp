#include "base/json_read.h"
#include "base/json_write.h"
#include "facts/report.h"

namespace pve_rdma {

namespace {

// Links of a walk name nodes by their place: one that is not there must not be followed.
std::optional<std::string> bad_reference(const FabricWalk& walk) {
    const auto pointer = [](std::string_view part, std::size_t i, std::string_view field) {
        return "/" + std::string(part) + "/" + std::to_string(i) + "/" + std::string(field);
    };
    for (std::size_t i = 0; i < walk.nodes.size(); ++i)
        if (walk.nodes[i].duplicate_of && *walk.nodes[i].duplicate_of >= walk.nodes.size())
            return pointer("nodes", i, "duplicate_of");
    for (std::size_t i = 0; i < walk.links.size(); ++i) {
        if (walk.links[i].from.node >= walk.nodes.size()) return pointer("links", i, "from");
        if (walk.links[i].to.node >= walk.nodes.size()) return pointer("links", i, "to");
    }
    return std::nullopt;
}

}  // namespace

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
    for (std::size_t i = 0; i < report.fabric.size(); ++i)
        if (const auto pointer = bad_reference(report.fabric[i])) {
            const Json::Value& walk = (*root)["fabric"][static_cast<Json::ArrayIndex>(i)];
            return std::unexpected(json_error(text, file, walk, "/fabric/" + std::to_string(i) + *pointer,
                                              "there is no such node in the walk"));
        }
    report.unknown = reader.take_unknown();
    return report;
}

}  // namespace pve_rdma
