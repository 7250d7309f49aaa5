// The other two files of opensm, line by line: opensm.conf ("KEY VALUE", opensm(8), -F and -c) and Debian's
// /etc/default/opensm (assignments of sh, read by systemd as EnvironmentFile). No IO of its own.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace pve_rdma::opensm {

// The value of the last line that sets it; opensm takes the words behind the key.
std::optional<std::string> option(std::string_view conf, std::string_view key);
// That line with another value, or one more line. The same text when the value stands there.
std::string with_option(std::string_view conf, std::string_view key, const std::string& value);

// PORTS: "ALL", "NONE", or GUIDs with a blank between.
std::optional<std::string> ports(std::string_view defaults);
std::string with_ports(std::string_view defaults, const std::string& value);

}  // namespace pve_rdma::opensm
