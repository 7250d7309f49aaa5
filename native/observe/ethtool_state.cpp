// Sentences of linux/ethtool.h's extended link states, as ethtool(8) words them.
#include "observe/ethtool_kinds.h"
#include "observe/netlink_table.h"

namespace pve_rdma {

namespace {

constexpr Words<11> states{
    "Autoneg",     "Link training failure", "Logical mismatch",    "Bad signal integrity",  "No cable",
    "Cable issue", "EEPROM issue",          "Calibration failure", "Power budget exceeded", "Overheat",
    "Module"};

// By state; value 0 is not used.
constexpr Words<7> autoneg{"",
                           "No partner detected",
                           "Ack not received",
                           "Next page exchange failed",
                           "No partner detected during force mode",
                           "FEC mismatch during override",
                           "No HCD"};
constexpr Words<5> training{"", "KR frame lock not acquired", "KR link inhibit timeout",
                            "KR Link partner did not set receiver ready", "Remote side is not ready yet"};
constexpr Words<6> mismatch{"",
                            "PCS did not acquire block lock",
                            "PCS did not acquire AM lock",
                            "PCS did not get align_status",
                            "FC FEC is not locked",
                            "RS FEC is not locked"};
constexpr Words<5> signal{"", "Large number of physical errors", "Unsupported rate",
                          "Serdes reference clock lost", "Serdes ALOS"};
constexpr Words<3> cable{"", "Unsupported cable", "Cable test failure"};
constexpr Words<2> module{"", "CMIS module is not in ModuleReady state"};

}  // namespace

std::string extended_state(std::uint8_t state) {
    return word_of(states, state);
}

std::string extended_substate(std::uint8_t state, std::uint8_t substate) {
    switch (state) {
        case 0:
            return word_of(autoneg, substate);
        case 1:
            return word_of(training, substate);
        case 2:
            return word_of(mismatch, substate);
        case 3:
            return word_of(signal, substate);
        case 5:
            return word_of(cable, substate);
        case 10:
            return word_of(module, substate);
        default:
            return std::to_string(substate);
    }
}

}  // namespace pve_rdma
