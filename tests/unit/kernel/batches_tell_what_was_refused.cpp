// A batch: who was refused, and what is known when answers are lost.
#include <cerrno>
#include <cstring>
#include <set>
#include <utility>

#include <linux/rtnetlink.h>

#include <gtest/gtest.h>

#include "kernel/batch.h"

namespace pve_rdma {
namespace {

// Refuses the messages at some places of a send; answers the last in any case, unless answers are lost.
class Kernel final : public NetlinkTransport {
  public:
    std::set<std::size_t> refuses{};
    int lost = 0;  // errno of receiving
    std::size_t acknowledgements = 0;

    Result<void> send(std::span<const std::byte> messages) override {
        for (std::size_t place = 0; !messages.empty(); ++place) {
            nlmsghdr header;
            std::memcpy(&header, messages.data(), sizeof header);
            messages = messages.subspan(header.nlmsg_len);
            acknowledgements += (header.nlmsg_flags & NLM_F_ACK) != 0;
            const bool refused = refuses.contains(place);
            if (refused || (header.nlmsg_flags & NLM_F_ACK)) answer(header, refused ? -EEXIST : 0);
        }
        return {};
    }
    Result<std::span<const std::byte>> receive(bool) override {
        if (lost) return std::unexpected(errno_error(lost, "", "lost"));
        given_ = std::exchange(queue_, {});
        return std::span<const std::byte>(given_);
    }
    Result<void> subscribe(std::uint32_t) override { return {}; }
    std::uint32_t port() const override { return 7; }

  private:
    void answer(const nlmsghdr& request, int error) {
        NetlinkRequest message(NLMSG_ERROR, 0);
        message.header(nlmsgerr{.error = error, .msg = request});
        const std::size_t at = queue_.size();
        queue_.insert(queue_.end(), message.bytes().begin(), message.bytes().end());
        nlmsghdr header;
        std::memcpy(&header, queue_.data() + at, sizeof header);
        header.nlmsg_seq = request.nlmsg_seq;
        header.nlmsg_pid = port();
        header.nlmsg_flags = NLM_F_CAPPED;
        std::memcpy(queue_.data() + at, &header, sizeof header);
    }
    std::vector<std::byte> queue_, given_;
};

BatchAnswer send(Kernel& kernel, std::size_t count) {
    std::vector<NetlinkRequest> requests(count, NetlinkRequest(RTM_NEWROUTE, 0).header(rtmsg{}));
    return send_batch(kernel, requests, [](std::size_t index) { return std::to_string(index); });
}

TEST(Batch, IsSilentButForItsLastMessageAndForRefusals) {
    Kernel kernel;
    const auto well = send(kernel, 512);
    EXPECT_TRUE(well.refused.empty() && !well.broken);
    EXPECT_EQ(kernel.acknowledgements, 1U);
    kernel.refuses = {0, 3, 511};
    const auto answer = send(kernel, 512);
    ASSERT_EQ(answer.refused.size(), 3U);
    EXPECT_EQ(answer.refused[1].index, 3U);
    EXPECT_EQ(answer.refused[1].error.subject, "3");
    EXPECT_EQ(answer.refused[2].error.errno_value, EEXIST);
}

TEST(Batch, SaysWhenAnswersAreMissing) {
    Kernel kernel;
    kernel.lost = ENOBUFS;
    const auto answer = send(kernel, 3);
    ASSERT_TRUE(answer.broken);
    EXPECT_EQ(answer.broken->errno_value, ENOBUFS);
}

TEST(Batch, OfNothingIsNotSent) {
    Kernel kernel;
    EXPECT_TRUE(send(kernel, 0).refused.empty());
    EXPECT_EQ(kernel.acknowledgements, 0U);
}

}  // namespace
}  // namespace pve_rdma
