// What a transaction's files say about how far it has come.
#include <fstream>

#include <time.h>

#include "apply/transaction_store.h"

namespace pve_rdma {

std::string_view to_string(TransactionState state) {
    switch (state) {
        case TransactionState::armed:
            return "armed";
        case TransactionState::applying:
            return "applying";
        case TransactionState::verifying:
            return "verifying";
        case TransactionState::pending:
            return "pending";
        case TransactionState::confirmed:
            return "confirmed";
        case TransactionState::rolling_back:
            return "rolling_back";
        case TransactionState::restored:
            return "restored";
        case TransactionState::restore_failed:
            return "restore_failed";
    }
    return "restore_failed";
}

// The last line that changes the state; a decision counts for more than how far the steps came.
TransactionState StoredTransaction::state() const {
    auto state = TransactionState::armed;
    for (const auto& line : journal_.lines()) {
        if (line.is(JournalEvent::steps) || line.is(JournalEvent::file)) state = TransactionState::applying;
        if (line.is(JournalEvent::verifying)) state = TransactionState::verifying;
        if (line.is(JournalEvent::pending)) state = TransactionState::pending;
        if (line.is(JournalEvent::undoing)) state = TransactionState::rolling_back;
        if (line.is(JournalEvent::restored)) state = TransactionState::restored;
        if (line.is(JournalEvent::restore_failed)) state = TransactionState::restore_failed;
    }
    const bool undone = journal_.has(JournalEvent::undoing) || journal_.has(JournalEvent::restored) ||
                        journal_.has(JournalEvent::restore_failed);
    if (!undone && decision_ == Decision::confirmed) return TransactionState::confirmed;
    if (!undone && decision_ == Decision::rolled_back) return TransactionState::rolling_back;
    return state;
}

bool StoredTransaction::is_settled() const {
    return state() == TransactionState::confirmed || state() == TransactionState::restored;
}

bool StoredTransaction::is_open() const {
    return !is_settled() && state() != TransactionState::restore_failed;
}

std::optional<std::chrono::nanoseconds> StoredTransaction::time_left(const TransactionHost& host) const {
    const auto left = std::chrono::nanoseconds(intent_.deadline) - host.now();
    if (intent_.boot != host.boot_id || left.count() <= 0) return std::nullopt;
    return left;
}

TransactionView StoredTransaction::view(const TransactionHost& host) const {
    TransactionView view{.id = id_,
                         .state = std::string(to_string(state())),
                         .begun = intent_.begun,
                         .steps = intent_.steps,
                         .step_count = intent_.step_count};
    if (decision_ == Decision::none && is_open()) {
        const auto left = time_left(host).value_or(std::chrono::nanoseconds(0));
        view.deadline_s = std::chrono::ceil<std::chrono::seconds>(left).count();
    }
    for (const auto& file : intent_.files)
        view.files.push_back(file.path);
    for (const auto& line : journal_.lines())
        if (line.is(JournalEvent::failed) || line.is(JournalEvent::note)) view.notes.push_back(line.text);
    return view;
}

std::chrono::nanoseconds TransactionHost::boot_time() {
    timespec now{};
    ::clock_gettime(CLOCK_BOOTTIME, &now);
    return std::chrono::seconds(now.tv_sec) + std::chrono::nanoseconds(now.tv_nsec);
}

std::string TransactionHost::this_boot() {
    std::ifstream file("/proc/sys/kernel/random/boot_id");
    std::string id;
    std::getline(file, id);
    return id;
}

}  // namespace pve_rdma
