#include "apply/watch.h"

#include "apply/undo.h"

namespace pve_rdma {

namespace {

constexpr std::chrono::seconds look_again{1}, first_pause{1};
constexpr int most_attempts = 8;  // the pauses double: two minutes in all

// What failed is tried again, until somebody has begun something else: that may rest on what is there now.
bool is_given_up(TransactionHost& host, const StoredTransaction& transaction) {
    if (transaction.state() != TransactionState::restore_failed) return false;
    const auto ids = transaction_ids(host);
    return ids && !ids->empty() && ids->front() != transaction.id();
}

bool is_over(TransactionHost& host, const StoredTransaction& transaction) {
    return transaction.is_settled() || is_given_up(host, transaction);
}

std::chrono::nanoseconds time_until_undoing(const TransactionHost& host,
                                            const StoredTransaction& transaction) {
    const auto state = transaction.state();
    if (state == TransactionState::rolling_back || state == TransactionState::restore_failed) return {};
    return transaction.time_left(host).value_or(std::chrono::nanoseconds(0));
}

// By the process that has begun it, which holds the locks as long.
bool is_being_carried_out(const StoredTransaction& transaction, const TransactionHost& host) {
    const auto state = transaction.state();
    if (transaction.intent().boot != host.boot_id) return false;
    return state == TransactionState::armed || state == TransactionState::applying ||
           state == TransactionState::verifying;
}

enum class Attempt { over, wait, failed };

// Under the locks, for whoever held them may have changed all.
Attempt try_to_undo(TransactionHost& host, const std::string& id, const Patience& patience) {
    const auto locks = host.lock();
    if (!locks) {
        patience.say(locks.error());
        if (locks.error().code == ErrorCode::conflict) {
            // Taking them has waited long enough for whoever works.
            if (const auto held = StoredTransaction::open(host, id);
                held && is_being_carried_out(*held, host) && time_until_undoing(host, *held).count() == 0)
                patience.end(held->intent().process);
            return Attempt::wait;
        }
        // A folder that is read-only or not there holds no lock; the network must be restored all the same.
    }
    auto transaction = StoredTransaction::open(host, id);
    if (!transaction) return Attempt::failed;
    if (is_over(host, *transaction)) return Attempt::over;
    if (time_until_undoing(host, *transaction).count() > 0) return Attempt::wait;
    if (transaction->decision() == Decision::none) {
        const auto decided = transaction->decide(host.disk, Decision::rolled_back);
        if (decided && *decided == Decision::confirmed) return Attempt::over;
    }
    return undo(host, *transaction, UndoScope::all) ? Attempt::over : Attempt::failed;
}

}  // namespace

Result<TransactionView> watch_transaction(TransactionHost& host, const std::string& id,
                                          const Patience& patience) {
    std::chrono::nanoseconds pause = first_pause;
    for (int failures = 0; failures < most_attempts;) {
        const auto transaction = StoredTransaction::open(host, id);
        if (!transaction && is_absent(transaction.error())) break;
        Attempt attempt = Attempt::failed;
        if (!transaction) {
            patience.say(transaction.error());
        } else if (is_over(host, *transaction)) {
            break;
        } else if (const auto left = time_until_undoing(host, *transaction); left.count() > 0) {
            patience.sleep(std::min<std::chrono::nanoseconds>(left, look_again));
            continue;
        } else {
            attempt = try_to_undo(host, id, patience);
        }
        if (attempt != Attempt::failed) continue;
        ++failures;
        patience.sleep(pause);
        pause *= 2;
    }
    const auto last = StoredTransaction::open(host, id);
    if (!last) return std::unexpected(last.error());
    return last->view(host);
}

}  // namespace pve_rdma
