// The option names that some reader of interfaces(5) acts on.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace pve_rdma::eni {

// In canonical spelling (dashes). Unknown names are no mistake: hooks may use them.
bool known_option(std::string_view name);

// The known option, or keyword, that an unknown name was probably meant to be: one letter wrong, missing, too
// many or swapped (two in a name of six or more).
std::optional<std::string> probably_meant(std::string_view name);

// Whether the value is a key or a password, so that it must not leave the machine (wpa-psk ...).
bool secret_option(std::string_view name);

}  // namespace pve_rdma::eni
