#include "ifup/virtual_functions.h"

#include <cerrno>

#include <fmt/format.h>

#include "base/number.h"
#include "kernel/write_attribute.h"

namespace pve_rdma::ifup {

namespace {

Result<std::uint32_t> read_number(const Machine& machine, const std::string& path) {
    const auto text = machine.text(path);
    if (!text) return std::unexpected(text.error());
    const auto number = parse_number<std::uint32_t>(*text);
    if (!number)
        return std::unexpected(
            Error{.code = ErrorCode::malformed, .subject = path, .message = "holds no number"});
    return *number;
}

}  // namespace

Result<bool> virtual_functions_missing(std::uint32_t wanted, std::uint32_t now, std::uint32_t most) {
    if (wanted == now) return false;
    if (wanted > most)
        return std::unexpected(
            Error{.code = ErrorCode::bad_request,
                  .message = fmt::format("{} virtual functions are more than its {}", wanted, most),
                  .hint = "the card's firmware has the limit: mlxconfig, NUM_OF_VFS"});
    if (now)
        return std::unexpected(
            Error{.code = ErrorCode::conflict,
                  .message = fmt::format("it has {} virtual functions, and {} are asked for", now, wanted),
                  .hint = "another number means to remove all, also from running guests: it "
                          "holds from the next boot on"});
    return true;
}

Result<void> make_virtual_functions(const Machine& machine, const std::string& link, std::uint32_t wanted) {
    const std::string folder = "/sys/class/net/" + link + "/device/";
    const auto most = read_number(machine, folder + "sriov_totalvfs");
    const auto now = read_number(machine, folder + "sriov_numvfs");
    if (!most || !now) {
        Error error = !most ? most.error() : now.error();
        if (error.errno_value == ENOENT) error.message = "the card has no virtual functions (SR-IOV)";
        return std::unexpected(error);
    }
    auto missing = virtual_functions_missing(wanted, *now, *most);
    if (!missing) {
        missing.error().subject = link;
        return std::unexpected(missing.error());
    }
    return *missing ? write_attribute(folder + "sriov_numvfs", std::to_string(wanted)) : Result<void>{};
}

}  // namespace pve_rdma::ifup
