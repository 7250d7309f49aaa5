// Questions to a fabric, asked from a local InfiniBand port over /dev/infiniband/umad*. Reads only: no MAD
// that is sent changes anything.
//
// Needs root (or CAP_NET_ADMIN and access to the device node), and ib_umad. An Error means that nothing could
// be asked: no such port, no permission, no SM where one is needed. Whatever is asked and not answered stands
// in the result's `unread` or `errors`.
// Threads: each call opens and closes its own port; calls do not share anything.
#pragma once

#include <optional>
#include <string>

#include "base/lid.h"
#include "facts/fabric.h"
#include "facts/fabric_walk.h"
#include "mad/mad_options.h"
#include "mad/port_choice.h"

namespace pve_rdma {

Result<FabricSm> fabric_sm(const PortChoice&, const MadOptions& = {});
// `port` of the node that has the LID; without it the port that the LID belongs to (a switch's port 0).
Result<FabricPort> fabric_port(const PortChoice&, Lid, std::optional<std::uint32_t> port = {},
                               const MadOptions& = {});
Result<FabricPath> fabric_path(const PortChoice&, Lid from, Lid to, const MadOptions& = {});
Result<FabricWalk> fabric_walk(const PortChoice&, const MadOptions& = {});

// For a person, at most 80 columns; lines end in '\n'.
std::string render_text(const FabricSm&);
std::string render_text(const FabricPort&);
std::string render_text(const FabricPath&);
std::string render_text(const FabricWalk&);
// Graphviz: an undirected graph of the nodes and links.
std::string render_dot(const FabricWalk&);

}  // namespace pve_rdma
