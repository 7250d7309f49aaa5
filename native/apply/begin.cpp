#include <fmt/format.h>

#include "apply/undo.h"
#include "apply/unmet.h"

namespace pve_rdma {

namespace {

constexpr std::size_t longest_piece = 4096, kept_transactions = 20, largest_file = 64u << 20;
constexpr unsigned file_mode = 0644;                // of a new file: they are configuration
constexpr std::chrono::seconds unasked_limit{120};  // for applying what needs no confirmation

Result<void> never_began(TransactionHost& host, StoredTransaction& transaction) {
    const auto decided = transaction.decide(host.disk, Decision::rolled_back);
    if (!decided) return std::unexpected(decided.error());
    undo(host, transaction, UndoScope::all);
    return {};
}

}  // namespace

Result<void> refuse_while_open(TransactionHost& host) {
    const auto ids = transaction_ids(host);
    if (!ids) return std::unexpected(ids.error());
    for (const auto& id : *ids) {
        auto other = StoredTransaction::open(host, id);
        if (!other && is_absent(other.error())) continue;
        if (!other) return std::unexpected(other.error());
        if (other->state() == TransactionState::armed) {
            // We hold the locks: who made it has died before it began anything.
            auto settled = never_began(host, *other);
            if (!settled) return settled;
            continue;
        }
        if (other->is_open())
            return std::unexpected(Error{
                .code = ErrorCode::conflict,
                .subject = id,
                .message = fmt::format("this transaction is still open ({})", to_string(other->state())),
                .hint = "confirm it or roll it back first"});
    }
    return {};
}

namespace {

class Application {
  public:
    Application(TransactionHost& host, const TransactionRequest& request, StoredTransaction& transaction)
        : host_(host), request_(request), transaction_(transaction), journal_(transaction.journal()) {}

    Result<void> run(std::span<const std::span<const Step>> pieces) {
        if (auto done = journal_.add(JournalEvent::armed); !done) return done;
        for (const auto& piece : pieces)
            if (auto done = carry_out(piece); !done) return done;
        for (std::size_t i = 0; i < request_.files.size(); ++i)
            if (auto done = write_file(i); !done) return done;
        if (auto done = restart_services(); !done) return done;
        if (auto done = journal_.add(JournalEvent::verifying); !done) return done;
        if (auto done = verify(); !done) return done;
        return wait();
    }

  private:
    Result<void> in_time() const {
        if (transaction_.time_left(host_)) return {};
        return std::unexpected(Error{.code = ErrorCode::timeout,
                                     .subject = transaction_.id(),
                                     .message = "the change took longer than the time for confirming it"});
    }

    Result<void> carry_out(std::span<const Step> piece) {
        if (auto done = in_time(); !done) return done;
        if (auto done =
                journal_.add({.event = std::string(to_string(JournalEvent::steps)),
                              .first = static_cast<std::uint64_t>(piece.data() - request_.steps.data()),
                              .count = piece.size()});
            !done)
            return done;
        const auto failures = host_.kernel.carry_out(piece);
        if (failures.empty()) return {};
        Error error = failures.front().error;
        error.message = fmt::format("{}: {}", piece[failures.front().index].text(), error.message);
        return std::unexpected(error);
    }

    Result<void> write_file(std::size_t number) {
        const FileChange& file = request_.files[number];
        if (auto done = journal_.add({.event = std::string(to_string(JournalEvent::file)), .first = number});
            !done)
            return done;
        if (file.before && file.after)
            return host_.disk.replace({.path = file.path,
                                       .expected = *file.before,
                                       .content = *file.after,
                                       .validate = [&](const std::string& path) -> Result<void> {
                                           if (!request_.validate) return {};
                                           return request_.validate(file, path);
                                       }});
        if (file.after) return host_.disk.create(file.path, *file.after, file_mode);
        if (auto same = expect(file.path, file.before); !same) return same;
        return host_.disk.remove(file.path);
    }

    Result<void> restart_services() {
        const auto services = services_of(request_.files);
        if (services.empty()) return {};
        if (auto done = journal_.add(JournalEvent::restarting); !done) return done;
        for (const auto& service : services)
            if (auto done = host_.restart(service); !done) return done;
        return {};
    }

    Result<void> expect(const std::string& path, const std::optional<std::string>& content) {
        const auto present = host_.disk.read(path, largest_file);
        if (!present && !is_absent(present.error())) return std::unexpected(present.error());
        if (present.has_value() == content.has_value() && (!content || *present == *content)) return {};
        return std::unexpected(Error{.code = ErrorCode::conflict,
                                     .subject = path,
                                     .message = "was changed by somebody else meanwhile"});
    }

    Result<void> verify() {
        const auto network = host_.kernel.read_for(request_.steps);
        if (!network) return std::unexpected(network.error());
        if (const auto places = unmet(*network, request_.steps); !places.empty())
            return std::unexpected(Error{.code = ErrorCode::machine,
                                         .subject = request_.steps[places.front()].text(),
                                         .message = "the kernel took it, but shows another value"});
        for (const auto& file : request_.files)
            if (auto same = expect(file.path, file.after); !same) return same;
        return request_.verify ? request_.verify() : Result<void>{};
    }

    // The time for confirming begins now.
    Result<void> wait() {
        if (request_.confirm_within.count() == 0) return {};
        if (auto done = transaction_.move_deadline(host_.disk, host_.now() + request_.confirm_within); !done)
            return done;
        return journal_.add(JournalEvent::pending);
    }

    TransactionHost& host_;
    const TransactionRequest& request_;
    StoredTransaction& transaction_;
    Journal& journal_;
};

// What the caller is told: the first error, and what has become of the change.
Error after_undoing(Error error, const TransactionView& view) {
    if (view.state == to_string(TransactionState::restored)) {
        error.message += "; all is as it was before";
        return error;
    }
    error.message += "; not all could be restored";
    error.hint =
        fmt::format("pve-rdma transactions shows what is left; pve-rdma rollback {} tries again", view.id);
    return error;
}

}  // namespace

Result<TransactionView> begin_transaction(TransactionHost& host, const TransactionRequest& request) {
    if (request.steps.empty() && request.files.empty())
        return std::unexpected(
            Error{.code = ErrorCode::bad_request, .message = "there is nothing to change"});
    if (auto alone = refuse_while_open(host); !alone) return std::unexpected(alone.error());
    prune_transactions(host, kept_transactions - 1);

    const auto pieces = pieces_of(request.steps, longest_piece);
    const bool asked = request.confirm_within.count() > 0;
    const auto within = asked ? request.confirm_within : unasked_limit;
    auto transaction = StoredTransaction::create(host, request, pieces, host.now() + within);
    if (!transaction) return std::unexpected(transaction.error());
    auto done = host.watchdog.arm(transaction->id(), within);
    if (done) done = Application(host, request, *transaction).run(pieces);
    if (done && asked) return transaction->view(host);
    if (done) {
        const auto decided = transaction->decide(host.disk, Decision::confirmed);
        if (decided && *decided == Decision::confirmed) {
            std::ignore = host.watchdog.disarm(transaction->id());
            return transaction->view(host);
        }
        done = std::unexpected(decided ? Error{.code = ErrorCode::conflict,
                                               .subject = transaction->id(),
                                               .message = "was rolled back meanwhile"}
                                       : decided.error());
    }
    std::ignore = transaction->journal().add(JournalEvent::failed, done.error());
    std::ignore = transaction->decide(host.disk, Decision::rolled_back);
    undo(host, *transaction, UndoScope::all);
    return std::unexpected(after_undoing(done.error(), transaction->view(host)));
}

}  // namespace pve_rdma
