// Tables that say which attribute fills which member of a described struct, so that each list stands once:
//
//     constexpr AttributeTable<Vlan, IFLA_VLAN_MAX + 1> vlan_table{{
//         {IFLA_VLAN_ID, number<&Vlan::id>},
//         {IFLA_VLAN_PROTOCOL, named<&Vlan::protocol, ether_types>},
//     }};
//     const auto bad = vlan_table.decode(payload, vlan);
//
// A member is the plain type or std::optional of it. Attributes that a table lacks are newer than it or
// unwanted; they are passed over. A payload of the wrong size leaves its member as it is and is reported.
#pragma once

#include <array>
#include <charconv>
#include <initializer_list>

#include <arpa/inet.h>

#include <endian.h>

#include "base/describe.h"
#include "facts/boxed.h"
#include "facts/hardware_address.h"
#include "facts/ip_address.h"
#include "facts/rdma_words.h"
#include "observe/netlink_message.h"

namespace pve_rdma {

// The word, or the number as text.
template <std::size_t count>
std::string word_of(const Words<count>& words, std::uint64_t value) {
    const auto word = known_word(words, value);
    return word.empty() ? std::to_string(value) : std::string(word);
}

std::string hex_text(std::uint64_t value);  // "0x1f", and "0" for 0 as %#x does
std::string hex_octets(Octets octets);      // "0a1b", without separators
inline std::span<const std::uint8_t> as_bytes(Octets payload) {
    return {reinterpret_cast<const std::uint8_t*>(payload.data()), payload.size()};
}

template <class T>
using AttributeReader = bool (*)(Octets payload, T& out);

template <class T>
struct AttributeRule {
    std::uint16_t type;
    AttributeReader<T> read;
};

template <class T, std::size_t size>
class AttributeTable {
  public:
    constexpr AttributeTable(std::initializer_list<AttributeRule<T>> rules) {
        for (const auto& rule : rules)
            readers_[rule.type] = rule.read;
    }

    // The first attribute that is malformed; none when all is well.
    std::optional<std::uint16_t> decode(Octets attributes, T& out) const {
        std::optional<std::uint16_t> bad;
        const bool whole = for_each_attribute(attributes, [&](const NetlinkAttribute& attribute) {
            if (attribute.type >= size || !readers_[attribute.type]) return;
            if (!readers_[attribute.type](attribute.payload, out) && !bad) bad = attribute.type;
        });
        if (!whole && !bad) bad = std::uint16_t{0xffff};
        return bad;
    }

  private:
    std::array<AttributeReader<T>, size> readers_{};
};

namespace detail {
template <class>
struct MemberTraits;
template <class Owner_, class Type_>
struct MemberTraits<Type_ Owner_::*> {
    using Owner = Owner_;
    using Type = Type_;
};
template <class T>
struct Plain {
    using Type = T;
};
template <class T>
    requires Optional<T>
struct Plain<T> {
    using Type = typename T::value_type;
};
template <auto member>
using OwnerOf = typename MemberTraits<decltype(member)>::Owner;
template <auto member>
using PlainOf = typename Plain<typename MemberTraits<decltype(member)>::Type>::Type;

inline void assign_text(std::optional<std::string>& to, std::string_view text) {
    to.emplace(text);
}
inline void assign_text(std::string& to, std::string_view text) {
    to.assign(text);
}
}  // namespace detail

// Unsigned or signed, of 1, 2, 4 or 8 octets; bool is "not 0".
template <auto member>
bool number(Octets payload, detail::OwnerOf<member>& out) {
    const auto value = payload_number(payload);
    if (!value) return false;
    using T = detail::PlainOf<member>;
    if constexpr (std::is_same_v<T, bool>)
        out.*member = *value != 0;
    else
        out.*member = static_cast<T>(*value);
    return true;
}

template <auto member>
bool number_be(Octets payload, detail::OwnerOf<member>& out) {
    using T = detail::PlainOf<member>;
    if (payload.size() == 2)
        out.*member = static_cast<T>(be16toh(*payload_as<std::uint16_t>(payload)));
    else if (payload.size() == 4)
        out.*member = static_cast<T>(be32toh(*payload_as<std::uint32_t>(payload)));
    else if (payload.size() == 8)
        out.*member = static_cast<T>(be64toh(*payload_as<std::uint64_t>(payload)));
    else
        return false;
    return true;
}

template <auto member>
bool text(Octets payload, detail::OwnerOf<member>& out) {
    detail::assign_text(out.*member, payload_text(payload));
    return true;
}

template <auto member>
bool hex(Octets payload, detail::OwnerOf<member>& out) {
    const auto value = payload_number(payload);
    if (value) out.*member = hex_text(*value);
    return value.has_value();
}

template <auto member>
bool octets(Octets payload, detail::OwnerOf<member>& out) {
    out.*member = hex_octets(payload);
    return true;
}

template <auto member, const auto& words>
bool named(Octets payload, detail::OwnerOf<member>& out) {
    const auto value = payload_number(payload);
    if (!value) return false;
    if (*value < words.size() && !words[*value].empty())
        detail::assign_text(out.*member, words[*value]);
    else
        out.*member = std::to_string(*value);
    return true;
}

// A flag attribute: there is true.
template <auto member>
bool present(Octets, detail::OwnerOf<member>& out) {
    out.*member = true;
    return true;
}

template <auto member>
bool hardware(Octets payload, detail::OwnerOf<member>& out) {
    const auto address = HardwareAddress::from(as_bytes(payload));
    if (address) out.*member = *address;
    return address.has_value();
}

template <auto member>
bool ip(Octets payload, detail::OwnerOf<member>& out) {
    const auto address = IpAddress::from(as_bytes(payload));
    if (address) out.*member = *address;
    return address.has_value();
}

// 802.1Q and 802.1ad (linux/if_ether.h), as `ip` writes them.
template <auto member>
bool vlan_protocol(Octets payload, detail::OwnerOf<member>& out) {
    const auto type = payload_as<std::uint16_t>(payload);
    if (!type) return false;
    const std::uint16_t value = be16toh(*type);
    out.*member = value == 0x8100 ? "802.1Q" : value == 0x88a8 ? "802.1ad" : hex_text(value);
    return true;
}

// An ifindex that becomes the link's name once all links are known (LinkNames::resolve); 0 is none.
template <auto member>
bool reference(Octets payload, detail::OwnerOf<member>& out) {
    const auto value = payload_as<std::uint32_t>(payload);
    if (!value) return false;
    if (*value) out.*member = std::to_string(*value);
    return true;
}

}  // namespace pve_rdma
