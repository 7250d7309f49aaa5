#include "apply/transaction_store.h"

#include <cerrno>
#include <chrono>

#include <sys/random.h>

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <unistd.h>

#include "apply/digest.h"
#include "base/json_read.h"
#include "base/json_write.h"

namespace pve_rdma {

namespace {

constexpr std::size_t shown_steps = 100;
constexpr std::size_t largest_intent = 1u << 20, largest_plan = 2u << 30, largest_file = 64u << 20;
// Room for the lines of begin and undo, and for notes.
constexpr std::size_t journal_room = 64u << 10, room_of_one_line = 256;

// A line of the plan.
struct Piece {
    std::vector<Step> steps{};

    template <class Self, class Visit>
    static void fields(Self& self, Visit&& visit) {
        visit("steps", self.steps);
    }
};

std::string_view to_string(Decision decision) {
    return decision == Decision::confirmed ? "confirmed\n" : "rolled back\n";
}

template <class T>
Result<void> read_described(std::string_view text, const std::string& path, std::size_t limit, T& out) {
    const auto value = parse_json(text, path, {.max_octets = limit});
    if (!value) return std::unexpected(value.error());
    JsonReader reader(text, path);
    if (auto read = reader.read(*value, out); !read) return read;
    // A key that we do not know may be one that undoing needs.
    if (const auto unknown = reader.take_unknown(); !unknown.empty())
        return std::unexpected(Error{.code = ErrorCode::malformed,
                                     .message = "was written by another version: it has a key that this one "
                                                "does not know",
                                     .file = path});
    return {};
}

// Sorts by time. Two of one moment differ.
std::string new_id(std::chrono::system_clock::time_point now) {
    std::uint16_t random = 0;
    if (::getentropy(&random, sizeof random) != 0) random = static_cast<std::uint16_t>(::getpid());
    const auto microseconds = std::chrono::duration_cast<std::chrono::microseconds>(now.time_since_epoch() %
                                                                                    std::chrono::seconds(1));
    return fmt::format("{:%Y%m%d-%H%M%S}-{:06}-{:04x}",
                       fmt::gmtime(std::chrono::system_clock::to_time_t(now)), microseconds.count(), random);
}

// An id is a name of a folder below the store, and a part of a unit's name.
bool is_id(std::string_view text) {
    return !text.empty() && text.size() <= 64 && std::ranges::all_of(text, [](char c) {
        return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '-';
    });
}

Result<std::string> plan_text(std::span<const std::span<const Step>> pieces) {
    std::string text;
    for (const auto& piece : pieces) {
        text += json_text(Piece{{piece.begin(), piece.end()}}, -1);
        text += '\n';
    }
    // JSON has no other octets than UTF-8: the writer puts this character in their place.
    if (text.contains("\uFFFD"))
        return std::unexpected(Error{.code = ErrorCode::bad_request,
                                     .message = "a name or value in this plan is not UTF-8, so that the plan "
                                                "could not be undone"});
    return text;
}

std::optional<std::string> digest_of(const std::optional<std::string>& content) {
    return content ? std::optional(sha256(*content)) : std::nullopt;
}

Intent intent_of(const TransactionHost& host, const TransactionRequest& request,
                 std::chrono::nanoseconds deadline, std::chrono::system_clock::time_point now) {
    Intent intent{
        .begun = fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::chrono::system_clock::to_time_t(now))),
        .boot = host.boot_id,
        .deadline = deadline.count(),
        .connection = request.connection,
        .process = Process::self(),
        .step_count = request.steps.size()};
    for (const auto& step : std::span(request.steps).first(std::min(shown_steps, request.steps.size())))
        intent.steps.push_back(step.text());
    for (const auto& file : request.files)
        intent.files.push_back({.path = file.path,
                                .before = digest_of(file.before),
                                .after = digest_of(file.after),
                                .service = file.service});
    return intent;
}

}  // namespace

Result<StoredTransaction> StoredTransaction::create(TransactionHost& host, const TransactionRequest& request,
                                                    std::span<const std::span<const Step>> pieces,
                                                    std::chrono::nanoseconds deadline) {
    const auto plan = plan_text(pieces);
    if (!plan) return std::unexpected(plan.error());
    const auto now = std::chrono::system_clock::now();
    const std::string id = new_id(now), folder = host.store + "/" + id;
    const Intent intent = intent_of(host, request, deadline, now);

    const auto write = [&]() -> Result<StoredTransaction> {
        if (auto done = host.disk.make_folder(folder); !done) return std::unexpected(done.error());
        if (auto done = host.disk.create(folder + "/plan", *plan); !done)
            return std::unexpected(done.error());
        for (std::size_t i = 0; i < request.files.size(); ++i)
            if (const auto& before = request.files[i].before)
                if (auto done = host.disk.create(fmt::format("{}/{}.before", folder, i), *before); !done)
                    return std::unexpected(done.error());
        auto journal =
            Journal::create(host.disk, folder + "/journal",
                            journal_room + room_of_one_line * (pieces.size() + request.files.size()));
        if (!journal) return std::unexpected(journal.error());
        if (auto done = host.disk.create(folder + "/intent.json", json_text(intent, 1)); !done)
            return std::unexpected(done.error());
        StoredTransaction transaction(id, folder, std::move(*journal));
        transaction.intent_ = intent;
        return transaction;
    };
    auto written = write();
    if (!written) std::ignore = host.disk.remove_folder(folder);
    return written;
}

