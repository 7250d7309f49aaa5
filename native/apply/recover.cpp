// What a boot finds, and the list of what there is.
#include "apply/undo.h"

namespace pve_rdma {

std::vector<TransactionView> recover_transactions(TransactionHost& host) {
    std::vector<TransactionView> recovered;
    const auto locks = host.lock();  // nobody else runs yet
    const auto ids = transaction_ids(host);
    if (!ids) return {{.notes = {ids.error().text()}}};
    for (const auto& id : *ids) {
        auto transaction = StoredTransaction::open(host, id);
        if (!transaction) {
            if (!is_absent(transaction.error()))
                recovered.push_back({.id = id, .notes = {transaction.error().text()}});
            continue;
        }
        if (transaction->is_settled() || transaction->intent().boot == host.boot_id) continue;
        if (transaction->decision() == Decision::none)
            std::ignore = transaction->decide(host.disk, Decision::rolled_back);
        undo(host, *transaction, UndoScope::files);
        recovered.push_back(transaction->view(host));
    }
    return recovered;
}

Result<std::vector<TransactionView>> list_transactions(TransactionHost& host) {
    const auto ids = transaction_ids(host);
    if (!ids) return std::unexpected(ids.error());
    std::vector<TransactionView> views;
    for (const auto& id : *ids) {
        const auto transaction = StoredTransaction::open(host, id);
        if (transaction)
            views.push_back(transaction->view(host));
        else if (!is_absent(transaction.error()))
            views.push_back({.id = id, .notes = {transaction.error().text()}});
    }
    return views;
}

}  // namespace pve_rdma
