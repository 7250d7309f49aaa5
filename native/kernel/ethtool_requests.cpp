#include "kernel/ethtool_requests.h"

#include <algorithm>

#include <linux/ethtool_netlink.h>

#include "base/number.h"

namespace pve_rdma {

namespace {

using Put = void (*)(NetlinkRequest&, std::uint16_t type, const std::string& value);

void number(NetlinkRequest& request, std::uint16_t type, const std::string& value) {
    request.number(type, parse_number<std::uint32_t>(value).value_or(0));
}
void truth(NetlinkRequest& request, std::uint16_t type, const std::string& value) {
    request.octet(type, value == "true");
}

// The kernel's names of the modes (net/ethtool/common.c). Automatic choice is a flag of its own.
void fec(NetlinkRequest& request, std::uint16_t type, const std::string& value) {
    const bool automatic = value == "auto";
    request.nested(type, [&](NetlinkRequest& set) {
        set.flag(ETHTOOL_A_BITSET_NOMASK);
        set.nested(ETHTOOL_A_BITSET_BITS, [&](NetlinkRequest& bits) {
            if (automatic) return;
            bits.nested(ETHTOOL_A_BITSET_BITS_BIT, [&](NetlinkRequest& bit) {
                bit.text(ETHTOOL_A_BITSET_BIT_NAME, value == "off" ? "None" : value == "rs" ? "RS" : "BASER");
            });
        });
    });
    request.octet(ETHTOOL_A_FEC_AUTO, automatic);
}

struct Row {
    std::string_view key;
    std::uint8_t command;
    std::uint16_t type;
    Put put;
};

constexpr Row rows[]{
    {"autonegotiation", ETHTOOL_MSG_LINKMODES_SET, ETHTOOL_A_LINKMODES_AUTONEG, truth},
    {"speed", ETHTOOL_MSG_LINKMODES_SET, ETHTOOL_A_LINKMODES_SPEED, number},
    {"fec", ETHTOOL_MSG_FEC_SET, ETHTOOL_A_FEC_MODES, fec},
    {"rx_ring", ETHTOOL_MSG_RINGS_SET, ETHTOOL_A_RINGS_RX, number},
    {"tx_ring", ETHTOOL_MSG_RINGS_SET, ETHTOOL_A_RINGS_TX, number},
    {"rx_pause", ETHTOOL_MSG_PAUSE_SET, ETHTOOL_A_PAUSE_RX, truth},
    {"tx_pause", ETHTOOL_MSG_PAUSE_SET, ETHTOOL_A_PAUSE_TX, truth},
};

constexpr std::uint16_t header_attribute = 1;  // of every message of ethtool

}  // namespace

NetlinkRequest ethtool_request(const GenericFamily& family, std::uint32_t index, std::string_view key,
                               const std::string& value) {
    const auto row = std::ranges::find(rows, key, &Row::key);
    NetlinkRequest request =
        generic_request(family, row == std::end(rows) ? std::uint8_t{0} : row->command, 0);
    request.nested(header_attribute,
                   [&](NetlinkRequest& header) { header.number(ETHTOOL_A_HEADER_DEV_INDEX, index); });
    if (row != std::end(rows)) row->put(request, row->type, value);
    return request;
}

}  // namespace pve_rdma
