// What ethtool(8) tells of a link. Names are those of ethtool's netlink messages, values those it prints.
// Source: linux/ethtool_netlink.h; drivers by ETHTOOL_GDRVINFO, statistics by ETHTOOL_GSTATS
// (linux/ethtool.h).
#pragma once

#include "base/describe.h"
#include "facts/boxed.h"
#include "facts/transceiver.h"

namespace pve_rdma {

// Forward error correction: `ethtool --show-fec`.
struct Fec {
    std::optional<bool> auto_{};
    std::vector<std::string> modes{};     // what is asked for: Off, RS, BASER, LLRS
    std::optional<std::string> active{};  // what is in use: RS, BASER, LLRS; left out when the link has none

    template <class Self, class Visit>
    static void fields(Self& self, Visit&& visit) {
        visit("auto", self.auto_);
        visit("modes", self.modes);
        visit("active", self.active);
    }
    bool operator==(const Fec&) const = default;
};

// Flow control by pause frames: `ethtool -a`.
struct Pause {
    std::optional<bool> autoneg{};
    std::optional<bool> rx{};
    std::optional<bool> tx{};

    template <class Self, class Visit>
    static void fields(Self& self, Visit&& visit) {
        visit("autoneg", self.autoneg);
        visit("rx", self.rx);
        visit("tx", self.tx);
    }
    bool operator==(const Pause&) const = default;
};

// Ring sizes in descriptors: `ethtool -g`.
struct Rings {
    std::optional<std::uint32_t> rx_max{};
    std::optional<std::uint32_t> rx_mini_max{};
    std::optional<std::uint32_t> rx_jumbo_max{};
    std::optional<std::uint32_t> tx_max{};
    std::optional<std::uint32_t> rx{};
    std::optional<std::uint32_t> rx_mini{};
    std::optional<std::uint32_t> rx_jumbo{};
    std::optional<std::uint32_t> tx{};
    std::optional<std::uint32_t> rx_buf_len{};
    std::optional<std::uint32_t> cqe_size{};

    template <class Self, class Visit>
    static void fields(Self& self, Visit&& visit) {
        visit("rx_max", self.rx_max);
        visit("rx_mini_max", self.rx_mini_max);
        visit("rx_jumbo_max", self.rx_jumbo_max);
        visit("tx_max", self.tx_max);
        visit("rx", self.rx);
        visit("rx_mini", self.rx_mini);
        visit("rx_jumbo", self.rx_jumbo);
        visit("tx", self.tx);
        visit("rx_buf_len", self.rx_buf_len);
        visit("cqe_size", self.cqe_size);
    }
    bool operator==(const Rings&) const = default;
};

// Numbers of queues: `ethtool -l`.
struct Channels {
    std::optional<std::uint32_t> rx_max{};
    std::optional<std::uint32_t> tx_max{};
    std::optional<std::uint32_t> other_max{};
    std::optional<std::uint32_t> combined_max{};
    std::optional<std::uint32_t> rx{};
    std::optional<std::uint32_t> tx{};
    std::optional<std::uint32_t> other{};
    std::optional<std::uint32_t> combined{};

    template <class Self, class Visit>
    static void fields(Self& self, Visit&& visit) {
        visit("rx_max", self.rx_max);
        visit("tx_max", self.tx_max);
        visit("other_max", self.other_max);
        visit("combined_max", self.combined_max);
        visit("rx", self.rx);
        visit("tx", self.tx);
        visit("other", self.other);
        visit("combined", self.combined);
    }
    bool operator==(const Channels&) const = default;
};

// `ethtool -T`.
struct Timestamping {
    std::vector<std::string> capabilities{};
    std::vector<std::string> tx_types{};
    std::vector<std::string> rx_filters{};
    std::optional<std::uint32_t> phc_index{};  // number of the PTP clock

