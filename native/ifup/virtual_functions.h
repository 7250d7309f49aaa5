// Virtual functions of a card, by its sysfs attribute sriov_numvfs.
#pragma once

#include "observe/machine.h"
#include "wishes/wishes.h"

namespace pve_rdma::ifup {

// Whether the number has to be written. Functions that exist are never taken away: guests may run on them.
Result<bool> virtual_functions_missing(std::uint32_t wanted, std::uint32_t now, std::uint32_t most);

Result<void> make_virtual_functions(const Machine&, const std::string& link, std::uint32_t wanted);

}  // namespace pve_rdma::ifup
