#include <algorithm>
#include <cerrno>

#include <unistd.h>

#include "base/number.h"
#include "facts/rdma_words.h"
#include "observe/sysfs_device.h"
#include "observe/sysfs_values.h"

namespace pve_rdma::sysfs {

namespace {

void read_rate(SysfsReader& folder, Port& port) {
    if (!port.rate) {
        const std::string path = folder.folder() + "/rate";
        if (auto text = folder.machine().text(path); text && !text->empty()) {
            port.rate = printable(*text);
        } else if (!text) {
            Error error = text.error();
            if (error.errno_value == EINVAL)
                error.hint = "the driver names no valid link width: no cable, or no link";
            folder.note(error);
        }
    }
    if (!port.rate) return;
    const auto parsed = parse_rate(*port.rate);
    if (!parsed) return folder.note_value("rate", *port.rate, "a rate");
    if (!port.rate_gbps) port.rate_gbps = parsed->gbps;
    if (!port.active_width && !parsed->width.empty()) port.active_width = parsed->width;
    if (!port.active_speed && !parsed->speed.empty()) port.active_speed = parsed->speed;
    if (!port.lane_gbps) port.lane_gbps = lane_gbps(parsed->speed);
}

// Indexes of a table folder ("gids": 0, 1, 2 ...), in order.
std::vector<std::uint32_t> table(SysfsReader& folder, const char* name) {
    std::vector<std::uint32_t> indexes;
    for (const auto& entry : folder.list(name))
        if (const auto index = parse_number<std::uint32_t>(entry)) indexes.push_back(*index);
    std::ranges::sort(indexes);
    return indexes;
}

// An entry of a table; one that is not set answers EINVAL, and that is no failure.
std::optional<std::string> entry(SysfsReader& folder, const std::string& name) {
    if (folder.gone()) return std::nullopt;
    const auto text = folder.machine().text(folder.folder() + "/" + name);
    if (text && !text->empty()) return printable(*text);
    if (!text && text.error().errno_value != EINVAL) folder.note(text.error());
    return std::nullopt;
}

bool can_send_mads(const Machine& machine, const Port& port) {
    return machine.live() && port.umad &&
           ::access(("/dev/infiniband/" + *port.umad).c_str(), R_OK | W_OK) == 0;
}

}  // namespace

void read_port(SysfsReader& folder, Port& port) {
    if (!port.state)
        if (const auto text = folder.text("state")) port.state = port_state_word(*text);
    if (!port.phys_state)
        if (const auto text = folder.text("phys_state")) port.phys_state = phys_state_word(*text);
    folder.fill(port.link_layer, "link_layer");
    if (port.link_layer != "Ethernet") {  // there these are all 0, and each costs a command
        folder.fill(port.lid, "lid");
        folder.fill(port.lmc, "lid_mask_count");
        folder.fill(port.sm_lid, "sm_lid");
        folder.fill(port.sm_sl, "sm_sl");
    }
    folder.fill(port.cap_mask, "cap_mask");
    if (port.cap_mask && port.cap_flags.empty()) port.cap_flags = port_capability_words(*port.cap_mask);
    read_rate(folder, port);
    read_gids(folder, port);
    read_pkeys(folder, port);
    read_counters(folder, port);
}

void read_gids(SysfsReader& folder, Port& port) {
    if (!port.gids.empty() && port.port_guid) return;
    const bool table_known = !port.gids.empty();
    const bool infiniband = port.link_layer != "Ethernet";
    const auto indexes = table(folder, "gids");
    if (!port.gid_table_length && !indexes.empty())
        port.gid_table_length = static_cast<std::uint32_t>(indexes.size());
    for (const auto index : indexes) {
        const auto number = std::to_string(index);
        const auto text = entry(folder, "gids/" + number);
        if (!text) continue;
        const auto gid = Gid::parse(*text);
        if (!gid) {
            folder.note_value("gids/" + number, *text, "a GID");
            continue;
        }
        if (index == 0) {
            if (!port.port_guid && (infiniband || !gid->is_zero())) port.port_guid = gid->guid();
            if (!port.subnet_prefix && infiniband) port.subnet_prefix = gid->prefix();
            if (table_known) return;
        }
        // InfiniBand tables are filled up with the subnet prefix and a GUID of 0.
        if (gid->is_zero() || (infiniband && gid->guid().is_zero())) continue;
        GidEntry& added = port.gids.emplace_back();
        added.index = index;
        added.gid = *gid;
        added.type = entry(folder, "gid_attrs/types/" + number);
        if (added.type == "IB/RoCE v1") added.type = infiniband ? "IB" : "RoCE v1";
        if (!infiniband) added.netdev = entry(folder, "gid_attrs/ndevs/" + number);
    }
}

void read_pkeys(SysfsReader& folder, Port& port) {
    if (!port.pkeys.empty() || port.link_layer == "Ethernet") return;
    // By umad one MAD brings 32 entries; here each file is a command of its own.
    const bool by_mad = can_send_mads(folder.machine(), port);
    if (by_mad && port.pkey_table_length) return;
    const auto indexes = table(folder, "pkeys");
    if (!port.pkey_table_length && !indexes.empty())
        port.pkey_table_length = static_cast<std::uint32_t>(indexes.size());
    if (by_mad) return;
    for (const auto index : indexes) {
        const auto text = entry(folder, "pkeys/" + std::to_string(index));
        if (!text) continue;
        const auto pkey = PKey::parse(*text);
        if (!pkey)
            folder.note_value("pkeys/" + std::to_string(index), *text, "a P_Key");
        else if (pkey->value != 0)
            port.pkeys.push_back({index, *pkey});
    }
}

}  // namespace pve_rdma::sysfs
