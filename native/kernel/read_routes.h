// Routes from the kernel's messages straight to RouteEntry: a dump may have a million of them. Threads: one
// reader, one dump at a time.
#pragma once

#include "network/network.h"
#include "observe/link_decode.h"
#include "observe/rtnetlink.h"

namespace pve_rdma {

class RouteReader {
  public:
    // For RtnetlinkParts; lives as long as the reader.
    const RouteTaker& taker() const { return taker_; }
    // Hands over what was read, as network_of() would have it.
    void finish(const LinkNames&, Network&);

  private:
    void take(const NetlinkMessage&);

    RouteTaker taker_{.start_over =
                          [this] {
                              routes_.clear();
                              devices_.clear();
                              untouchable_.clear();
                          },
                      .message = [this](const NetlinkMessage& message) { take(message); }};
    std::vector<RouteEntry> routes_;
    std::vector<std::uint32_t> devices_;  // ifindex of each; 0: none
    std::vector<std::string> untouchable_;
};

}  // namespace pve_rdma
