#include "apply/undo.h"

#include <fmt/format.h>

namespace pve_rdma {

namespace {

constexpr std::size_t most_notes = 200;  // in the journal

void undo_live(TransactionHost& host, const StoredTransaction& transaction, Undone& undone) {
    const auto steps = transaction.begun_steps(host.disk);
    if (!steps)
        undone.fail("the steps cannot be read: " + steps.error().text());
    else if (!steps->empty())
        undo_steps(host.kernel, *steps, undone);
}

}  // namespace

// What the journal cannot take (the disk is full, or read-only) does not keep the network from being
// restored.
bool undo(TransactionHost& host, StoredTransaction& transaction, UndoScope scope) {
    Journal& journal = transaction.journal();
    std::ignore = journal.add(JournalEvent::undoing);
    Undone undone;
    if (scope == UndoScope::all) undo_live(host, transaction, undone);
    undo_files(host.disk, transaction, undone);
    if (scope == UndoScope::all) undo_restarts(host, transaction, undone);
    for (std::size_t i = 0; i < undone.notes.size() && i < most_notes; ++i)
        std::ignore =
            journal.add({.event = std::string(to_string(JournalEvent::note)), .text = undone.notes[i]});
    const auto recorded = journal.add(undone.whole ? JournalEvent::restored : JournalEvent::restore_failed);
    if (!recorded || !undone.whole) return false;  // the watchdog is to look at it once more
    if (scope == UndoScope::all) std::ignore = host.watchdog.disarm(transaction.id());
    return true;
}

}  // namespace pve_rdma
