// Which VLANs a port of a bridge carries, as text: "1 pvid untagged,2-4094". `pvid` is the VLAN of frames
// that come without a tag, `untagged` ones leave without theirs (bridge(8)).
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "facts/bridge_link.h"

namespace pve_rdma {

struct VlanMembership {
    struct Vlan {
        bool carried = false, pvid = false, untagged = false;
        bool operator==(const Vlan&) const = default;
    };
    std::array<Vlan, 4095> vlans{};  // by number, from 1

    static VlanMembership of(const std::vector<BridgeVlan>&);
    // ErrorCode::malformed: numbers from 1 to 4094, one pvid.
    static Result<VlanMembership> parse(std::string_view text);

    std::string text() const;  // "none" when there is none
    std::vector<BridgeVlan> ranges() const;
    bool operator==(const VlanMembership&) const = default;
};

}  // namespace pve_rdma
