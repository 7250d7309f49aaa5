#include "apply/harmless.h"

#include "facts/guest_link.h"

namespace pve_rdma {

namespace {

std::unexpected<Error> guest_needs(const std::string& name) {
    return std::unexpected(Error{.code = ErrorCode::conflict,
                                 .subject = name,
                                 .message = "a guest's interface depends on it, and is left alone",
                                 .hint = "stop or migrate the guest first"});
}

Result<void> check(const Network& network, const Change<LinkEntry>& change) {
    if (change.after) {
        if (change.after->kind != "ipoib") return {};
        const Link* parent = network.find(change.after->parent.value_or(""));
        if (parent && parent->info_kind == "ipoib" && !parent->link) return {};
        return std::unexpected(
            Error{.code = ErrorCode::bad_request,
                  .subject = change.after->name,
                  .message = "its parent is no IPoIB port",
                  .hint = "a bond has no P_Key children: make one on each port, and a bond of them"});
    }
    const std::string& name = change.before->name;
    if (is_guest_link(name)) return guest_needs(name);
    for (const auto& link : network.links)
        if (link.master == name && is_guest_link(link.ifname)) return guest_needs(link.ifname);
    return {};
}

Result<void> check(const Network&, const Change<SettingEntry>& change) {
    const SettingEntry& setting = change.either();
    if (setting.key == "master" && is_guest_link(setting.link)) return guest_needs(setting.link);
    return {};
}

template <class T>
Result<void> check(const Network&, const Change<T>&) {
    return {};
}

}  // namespace

Result<void> is_harmless(const Network& network, const Step& step) {
    return Step::with(step, [&](const auto& change) { return check(network, change); });
}

}  // namespace pve_rdma
