// A kernel for netlink tests: it answers each type of request by a function of the test, and can lose, cut
// and interleave messages as the real one does.
#pragma once

#include <cerrno>
#include <cstring>
#include <deque>
#include <functional>
#include <map>
#include <variant>

#include "observe/netlink_message.h"
#include "observe/netlink_transport.h"

namespace pve_rdma::test {

class FakeKernel final : public NetlinkTransport {
  public:
    static constexpr std::uint32_t our_port = 4711;

    struct Request {
        nlmsghdr header{};
        std::vector<std::byte> body;
        int times = 0;  // how often this type was asked for before
    };
    using Answer = std::function<void(FakeKernel&, const Request&)>;

    void on(std::uint16_t type, Answer answer) { answers_[type] = std::move(answer); }
    int asked(std::uint16_t type) const {
        const auto found = times_.find(type);
        return found == times_.end() ? 0 : found->second;
    }

    // A message of the answer to `request`.
    void reply(const Request& request, const NetlinkRequest& message, std::uint16_t flags = NLM_F_MULTI) {
        queue(stamp(message, request.header.nlmsg_seq, our_port, flags));
    }
    void done(const Request& request, std::uint16_t flags = NLM_F_MULTI, int error = 0) {
        NetlinkRequest message(NLMSG_DONE, 0);
        message.header(error);
        queue(stamp(message, request.header.nlmsg_seq, our_port, flags));
    }
    // NLMSG_ERROR, with the kernel's words when there are any.
    void refuse(const Request& request, int error, const std::string& words = "") {
        NetlinkRequest message(NLMSG_ERROR, 0);
        nlmsgerr body{};
        body.error = -error;
        body.msg = request.header;
        body.msg.nlmsg_len = sizeof(nlmsghdr);
        message.header(body);
        if (!words.empty()) message.text(NLMSGERR_ATTR_MSG, words);
        queue(stamp(message, request.header.nlmsg_seq, our_port,
                    static_cast<std::uint16_t>(NLM_F_CAPPED | (words.empty() ? 0 : NLM_F_ACK_TLVS))));
    }
    // An event of the kernel: no answer to anything.
    void event(const NetlinkRequest& message) { queue(stamp(message, 0, 0, 0)); }
    void fail(int error) { queue_.emplace_back(error); }
    void queue(std::vector<std::byte> datagram) { queue_.emplace_back(std::move(datagram)); }

    Result<void> send(std::span<const std::byte> bytes) override {
        Request request;
        std::memcpy(&request.header, bytes.data(), sizeof request.header);
        request.body.assign(bytes.begin() + sizeof request.header, bytes.end());
        request.times = times_[request.header.nlmsg_type]++;
        const auto answer = answers_.find(request.header.nlmsg_type);
        if (answer == answers_.end())
            refuse(request, EOPNOTSUPP);
        else
            answer->second(*this, request);
        return {};
    }
    Result<std::span<const std::byte>> receive(bool) override {
        if (queue_.empty()) return std::span<const std::byte>{};
        const auto front = std::move(queue_.front());
        queue_.pop_front();
        if (const int* error = std::get_if<int>(&front))
            return std::unexpected(errno_error(*error, "fake", "no answer could be received"));
        current_ = std::get<std::vector<std::byte>>(front);
        return std::span<const std::byte>(current_);
    }
    Result<void> subscribe(std::uint32_t) override { return {}; }
    std::uint32_t port() const override { return our_port; }

    static std::vector<std::byte> stamp(const NetlinkRequest& message, std::uint32_t sequence,
                                        std::uint32_t port, std::uint16_t flags) {
        std::vector<std::byte> bytes(message.bytes().begin(), message.bytes().end());
        nlmsghdr header;
        std::memcpy(&header, bytes.data(), sizeof header);
        header.nlmsg_seq = sequence;
        header.nlmsg_pid = port;
        header.nlmsg_flags = flags;
        std::memcpy(bytes.data(), &header, sizeof header);
        return bytes;
    }

  private:
    std::map<std::uint16_t, Answer> answers_;
    std::map<std::uint16_t, int> times_;
    std::deque<std::variant<int, std::vector<std::byte>>> queue_;
    std::vector<std::byte> current_;
};

// A message as the decoders get it; the builder must live as long.
inline NetlinkMessage as_message(const NetlinkRequest& message) {
    NetlinkMessage out;
    std::memcpy(&out.header, message.bytes().data(), sizeof out.header);
    out.body = message.bytes().subspan(sizeof out.header);
    return out;
}

}  // namespace pve_rdma::test
