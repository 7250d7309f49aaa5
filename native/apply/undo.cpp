#include "apply/undo.h"

#include <fmt/format.h>

namespace pve_rdma {

namespace {

constexpr std::size_t most_notes = 200;  // in the journal
constexpr std::chrono::seconds pause{1};
constexpr int most_pauses = 20;

void undo_live(TransactionHost& host, const StoredTransaction& transaction, Undone& undone) {
    const auto steps = transaction.begun_steps(host.disk);
    if (!steps)
        undone.fail("the steps cannot be read: " + steps.error().text());
    else if (!steps->empty())
        undo_steps(host.kernel, *steps, undone);
}

// What a service says may decide what the kernel takes: an IPoIB interface has its large MTU again once the
// subnet manager carries the group again.
void follow(TransactionHost& host, const StoredTransaction& transaction, Undone& live) {
    for (int attempt = 0; !live.whole && attempt < most_pauses; ++attempt) {
        host.pause(pause);
        live = {};
        undo_live(host, transaction, live);
    }
}

}  // namespace

// What the journal cannot take (the disk is full, or read-only) does not keep the network from being
// restored.
bool undo(TransactionHost& host, StoredTransaction& transaction, UndoScope scope) {
    Journal& journal = transaction.journal();
    std::ignore = journal.add(JournalEvent::undoing);
    Undone undone, live;
    if (scope == UndoScope::all) undo_live(host, transaction, live);
    undo_files(host.disk, transaction, undone);
    if (scope == UndoScope::all && undo_restarts(host, transaction, undone)) follow(host, transaction, live);
    undone.add(std::move(live));
    for (std::size_t i = 0; i < undone.notes.size() && i < most_notes; ++i)
        std::ignore =
            journal.add({.event = std::string(to_string(JournalEvent::note)), .text = undone.notes[i]});
    const auto recorded = journal.add(undone.whole ? JournalEvent::restored : JournalEvent::restore_failed);
    if (!recorded || !undone.whole) return false;  // the watchdog is to look at it once more
    if (scope == UndoScope::all) std::ignore = host.watchdog.disarm(transaction.id());
    return true;
}

}  // namespace pve_rdma
