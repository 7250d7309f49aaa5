#include "ifup/occasion.h"

#include <array>
#include <cctype>

#include "wishes/words.h"

namespace pve_rdma::ifup {

namespace {

constexpr std::array own_options{"ib-mode",     "ib-parent",  "ib-pkey",   "sriov-numvfs",
                                 "rdma-metric", "rdma-route", "rdma-rule", "mtu"};

std::string variable_name(std::string_view option) {
    std::string name = "IF_";
    for (const char c : option)
        name += c == '-' ? '_' : static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    return name;
}

// One line for each value: ifupdown joins those of an option that stands several times by line ends.
std::string stanza(const std::string& interface, const std::function<const char*(const char*)>& variable) {
    std::string text;
    for (const std::string_view option : own_options) {
        const char* value = variable(variable_name(option).c_str());
        if (!value) continue;
        std::string_view rest = value;
        while (!rest.empty()) {
            const auto end = std::min(rest.find('\n'), rest.size());
            if (end) text += "    " + std::string(option) + " " + std::string(rest.substr(0, end)) + "\n";
            rest.remove_prefix(std::min(end + 1, rest.size()));
        }
    }
    return text.empty() ? text : "iface " + interface + " inet manual\n" + text;
}

}  // namespace

Result<Occasion> occasion_of(const std::function<const char*(const char*)>& variable) {
    const char* interface = variable("IFACE");
    const char* mode = variable("MODE");
    const char* phase = variable("PHASE");
    if (!interface || !mode || !phase)
        return std::unexpected(Error{.code = ErrorCode::bad_request,
                                     .message = "IFACE, MODE and PHASE are not set",
                                     .hint = "this program is run by ifup, ifdown and ifreload"});
    Occasion occasion{.interface = interface};
    if (occasion.interface == "--all") return occasion;  // ifupdown, around `ifup -a`
    if (!interface_name(occasion.interface))
        return std::unexpected(Words::bad(occasion.interface, "is no interface's name"));
    occasion.ifupdown2 = !variable("VERBOSITY");
    const std::string_view word = phase;
    if (word == "pre-up")
        occasion.phase = Phase::before_up;
    else if (word == "up" || (word == "post-up" && !occasion.ifupdown2))
        occasion.phase = Phase::up;
    else if (word == "post-up")
        occasion.phase = Phase::again;
    else if (word == "post-down")
        occasion.phase = Phase::after_down;
    occasion.options = stanza(occasion.interface, variable);
    return occasion;
}

}  // namespace pve_rdma::ifup
