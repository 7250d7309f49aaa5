#include "observe/netlink_dump.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <thread>

#include "observe/netlink_error.h"

namespace pve_rdma {

namespace {

enum class Walk { more, ended };

Error no_answer(const std::string& what) {
    return {.code = ErrorCode::timeout, .subject = what, .message = "the kernel did not answer"};
}

// Calls `each(message) -> Walk` for the messages of a datagram. An error when a length breaks the format.
template <class Each>
Result<Walk> for_each_message(Octets datagram, const std::string& what, Each&& each) {
    while (datagram.size() >= sizeof(nlmsghdr)) {
        NetlinkMessage message;
        std::memcpy(&message.header, datagram.data(), sizeof message.header);
        const std::size_t length = message.header.nlmsg_len;
        if (length < sizeof(nlmsghdr) || length > datagram.size())
            return std::unexpected(Error{.code = ErrorCode::malformed,
                                         .subject = what,
                                         .message = "a message of the kernel does not fit its datagram"});
        message.body = datagram.subspan(sizeof(nlmsghdr), length - sizeof(nlmsghdr));
        if (each(message) == Walk::ended) return Walk::ended;
        datagram = datagram.subspan(std::min(datagram.size(), (length + 3) & ~std::size_t{3}));
    }
    return Walk::more;
}

// Reads one answer. Messages that do not belong to it go to `event`. `interrupted` is set when the kernel
// says that its tables changed.
template <class Take, class Event>
Result<void> read_answer(NetlinkTransport& transport, const std::string& what, std::uint32_t sequence,
                         bool& interrupted, Take&& take, Event&& event) {
    std::optional<Error> refused;
    for (;;) {
        const auto datagram = transport.receive(true);
        if (!datagram) return std::unexpected(datagram.error());
        if (datagram->empty()) return std::unexpected(no_answer(what));
        const auto walked = for_each_message(*datagram, what, [&](const NetlinkMessage& message) {
            const auto& header = message.header;
            if (header.nlmsg_seq != sequence || header.nlmsg_pid != transport.port()) {
                event(message);
                return Walk::more;
            }
            if (header.nlmsg_flags & NLM_F_DUMP_INTR) interrupted = true;
            if (header.nlmsg_type == NLMSG_DONE || header.nlmsg_type == NLMSG_ERROR) {
                refused = netlink_error(message, what);
                return Walk::ended;
            }
            if (header.nlmsg_type == NLMSG_NOOP || header.nlmsg_type == NLMSG_OVERRUN) return Walk::more;
            take(message);
            return header.nlmsg_flags & NLM_F_MULTI ? Walk::more : Walk::ended;
        });
        if (!walked) return std::unexpected(walked.error());
        if (refused) return std::unexpected(*refused);
        if (*walked == Walk::ended) return {};
    }
}

// Throws away what is queued, so that a dump that broke off does not answer the next request.
void forget_rest(NetlinkTransport& transport) {
    for (int datagrams = 0; datagrams < 100'000; ++datagrams) {
        const auto rest = transport.receive(false);
        if (rest ? rest->empty()
                 : rest.error().errno_value != ENOBUFS && rest.error().errno_value != EMSGSIZE)
            return;
    }
}

class DumpRounds {
  public:
    DumpRounds(NetlinkTransport& transport, std::span<NetlinkDump> dumps)
        : transport_(transport), dumps_(dumps), states_(dumps.size()) {}

    std::vector<DumpFailure> run(int rounds) {
        for (int round = 0; round < rounds; ++round) {
            // Changes come in bursts; wait a little longer each time before asking again.
            if (round > 0) std::this_thread::sleep_for(std::chrono::milliseconds(1 << round));
            for (std::size_t i = 0; i < dumps_.size(); ++i)
                if (states_[i].stale) dump(i);
            drain();
            if (std::ranges::none_of(states_, &State::stale)) break;
        }
        std::vector<DumpFailure> failures;
        for (std::size_t i = 0; i < dumps_.size(); ++i)
            if (states_[i].error)
                failures.push_back({dumps_[i].what, *states_[i].error, false});
            else if (states_[i].stale)
                failures.push_back({dumps_[i].what,
                                    {.code = ErrorCode::conflict,
                                     .subject = dumps_[i].what,
                                     .message = "it kept changing while it was read",
                                     .hint = "ask again when the node's network is quiet"},
                                    true});
        return failures;
    }

  private:
    struct State {
        bool stale = true;
        std::optional<Error> error;
    };

    void dump(std::size_t i) {
        NetlinkDump& wanted = dumps_[i];
        State& state = states_[i];
        state = {.stale = false, .error = {}};
        if (wanted.start_over) wanted.start_over();
        if (wanted.wanted && !wanted.wanted()) return;
        const std::uint32_t sequence = transport_.next_sequence();
        wanted.request.set_sequence(sequence);
        if (const auto sent = transport_.send(wanted.request.bytes()); !sent) {
            state.error = sent.error();
            return;
        }
        bool interrupted = false;
        const auto read = read_answer(
            transport_, wanted.what, sequence, interrupted,
            [&](const NetlinkMessage& message) { wanted.message(message); },
            [&](const NetlinkMessage& event) { note(event); });
        if (!read) broke_off(state, read.error());
        if (interrupted) state.stale = true;
    }

    void broke_off(State& state, const Error& error) {
        switch (error.errno_value) {
            case ENOBUFS:  // events, or a part of an answer, are lost: nobody knows which
                all_stale();
                forget_rest(transport_);
                break;
            case EMSGSIZE:
            case EBUSY:  // an earlier dump on this socket has not ended yet
            case EINTR:
                all_stale();
                forget_rest(transport_);
                break;
            default:
                state.error = error;
                forget_rest(transport_);
        }
    }

    void drain() {
        for (int datagrams = 0; datagrams < 100'000; ++datagrams) {
            const auto datagram = transport_.receive(false);
            if (!datagram) {
                all_stale();
                if (datagram.error().errno_value == ENOBUFS || datagram.error().errno_value == EMSGSIZE)
                    continue;
                return;
            }
            if (datagram->empty()) return;
            const auto walked = for_each_message(*datagram, "event", [&](const NetlinkMessage& event) {
                note(event);
                return Walk::more;
            });
            if (!walked) all_stale();
        }
        all_stale();
    }

    void note(const NetlinkMessage& event) {
        for (std::size_t i = 0; i < dumps_.size(); ++i)
            if (!states_[i].stale && dumps_[i].stale_by && dumps_[i].stale_by(event)) states_[i].stale = true;
    }

    // Dumps that the kernel refused stay refused.
    void all_stale() {
        for (auto& state : states_)
            if (!state.error) state.stale = true;
    }

    NetlinkTransport& transport_;
    std::span<NetlinkDump> dumps_;
    std::vector<State> states_;
};

}  // namespace

std::vector<DumpFailure> run_dumps(NetlinkTransport& transport, std::span<NetlinkDump> dumps, int rounds) {
    return DumpRounds(transport, dumps).run(rounds);
}

Result<void> ask(NetlinkTransport& transport, const std::string& what, NetlinkRequest request,
                 const std::function<void(const NetlinkMessage&)>& message) {
    const std::uint32_t sequence = transport.next_sequence();
    request.set_sequence(sequence);
    if (const auto sent = transport.send(request.bytes()); !sent) {
        Error error = sent.error();
        error.subject = what;
        return std::unexpected(error);
    }
    bool interrupted = false;
    return read_answer(transport, what, sequence, interrupted, message, [](const NetlinkMessage&) {});
}

}  // namespace pve_rdma
