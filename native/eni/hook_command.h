// What the commands of a stanza (pre-up, up, post-down ...) do to the network, as far as their words tell. A
// command is a line for the shell, and nothing is expanded here: what a script or a variable hides stays
// unknown.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace pve_rdma::eni {

// Whether an option is a command: pre-up, up, post-up, pre-down, down, post-down.
bool command_option(std::string_view name);
// Whether it runs on the way up, and so once more at each ifreload -a.
bool up_command_option(std::string_view name);

// Of the up commands of one stanza, in their order, the indexes of those that add a rule to a packet filter
// at every run: no command tests for the rule (-C), deletes it first (-D) or empties the chain (-F).
std::vector<std::size_t> piling_commands(std::span<const std::string_view> up_commands);

// Whether the command makes the interface: ip link add, ip tunnel add, ip tuntap add, brctl addbr, tunctl.
bool makes_interface(std::string_view command, std::string_view name);

// A route that a command adds, by ip(8) or route(8).
struct AddedRoute {
    std::string destination{};                // as written: "default", "192.0.2.0/24"
    std::optional<std::string> via{}, dev{};  // $IFACE is the interface's name
    bool onlink = false;
};
std::vector<AddedRoute> added_routes(std::string_view command, std::string_view interface);
// Whether the command may give an interface an address, so that what is on its link is not known.
bool may_add_address(std::string_view command);

}  // namespace pve_rdma::eni
