// IP addresses of links. Names and values are those of `ip -j address` (addr_info).
// Source: struct ifaddrmsg and IFA_* (linux/if_addr.h).
#pragma once

#include "base/describe.h"
#include "facts/ip_address.h"

namespace pve_rdma {

struct Address {
    std::uint32_t ifindex = 0;
    std::string ifname{};
    std::string family{};  // inet, inet6
    std::optional<IpAddress> local{};
    std::optional<IpAddress> address{};  // the peer's, when it is another than local
    std::uint32_t prefixlen = 0;
    std::optional<std::uint32_t> metric{};  // of the connected route (IFA_RT_PRIORITY)
    std::optional<IpAddress> broadcast{};
    std::optional<IpAddress> anycast{};
    std::optional<IpAddress> multicast{};
    std::string scope{};  // global, site, link, host, nowhere
    std::optional<bool> secondary{};
    std::optional<bool> temporary{};
    std::optional<bool> nodad{};
    std::optional<bool> optimistic{};
    std::optional<bool> dadfailed{};
    std::optional<bool> home{};
    std::optional<bool> deprecated{};
    std::optional<bool> tentative{};
    std::optional<bool> dynamic{};
    std::optional<bool> mngtmpaddr{};
    std::optional<bool> noprefixroute{};
    std::optional<bool> autojoin{};
    std::optional<bool> stable_privacy{};
    std::optional<std::string> ifa_flags{};  // the bits that have no word, in hex
    std::optional<std::string> protocol{};   // kernel_lo, kernel_ra, kernel_ll, or a number
    std::optional<std::string> label{};
    std::optional<std::uint32_t> valid_life_time{};  // s; 4294967295: for ever
    std::optional<std::uint32_t> preferred_life_time{};

    template <class Self, class Visit>
    static void fields(Self& self, Visit&& visit) {
        visit("ifindex", self.ifindex);
        visit("ifname", self.ifname);
        visit("family", self.family);
        visit("local", self.local);
        visit("address", self.address);
        visit("prefixlen", self.prefixlen);
        visit("metric", self.metric);
        visit("broadcast", self.broadcast);
        visit("anycast", self.anycast);
        visit("multicast", self.multicast);
        visit("scope", self.scope);
        visit("secondary", self.secondary);
        visit("temporary", self.temporary);
        visit("nodad", self.nodad);
        visit("optimistic", self.optimistic);
        visit("dadfailed", self.dadfailed);
        visit("home", self.home);
        visit("deprecated", self.deprecated);
        visit("tentative", self.tentative);
        visit("dynamic", self.dynamic);
        visit("mngtmpaddr", self.mngtmpaddr);
        visit("noprefixroute", self.noprefixroute);
        visit("autojoin", self.autojoin);
        visit("stable-privacy", self.stable_privacy);
        visit("ifa_flags", self.ifa_flags);
        visit("protocol", self.protocol);
        visit("label", self.label);
        visit("valid_life_time", self.valid_life_time);
        visit("preferred_life_time", self.preferred_life_time);
    }
    bool operator==(const Address&) const = default;
};

}  // namespace pve_rdma
