#include "apply/standing.h"

#include <algorithm>

#include <fmt/format.h>

#include "network/settings.h"

namespace pve_rdma {

namespace {

std::unexpected<Error> refuse(ErrorCode code, std::string subject, std::string message) {
    return std::unexpected(Error{.code = code, .subject = std::move(subject), .message = std::move(message)});
}

std::unexpected<Error> link_gone(const std::string& name) {
    return refuse(ErrorCode::not_found, name, "there is no such link");
}

// Of objects that stand in lists, several may have one key: IPv4 keeps routes that were put in front of
// another.
template <class T>
Result<Standing> among(const std::vector<T>& all, const Change<T>& asked) {
    const Change<T> change{asked.before ? std::optional(kept(*asked.before)) : std::nullopt,
                           asked.after ? std::optional(kept(*asked.after)) : std::nullopt};
    if (change.before && change.after && !change.before->same_place(*change.after))
        return refuse(ErrorCode::bad_request, change.either().text(),
                      "another key is another object: one is made and the other deleted");
    bool old_one = false, new_one = false, any = false;
    for (const auto& one : all) {
        if (!one.same_place(change.either())) continue;
        any = true;
        old_one |= one == change.before;
        new_one |= one == change.after;
    }
    if (!any) return !change.after ? Standing::after : change.before ? Standing::neither : Standing::before;
    return old_one ? Standing::before : new_one ? Standing::after : Standing::neither;
}

template <class T>
Result<Standing> among_of_link(const Network& network, const std::vector<T>& all, const Change<T>& change) {
    const auto found = among(all, change);
    const std::string& dev = change.either().dev;
    if (found && *found != Standing::after && !dev.empty() && !network.find(dev)) return link_gone(dev);
    return found;
}

// What is not asked for may be anything.
bool is_made_as(const Link& link, const LinkEntry& asked) {
    const auto entry = link_entry(link);
    return entry && entry->kind == asked.kind && entry->parent == asked.parent && entry->pkey == asked.pkey &&
           entry->id == asked.id && std::ranges::all_of(asked.settings, [&](const auto& setting) {
               const SettingKey key(setting.first);
               return key && key.read(link) == setting.second;
           });
}

Result<Standing> of(const Network& network, const Change<LinkEntry>& change) {
    if (change.before && change.after)
        return refuse(ErrorCode::bad_request, change.either().name,
                      "a link that is there is changed by its settings");
    const Link* link = network.find(change.either().name);
    if (!link) return change.after ? Standing::before : Standing::after;
    if (!is_made_as(*link, change.either())) return Standing::neither;
    return change.after ? Standing::after : Standing::before;
}

Result<Standing> of(const Network& network, const Change<SettingEntry>& change) {
    const SettingEntry& setting = change.either();
    const SettingKey key(setting.key);
    if (!key)
        return refuse(ErrorCode::bad_request, setting.link, fmt::format("{} is no setting", setting.key));
    if (!change.after) return Standing::after;  // noted for the way back: nothing is asked for
    const Link* link = network.find(setting.link);
    if (!link) return link_gone(setting.link);
    const auto now = key.read(*link);
    if (now == change.after->value) return Standing::after;
    if (!change.before) return Standing::before;  // of a link that the same plan makes: as it was born
    if (!now) return refuse(ErrorCode::unavailable, setting.link, fmt::format("it has no {}", setting.key));
    return *now == change.before->value ? Standing::before : Standing::neither;
}

Result<Standing> of(const Network& network, const Change<AddressEntry>& change) {
    return among_of_link(network, network.addresses, change);
}
Result<Standing> of(const Network& network, const Change<RouteEntry>& change) {
    return among_of_link(network, network.routes, change);
}
Result<Standing> of(const Network& network, const Change<RuleEntry>& change) {
    return among(network.rules, change);
}

Result<Standing> of(const Network& network, const Change<SysctlEntry>& change) {
    if (!change.before || !change.after)
        return refuse(ErrorCode::bad_request, change.either().name, "a sysctl is neither made nor deleted");
    const auto now = network.sysctls.find(change.after->name);
    if (now == network.sysctls.end())
        return refuse(ErrorCode::not_found, change.after->name, "there is no such sysctl");
    if (now->second == change.after->value) return Standing::after;
    return now->second == change.before->value ? Standing::before : Standing::neither;
}

}  // namespace

Result<Standing> standing(const Network& network, const Step& step) {
    return Step::with(step, [&](const auto& change) { return of(network, change); });
}

Error another_value(const Step& step) {
    return {.code = ErrorCode::conflict,
            .subject = step.text(),
            .message = "it is neither as it was nor as it shall be: somebody else changed it",
            .hint = "look at the present state and ask again"};
}

}  // namespace pve_rdma
