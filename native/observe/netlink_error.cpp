#include "observe/netlink_error.h"

#include <cerrno>

namespace pve_rdma {

std::optional<Error> netlink_error(const NetlinkMessage& message, const std::string& what) {
    if (message.header.nlmsg_type == NLMSG_DONE && message.body.size() < sizeof(int)) return std::nullopt;
    const auto number = payload_as<std::int32_t>(message.body);
    if (!number)
        return Error{.code = ErrorCode::malformed,
                     .subject = what,
                     .message = "an error message of the kernel is cut short"};
    if (*number >= 0) return std::nullopt;

    Error error = errno_error(-*number, what, "the kernel refused");
    if (error.errno_value == EPERM || error.errno_value == EACCES) error.hint = "run as root (CAP_NET_ADMIN)";
    if (message.header.nlmsg_flags & NLM_F_ACK_TLVS) {
        std::size_t before = sizeof(std::int32_t);
        if (message.header.nlmsg_type == NLMSG_ERROR) {
            before = sizeof(nlmsgerr);
            // Without NLM_F_CAPPED the whole request is echoed in front of the attributes.
            if (!(message.header.nlmsg_flags & NLM_F_CAPPED))
                if (const auto echoed = payload_as<nlmsgerr>(message.body);
                    echoed && echoed->msg.nlmsg_len > sizeof(nlmsghdr))
                    before += echoed->msg.nlmsg_len - sizeof(nlmsghdr);
        }
        if (const auto words = find_attribute(message.behind(before), NLMSGERR_ATTR_MSG))
            error.kernel_text = payload_text(*words);
    }
    return error;
}

}  // namespace pve_rdma
