#include "observe/netlink_message.h"

namespace pve_rdma {

std::optional<Octets> find_attribute(Octets attributes, std::uint16_t type) {
    std::optional<Octets> found;
    for_each_attribute(attributes, [&](const NetlinkAttribute& attribute) {
        if (attribute.type == type && !found) found = attribute.payload;
    });
    return found;
}

std::optional<std::uint64_t> payload_number(Octets payload) {
    switch (payload.size()) {
        case 1:
            return payload_as<std::uint8_t>(payload);
        case 2:
            return payload_as<std::uint16_t>(payload);
        case 4:
            return payload_as<std::uint32_t>(payload);
        case 8:
            return payload_as<std::uint64_t>(payload);
        default:
            return std::nullopt;
    }
}

std::string_view payload_text(Octets payload) {
    const auto* text = reinterpret_cast<const char*>(payload.data());
    return {text, ::strnlen(text, payload.size())};
}

NetlinkRequest::NetlinkRequest(std::uint16_t type, std::uint16_t flags) {
    bytes_.reserve(96);  // a route
    nlmsghdr header{};
    header.nlmsg_type = type;
    header.nlmsg_flags = static_cast<std::uint16_t>(NLM_F_REQUEST | flags);
    append(&header, sizeof header);
}

NetlinkRequest& NetlinkRequest::append(const void* data, std::size_t size) {
    const auto* from = static_cast<const std::byte*>(data);
    bytes_.insert(bytes_.end(), from, from + size);
    bytes_.resize((bytes_.size() + 3) & ~std::size_t{3});
    patch_length();
    return *this;
}

NetlinkRequest& NetlinkRequest::attribute(std::uint16_t type, const void* data, std::size_t size) {
    nlattr header{};
    header.nla_type = type;
    header.nla_len = static_cast<std::uint16_t>(sizeof header + size);
    append(&header, sizeof header);
    return size ? append(data, size) : *this;
}

NetlinkRequest& NetlinkRequest::number(std::uint16_t type, std::uint32_t value) {
    return attribute(type, &value, sizeof value);
}

NetlinkRequest& NetlinkRequest::octet(std::uint16_t type, std::uint8_t value) {
    return attribute(type, &value, sizeof value);
}

NetlinkRequest& NetlinkRequest::text(std::uint16_t type, std::string_view value) {
    const std::string terminated(value);
    return attribute(type, terminated.c_str(), terminated.size() + 1);
}

NetlinkRequest& NetlinkRequest::flag(std::uint16_t type) {
    return attribute(type, nullptr, 0);
}

std::size_t NetlinkRequest::open_nest(std::uint16_t type) {
    const std::size_t at = bytes_.size();
    attribute(static_cast<std::uint16_t>(type | NLA_F_NESTED), nullptr, 0);
    return at;
}

void NetlinkRequest::close_nest(std::size_t at) {
    const auto length = static_cast<std::uint16_t>(bytes_.size() - at);
    std::memcpy(bytes_.data() + at + offsetof(nlattr, nla_len), &length, sizeof length);
}

void NetlinkRequest::patch_length() {
    const auto length = static_cast<std::uint32_t>(bytes_.size());
    std::memcpy(bytes_.data() + offsetof(nlmsghdr, nlmsg_len), &length, sizeof length);
}

NetlinkRequest& NetlinkRequest::acknowledged() {
    constexpr std::size_t at = offsetof(nlmsghdr, nlmsg_flags);
    std::uint16_t flags;
    std::memcpy(&flags, bytes_.data() + at, sizeof flags);
    flags |= NLM_F_ACK;
    std::memcpy(bytes_.data() + at, &flags, sizeof flags);
    return *this;
}

void NetlinkRequest::set_sequence(std::uint32_t sequence) {
    std::memcpy(bytes_.data() + offsetof(nlmsghdr, nlmsg_seq), &sequence, sizeof sequence);
}

std::uint16_t NetlinkRequest::type() const {
    std::uint16_t type;
    std::memcpy(&type, bytes_.data() + offsetof(nlmsghdr, nlmsg_type), sizeof type);
    return type;
}

}  // namespace pve_rdma
