#include "doctor/findings.h"

namespace pve_rdma::doctor {

Finding& Findings::add(std::string subject, std::string message) {
    Finding& finding = found_.emplace_back();
    finding.rule = rule_->id;
    finding.severity = rule_->severity;
    if (!node_.empty()) finding.node = node_;
    finding.subject = std::move(subject);
    finding.message = std::move(message);
    finding.remedy = rule_->remedy;
    return finding;
}

void Findings::unknown(const std::string& reason) {
    Lack& lack = lacks_[reason];
    lack.rules.emplace(rule_->id);
    if (!node_.empty()) lack.nodes.insert(node_);
}

std::vector<Unjudged> Findings::unjudged() const {
    std::vector<Unjudged> out;
    for (const auto& [reason, lack] : lacks_)
        out.push_back(
            {reason, {lack.rules.begin(), lack.rules.end()}, {lack.nodes.begin(), lack.nodes.end()}});
    return out;
}

}  // namespace pve_rdma::doctor
