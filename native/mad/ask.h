// One conversation: what a caller wants to know, over a transport that is open. mad/fabric.h and
// mad/observe_subnet.h open the port and call these; tests call them on a FakeFabric.
#pragma once

#include "facts/fabric_walk.h"
#include "mad/mad_options.h"
#include "mad/port_choice.h"
#include "mad/transport.h"

namespace pve_rdma {

// An error: the port knows no subnet manager.
Result<FabricSm> ask_sm(MadTransport&, const LocalPort&, const MadOptions&);
// An error: neither NodeInfo nor PortInfo was answered.
Result<FabricPort> ask_port(MadTransport&, const LocalPort&, std::uint16_t lid,
                            std::optional<std::uint32_t> port, const MadOptions&);
// An error: the port knows no subnet manager, or the SA gave no path.
Result<FabricPath> ask_path(MadTransport&, const LocalPort&, std::uint16_t from, std::uint16_t to,
                            const MadOptions&);
// An error: the local port itself does not answer.
Result<FabricWalk> ask_walk(MadTransport&, const LocalPort&, const MadOptions&);
SubnetView ask_subnet(MadTransport&, const LocalPort&, const MadOptions&);

}  // namespace pve_rdma
