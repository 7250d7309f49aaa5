// rdma(8)'s facts and devlink's, from messages made by hand: this machine may have no such hardware.
#include <linux/devlink.h>
#include <rdma/rdma_netlink.h>

#include <gtest/gtest.h>

#include "netlink_fake.h"
#include "observe/devlink.h"
#include "observe/rdma_netlink.h"

namespace pve_rdma::test {
namespace {

constexpr std::uint16_t rdma(unsigned command) {
    return static_cast<std::uint16_t>(RDMA_NL_GET_TYPE(RDMA_NL_NLDEV, command));
}

NetlinkRequest device_message() {
    NetlinkRequest message(rdma(RDMA_NLDEV_CMD_GET), 0);
    message.number(RDMA_NLDEV_ATTR_DEV_INDEX, 3)
        .text(RDMA_NLDEV_ATTR_DEV_NAME, "mlx4_0")
        .text(RDMA_NLDEV_ATTR_FW_VERSION, "2.42.5000")
        .bytes_of(RDMA_NLDEV_ATTR_NODE_GUID, std::uint64_t{0x0002c90300a1001a})
        .octet(RDMA_NLDEV_ATTR_DEV_NODE_TYPE, 1)
        .text(RDMA_NLDEV_ATTR_DEV_PROTOCOL, "ib")
        .octet(RDMA_NLDEV_ATTR_DEV_DIM, 0);
    return message;
}

NetlinkRequest port_message(std::uint32_t number) {
    NetlinkRequest message(rdma(RDMA_NLDEV_CMD_PORT_GET), 0);
    message.text(RDMA_NLDEV_ATTR_DEV_NAME, "mlx4_0")
        .number(RDMA_NLDEV_ATTR_PORT_INDEX, number)
        .bytes_of(RDMA_NLDEV_ATTR_CAP_FLAGS, std::uint64_t{(1ULL << 34) | (1U << 11) | (1U << 1)})
        .bytes_of(RDMA_NLDEV_ATTR_SUBNET_PREFIX, std::uint64_t{0xfe80000000000000})
        .number(RDMA_NLDEV_ATTR_LID, 17)
        .number(RDMA_NLDEV_ATTR_SM_LID, 1)
        .octet(RDMA_NLDEV_ATTR_LMC, 0)
        .octet(RDMA_NLDEV_ATTR_PORT_STATE, 4)
        .octet(RDMA_NLDEV_ATTR_PORT_PHYS_STATE, 5)
        .number(RDMA_NLDEV_ATTR_NDEV_INDEX, 9)
        .text(RDMA_NLDEV_ATTR_NDEV_NAME, "ens19");
    return message;
}

class RdmaNetlink : public ::testing::Test {
  protected:
    void SetUp() override {
        kernel.on(rdma(RDMA_NLDEV_CMD_GET), [](FakeKernel& k, const auto& request) {
            k.reply(request, device_message());
            k.done(request);
        });
        kernel.on(rdma(RDMA_NLDEV_CMD_PORT_GET), [](FakeKernel& k, const auto& request) {
            k.reply(request, port_message(1));
            k.reply(request, port_message(2));
            k.done(request);
        });
        kernel.on(rdma(RDMA_NLDEV_CMD_RES_GET), [](FakeKernel& k, const auto& request) {
            NetlinkRequest message(rdma(RDMA_NLDEV_CMD_RES_GET), 0);
            message.text(RDMA_NLDEV_ATTR_DEV_NAME, "mlx4_0");
            message.nested(RDMA_NLDEV_ATTR_RES_SUMMARY, [](NetlinkRequest& summary) {
                summary.nested(RDMA_NLDEV_ATTR_RES_SUMMARY_ENTRY, [](NetlinkRequest& entry) {
                    entry.text(RDMA_NLDEV_ATTR_RES_SUMMARY_ENTRY_NAME, "qp")
                        .bytes_of(RDMA_NLDEV_ATTR_RES_SUMMARY_ENTRY_CURR, std::uint64_t{12});
                });
            });
            k.reply(request, message);
            k.done(request);
        });
        kernel.on(rdma(RDMA_NLDEV_CMD_STAT_GET), [](FakeKernel& k, const auto& request) {
            const Octets body = request.body;
            const auto port = payload_number(*find_attribute(body, RDMA_NLDEV_ATTR_PORT_INDEX));
            if (port == 2) return k.refuse(request, EINVAL);  // a driver without counters
            NetlinkRequest message(rdma(RDMA_NLDEV_CMD_STAT_GET), 0);
            message.nested(RDMA_NLDEV_ATTR_STAT_HWCOUNTERS, [](NetlinkRequest& list) {
                list.nested(RDMA_NLDEV_ATTR_STAT_HWCOUNTER_ENTRY, [](NetlinkRequest& entry) {
                    entry.text(RDMA_NLDEV_ATTR_STAT_HWCOUNTER_ENTRY_NAME, "out_of_sequence")
                        .bytes_of(RDMA_NLDEV_ATTR_STAT_HWCOUNTER_ENTRY_VALUE, std::uint64_t{1} << 40);
                });
            });
            k.reply(request, message, 0);
        });
        kernel.on(rdma(RDMA_NLDEV_CMD_SYS_GET), [](FakeKernel& k, const auto& request) {
            NetlinkRequest message(rdma(RDMA_NLDEV_CMD_SYS_GET), 0);
            message.octet(RDMA_NLDEV_SYS_ATTR_NETNS_MODE, 1).octet(RDMA_NLDEV_SYS_ATTR_COPY_ON_FORK, 1);
            k.reply(request, message, 0);
        });
    }
    FakeKernel kernel;
    NodeReport report;
};

TEST_F(RdmaNetlink, DevicesPortsResourcesAndCountersAreRead) {
    const Source source = read_rdma_netlink(kernel, report);
    EXPECT_TRUE(source.unread.empty()) << source.unread.front().text;
    ASSERT_EQ(report.devices.size(), 1U);
    const RdmaDevice& device = report.devices[0];
    EXPECT_EQ(device.index, 3U);
    EXPECT_EQ(device.node_type, "CA");
    EXPECT_EQ(device.protocol, "ib");
    EXPECT_EQ(device.fw_ver, "2.42.5000");
    EXPECT_EQ(device.node_guid->text(), "0x0002c90300a1001a");
    EXPECT_EQ(device.adaptive_moderation, false);
    EXPECT_EQ(device.resources.at("qp"), 12U);
    ASSERT_EQ(device.ports.size(), 2U);
    const Port& port = device.ports[0];
    EXPECT_EQ(port.number, 1U);
    EXPECT_EQ(port.state, "ACTIVE");
    EXPECT_EQ(port.phys_state, "LINK_UP");
    EXPECT_EQ(port.lid, 17U);
    EXPECT_EQ(port.subnet_prefix, 0xfe80000000000000U);
    EXPECT_EQ(port.cap_mask, 0x802U);
    EXPECT_EQ(port.cap_mask2, 4U);
    EXPECT_EQ(port.cap_flags, (std::vector<std::string>{"SM", "SYS_IMAGE_GUID", "VIRT"}));
    EXPECT_EQ(port.netdev, "ens19");
    EXPECT_EQ(port.hw_counters.at("out_of_sequence"), std::uint64_t{1} << 40);
    EXPECT_TRUE(device.ports[1].hw_counters.empty());
    EXPECT_EQ(report.rdma.netns, "shared");
    EXPECT_EQ(report.rdma.copy_on_fork, true);
}

TEST_F(RdmaNetlink, ADeviceThatIsKnownAlreadyIsFilledNotDoubled) {
    auto& known = report.devices.emplace_back();
    known.name = "mlx4_0";
    known.board_id = "MT_1090120019";
    read_rdma_netlink(kernel, report);
    ASSERT_EQ(report.devices.size(), 1U);
    EXPECT_EQ(report.devices[0].board_id, "MT_1090120019");
    EXPECT_EQ(report.devices[0].index, 3U);
}

TEST_F(RdmaNetlink, ARefusedPortDumpIsUnreadAndTheDeviceStays) {
    kernel.on(rdma(RDMA_NLDEV_CMD_PORT_GET),
              [](FakeKernel& k, const auto& request) { k.refuse(request, EPERM); });
    const Source source = read_rdma_netlink(kernel, report);
    ASSERT_EQ(source.unread.size(), 1U);
    EXPECT_EQ(source.unread[0].what, "RDMA_NLDEV_CMD_PORT_GET mlx4_0");
    EXPECT_EQ(source.unread[0].error, "EPERM");
    EXPECT_EQ(report.devices.size(), 1U);
}

Octets attributes_of(const NetlinkRequest& message) {
    return as_message(message).body;
}

TEST(Devlink, InformationHasVersionsAndNoSerialNumberUnlessAsked) {
    NetlinkRequest message(0, 0);
    message.text(DEVLINK_ATTR_INFO_DRIVER_NAME, "mlx5_core").text(DEVLINK_ATTR_INFO_SERIAL_NUMBER, "MT123");
    const auto version = [&](std::uint16_t type, const char* name, const char* value) {
        message.nested(type, [&](NetlinkRequest& one) {
            one.text(DEVLINK_ATTR_INFO_VERSION_NAME, name).text(DEVLINK_ATTR_INFO_VERSION_VALUE, value);
        });
    };
    version(DEVLINK_ATTR_INFO_VERSION_FIXED, "fw.psid", "MT_0000000012");
    version(DEVLINK_ATTR_INFO_VERSION_RUNNING, "fw.version", "16.35.4030");
    version(DEVLINK_ATTR_INFO_VERSION_RUNNING, "fw", "16.35.4030");
    DevlinkDevice device;
    decode_devlink_info(attributes_of(message), false, device);
    EXPECT_EQ(device.driver, "mlx5_core");
    EXPECT_EQ(device.fixed.at("fw.psid"), "MT_0000000012");
    EXPECT_EQ(device.running.size(), 2U);
    EXPECT_FALSE(device.serial_number);
    decode_devlink_info(attributes_of(message), true, device);
    EXPECT_EQ(device.serial_number, "MT123");
}

TEST(Devlink, AParameterHasAValueForEachMode) {
    NetlinkRequest message(0, 0);
    message.nested(DEVLINK_ATTR_PARAM, [](NetlinkRequest& parameter) {
        parameter.text(DEVLINK_ATTR_PARAM_NAME, "enable_roce").flag(DEVLINK_ATTR_PARAM_GENERIC);
        parameter.octet(DEVLINK_ATTR_PARAM_TYPE, 6);
        parameter.nested(DEVLINK_ATTR_PARAM_VALUES_LIST, [](NetlinkRequest& values) {
            values.nested(DEVLINK_ATTR_PARAM_VALUE, [](NetlinkRequest& value) {
                value.flag(DEVLINK_ATTR_PARAM_VALUE_DATA).octet(DEVLINK_ATTR_PARAM_VALUE_CMODE, 1);
            });
            values.nested(DEVLINK_ATTR_PARAM_VALUE,
                          [](NetlinkRequest& value) { value.octet(DEVLINK_ATTR_PARAM_VALUE_CMODE, 0); });
        });
    });
    const auto parameter = decode_devlink_parameter(attributes_of(message));
    ASSERT_TRUE(parameter);
    EXPECT_EQ(parameter->name, "enable_roce");
    EXPECT_EQ(parameter->generic, true);
    EXPECT_EQ(parameter->values,
              (std::map<std::string, std::string>{{"driverinit", "true"}, {"runtime", "false"}}));
}

TEST(Devlink, AHealthReporterHasItsStateAndCounts) {
    NetlinkRequest message(0, 0);
    message.nested(DEVLINK_ATTR_HEALTH_REPORTER, [](NetlinkRequest& reporter) {
        reporter.text(DEVLINK_ATTR_HEALTH_REPORTER_NAME, "fw_fatal")
            .octet(DEVLINK_ATTR_HEALTH_REPORTER_STATE, 1)
            .bytes_of(DEVLINK_ATTR_HEALTH_REPORTER_ERR_COUNT, std::uint64_t{2});
    });
    const auto reporter = decode_devlink_reporter(attributes_of(message));
    ASSERT_TRUE(reporter);
    EXPECT_EQ(reporter->name, "fw_fatal");
    EXPECT_EQ(reporter->state, "error");
    EXPECT_EQ(reporter->error, 2U);
    EXPECT_FALSE(reporter->port);
}

TEST(Devlink, APortNamesItsTypeFlavourAndNetdev) {
    NetlinkRequest message(0, 0);
    message.number(DEVLINK_ATTR_PORT_INDEX, 1)
        .bytes_of(DEVLINK_ATTR_PORT_TYPE, std::uint16_t{DEVLINK_PORT_TYPE_IB})
        .text(DEVLINK_ATTR_PORT_IBDEV_NAME, "mlx4_0")
        .bytes_of(DEVLINK_ATTR_PORT_FLAVOUR, std::uint16_t{DEVLINK_PORT_FLAVOUR_PHYSICAL});
    DevlinkPort port;
    decode_devlink_port(attributes_of(message), port);
    EXPECT_EQ(port.type, "ib");
    EXPECT_EQ(port.ibdev, "mlx4_0");
    EXPECT_EQ(port.flavour, "physical");
}

}  // namespace
}  // namespace pve_rdma::test
