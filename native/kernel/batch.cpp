#include "kernel/batch.h"

#include <cerrno>
#include <chrono>
#include <thread>

#include "observe/netlink_dump.h"
#include "observe/netlink_error.h"

namespace pve_rdma {

namespace {

using namespace std::chrono_literals;

// Whether the last answer was among the messages of the datagram.
bool take_answers(Octets datagram, std::uint32_t port, std::uint32_t first, std::size_t count,
                  const std::function<std::string(std::size_t)>& subject, BatchAnswer& answer) {
    bool ended = false;
    while (datagram.size() >= sizeof(nlmsghdr)) {
        NetlinkMessage message;
        std::memcpy(&message.header, datagram.data(), sizeof message.header);
        const std::size_t length = message.header.nlmsg_len;
        if (length < sizeof(nlmsghdr) || length > datagram.size()) break;
        message.body = datagram.subspan(sizeof(nlmsghdr), length - sizeof(nlmsghdr));
        const std::size_t index = message.header.nlmsg_seq - first;
        if (message.header.nlmsg_pid == port && message.header.nlmsg_type == NLMSG_ERROR && index < count) {
            if (auto error = netlink_error(message, subject(index)))
                answer.refused.push_back({index, std::move(*error)});
            ended |= index + 1 == count;
        }
        datagram = datagram.subspan(std::min(datagram.size(), (length + 3) & ~std::size_t{3}));
    }
    return ended;
}

}  // namespace

BatchAnswer send_batch(NetlinkTransport& transport, std::span<NetlinkRequest> requests,
                       const std::function<std::string(std::size_t)>& subject) {
    BatchAnswer answer;
    if (requests.empty()) return answer;
    std::vector<std::byte> messages;
    std::uint32_t first = 0;
    messages.reserve(requests.size() * requests.front().bytes().size());
    requests.back().acknowledged();
    for (auto& request : requests) {
        const std::uint32_t sequence = transport.next_sequence();
        if (messages.empty()) first = sequence;
        request.set_sequence(sequence);
        messages.insert(messages.end(), request.bytes().begin(), request.bytes().end());
    }
    if (const auto sent = transport.send(messages); !sent) {
        answer.broken = sent.error();
        return answer;
    }
    for (;;) {
        const auto datagram = transport.receive(true);
        if (!datagram && datagram.error().errno_value == EMSGSIZE) continue;
        if (!datagram || datagram->empty()) {
            answer.broken = datagram ? Error{.code = ErrorCode::timeout,
                                             .subject = subject(requests.size() - 1),
                                             .message = "the kernel did not answer"}
                                     : datagram.error();
            return answer;
        }
        if (take_answers(*datagram, transport.port(), first, requests.size(), subject, answer)) return answer;
    }
}

Result<void> ask_patiently(NetlinkTransport& transport, const std::string& subject, NetlinkRequest request,
                           bool tentative) {
    request.acknowledged();
    Result<void> answer;
    for (auto waited = 0ms; waited <= 3s; waited += 100ms) {
        answer = ask(transport, subject, request, [](const NetlinkMessage&) {});
        const int why = answer ? 0 : answer.error().errno_value;
        if (why != EBUSY && why != EAGAIN && !(why == EINVAL && tentative)) break;
        std::this_thread::sleep_for(100ms);
    }
    return answer;
}

}  // namespace pve_rdma
