// The traps of interfaces(5): what ifupdown2 or Proxmox reads otherwise, drops, or dies of, and set-ups that
// cannot work. A pure function of the view.
//
// Sources: the behaviour of ifupdown2 3.0.0 and of Proxmox's reader and writer, both run on a corpus of 129
// files; kernel rules of bonds, bridges, VLANs and IPoIB (drivers/infiniband/ulp/ipoib).
// An `error` is something that will not work, or takes the network away. A `warning` is a trap that may be
// meant. An `info` is worth knowing before somebody else's tool edits the file.
#pragma once

#include <vector>

#include "eni/diagnostic.h"
#include "eni/view.h"

namespace pve_rdma::eni {

std::vector<Diagnostic> check(const View&);

// The parts, each in a file of its own.
void check_octets(const View&, Findings&);      // bytes, line ends, backslashes, templates
void check_statements(const View&, Findings&);  // keywords, headers, sources, who is brought up
void check_options(const View&, Findings&);     // misspelt, without value, twice
void check_addresses(const View&, Findings&);   // prefixes, gateways
void check_links(const View&, Findings&);       // bonds, bridges, VLANs, IPoIB, MTUs

}  // namespace pve_rdma::eni
