// Netlink messages: building requests, walking attributes. Layout: linux/netlink.h (struct nlmsghdr, nlattr);
// everything is in host order and aligned to 4 octets. Nothing that is read is trusted: a length that leaves
// its enclosing part ends the walk, and Attributes::whole() says so.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <linux/netlink.h>

namespace pve_rdma {

using Octets = std::span<const std::byte>;

// One message as it was received.
struct NetlinkMessage {
    nlmsghdr header{};
    Octets body;  // what follows the header

    // The family's own header at the start of the body, zeroed where the body is shorter.
    template <class Header>
    Header start() const {
        Header header_of_family{};
        std::ranges::copy_n(body.begin(), static_cast<std::ptrdiff_t>(std::min(sizeof(Header), body.size())),
                            reinterpret_cast<std::byte*>(&header_of_family));
        return header_of_family;
    }
    // The attributes behind a header of `size` octets.
    Octets behind(std::size_t size) const {
        return body.subspan(std::min(body.size(), (size + 3) & ~std::size_t{3}));
    }
};

struct NetlinkAttribute {
    std::uint16_t type = 0;  // without NLA_F_NESTED and NLA_F_NET_BYTEORDER
    Octets payload;
};

// Calls `each(NetlinkAttribute)` for every attribute; false when a length breaks the format.
template <class Each>
bool for_each_attribute(Octets attributes, Each&& each) {
    while (attributes.size() >= sizeof(nlattr)) {
        nlattr header;
        std::memcpy(&header, attributes.data(), sizeof header);
        if (header.nla_len < sizeof header || header.nla_len > attributes.size()) return false;
        each(NetlinkAttribute{static_cast<std::uint16_t>(header.nla_type & NLA_TYPE_MASK),
                              attributes.subspan(sizeof header, header.nla_len - sizeof header)});
        attributes = attributes.subspan(
            std::min(attributes.size(), (std::size_t{header.nla_len} + 3) & ~std::size_t{3}));
    }
    return true;
}

std::optional<Octets> find_attribute(Octets attributes, std::uint16_t type);

// The payload as T, when it has T's size.
template <class T>
std::optional<T> payload_as(Octets payload) {
    if (payload.size() < sizeof(T)) return std::nullopt;
    T value;
    std::memcpy(&value, payload.data(), sizeof value);
    return value;
}
// An unsigned number of 1, 2, 4 or 8 octets.
std::optional<std::uint64_t> payload_number(Octets payload);
// Text up to the first NUL.
std::string_view payload_text(Octets payload);

// Builds one request. Sequence numbers are given by who sends it (set_sequence).
class NetlinkRequest {
  public:
    // flags go beside NLM_F_REQUEST.
    NetlinkRequest(std::uint16_t type, std::uint16_t flags);

    template <class Header>
    NetlinkRequest& header(const Header& value) {
        return append(&value, sizeof value);
    }
    NetlinkRequest& number(std::uint16_t type, std::uint32_t value);
    NetlinkRequest& octet(std::uint16_t type, std::uint8_t value);
    NetlinkRequest& text(std::uint16_t type, std::string_view value);
    NetlinkRequest& flag(std::uint16_t type);
    NetlinkRequest& octets(std::uint16_t type, Octets value) {
        return attribute(type, value.data(), value.size());
    }
    // Any trivially copyable value, as its octets.
    template <class T>
    NetlinkRequest& bytes_of(std::uint16_t type, const T& value) {
        return attribute(type, &value, sizeof value);
    }
    // The attributes added by `inside(*this)` become one nested attribute.
    template <class Inside>
    NetlinkRequest& nested(std::uint16_t type, Inside&& inside) {
        const std::size_t at = open_nest(type);
        inside(*this);
        close_nest(at);
        return *this;
    }

    // Asks for an answer also where all went well (NLM_F_ACK).
    NetlinkRequest& acknowledged();
    void set_sequence(std::uint32_t sequence);
    std::uint16_t type() const;
    Octets bytes() const { return bytes_; }

  private:
    NetlinkRequest& append(const void* data, std::size_t size);
    NetlinkRequest& attribute(std::uint16_t type, const void* data, std::size_t size);
    std::size_t open_nest(std::uint16_t type);
    void close_nest(std::size_t at);
    void patch_length();

    std::vector<std::byte> bytes_;
};

}  // namespace pve_rdma
