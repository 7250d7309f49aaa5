// Threads that observe and call at once do not disturb each other; run under ThreadSanitizer too.
#include <string>
#include <thread>
#include <vector>

#include <pve_rdma.h>

#include "../observe/observed_tree.h"

namespace pve_rdma {
namespace {

TEST(TwoThreads, ObserveOneMachineAtOnce) {
    const fixtures::Tree tree("odd");
    const auto machine = Machine::open(tree.root());
    ASSERT_TRUE(machine);
    NodeReport reports[2];
    {
        std::jthread one([&] { reports[0] = observe_node(*machine); });
        std::jthread two([&] { reports[1] = observe_node(*machine); });
    }
    reports[1].taken = reports[0].taken;
    EXPECT_EQ(reports[0], reports[1]);
    EXPECT_EQ(reports[0].devices.size(), 6u);
}

TEST(TwoThreads, ObserveThisNodeAtOnce) {
    const auto machine = Machine::open("/");
    ASSERT_TRUE(machine);
    std::size_t sources[2] = {};
    {
        std::jthread one([&] { sources[0] = observe_node(*machine).sources.size(); });
        std::jthread two([&] { sources[1] = observe_node(*machine).sources.size(); });
    }
    EXPECT_EQ(sources[0], sources[1]);
    EXPECT_GT(sources[0], 0u);
}

std::string called(const char* operation, const std::string& request) {
    char* reply = nullptr;
    std::size_t length = 0;
    pve_rdma_call(operation, request.data(), request.size(), &reply, &length);
    std::string text(reply ? reply : "", length);
    pve_rdma_free(reply);
    return text;
}

void expect_the_same_from_four_threads(const char* operation, const char* request, int times) {
    const std::string alone = called(operation, request);
    EXPECT_NE(alone, "");
    std::vector<std::string> texts(4);
    {
        std::vector<std::jthread> threads;
        for (auto& text : texts)
            threads.emplace_back([&] {
                for (int i = 0; i < times; ++i)
                    text = called(operation, request);
            });
    }
    for (const auto& text : texts)
        EXPECT_EQ(text, alone);
}

TEST(CInterface, IsCalledByThreadsAtOnce) {
    expect_the_same_from_four_threads("schema", "{}", 20);
    expect_the_same_from_four_threads("probe", R"({"sections":"nonsense"})", 20);
}

TEST(CInterface, ProbesInThreadsAtOnce) {
    std::vector<std::jthread> threads;
    for (int i = 0; i < 4; ++i)
        threads.emplace_back([] { EXPECT_TRUE(called("probe", "{}").contains("\"ok\":true")); });
}

}  // namespace
}  // namespace pve_rdma
