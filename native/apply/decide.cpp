// Confirming a transaction, or rolling it back, on somebody's wish.
#include <fmt/format.h>

#include "apply/undo.h"

namespace pve_rdma {

namespace {

std::unexpected<Error> refused(const std::string& id, std::string message, std::string hint = {}) {
    return std::unexpected(Error{
        .code = ErrorCode::conflict, .subject = id, .message = std::move(message), .hint = std::move(hint)});
}

Result<std::optional<std::string>> open_id(TransactionHost& host) {
    const auto ids = transaction_ids(host);
    if (!ids) return std::unexpected(ids.error());
    for (const auto& id : *ids)
        if (const auto transaction = StoredTransaction::open(host, id); transaction && transaction->is_open())
            return id;
    return std::nullopt;
}

Result<StoredTransaction> open(TransactionHost& host, std::string id) {
    if (id.empty()) {
        const auto found = open_id(host);
        if (!found) return std::unexpected(found.error());
        if (!*found)
            return std::unexpected(Error{.code = ErrorCode::not_found, .message = "no transaction is open"});
        id = **found;
    }
    return StoredTransaction::open(host, id);
}

constexpr std::chrono::seconds undo_limit{30};

// Undoing what is confirmed is a change as any other: it must come to its end whatever becomes of us. What is
// not confirmed has its watchdog already.
Result<void> begin_undoing(TransactionHost& host, StoredTransaction& transaction) {
    if (transaction.decision() != Decision::confirmed) {
        // Of a disk that refuses, the network is restored all the same.
        const auto decided = transaction.decide(host.disk, Decision::rolled_back);
        if (decided && *decided == Decision::confirmed)
            return refused(transaction.id(), "was confirmed meanwhile");
        return {};
    }
    const auto other = open_id(host);
    if (!other) return std::unexpected(other.error());
    if (*other && **other != transaction.id())
        return refused(**other, "this transaction is still open", "confirm it or roll it back first");
    // The watchdog would end at once if it found no more than a confirmed transaction. Without either, the
    // wish is carried out all the same.
    std::ignore = transaction.journal().add(JournalEvent::undoing);
    std::ignore = host.watchdog.arm(transaction.id(), undo_limit);
    return {};
}

}  // namespace

Result<TransactionView> confirm_transaction(TransactionHost& host, const std::string& id,
                                            const std::string& connection) {
    auto transaction = open(host, id);
    if (!transaction) return std::unexpected(transaction.error());
    const auto state = transaction->state();
    if (state == TransactionState::confirmed) return transaction->view(host);
    if (state != TransactionState::pending)
        return refused(transaction->id(),
                       fmt::format("is {}: only what is pending can be confirmed", to_string(state)));
    if (!connection.empty() && connection == transaction->intent().connection)
        return refused(transaction->id(),
                       "this is the connection that asked for the change: that it still stands does not show "
                       "that the node can be reached",
                       "confirm over a new connection");
    if (!transaction->time_left(host))
        return refused(transaction->id(), "its time is over: it is rolled back");
    const auto decided = transaction->decide(host.disk, Decision::confirmed);
    if (!decided) return std::unexpected(decided.error());
    if (*decided != Decision::confirmed) return refused(transaction->id(), "was rolled back meanwhile");
    std::ignore = host.watchdog.disarm(transaction->id());  // it would find the decision
    return transaction->view(host);
}

Result<TransactionView> roll_back_transaction(TransactionHost& host, const std::string& id) {
    const auto locks = host.lock();
    if (!locks) return std::unexpected(locks.error());
    auto transaction = open(host, id);
    if (!transaction) return std::unexpected(transaction.error());
    if (transaction->state() == TransactionState::restored) return transaction->view(host);
    if (auto begun = begin_undoing(host, *transaction); !begun) return std::unexpected(begun.error());
    undo(host, *transaction, UndoScope::all);
    return transaction->view(host);
}

}  // namespace pve_rdma
