#include "operations/transaction_text.h"

#include <fmt/format.h>

namespace pve_rdma {

namespace {

// The sentence for a state; empty for one that is on its way.
std::string what_it_means(const TransactionView& view) {
    if (view.state == "pending")
        return fmt::format(
            "The change is made and verified, and waits: unless it is confirmed within {} s, over a "
            "new\nconnection, the node takes it back by itself.\n  pve-rdma confirm {}\n",
            view.deadline_s.value_or(0), view.id);
    if (view.state == "confirmed") return "The change stays.\n";
    if (view.state == "restored") return "The network and its files are as they were before.\n";
    if (view.state == "restore-failed")
        return "Not everything could be put back: see the notes. pve-rdma rollback " + view.id +
               " tries again.\n";
    return {};
}

}  // namespace

std::string transaction_text(const Reply& reply, const TextStyle&) {
    if (!reply.transaction) return {};
    const TransactionView& view = *reply.transaction;
    std::string text = fmt::format("\nTransaction {}: {}\n", view.id, view.state);
    for (const auto& note : view.notes)
        text += fmt::format("  {}\n", note);
    return text + what_it_means(view);
}

std::string transactions_text(const Reply& reply, const TextStyle&) {
    if (!reply.transactions || reply.transactions->empty()) return "No changes have been made.\n";
    std::string text;
    for (const auto& view : *reply.transactions) {
        text += fmt::format("{}{}  {}  {}", text.empty() ? "" : "\n", view.id, view.begun, view.state);
        if (view.deadline_s) text += fmt::format(" ({} s left)", *view.deadline_s);
        text += '\n';
        for (const auto& step : view.steps)
            text += fmt::format("  {}\n", step);
        if (view.step_count > view.steps.size())
            text += fmt::format("  and {} more\n", view.step_count - view.steps.size());
        for (const auto& file : view.files)
            text += fmt::format("  {}\n", file);
        for (const auto& note : view.notes)
            text += fmt::format("  note: {}\n", note);
    }
    return text;
}

}  // namespace pve_rdma
