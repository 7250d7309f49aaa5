// Shell patterns (glob(7)) for one name: * ? [abc] [a-c] [!a] and [^a]. No escapes.
#pragma once

#include <string_view>

namespace pve_rdma::eni {

bool has_wildcard(std::string_view pattern);

// In time proportional to the product of both lengths: fnmatch(3) needs time exponential in the stars, and
// patterns come from files.
bool glob_match(std::string_view pattern, std::string_view name);

}  // namespace pve_rdma::eni
