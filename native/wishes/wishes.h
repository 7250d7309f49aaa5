// Our options of one interface, read from interfaces(5):
//
//     ib-mode connected|datagram        IPoIB mode
//     ib-parent ib0, ib-pkey 0x8001     the interface is a P_Key child of that port
//     sriov-numvfs 4                    virtual functions of the card
//     rdma-metric 10                    metric of the connected routes of its addresses
//     rdma-route PREFIX [via ADDRESS] [metric N] [table N] [src ADDRESS] [mtu N] [onlink]
//     rdma-rule [inet6] [from PREFIX] [to PREFIX] [iif NAME] [oif NAME] [fwmark N[/MASK]] priority N table N
//
// rdma-route and rdma-rule may stand several times. A value is words and numbers, never a command.
#pragma once

#include "eni/diagnostic.h"
#include "eni/view.h"
#include "wishes/entries.h"

namespace pve_rdma::ifup {

// Where an option stands, for the errors that it leads to.
struct Origin {
    std::string file{};
    int line = 0, column = 0;
    Error error(Error) const;  // the same error, with this place
};

template <class T>
struct Wish {
    T value{};
    Origin origin{};
};

struct Wishes {
    std::optional<Wish<IpoibMode>> mode{};
    std::optional<Wish<std::string>> parent{};
    std::optional<Wish<PKey>> pkey{};
    std::optional<Wish<std::uint32_t>> mtu{}, virtual_functions{}, metric{};
    std::vector<Wish<AddressEntry>> addresses{};  // those with a prefix length
    std::vector<Wish<RouteEntry>> routes{};
    std::vector<Wish<RuleEntry>> rules{};
    std::vector<Error> errors{};  // of options whose value cannot be read; those options are no wishes

    bool infiniband() const { return mode || parent || pkey; }
};

// ifupdown follows `inherits` (eni/inherits.h), ifupdown2 does not.
enum class Inherits { followed, not_followed };

// All stanzas of that name count together. An interface that the file does not have wishes nothing.
Wishes wishes_of(const eni::View&, const std::string& name, Inherits = Inherits::followed);
// The rules of all interfaces but one.
std::vector<RuleEntry> rules_of_others(const eni::View&, const std::string& name,
                                       Inherits = Inherits::followed);

// The errors of all interfaces, as findings beside those of eni::check. An inherited value is
// judged where it stands.
std::vector<eni::Diagnostic> check_wishes(const eni::View&);

// The values alone.
Result<RouteEntry> parse_route(std::string_view);
Result<RuleEntry> parse_rule(std::string_view);

}  // namespace pve_rdma::ifup
