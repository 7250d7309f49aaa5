// A walk of a fabric as rules see it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "doctor/node.h"
#include "facts/fabric_walk.h"

namespace pve_rdma::doctor {

struct FabricView {
    const Node& node;  // whose report holds the walk
    const FabricWalk& walk;

    // "old-switch"; the GUID where there is no description.
    std::string node_name(const WalkNode& at) const;
    // "old-switch port 3".
    std::string port_name(LinkEnd) const;
    const WalkPort* port(LinkEnd) const;
    // JSON pointers into the report.
    std::string at(const WalkNode& at, std::string_view field) const;
    std::string at(LinkEnd, std::string_view field) const;
    std::string at(const SmInfo&, std::string_view field) const;
    std::string at_walk(std::string_view field) const;
    // The node that has the port GUID; a switch by its port 0.
    const WalkNode* owner(Guid port_guid) const;
    // MTU of the IPoIB broadcast group, in octets, as the local ports of this subnet were told; and where.
    struct Group {
        std::uint32_t mtu = 0;
        std::string path;
    };
    std::optional<Group> ipoib_group() const;
};

}  // namespace pve_rdma::doctor
