// What an mlnxofedinstall says of its own removal and prerequisites, read from its text. Pure; nothing is
// run.
//
// Read are: the list @remove_debs with what is pushed onto it, the immune list, the keys of %packages_info
// with their dist_req_inst, @required_debs, and how names and dependents are compared. What is not found in
// the text is taken as the harsher of its readings.
#pragma once

#include <optional>
#include <string_view>

#include "ofed/plan/installer.h"

namespace pve_rdma::ofed {

// `common` is the text of common.pl beside it (it may be empty); `debian` the release that the node runs
// ("12.9"). nullopt: the text has no removal list. At most 4 MiB are looked at.
std::optional<Installer> read_installer(std::string_view text, std::string_view common,
                                        std::string_view debian);

}  // namespace pve_rdma::ofed
