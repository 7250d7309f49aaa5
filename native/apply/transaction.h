// A change of a network, live and persistent together, that undoes itself unless it is confirmed.
//
// The watchdog is armed before the first step. Whatever ends the process, the end is the old state or the new
// one: the watchdog (same boot) undoes the steps and puts the files back; at another boot the kernel's state
// is gone, and the recover service puts the files back before networking reads them. All state is on disk
// (transaction_store.h).
// States: armed -> applying -> verifying -> pending -> confirmed
//                                    \-> rolling back -> restored | restore-failed
//
// Services that read a changed file only when they start are restarted last, and again when the files have
// been put back; not at boot, where they have not started yet.
//
// Undoing spares what is not ours: an object that has neither the value of before nor the one that we gave
// it, and a file with any other content than ours, are left as they are and noted; so is a link that has
// gone. None of that makes a restoration fail. Undoing twice is the same as once.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "apply/disk.h"
#include "apply/file_lock.h"
#include "apply/kernel.h"
#include "apply/restart_service.h"
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
    std::vector<std::string> steps{};          // text of each of the first hundred
    std::uint64_t step_count = 0;
    std::vector<std::string> files{};  // paths
    std::vector<std::string> notes{};  // why it failed; what was left as it is, and why

    template <class Self, class Visit>
    static void fields(Self& self, Visit&& visit) {
        visit("id", self.id);
        visit("state", self.state);
        visit("begun", self.begun);
        visit("deadline_s", self.deadline_s);
        visit("steps", self.steps);
        visit("step_count", self.step_count);
        visit("files", self.files);
        visit("notes", self.notes);
    }
};

// What all of this works on; a test gives its own.
struct TransactionHost {
    using Locks = std::vector<FileLock>;

    Kernel& kernel;
    Disk& disk;
    Watchdog& watchdog;
    std::function<std::chrono::nanoseconds()> now = boot_time;
    std::string boot_id = this_boot();
    std::string store = transaction_store;
    std::function<Result<Locks>()> lock = [] { return take_interfaces_locks(); };
    // A unit of systemd that runs reads its files again; one that does not run is left alone.
    std::function<Result<void>(const std::string& unit)> restart = restart_service;
    std::function<void(std::chrono::nanoseconds)> pause = [](auto time) {
        std::this_thread::sleep_for(time);
    };

    static std::chrono::nanoseconds boot_time();  // CLOCK_BOOTTIME: goes on while the node sleeps
    static std::string this_boot();               // /proc/sys/kernel/random/boot_id
};

struct TransactionRequest {
    std::vector<Step> steps{};
    std::vector<FileChange> files{};
    std::chrono::seconds confirm_within{120};  // 0: confirmed as soon as it is verified
    std::string connection{};  // the caller's SSH_CONNECTION or API connection; empty: a console
    // Asked with the path of a file's new content before it takes the old one's place (replace_file.h).
    std::function<Result<void>(const FileChange&, const std::string& path)> validate{};
    // Asked after the steps; an error rolls back at once. Reach probes stand in it.
    std::function<Result<void>()> verify{};
};

// Runs up to `pending`. The caller holds the locks. An error: nothing is changed, or all is restored again
// (its message says which), or what is not (its hint). ErrorCode::conflict while another transaction is open
// (its id is the subject).
Result<TransactionView> begin_transaction(TransactionHost&, const TransactionRequest&);

// ErrorCode::conflict while a transaction is open: its id is the subject. The caller holds the locks.
Result<void> refuse_while_open(TransactionHost&);

// Where an id may be empty, the open transaction is meant. ErrorCode::not_found when there is none.

// `connection`: of who confirms; the same as the one that asked for the change is refused (conflict), for it
// says nothing about whether the node can still be reached. So is a transaction whose time is over. No locks.
Result<TransactionView> confirm_transaction(TransactionHost&, const std::string& id,
                                            const std::string& connection);
// Also of a transaction that is confirmed, as long as its folder is kept and no other one is open. Takes the
// locks. Not an error, but state restore_failed: what the notes say.
Result<TransactionView> roll_back_transaction(TransactionHost&, const std::string& id);
// At boot, before networking: every transaction of another boot that is not confirmed. Files only; Kernel and
// Watchdog are not asked.
std::vector<TransactionView> recover_transactions(TransactionHost&);
// Newest first. What cannot be read is an entry with a note.
Result<std::vector<TransactionView>> list_transactions(TransactionHost&);

}  // namespace pve_rdma
