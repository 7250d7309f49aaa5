// Over which connection this program was called: a change that cuts that connection must not be confirmed
// over it, and must not take away the way back to its other end.
#pragma once

#include <optional>
#include <string>

#include "facts/ip_address.h"
#include "observe/machine.h"

namespace pve_rdma {

// SSH_CONNECTION of this process or, since sudo takes it away, of the nearest one above it that has it:
// "client-address client-port server-address server-port". Empty: a console, a service.
std::string calling_connection(const Machine&);

// The client's address in it.
std::optional<IpAddress> caller_address(const std::string& connection);

}  // namespace pve_rdma
