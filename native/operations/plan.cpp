// `pve-rdma plan`
#include "operations/change.h"
#include "operations/result_schema.h"
#include "operations/table.h"

namespace pve_rdma {

namespace {

Reply run(const Request& request) {
    auto proposal = propose(request);
    if (!proposal) return Reply::failed("plan", proposal.error());
    Reply reply;
    reply.operation = "plan";
    answer(*proposal, reply);
    return reply;
}

}  // namespace

const Operation plan_operation{
    .name = "plan",
    .summary = "Say what a change of the network would do, step by step",
    .description =
        "Merges a document of what is wanted with the running network, and prints the steps in their order, "
        "the "
        "change of the files, what speaks against it, and what to beware of. Changes nothing; exit code 1 "
        "when "
        "something is refused.",
    .parameters = change_parameters(),
    .api = {{.method = "POST", .path = "plan"}},  // a document is too long for a GET
    .result_key = "plan",
    .result_schema = plan_schema,
    .run = run,
    .text = proposal_text,
};

}  // namespace pve_rdma
