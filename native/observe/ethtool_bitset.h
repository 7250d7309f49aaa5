// Bit sets and string sets of ethtool's netlink (Documentation/networking/ethtool-netlink.rst).
#pragma once

#include <map>

#include "observe/netlink_generic.h"

namespace pve_rdma {

// Names of bits by string set (ETH_SS_*), as the running kernel has them.
class StringSets {
  public:
    // Asks for all sets that the decoders need in one request.
    static Result<StringSets> read(NetlinkTransport&, const GenericFamily&);
    static StringSets parse(const NetlinkMessage&);
    // The name, or "bit N".
    std::string name(std::uint32_t set, std::size_t bit) const;
    std::size_t size(std::uint32_t set) const;

  private:
    std::map<std::uint32_t, std::vector<std::string>> sets_;
};

// A compact bit set: which bits are set, and which count.
struct Bitset {
    std::vector<bool> value, mask;
};
Bitset parse_bitset(Octets);
// Names of the bits of `bits` that are set.
std::vector<std::string> bit_names(const std::vector<bool>& bits, const StringSets&, std::uint32_t set);

// A verbose bit set: names and values stand in it.
struct NamedBit {
    std::string name;
    bool value = false;
};
std::vector<NamedBit> parse_named_bits(Octets);

}  // namespace pve_rdma