    template <class Self, class Visit>
    static void fields(Self& self, Visit&& visit) {
        visit("capabilities", self.capabilities);
        visit("tx_types", self.tx_types);
        visit("rx_filters", self.rx_filters);
        visit("phc_index", self.phc_index);
    }
    bool operator==(const Timestamping&) const = default;
};

// `ethtool` (Wake-on): phy, ucast, mcast, bcast, arp, magic, magicsecure, filter.
struct WakeOnLan {
    std::vector<std::string> supported{};
    std::vector<std::string> active{};

    template <class Self, class Visit>
    static void fields(Self& self, Visit&& visit) {
        visit("supported", self.supported);
        visit("active", self.active);
    }
    bool operator==(const WakeOnLan&) const = default;
};

struct Ethernet {
    std::optional<std::uint32_t> speed{};  // Mb/s
    std::optional<std::string> duplex{};   // Half, Full
    std::optional<bool> autoneg{};
    std::optional<std::uint32_t> lanes{};
    std::vector<std::string> supported{};  // link modes by the kernel's names, 10000baseT/Full
    std::vector<std::string> advertised{};
    std::vector<std::string> peer{};
    std::optional<std::string> port{};  // Twisted Pair, FIBRE, Direct Attach Copper, Other ...
    std::optional<std::uint32_t> phyaddr{};
    std::optional<std::string> transceiver{};  // internal, external
    std::optional<std::string> mdix{};         // on, off; left out when unknown
    std::optional<bool> link{};                // link detected
    std::optional<std::string> ext_state{};    // why there is no link
    std::optional<std::string> ext_substate{};
    std::optional<std::uint32_t> sqi{};  // signal quality, 0 to sqi_max
    std::optional<std::uint32_t> sqi_max{};
    std::optional<Fec> fec{};
    std::optional<Pause> pause{};
    std::optional<Rings> rings{};
    std::optional<Channels> channels{};
    std::map<std::string, std::uint64_t> coalesce{};  // `ethtool -c`: rx-usecs, adaptive-rx (0, 1) ...
    std::map<std::string, std::string>
        features;  // by the kernel's names: on, off, with [fixed] or [requested ...]
    std::map<std::string, bool> private_flags{};
    std::optional<Timestamping> timestamping{};
    std::optional<WakeOnLan> wake_on_lan{};
    std::optional<std::string> driver{};
    std::optional<std::string> driver_version{};
    std::optional<std::string> firmware_version{};
    std::optional<std::string> expansion_rom_version{};
    std::optional<std::string> bus_info{};
    std::map<std::string, std::uint64_t>
        statistics;  // the driver's counters of pauses, drops, errors and FEC
    Boxed<Transceiver> module{};

    template <class Self, class Visit>
    static void fields(Self& self, Visit&& visit) {
        visit("speed", self.speed);
        visit("duplex", self.duplex);
        visit("autoneg", self.autoneg);
        visit("lanes", self.lanes);
        visit("supported", self.supported);
        visit("advertised", self.advertised);
        visit("peer", self.peer);
        visit("port", self.port);
        visit("phyaddr", self.phyaddr);
        visit("transceiver", self.transceiver);
        visit("mdix", self.mdix);
        visit("link", self.link);
        visit("ext_state", self.ext_state);
        visit("ext_substate", self.ext_substate);
        visit("sqi", self.sqi);
        visit("sqi_max", self.sqi_max);
        visit("fec", self.fec);
        visit("pause", self.pause);
        visit("rings", self.rings);
        visit("channels", self.channels);
        visit("coalesce", self.coalesce);
        visit("features", self.features);
        visit("private_flags", self.private_flags);
        visit("timestamping", self.timestamping);
        visit("wake_on_lan", self.wake_on_lan);
        visit("driver", self.driver);
        visit("driver_version", self.driver_version);
        visit("firmware_version", self.firmware_version);
        visit("expansion_rom_version", self.expansion_rom_version);
        visit("bus_info", self.bus_info);
        visit("statistics", self.statistics);
        visit("module", self.module);
    }
    bool operator==(const Ethernet&) const = default;
};

}  // namespace pve_rdma
