// The present state as a desired document.
#pragma once

#include "desired/desired.h"
#include "network/network.h"

namespace pve_rdma {

// A plan of it is empty. What guests and the kernel make by themselves, what DHCP and router advertisements
// brought, and settings that are as the kernel gives them are left out: the document says what somebody
// chose.
Desired desired_of(const Network&);

}  // namespace pve_rdma
