// A transaction on the disk: the folder STORE/ID, mode 0700.
//     plan          one line of JSON for each piece of the steps (network/object.h)
//     0.before ...  the old contents of the files, octet by octet
//     journal       what was begun (journal.h)
//     intent.json   what was asked, by whom, until when. Written last: a folder without one never was a
//                   transaction, and one with it has all of the above
//     decision      "confirmed" or "rolled back". Of two who decide at once, the file that is there first
//                   counts
#pragma once

#include <optional>

#include "apply/journal.h"
#include "apply/process.h"
#include "apply/transaction.h"
#include "network/object.h"

namespace pve_rdma {

struct FileIntent {
    std::string path{};
    std::optional<std::string> before{}, after{};  // SHA-256 of the contents; none: no such file
    std::optional<std::string> service{};          // FileChange

    template <class Self, class Visit>
    static void fields(Self& self, Visit&& visit) {
        visit("path", self.path);
        visit("before", self.before);
        visit("after", self.after);
        visit("service", self.service);
    }
};

struct Intent {
    std::string begun{};        // UTC, RFC 3339
    std::string boot{};         // of this boot the deadline is
    std::int64_t deadline = 0;  // nanoseconds of CLOCK_BOOTTIME
    std::string connection{};   // of who asked
    Process process{};          // that carries it out
    std::uint64_t step_count = 0;
    std::vector<std::string> steps{};  // as TransactionView
    std::vector<FileIntent> files{};

    template <class Self, class Visit>
    static void fields(Self& self, Visit&& visit) {
        visit("begun", self.begun);
        visit("boot", self.boot);
        visit("deadline", self.deadline);
        visit("connection", self.connection);
        visit("process", self.process);
        visit("step_count", self.step_count);
        visit("steps", self.steps);
        visit("files", self.files);
    }
};

enum class Decision { none, confirmed, rolled_back };

class StoredTransaction {
  public:
    static Result<StoredTransaction> create(TransactionHost&, const TransactionRequest&,
                                            std::span<const std::span<const Step>> pieces,
                                            std::chrono::nanoseconds deadline);
    static Result<StoredTransaction> open(TransactionHost&, const std::string& id);

    const std::string& id() const { return id_; }
    const Intent& intent() const { return intent_; }
    Journal& journal() { return journal_; }
    const std::vector<JournalLine>& lines() const { return journal_.lines(); }
    Decision decision() const { return decision_; }
    TransactionState state() const;
    bool is_settled() const;  // confirmed and not being undone, or restored
    bool is_open() const;     // neither settled nor given up
    // None when it is over; of another boot it is over.
    std::optional<std::chrono::nanoseconds> time_left(const TransactionHost&) const;
    TransactionView view(const TransactionHost&) const;

    Result<void> move_deadline(Disk&, std::chrono::nanoseconds);
    // What is decided then: `wish`, or what somebody decided before.
    Result<Decision> decide(Disk&, Decision wish);

    // The steps of all pieces that were begun, in order.
    Result<std::vector<Step>> begun_steps(Disk&) const;
    // Of the file with this number.
    Result<std::string> old_content(Disk&, std::size_t file) const;

  private:
    StoredTransaction(std::string id, std::string folder, Journal journal)
        : id_(std::move(id)), folder_(std::move(folder)), journal_(std::move(journal)) {}

    std::string id_, folder_;
    Journal journal_;
    Intent intent_{};
    Decision decision_ = Decision::none;
};

// Newest first: names of folders that may be transactions. None when there is no store.
Result<std::vector<std::string>> transaction_ids(TransactionHost&);
// Removes what is left of transactions that never began, and closed ones but the newest `keep`. Silent: what
// cannot be removed stays.
void prune_transactions(TransactionHost&, std::size_t keep);

}  // namespace pve_rdma
