// `pve-rdma apply`
#include "observe/interfaces_file.h"
#include "operations/change.h"
#include "operations/config_write.h"
#include "operations/partition_groups.h"
#include "operations/reach.h"
#include "operations/result_schema.h"
#include "operations/table.h"
#include "operations/transaction_host.h"
#include "operations/transaction_text.h"

namespace pve_rdma {

namespace {

constexpr std::int64_t default_deadline_s = 120;

Result<void> verify(const Proposal& proposal, const Reach& reach, std::vector<std::string>& warnings) {
    if (!services_of(proposal.plan.files).empty()) {
        if (proposal.manages_subnet) {
            if (auto good = wait_for_groups(*proposal.desired.subnet_manager); !good) return good;
        } else {
            warnings.push_back(
                "the subnet manager of this node is not the master: what its files say counts when it is");
        }
    }
    return reach.still();
}

// What the caller names, first: it is asked at the link's full MTU.
Result<std::vector<ReachTarget>> reach_targets(const Proposal& proposal,
                                               const std::vector<std::string>& peers) {
    std::vector<ReachTarget> targets;
    for (const auto& peer : peers) {
        const auto address = IpAddress::parse(peer);
        if (!address) return std::unexpected(address.error());
        targets.push_back({"the peer " + peer, *address, true});
    }
    if (proposal.caller)
        targets.push_back({"the caller's machine " + proposal.caller->text(), *proposal.caller});
    std::ranges::copy(proposal.peers, std::back_inserter(targets));
    return targets;
}

Result<Reply> apply(const Request& request) {
    auto locks = begin_config_change(interfaces_path);
    if (!locks) return std::unexpected(locks.error());
    auto host = NodeHost::open();
    if (!host) return std::unexpected(host.error());
    if (auto free = refuse_while_open(host->transaction_host()); !free) return std::unexpected(free.error());
    // Under the locks: so what is planned is what is carried out.
    auto proposal = propose(request);
    if (!proposal) return std::unexpected(proposal.error());
    Reply reply;
    reply.operation = "apply";
    answer(*proposal, reply);
    if (!reply.ok || proposal->plan.empty()) return reply;

    const bool unconfirmed = request.flag("no_confirm");
    auto targets = reach_targets(*proposal, request.list("peer"));
    if (!targets) return std::unexpected(targets.error());
    auto reach = Reach::before(proposal->plan, std::move(*targets));
    if (!reach) return std::unexpected(reach.error());
    const auto view = begin_transaction(
        host->transaction_host(),
        {.steps = proposal->plan.steps,
         .files = proposal->plan.files,
         .confirm_within = std::chrono::seconds(
             unconfirmed ? 0 : request.integer("confirm_within").value_or(default_deadline_s)),
         .connection = proposal->connection,
         .validate = [&](const FileChange& change,
                         const std::string& path) { return validate_config(change, path, reply.warnings); },
         .verify = [&] { return verify(*proposal, *reach, reply.warnings); }});
    if (!view) return std::unexpected(view.error());
    reply.changed = true;
    reply.transaction = *view;
    return reply;
}

Reply run(const Request& request) {
    auto reply = apply(request);
    return reply ? std::move(*reply) : Reply::failed("apply", reply.error());
}

std::string text(const Reply& reply, const TextStyle& style) {
    return proposal_text(reply, style) + transaction_text(reply, style);
}

std::vector<Parameter> parameters() {
    auto all = change_parameters();
    all.push_back({.name = "confirm_within",
                   .type = ParameterType::integer,
                   .description = "Seconds after which the change is taken back unless it is confirmed.",
                   .placeholder = "SECONDS",
                   .minimum = 5,
                   .maximum = 3600,
                   .default_value = default_deadline_s});
    all.push_back({.name = "no_confirm",
                   .type = ParameterType::flag,
                   .description = "Keep the change once it is verified; nobody has to confirm it."});
    all.push_back({.name = "peer",
                   .type = ParameterType::list,
                   .description = "An address that must answer afterwards if it answered before.",
                   .placeholder = "ADDRESS"});
    return all;
}

}  // namespace

const Operation apply_operation{
    .name = "apply",
    .summary = "Change the network, so that a mistake heals itself",
    .description =
        "Carries out the plan of a document, live and in the files, and verifies it: every object has its "
        "new "
        "value, and gateways, the caller's machine and the peers named still answer. What fails is taken "
        "back at "
        "once. Then the change waits for pve-rdma confirm, over a new connection; without it the node takes "
        "the "
        "change back by itself, also when this program, the connection or the power is gone.",
    .parameters = parameters(),
    .effect = Effect::write,
    .needs_root = true,
    .api = {{.method = "POST", .path = "network", .access = Access::modify, .task = true}},
    .result_key = "transaction",
    .result_schema = transaction_schema,
    .run = run,
    .text = text,
};

}  // namespace pve_rdma
