// The parts of merge(), in the order in which they run.
#pragma once

#include "plan/merge.h"

namespace pve_rdma {

void merge_links(const Network& now, const Desired&, Merged&);
void merge_addresses(const Desired&, Merged&);
void merge_routes(const Desired&, Merged&);
void merge_rules(const Desired&, Merged&);

// An address goes, with what the kernel takes along.
void drop_address(Merged&, const AddressEntry&);
void drop_routes_of(Merged&, const std::string& dev, const std::string& why);

}  // namespace pve_rdma
