#include <gtest/gtest.h>

#include "mad/port_choice.h"

namespace pve_rdma {
namespace {

LocalPort port(std::string ca, std::uint32_t number, std::string state, bool infiniband = true) {
    LocalPort out;
    out.via.ca = std::move(ca);
    out.via.port = number;
    out.via.state = std::move(state);
    out.infiniband = infiniband;
    return out;
}

TEST(PortChoice, TakesTheFirstActivePortBeforeOneThatIsInit) {
    const std::vector ports = {port("mlx4_0", 1, "INIT"), port("mlx4_0", 2, "DOWN"),
                               port("mlx5_0", 1, "ACTIVE", false), port("mlx4_1", 1, "ACTIVE"),
                               port("mlx4_1", 2, "ACTIVE")};
    const auto chosen = choose_port(ports, {});
    ASSERT_TRUE(chosen);
    EXPECT_EQ(chosen->via.ca, "mlx4_1");
    EXPECT_EQ(chosen->via.port, 1u);
    EXPECT_EQ(choose_port(ports, {.ca = "mlx4_0"})->via.port, 1u);
    EXPECT_EQ(choose_port(ports, {.ca = "mlx4_1", .port = 2})->via.port, 2u);
}

TEST(PortChoice, SaysWhatStandsAgainstEveryPort) {
    const std::vector ports = {port("mlx4_0", 1, "DOWN"), port("mlx5_0", 1, "ACTIVE", false)};
    const auto chosen = choose_port(ports, {});
    ASSERT_FALSE(chosen);
    EXPECT_EQ(chosen.error().code, ErrorCode::unavailable);
    EXPECT_EQ(chosen.error().message,
              "no port can be asked from: mlx4_0 port 1 is DOWN, mlx5_0 port 1 is an Ethernet port");
}

TEST(PortChoice, NamesThePortsThatThereAre) {
    const auto chosen = choose_port({port("mlx4_0", 1, "ACTIVE")}, {.ca = "mlx4_9"});
    ASSERT_FALSE(chosen);
    EXPECT_EQ(chosen.error().code, ErrorCode::not_found);
    EXPECT_EQ(chosen.error().hint, "there is mlx4_0 port 1");
    EXPECT_EQ(choose_port({}, {}).error().message, "this node has no RDMA device");
}

}  // namespace
}  // namespace pve_rdma
