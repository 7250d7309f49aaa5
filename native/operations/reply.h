// The reply of every operation, the same document on every face ("The reply" in the manual page).
#pragma once

#include "apply/transaction.h"
#include "base/json_visit.h"
#include "base/raw_json.h"
#include "doctor/finding.h"
#include "doctor/rule.h"
#include "facts/mtu.h"
#include "facts/report.h"
#include "mad/fabric.h"
#include "ofed/stack.h"
#include "ofed/verdict.h"
#include "operations/change_reply.h"
#include "operations/config_reply.h"
#include "operations/guard_reply.h"
#include "operations/operation.h"

namespace pve_rdma {

// An Error as the reply shows it.
struct ErrorView {
    std::string code, subject, message;
    std::optional<std::string> errno_name, kernel_text, file, hint;
    std::optional<int> line, column;

    static ErrorView from(const Error&);

    template <class Self, class Visit>
    static void fields(Self& self, Visit&& visit) {
        visit("code", self.code);
        visit("subject", self.subject);
        visit("message", self.message);
        visit("errno", self.errno_name);
        visit("kernel", self.kernel_text);
        visit("file", self.file);
        visit("line", self.line);
        visit("column", self.column);
        visit("hint", self.hint);
    }
};

struct Reply {
    int v = 1;
    std::string operation;
    bool ok = true;
    bool changed = false;
    std::optional<NodeReport> report;                       // probe
    std::optional<FabricSm> sm;                             // fabric-sm
    std::optional<FabricPort> port;                         // fabric-port
    std::optional<FabricWalk> walk;                         // fabric-walk
    std::optional<FabricPath> path;                         // fabric-path
    std::optional<std::vector<doctor::Finding>> findings;   // diagnose
    std::optional<std::vector<doctor::Unjudged>> unjudged;  // diagnose: what no rule could decide, and why
    std::optional<std::vector<MtuCell>> matrix;      // diagnose: between the nodes, when there are several
    std::optional<doctor::RulePage> rule;            // diagnose --explain
    std::optional<MtuAnswer> mtu;                    // mtu
    std::optional<ConfigReply> config;               // config-*
    std::optional<std::vector<PlannedStep>> plan;    // plan, apply
    std::optional<std::string> diff, digest;         // plan, apply: of the interfaces files
    std::optional<std::vector<ErrorView>> refusals;  // plan, apply: what speaks against it
    std::optional<TransactionView> transaction;      // apply, confirm, rollback
    std::optional<std::vector<TransactionView>> transactions;
    std::optional<RawJson> network;          // show: a desired document
    std::optional<GuardReply> guard;         // ofed-guard
    std::optional<ofed::Verdict> ofed;       // ofed-check; its findings stand in findings
    std::optional<ofed::DriverStack> stack;  // ofed-status
    std::optional<RawJson> operations;       // schema
    std::vector<std::string> warnings;
    std::optional<Error> failure;

    // What the command line prints in place of the rendered reply, when the operation says so (fabric walk
    // --dot).
    std::string printed;

    static Reply failed(std::string_view operation, Error error);
    int exit_code() const;

    template <class Self, class Visit>
    static void fields(Self& self, Visit&& visit) {
        visit("v", self.v);
        visit("operation", self.operation);
        visit("ok", self.ok);
        visit("changed", self.changed);
        visit("report", self.report);
        visit("fabric", self.sm);
        visit("fabric", self.port);
        visit("fabric", self.walk);
        visit("fabric", self.path);
        visit("mtu", self.mtu);
        visit("config", self.config);
        visit("transaction", self.transaction);
        visit("transactions", self.transactions);
        visit("plan", self.plan);
        visit("diff", self.diff);
        visit("digest", self.digest);
        visit("refusals", self.refusals);
        visit("network", self.network);
        visit("guard", self.guard);
        visit("ofed", self.ofed);
        visit("ofed", self.stack);
        visit("findings", self.findings);
        visit("unjudged", self.unjudged);
        visit("matrix", self.matrix);
        visit("rule", self.rule);
        visit("operations", self.operations);
        visit("warnings", self.warnings);
        std::optional<ErrorView> error;
        if (self.failure) error = ErrorView::from(*self.failure);
        visit("error", error);
    }
};

// The reply as JSON text; indent < 0 for one line. Always valid UTF-8.
std::string reply_json(const Reply&, int indent);

// The same document as events, for a caller that builds its own values (Perl hashes). See pve_rdma.h.
void visit_reply(const Reply&, JsonVisitor&);

}  // namespace pve_rdma
