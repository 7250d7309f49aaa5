// A change of a network, live and persistent together, that undoes itself unless it is confirmed.
//
// All state is on disk, below STORE/ID/ (design: docs in CONTRIBUTING.md, "Transactions"):
//     intent.json   what was asked, by whom, deadline, boot
//     plan.json     the steps and the files' changes, old and new contents whole
//     journal       one line for each thing begun and done, with a checksum
//     decision      "confirmed" or "rolled back": made with O_EXCL, so the first one decides
// States: armed -> applying -> verifying -> pending -> confirmed
//                                    \-> rolling back -> restored | restore-failed
// The watchdog is armed before the first step. Whatever ends the process, the end is the old state or the new
// one: the watchdog (same boot) undoes the steps and puts the files back; at another boot the kernel's state
// is gone, and the recover service puts the files back before networking reads them.
#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <vector>

#include "apply/disk.h"
#include "apply/kernel.h"
#include "apply/watchdog.h"
#include "network/file_change.h"

namespace pve_rdma {

inline constexpr const char* transaction_store = "/var/lib/pve-rdma/tx";

enum class TransactionState {
    armed,
    applying,
    verifying,
    pending,
    confirmed,
    rolling_back,
    restored,
    restore_failed,
};
std::string_view to_string(TransactionState);

// As replies show it.
struct TransactionView {
    std::string id{}, state{};
    std::string begun{};                       // UTC, RFC 3339
    std::optional<std::int64_t> deadline_s{};  // seconds left until it is rolled back
    std::vector<std::string> steps{};          // text of each
    std::vector<std::string> files{};          // paths
    std::vector<std::string> notes{};          // what could not be restored, and why

    template <class Self, class Visit>
    static void fields(Self& self, Visit&& visit) {
        visit("id", self.id);
        visit("state", self.state);
        visit("begun", self.begun);
        visit("deadline_s", self.deadline_s);
        visit("steps", self.steps);
        visit("files", self.files);
        visit("notes", self.notes);
    }
};

// What all of this works on. Time and boot are CLOCK_BOOTTIME and /proc/sys/kernel/random/boot_id; a test
// gives its own.
struct TransactionHost {
    Kernel& kernel;
    Disk& disk;
    Watchdog& watchdog;
    std::function<std::chrono::nanoseconds()> now;
    std::string boot_id{};
    std::string store = transaction_store;
};

struct TransactionRequest {
    std::vector<Step> steps{};
    std::vector<FileChange> files{};
    std::chrono::seconds confirm_within{120};
    std::string connection{};  // the caller's SSH_CONNECTION or API connection; empty: a console
    // Asked after the steps; an error rolls back at once. Reach probes stand in it.
    std::function<Result<void>()> verify{};
};

// Runs up to `pending`. An error: nothing is changed, or all is restored again (its message says which).
// ErrorCode::conflict while another transaction is open (its id is the subject).
Result<TransactionView> begin_transaction(TransactionHost&, const TransactionRequest&);
// `connection`: of who confirms; the same as the one that asked for the change is refused (conflict), for it
// says nothing about whether the node can still be reached.
Result<TransactionView> confirm_transaction(TransactionHost&, const std::string& id,
                                            const std::string& connection);
// Also of a transaction that is confirmed, as long as its folder is kept and the files are still ours.
Result<TransactionView> roll_back_transaction(TransactionHost&, const std::string& id);
// At boot, before networking: every open transaction of another boot. Kernel is not asked.
std::vector<TransactionView> recover_transactions(TransactionHost&);
// Newest first. What cannot be read is an entry with a note.
Result<std::vector<TransactionView>> list_transactions(TransactionHost&);

}  // namespace pve_rdma