Result<StoredTransaction> StoredTransaction::open(TransactionHost& host, const std::string& id) {
    const std::string folder = host.store + "/" + id, path = folder + "/intent.json";
    const Error none{.code = ErrorCode::not_found, .subject = id, .message = "there is no such transaction"};
    if (!is_id(id)) return std::unexpected(none);
    const auto text = host.disk.read(path, largest_intent);
    if (!text) return std::unexpected(is_absent(text.error()) ? none : text.error());
    auto journal = Journal::open(host.disk, folder + "/journal");
    if (!journal) return std::unexpected(journal.error());
    StoredTransaction transaction(id, folder, std::move(*journal));
    if (auto read = read_described(*text, path, largest_intent, transaction.intent_); !read)
        return std::unexpected(read.error());
    const auto decision = host.disk.read(folder + "/decision", 64);
    if (!decision && !is_absent(decision.error())) return std::unexpected(decision.error());
    if (decision)
        transaction.decision_ =
            *decision == to_string(Decision::confirmed) ? Decision::confirmed : Decision::rolled_back;
    return transaction;
}

Result<void> StoredTransaction::move_deadline(Disk& disk, std::chrono::nanoseconds deadline) {
    const std::string before = json_text(intent_, 1);
    intent_.deadline = deadline.count();
    return disk.replace(
        {.path = folder_ + "/intent.json", .expected = before, .content = json_text(intent_, 1)});
}

Result<Decision> StoredTransaction::decide(Disk& disk, Decision wish) {
    const std::string path = folder_ + "/decision";
    const auto made = disk.create(path, to_string(wish));
    if (made) return decision_ = wish;
    // There was one; or ours is there, and what failed came after that.
    const auto there = disk.read(path, 64);
    if (!there) return std::unexpected(made.error());
    return decision_ = *there == to_string(Decision::confirmed) ? Decision::confirmed : Decision::rolled_back;
}

Result<std::vector<Step>> StoredTransaction::begun_steps(Disk& disk) const {
    std::uint64_t count = 0;
    for (const auto& line : journal_.lines())
        if (line.is(JournalEvent::steps)) count = std::max(count, line.first + line.count);
    std::vector<Step> steps;
    if (count == 0) return steps;
    const std::string path = folder_ + "/plan";
    const auto text = disk.read(path, largest_plan);
    if (!text) return std::unexpected(text.error());
    for (std::string_view rest = *text; !rest.empty() && steps.size() < count;) {
        const std::string_view line = rest.substr(0, rest.find('\n'));
        Piece piece;
        if (auto read = read_described(line, path, largest_plan, piece); !read)
            return std::unexpected(read.error());
        std::ranges::move(piece.steps, std::back_inserter(steps));
        rest.remove_prefix(std::min(rest.size(), line.size() + 1));
    }
    if (steps.size() != count)
        return std::unexpected(Error{.code = ErrorCode::malformed,
                                     .subject = path,
                                     .message = "has other steps than the journal says were begun"});
    return steps;
}

Result<std::string> StoredTransaction::old_content(Disk& disk, std::size_t file) const {
    const std::string path = fmt::format("{}/{}.before", folder_, file);
    auto content = disk.read(path, largest_file);
    if (content && sha256(*content) != intent_.files[file].before)
        return std::unexpected(
            Error{.code = ErrorCode::malformed, .subject = path, .message = "is not what was written there"});
    return content;
}

Result<std::vector<std::string>> transaction_ids(TransactionHost& host) {
    auto names = host.disk.list(host.store);
    if (!names) {
        if (is_absent(names.error())) return std::vector<std::string>{};
        return names;
    }
    std::erase_if(*names, [](const auto& name) { return !is_id(name); });
    std::ranges::reverse(*names);
    return names;
}

void prune_transactions(TransactionHost& host, std::size_t keep) {
    const auto ids = transaction_ids(host);
    if (!ids) return;
    std::size_t closed = 0;
    for (const auto& id : *ids) {
        const auto transaction = StoredTransaction::open(host, id);
        const bool useless =
            transaction ? !transaction->is_open() && ++closed > keep : is_absent(transaction.error());
        if (useless) std::ignore = host.disk.remove_folder(host.store + "/" + id);
    }
}

}  // namespace pve_rdma
