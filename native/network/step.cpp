#include "network/step.h"

#include <fmt/format.h>

#include "network/port_type.h"
#include "network/settings.h"

namespace pve_rdma {

namespace {

template <class T>
constexpr const char* object_word = nullptr;
template <>
constexpr const char* object_word<LinkEntry> = "link";
template <>
constexpr const char* object_word<SettingEntry> = "setting";
template <>
constexpr const char* object_word<AddressEntry> = "address";
template <>
constexpr const char* object_word<RouteEntry> = "route";
template <>
constexpr const char* object_word<RuleEntry> = "rule";
template <>
constexpr const char* object_word<SysctlEntry> = "sysctl";

template <class T>
const char* verb(const Change<T>& change) {
    return !change.before ? "add" : !change.after ? "delete" : "change";
}

std::string described(const LinkEntry& link) {
    std::string text = fmt::format("{} {}", link.kind, link.name);
    if (link.parent) text += " on " + *link.parent;
    if (link.pkey) text += " for P_Key " + *link.pkey;
    if (link.id) text += fmt::format(" for VLAN {}", *link.id);
    return text;
}

std::string text_of(const Change<LinkEntry>& change) {
    return fmt::format("{} {}", change.after ? "make" : "delete", described(change.either()));
}

std::string text_of(const Change<SettingEntry>& change) {
    const SettingEntry& setting = change.either();
    const auto from = change.before ? change.before->value : "";
    const auto to = change.after ? change.after->value : "";
    if (setting.key == "master")
        return to.empty() ? fmt::format("take {} out of {}", setting.link, from)
                          : fmt::format("put {} into {}", setting.link, to);
    if (setting.key == "up") return fmt::format("set {} {}", setting.link, to == "true" ? "up" : "down");
    const std::string text =
        fmt::format("set {} of {} to {}", setting.key, setting.link, to.empty() ? "none" : to);
    return change.before ? text + fmt::format(" (now {})", from.empty() ? "none" : from) : text;
}

std::string text_of(const Change<AddressEntry>& change) {
    const AddressEntry& address = change.either();
    if (!change.before || !change.after) {
        std::string text = fmt::format("{} address {}", verb(change), address.text());
        if (address.metric) text += fmt::format(" metric {}", address.metric);
        return text;
    }
    if (change.before->metric != change.after->metric)
        return fmt::format("give the connected route of {} metric {} (now {})", address.text(),
                           change.after->metric, change.before->metric);
    return fmt::format("change address {}", address.text());
}

std::string text_of(const Change<RouteEntry>& change) {
    if (change.before && change.after)
        return fmt::format("replace route {} by {}", change.before->text(), change.after->text());
    return fmt::format("{} route {}", verb(change), change.either().text());
}

std::string text_of(const Change<RuleEntry>& change) {
    return fmt::format("{} rule {}", verb(change), change.either().text());
}

std::string text_of(const Change<SysctlEntry>& change) {
    const auto port = PortTypeName::parse(change.either().name);
    return fmt::format(
        "set {} to {} (now {})",
        port ? fmt::format("the type of port {} of {}", port->port, port->pci) : change.either().name,
        change.after ? change.after->value : "none", change.before ? change.before->value : "none");
}

template <class T>
Step boxed(Boxed<Change<T>> Step::* member, Change<T> change) {
    Step step;
    step.*member = std::move(change);
    return step;
}

}  // namespace

Step step(Change<LinkEntry> change) {
    return boxed(&Step::link, std::move(change));
}
Step step(Change<SettingEntry> change) {
    return boxed(&Step::setting, std::move(change));
}
Step step(Change<AddressEntry> change) {
    return boxed(&Step::address, std::move(change));
}
Step step(Change<RouteEntry> change) {
    return boxed(&Step::route, std::move(change));
}
Step step(Change<RuleEntry> change) {
    return boxed(&Step::rule, std::move(change));
}
Step step(Change<SysctlEntry> change) {
    return boxed(&Step::sysctl, std::move(change));
}

Step Step::inverse() const {
    return with(*this, [](const auto& change) { return step(change.inverse()); });
}

std::string Step::action() const {
    return with(*this, []<class T>(const Change<T>& change) {
        return fmt::format("{}.{}", object_word<T>, verb(change));
    });
}

std::string Step::text() const {
    return with(*this, [](const auto& change) { return text_of(change); });
}

std::string Step::risk() const {
    if (setting) {
        const SettingKey key(setting->either().key);
        return key ? std::string(key.rule->risk) : "none";
    }
    if (sysctl && PortTypeName::parse(sysctl->either().name))
        return "all interfaces and RDMA devices of the card go, and come back bare";
    if (link && !link->after) return "what used the link loses it";
    if (address && !address->after) return "connections from this address end";
    return "none";
}

std::vector<Step> inverse(const std::vector<Step>& steps) {
    std::vector<Step> inverted;
    inverted.reserve(steps.size());
    for (auto step = steps.rbegin(); step != steps.rend(); ++step)
        inverted.push_back(step->inverse());
    return inverted;
}

}  // namespace pve_rdma
