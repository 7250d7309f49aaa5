#include "observe/netlink_generic.h"

#include <cerrno>

namespace pve_rdma {

NetlinkRequest generic_request(const GenericFamily& family, std::uint8_t command, std::uint16_t flags) {
    genlmsghdr header{};
    header.cmd = command;
    header.version = family.version;
    NetlinkRequest request(family.id, flags);
    request.header(header);
    return request;
}

Result<GenericFamily> find_family(NetlinkTransport& transport, const std::string& name) {
    const GenericFamily controller{.id = GENL_ID_CTRL, .version = 1};
    NetlinkRequest request = generic_request(controller, CTRL_CMD_GETFAMILY, 0);
    request.text(CTRL_ATTR_FAMILY_NAME, name);
    std::optional<GenericFamily> family;
    const auto asked = ask(transport, name, std::move(request), [&](const NetlinkMessage& message) {
        const Octets attributes = generic_attributes(message);
        const auto id = find_attribute(attributes, CTRL_ATTR_FAMILY_ID);
        const auto version = find_attribute(attributes, CTRL_ATTR_VERSION);
        if (!id || !payload_number(*id)) return;
        family = GenericFamily{
            .id = static_cast<std::uint16_t>(*payload_number(*id)),
            .version = static_cast<std::uint8_t>(version ? payload_number(*version).value_or(1) : 1)};
    });
    if (!asked) {
        Error error = asked.error();
        if (error.errno_value == ENOENT) {
            error.code = ErrorCode::unavailable;
            error.message = "the kernel has no such interface";
            error.hint = "no driver that needs it is loaded, or the kernel was built without it";
        }
        return std::unexpected(error);
    }
    if (!family)
        return std::unexpected(Error{
            .code = ErrorCode::malformed, .subject = name, .message = "the kernel's answer names no family"});
    return *family;
}

}  // namespace pve_rdma
