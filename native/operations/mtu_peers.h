// The peers that a request names: addresses, checked.
#pragma once

#include "base/error.h"
#include "facts/ip_address.h"
#include "facts/link.h"

namespace pve_rdma {

struct PeerAddress {
    IpAddress address{};
    std::uint32_t ifindex = 0;  // of the scope; 0: none
    std::string text{};         // as the reply names it: fe80::1%vmbr1
};

// An error is ErrorCode::bad_request with a hint: a name in place of an address, an address that is nobody's
// (unspecified, multicast), a link-local address without its link, a link that is not there.
Result<PeerAddress> peer_address(const std::string& text, const std::vector<Link>& links);

}  // namespace pve_rdma
