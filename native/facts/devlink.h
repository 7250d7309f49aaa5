// devlink devices (devlink(8)): driver information, ports, parameters, e-switch mode, health.
// Serial numbers are left out unless asked for. Source: linux/devlink.h.
#pragma once

#include "base/describe.h"

namespace pve_rdma {

struct DevlinkPort {
    std::uint32_t index = 0;
    std::optional<std::string> type{};  // notset, auto, eth, ib
    std::optional<std::string> desired_type{};
    std::optional<std::string> netdev{};
    std::optional<std::uint32_t> ifindex{};
    std::optional<std::string> ibdev{};
    std::optional<std::string> flavour{};  // physical, cpu, dsa, pcipf, pcivf, pcisf, virtual ...
    std::optional<std::uint32_t> number{};
    std::optional<std::uint32_t> split_subport{};
    std::optional<std::uint32_t> lanes{};
    std::optional<bool> splittable{};

    template <class Self, class Visit>
    static void fields(Self& self, Visit&& visit) {
        visit("index", self.index);
        visit("type", self.type);
        visit("desired_type", self.desired_type);
        visit("netdev", self.netdev);
        visit("ifindex", self.ifindex);
        visit("ibdev", self.ibdev);
        visit("flavour", self.flavour);
        visit("number", self.number);
        visit("split_subport", self.split_subport);
        visit("lanes", self.lanes);
        visit("splittable", self.splittable);
    }
    bool operator==(const DevlinkPort&) const = default;
};

struct DevlinkParameter {
    std::string name{};
    std::map<std::string, std::string> values{};  // by cmode: runtime, driverinit, permanent
    std::optional<bool> generic{};

    template <class Self, class Visit>
    static void fields(Self& self, Visit&& visit) {
        visit("name", self.name);
        visit("values", self.values);
        visit("generic", self.generic);
    }
    bool operator==(const DevlinkParameter&) const = default;
};

// A health reporter.
struct DevlinkReporter {
    std::string name{};
    std::optional<std::uint32_t> port{};  // index; left out for one of the device
    std::optional<std::string> state{};   // healthy, error
    std::optional<std::uint64_t> error{};
    std::optional<std::uint64_t> recover{};
    std::optional<std::uint64_t> grace_period{};  // ms
    std::optional<bool> auto_recover{};
    std::optional<bool> auto_dump{};

    template <class Self, class Visit>
    static void fields(Self& self, Visit&& visit) {
        visit("name", self.name);
        visit("port", self.port);
        visit("state", self.state);
        visit("error", self.error);
        visit("recover", self.recover);
        visit("grace_period", self.grace_period);
        visit("auto_recover", self.auto_recover);
        visit("auto_dump", self.auto_dump);
    }
    bool operator==(const DevlinkReporter&) const = default;
};

struct DevlinkDevice {
    std::string handle{};  // pci/0000:01:00.0
    std::optional<std::string> driver{};
    std::optional<std::string> serial_number{};
    std::optional<std::string> board_serial_number{};
    std::map<std::string, std::string> fixed{};  // versions: fw.psid, board.id ...
    std::map<std::string, std::string> running{};
    std::map<std::string, std::string> stored{};
    std::optional<std::string> eswitch_mode{};  // legacy, switchdev
    std::optional<std::string> eswitch_inline_mode{};
    std::optional<std::string> eswitch_encap_mode{};
    std::vector<DevlinkPort> ports{};
    std::vector<DevlinkParameter> parameters{};
    std::vector<DevlinkReporter> reporters{};

    template <class Self, class Visit>
    static void fields(Self& self, Visit&& visit) {
        visit("handle", self.handle);
        visit("driver", self.driver);
        visit("serial_number", self.serial_number);
        visit("board_serial_number", self.board_serial_number);
        visit("fixed", self.fixed);
        visit("running", self.running);
        visit("stored", self.stored);
        visit("eswitch_mode", self.eswitch_mode);
        visit("eswitch_inline_mode", self.eswitch_inline_mode);
        visit("eswitch_encap_mode", self.eswitch_encap_mode);
        visit("ports", self.ports);
        visit("parameters", self.parameters);
        visit("reporters", self.reporters);
    }
    bool operator==(const DevlinkDevice&) const = default;
};

}  // namespace pve_rdma
