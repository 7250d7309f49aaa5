// Collects what the rules say.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "doctor/finding.h"
#include "doctor/rule.h"

namespace pve_rdma::doctor {

class Findings {
  public:
    // Whatever is added next is said by this rule of this node; an empty name: of no single node.
    void speak_for(const Rule& rule, const std::string& node) {
        rule_ = &rule;
        node_ = node;
    }

    // A finding with the rule's severity and remedy; the reference is good until the next call.
    Finding& add(std::string subject, std::string message);
    // The rule could not decide, for a reason that is the same for all that lack it.
    void unknown(const std::string& reason);

    std::vector<Finding>& found() { return found_; }
    std::vector<Unjudged> unjudged() const;

  private:
    struct Lack {
        std::set<std::string, std::less<>> rules, nodes;
    };
    const Rule* rule_ = nullptr;
    std::string node_;
    std::vector<Finding> found_;
    std::map<std::string, Lack> lacks_;
};

}  // namespace pve_rdma::doctor
