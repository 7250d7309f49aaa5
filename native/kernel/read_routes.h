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
    // What nearly all routes have, as the kernel counts it: while a list grows it is moved, and this is a
    // fifth of a RouteEntry. Addresses of length 0: there is none.
    struct PlainRoute {
        IpAddress to{.length = 0}, via{.length = 0}, source{.length = 0};
        std::uint8_t length = 0, protocol = 0, scope = 0, type = 0;
        bool v6 = false, onlink = false;
        std::uint32_t metric = 0, table = 0, device = 0;
    };

    void take(const NetlinkMessage&);
    static bool take_plain(const NetlinkMessage&, PlainRoute&);
    static RouteEntry entry_of(const PlainRoute&, const LinkNames&);

    RouteTaker taker_{.start_over =
                          [this] {
                              plain_.clear();
                              others_.clear();
                              untouchable_.clear();
                          },
                      .message = [this](const NetlinkMessage& message) { take(message); }};
    std::vector<PlainRoute> plain_;
    std::vector<RouteEntry> others_;  // dev is ifindex text
    std::vector<std::string> untouchable_;
};

}  // namespace pve_rdma
