// The doctor: reports in, findings out. Pure: no IO, no clock; the same reports give the same findings.
// Cost: linear in the size of the reports.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "doctor/cluster.h"
#include "doctor/finding.h"

namespace pve_rdma::doctor {

struct Scope {
    std::vector<std::string> rules{};  // only these; empty: all
    Severity least = Severity::info;
    bool wants(std::string_view rule) const;
};

struct Diagnosis {
    std::vector<Finding> findings;   // worst first, then by node, then in the order of the rules
    std::vector<Unjudged> unjudged;  // what no rule could decide, and why
    bool has_errors() const;
};

Diagnosis diagnose(const Cluster&, const Scope& = {});

}  // namespace pve_rdma::doctor
