// `pve-rdma transactions`, `pve-rdma confirm`, `pve-rdma rollback`
#include "operations/connection.h"
#include "operations/reply.h"
#include "operations/request.h"
#include "operations/result_schema.h"
#include "operations/table.h"
#include "operations/transaction_host.h"
#include "operations/transaction_text.h"

namespace pve_rdma {

namespace {

Parameter id_parameter() {
    return {.name = "id",
            .description = "The transaction; left out: the one that is open.",
            .placeholder = "ID",
            .positional = true};
}

Reply reply_of(std::string_view operation, const Result<TransactionView>& view, TransactionState wanted) {
    if (!view) return Reply::failed(operation, view.error());
    Reply reply;
    reply.operation = operation;
    reply.changed = true;
    reply.ok = view->state == to_string(wanted);
    reply.transaction = *view;
    return reply;
}

Reply confirm(const Request& request) {
    auto host = NodeHost::open();
    if (!host) return Reply::failed("confirm", host.error());
    const auto machine = Machine::open("/");
    if (!machine) return Reply::failed("confirm", machine.error());
    return reply_of("confirm",
                    confirm_transaction(host->transaction_host(), request.text("id").value_or(""),
                                        calling_connection(*machine)),
                    TransactionState::confirmed);
}

Reply roll_back(const Request& request) {
    auto host = NodeHost::open();
    if (!host) return Reply::failed("rollback", host.error());
    return reply_of("rollback",
                    roll_back_transaction(host->transaction_host(), request.text("id").value_or("")),
                    TransactionState::restored);
}

Reply list(const Request& request) {
    auto host = NodeHost::open();
    if (!host) return Reply::failed("transactions", host.error());
    auto views = list_transactions(host->transaction_host());
    if (!views) return Reply::failed("transactions", views.error());
    if (const auto id = request.text("id")) {
        std::erase_if(*views, [&](const TransactionView& view) { return view.id != *id; });
        if (views->empty())
            return Reply::failed("transactions", {.code = ErrorCode::not_found,
                                                  .subject = *id,
                                                  .message = "there is no such transaction",
                                                  .hint = "the last twenty are kept: pve-rdma transactions"});
    }
    Reply reply;
    reply.operation = "transactions";
    reply.transactions = std::move(*views);
    return reply;
}

}  // namespace

const Operation confirm_operation{
    .name = "confirm",
    .summary = "Keep a change that waits to be confirmed",
    .description =
        "The change stays. It has to be said over another connection than the one that asked for the change: "
        "so it "
        "proves that the node can still be reached.",
    .parameters = {id_parameter()},
    .effect = Effect::write,
    .needs_root = true,
    // No task: who confirms must hear in the same breath that it holds.
    .api = {{.method = "PUT", .path = "transactions/{id}", .access = Access::modify}},
    .result_key = "transaction",
    .result_schema = transaction_schema,
    .run = confirm,
    .text = transaction_text,
};

const Operation rollback_operation{
    .name = "rollback",
    .summary = "Take a change back",
    .description =
        "Undoes the steps of a transaction in reverse order and puts the files back. What somebody else has "
        "changed "
        "since is left as it is, and named. A confirmed change can be taken back too, as long as it is kept "
        "(the "
        "last twenty are).",
    .parameters = {id_parameter()},
    .effect = Effect::write,
    .needs_root = true,
    .api = {{.method = "DELETE", .path = "transactions/{id}", .access = Access::modify, .task = true}},
    .result_key = "transaction",
    .result_schema = transaction_schema,
    .run = roll_back,
    .text = transaction_text,
};

const Operation transactions_operation{
    .name = "transactions",
    .summary = "List changes: those that wait, and the last twenty",
    .description = "Newest first, each with its state, its steps, its files and what was left as it is.",
    .parameters = {{.name = "id", .description = "This one only.", .placeholder = "ID", .positional = true}},
    .needs_root = true,
    .api = {{.method = "GET", .path = "transactions", .without = {"id"}, .children = "id"},
            {.method = "GET", .path = "transactions/{id}"}},
    .result_key = "transactions",
    .result_schema = transactions_schema,
    .run = list,
    .text = transactions_text,
};

}  // namespace pve_rdma
