#include "observe/storage_targets.h"

#include <fmt/format.h>

namespace pve_rdma {

namespace {

constexpr const char* iscsi = "/sys/class/iscsi_connection";
constexpr const char* nvme = "/sys/class/nvme";

// "traddr=192.0.2.9,trsvcid=4420,..." (nvmf_get_address(), drivers/nvme/host/fabrics.c)
std::string_view transport_address(std::string_view text) {
    constexpr std::string_view key = "traddr=";
    const auto at = text.find(key);
    if (at == text.npos) return {};
    text.remove_prefix(at + key.size());
    return text.substr(0, text.find_first_of(",\n"));
}

}  // namespace

std::vector<NamedAddress> storage_targets(const Machine& machine) {
    std::vector<NamedAddress> targets;
    const auto add = [&](std::string what, std::string_view text) {
        if (const auto address = IpAddress::parse(text)) targets.push_back({std::move(what), *address});
    };
    for (const auto& name : machine.list(iscsi).value_or(std::vector<std::string>{}))
        if (const auto address = machine.text(fmt::format("{}/{}/persistent_address", iscsi, name)))
            add("the iSCSI " + name, *address);
    for (const auto& name : machine.list(nvme).value_or(std::vector<std::string>{}))
        if (const auto address = machine.text(fmt::format("{}/{}/address", nvme, name)))
            add("the NVMe controller " + name, transport_address(*address));
    return targets;
}

}  // namespace pve_rdma
