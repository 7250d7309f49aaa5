// Undoing what a transaction has begun: its steps on the kernel, its files on the disk. Each part may have
// been done, half done, not done, or undone before.
#pragma once

#include <algorithm>
#include <iterator>
#include <span>
#include <string>
#include <vector>

#include "apply/transaction_store.h"

namespace pve_rdma {

struct Undone {
    bool whole = true;                 // nothing is left that could still be undone
    std::vector<std::string> notes{};  // what was left as it is, and why; what could not be undone

    void note(std::string text) { notes.push_back(std::move(text)); }
    void add(Undone other) {
        whole = whole && other.whole;
        std::ranges::move(other.notes, std::back_inserter(notes));
    }
    void fail(std::string text) {
        whole = false;
        note(std::move(text));
    }
};

// `steps`: all that were begun, in their order. Where the kernel shows another state than the one of before,
// it is asked again, a few times.
void undo_steps(Kernel&, std::span<const Step> steps, Undone&);
void undo_files(Disk&, const StoredTransaction&, Undone&);
// When the transaction had begun to restart them; true then.
bool undo_restarts(const TransactionHost&, const StoredTransaction&, Undone&);

enum class UndoScope {
    all,
    files,  // at another boot the kernel's state of before is gone
};
// Both, with the journal's lines. When all is done, and the journal says so, it is true and the watchdog is
// disarmed. The caller has decided, and holds the locks.
bool undo(TransactionHost&, StoredTransaction&, UndoScope);

}  // namespace pve_rdma
