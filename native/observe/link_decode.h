// One RTM_NEWLINK message to a Link, and the names that links have for each other.
// Source: struct ifinfomsg and IFLA_* (linux/if_link.h).
#pragma once

#include "facts/link.h"
#include "observe/link_kinds.h"

namespace pve_rdma {

// Fills `link`. Fields that name another link hold its ifindex as text until LinkNames::resolve.
Malformed decode_link(const NetlinkMessage&, Link& link);

// Names by ifindex. Holds pointers into the links it was made of.
class LinkNames {
  public:
    explicit LinkNames(std::span<const Link>);
    // "if7" for an ifindex that no link has, as `ip` writes it.
    std::string name(std::uint32_t ifindex) const;
    const Link* find(std::uint32_t ifindex) const;
    // Ifindex text becomes a name.
    void resolve(std::optional<std::string>& reference) const;

  private:
    std::vector<std::pair<std::uint32_t, const Link*>> by_index_;
};

// Puts names in the place of ifindexes in all links, and M-DOWN where the link below is not up.
void resolve_names(std::span<Link>);

}  // namespace pve_rdma
