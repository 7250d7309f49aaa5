#include "facts/rdma_words.h"

namespace pve_rdma {

namespace {

constexpr Words<38> capability_bits{"RESERVED",
                                    "SM",
                                    "NOTICE",
                                    "TRAP",
                                    "OPT_IPD",
                                    "AUTO_MIGR",
                                    "SL_MAP",
                                    "MKEY_NVRAM",
                                    "PKEY_NVRAM",
                                    "LED_INFO",
                                    "SM_DISABLED",
                                    "SYS_IMAGE_GUID",
                                    "PKEY_SW_EXT_PORT_TRAP",
                                    "CABLE_INFO",
                                    "EXTENDED_SPEEDS",
                                    "CAP_MASK2",
                                    "CM",
                                    "SNMP_TUNNEL",
                                    "REINIT",
                                    "DEVICE_MGMT",
                                    "VENDOR_CLASS",
                                    "DR_NOTICE",
                                    "CAP_MASK_NOTICE",
                                    "BOOT_MGMT",
                                    "LINK_LATENCY",
                                    "CLIENT_REG",
                                    "OTHER_LOCAL_CHANGES",
                                    "LINK_SPPED_WIDTH",
                                    "VENDOR_SPECIFIC_MADS",
                                    "MULT_PKER_TRAP",
                                    "MULT_FDB",
                                    "HIERARCHY_INFO",
                                    "SET_NODE_DESC",
                                    "EXT_INFO",
                                    "VIRT",
                                    "SWITCH_POR_STATE_TABLE",
                                    "LINK_WIDTH_2X",
                                    "LINK_SPEED_HDR"};

}  // namespace

std::vector<std::string> port_capability_words(std::uint64_t bits) {
    std::vector<std::string> words;
    for (std::size_t bit = 0; bit < 64; ++bit)
        if ((bits >> bit) & 1)
            words.emplace_back(bit < capability_bits.size() ? capability_bits[bit] : "UNKNOWN");
    return words;
}

}  // namespace pve_rdma
