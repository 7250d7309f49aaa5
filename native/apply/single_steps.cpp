#include "apply/single_steps.h"

#include <cerrno>

#include <fmt/format.h>

#include "apply/harmless.h"
#include "apply/standing.h"
#include "kernel/batch.h"
#include "kernel/bridge_requests.h"
#include "kernel/ethtool_requests.h"
#include "kernel/read_network.h"
#include "kernel/requests.h"
#include "kernel/write_attribute.h"

namespace pve_rdma {

namespace {

NetworkParts parts_of(const Step& step) {
    NetworkParts parts{.addresses = false, .routes = false, .rules = false, .ethernet = false};
    if (step.setting)
        if (const SettingKey key(step.setting->either().key); key)
            parts.ethernet = key.rule->way == SettingWay::ethtool;
    if (step.sysctl) parts.sysctls.push_back(step.sysctl->either().name);
    return parts;
}

class Single {
  public:
    Single(const Machine& machine, NetlinkTransport& transport, const Network& network, const Step& step)
        : machine_(machine), transport_(transport), network_(network), step_(step) {}

    Result<void> carry_out(const Change<LinkEntry>& change) const {
        return ask(change.after ? make_link_request(*change.after, index_of())
                                : delete_link_request(index_of()(change.before->name)));
    }

    Result<void> carry_out(const Change<SettingEntry>& change) const {
        const SettingEntry& setting = *change.after;
        const SettingKey key(setting.key);
        const Link& link = *network_.find(setting.link);
        switch (key.rule->way) {
            case SettingWay::link_message:
                return set_by_link_message(link, key, setting);
            case SettingWay::ethtool:
                return set_by_ethtool(link, setting);
            case SettingWay::bridge_message:
                return set_vlans(link, setting.value);
            case SettingWay::sysfs:
                return set_virtual_functions(link, setting.value);
        }
        return {};
    }

    Result<void> carry_out(const Change<SysctlEntry>& change) const {
        return write_attribute(sysctl_path(change.after->name), change.after->value);
    }

    template <class T>
    Result<void> carry_out(const Change<T>&) const {
        return std::unexpected(Error{.code = ErrorCode::internal, .message = "this step travels in a batch"});
    }

  private:
    IndexOf index_of() const {
        return [this](const std::string& name) {
            const Link* link = network_.find(name);
            return link ? link->ifindex : 0;
        };
    }
    Result<void> ask(NetlinkRequest request) const {
        return ask_patiently(transport_, step_.text(), std::move(request));
    }

    Result<void> set_by_link_message(const Link& link, const SettingKey& key,
                                     const SettingEntry& setting) const {
        if (setting.key == "master" && !setting.value.empty() && !network_.find(setting.value))
            return std::unexpected(Error{
                .code = ErrorCode::not_found, .subject = setting.value, .message = "there is no such link"});
        if (const auto asked = ask(setting_request(link, key, setting.value, index_of())); !asked)
            return asked;
        const auto then = read_network(machine_, parts_of(step_));
        if (!then) return std::unexpected(then.error());
        const auto now = standing(*then, step_);
        if (!now || *now == Standing::after) return now ? Result<void>{} : std::unexpected(now.error());
        return std::unexpected(
            Error{.code = ErrorCode::machine,
                  .subject = step_.text(),
                  .message = fmt::format("the kernel said yes and keeps {}",
                                         key.read(*then->find(setting.link)).value_or("none")),
                  .hint = setting.key == "mtu" && link.ipoib
                              ? "datagram mode ends at the MTU of the subnet's IPoIB group"
                              : ""});
    }

    Result<void> set_by_ethtool(const Link& link, const SettingEntry& setting) const {
        const auto transport = open_netlink(NETLINK_GENERIC, "ethtool");
        if (!transport) return std::unexpected(transport.error());
        const auto family = find_family(**transport, "ethtool");
        if (!family) return std::unexpected(family.error());
        return ask_patiently(**transport, step_.text(),
                             ethtool_request(*family, link.ifindex, setting.key, setting.value));
    }

    Result<void> set_vlans(const Link& link, const std::string& value) const {
        const auto wanted = VlanMembership::parse(value);
        if (!wanted) return std::unexpected(wanted.error());
        for (auto& request : vlan_requests(link.ifindex, VlanMembership::of(link.bridge_vlans), *wanted))
            if (auto asked = ask(std::move(request)); !asked) return asked;
        return {};
    }

    // Another number than none is taken only where there are none (sriov_numvfs_store(), drivers/pci/iov.c).
    Result<void> set_virtual_functions(const Link& link, const std::string& count) const {
        const std::string path = "/sys/class/net/" + link.ifname + "/device/sriov_numvfs";
        if (link.num_vf.value_or(0) && count != "0")
            if (const auto none = write_attribute(path, "0"); !none) return none;
        return write_attribute(path, count);
    }

    const Machine& machine_;
    NetlinkTransport& transport_;
    const Network& network_;
    const Step& step_;
};

}  // namespace

Result<void> carry_out_single(const Machine& machine, NetlinkTransport& transport, const Step& step) {
    const auto network = read_network(machine, parts_of(step));
    if (!network) return std::unexpected(network.error());
    if (const auto harmless = is_harmless(*network, step); !harmless) return harmless;
    const auto now = standing(*network, step);
    if (!now) return std::unexpected(now.error());
    if (*now == Standing::after) return {};
    if (*now == Standing::neither) return std::unexpected(another_value(step));
    const Single single(machine, transport, *network, step);
    return Step::with(step, [&](const auto& change) { return single.carry_out(change); });
}

}  // namespace pve_rdma
