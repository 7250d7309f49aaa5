// What a rule found, and what no rule could decide.
#pragma once

#include <concepts>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "base/describe.h"
#include "doctor/severity.h"

namespace pve_rdma::doctor {

// A fact that a finding rests on.
struct Evidence {
    std::optional<std::string> node;   // when it is of another report than the finding's
    std::string path;                  // JSON pointer into the node report
    std::optional<std::string> value;  // what stands there; left out: nothing does

    template <class Self, class Visit>
    static void fields(Self& self, Visit&& visit) {
        visit("node", self.node);
        visit("path", self.path);
        visit("value", self.value);
    }
    bool operator==(const Evidence&) const = default;
};

struct Finding {
    std::string rule{};  // MTU-05
    Severity severity{};
    Certainty certainty{};
    std::optional<std::string> node{};  // host name; left out for what concerns no single node
    std::string subject{};              // "ib0", "mlx4_0 port 1", "0000:01:00.0", "old-switch port 3"
    std::string message{};              // what is wrong, with the numbers
    std::vector<Evidence> evidence{};
    std::string remedy{};

    template <class Self, class Visit>
    static void fields(Self& self, Visit&& visit) {
        visit("rule", self.rule);
        visit("severity", self.severity);
        visit("certainty", self.certainty);
        visit("node", self.node);
        visit("subject", self.subject);
        visit("message", self.message);
        visit("evidence", self.evidence);
        visit("remedy", self.remedy);
    }
    bool operator==(const Finding&) const = default;

    // The fact at `path` says `value`. In a chain after Findings::add.
    template <class T>
    Finding& because(std::string path, const T& value) {
        if constexpr (Optional<T>) {
            if (!value) return because_absent(std::move(path));
            return because(std::move(path), *value);
        } else if constexpr (Textual<T>) {
            evidence.push_back({{}, std::move(path), value.text()});
        } else {
            evidence.push_back({{}, std::move(path), fmt::format("{}", value)});
        }
        return *this;
    }
    // Nothing stands at `path`, and that is the point.
    Finding& because_absent(std::string path) {
        evidence.push_back({{}, std::move(path), std::nullopt});
        return *this;
    }
    template <class T>
    Finding& because_of(const std::string& other, std::string path, const T& value) {
        because(std::move(path), value);
        evidence.back().node = other;
        return *this;
    }
    Finding& as(Severity level) {
        severity = level;
        return *this;
    }
    Finding& as(Certainty level) {
        certainty = level;
        return *this;
    }
    Finding& do_this(std::string words) {
        remedy = std::move(words);
        return *this;
    }
};

// Why some rules could not decide: unknown is not the same as fine.
struct Unjudged {
    std::string reason;
    std::vector<std::string> rules;
    std::vector<std::string> nodes;

    template <class Self, class Visit>
    static void fields(Self& self, Visit&& visit) {
        visit("reason", self.reason);
        visit("rules", self.rules);
        visit("nodes", self.nodes);
    }
    bool operator==(const Unjudged&) const = default;
};

}  // namespace pve_rdma::doctor
