// Small reports, written as JSON in tests/fixtures, put before the doctor.
#pragma once

#include <fstream>
#include <string>
#include <vector>

#include <fmt/ranges.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "doctor/diagnose.h"

namespace pve_rdma::doctor {

using nlohmann::ordered_json;

inline ordered_json read_fixture(const std::string& name) {
    const std::string path = std::string(PVE_RDMA_SOURCE_DIR) + "/tests/fixtures/" + name;
    std::ifstream file(path);
    if (!file) throw std::runtime_error("cannot read " + path);
    return ordered_json::parse(file);
}

// A report states what its case is about; the rest of a whole one is added: every source was read.
inline ordered_json whole(ordered_json report) {
    ordered_json all{{"v", 1},
                     {"kind", "node-report"},
                     {"taken", "2025-01-01T00:00:00Z"},
                     {"tool", "test"},
                     {"root", "/"}};
    for (const char* source : {"system", "pci", "modules", "packages", "kernel-log", "services", "rtnetlink",
                               "sysfs", "ethtool", "devlink", "rdma-netlink"})
        all["sources"][source] = {{"unread", ordered_json::array()}};
    for (auto& [key, value] : report.items())
        all[key] = value;
    return all;
}

// What a case says of the interfaces file in short: {name, mtu, ipoib_mode, ports}.
inline ordered_json interfaces_file(const ordered_json& links) {
    ordered_json stanzas = ordered_json::array();
    for (const auto& link : links) {
        ordered_json options = ordered_json::array();
        const auto option = [&](const char* name, const std::string& value) {
            options.push_back({{"name", name}, {"value", value}, {"line", 2}});
        };
        if (link.contains("mtu")) option("mtu", std::to_string(link["mtu"].get<unsigned>()));
        if (link.contains("ipoib_mode")) option("ib-mode", link["ipoib_mode"]);
        if (link.contains("ports"))
            option("bridge-ports",
                   fmt::format("{}", fmt::join(link["ports"].get<std::vector<std::string>>(), " ")));
        stanzas.push_back(
            {{"kind", "iface"}, {"name", link["name"]}, {"auto", true}, {"line", 1}, {"options", options}});
    }
    return ordered_json::array({{{"path", "/etc/network/interfaces"}, {"stanzas", stanzas}}});
}

struct Judged {
    std::vector<ordered_json> reports;
    Diagnosis diagnosis;
};

// `what` has "reports", and may have "configured" for the first node.
inline Judged judge(const ordered_json& what) {
    Judged judged;
    std::vector<Input> inputs;
    for (const auto& report : what["reports"]) {
        judged.reports.push_back(whole(report));
        if (inputs.empty() && what.contains("configured"))
            judged.reports.back()["interfaces_files"] = interfaces_file(what["configured"]);
        auto parsed = parse_report(judged.reports.back().dump(1), "case");
        if (!parsed) {
            ADD_FAILURE() << parsed.error().text() << " line " << parsed.error().line << "\n"
                          << report.dump(1);
            return judged;
        }
        EXPECT_TRUE(parsed->unknown.empty())
            << "a key that no report has: " << parsed->unknown.front().pointer << "\n"
            << report.dump();
        judged.reports.back() = ordered_json::parse(report_json(*parsed));  // values as a report writes them
        inputs.push_back({std::move(*parsed), "node " + std::to_string(inputs.size() + 1)});
    }
    const Cluster cluster(inputs);
    judged.diagnosis = diagnose(cluster);
    return judged;
}

inline std::string shown(const Finding& finding) {
    return finding.rule + " " + finding.severity.text() + " " + finding.subject + ": " + finding.message;
}
inline std::string shown(const std::vector<Finding>& findings) {
    std::string out;
    for (const auto& finding : findings)
        out += "  " + shown(finding) + "\n";
    return out;
}

inline bool meets(const Finding& finding, const ordered_json& expected) {
    return finding.rule == expected["rule"].get<std::string>() &&
           finding.severity.text() == expected["severity"].get<std::string>() &&
           finding.subject.starts_with(expected.value("subject", ""));
}

// Every finding says something, and what it rests on stands in the report that it names.
inline void expect_sound(const Judged& judged, const Finding& finding) {
    EXPECT_FALSE(finding.subject.empty()) << shown(finding);
    EXPECT_FALSE(finding.message.empty()) << shown(finding);
    EXPECT_FALSE(finding.remedy.empty()) << shown(finding);
    EXPECT_FALSE(finding.evidence.empty()) << shown(finding);
    for (const auto& evidence : finding.evidence) {
        const ordered_json::json_pointer pointer(evidence.path);
        bool stands = false;
        for (const auto& report : judged.reports) {
            if (!report.contains(pointer)) continue;
            const auto& value = report[pointer];
            const std::string text = value.is_string()         ? value.get<std::string>()
                                     : value.is_number_float() ? fmt::format("{}", value.get<double>())
                                                               : value.dump();
            stands |= !evidence.value || text == *evidence.value;
        }
        if (evidence.value) {
            EXPECT_TRUE(stands) << shown(finding) << "\n  " << evidence.path << " is not " << *evidence.value;
        }
    }
}

}  // namespace pve_rdma::doctor
