// What a probe of a peer found, in plain words, and what to do. Pure.
#pragma once

#include "facts/mtu.h"

namespace pve_rdma {

// Fills `message` and `remedy` from the chain and the probe.
void explain(MtuPeer&);

}  // namespace pve_rdma
