// Names of PCI vendors and devices from pci.ids(5). The file lists vendors in order of their number, so the
// wanted ones are found by halving: reading all of it was a third of a probe's CPU. A vendor that stands out
// of order is not found and its devices have no names.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "facts/pci.h"

namespace pve_rdma {

// The octets [offset, offset + size) of a file; fewer at its end, none where it cannot be read.
using PartReader = std::function<std::string(std::size_t offset, std::size_t size)>;

// Sets vendor_name and device_name. `size`: octets of the file.
void name_devices(const PartReader& ids, std::size_t size, std::vector<PciDevice>& devices);

}  // namespace pve_rdma
