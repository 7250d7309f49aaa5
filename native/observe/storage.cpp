#include "observe/storage.h"

#include <algorithm>
#include <cerrno>

#include "base/trimmed.h"
#include "observe/sysfs_values.h"

namespace pve_rdma {

namespace {

constexpr const char* config_file = "/etc/pve/storage.cfg";
constexpr std::size_t max_config = 1u << 20;
constexpr std::string_view blank = " \t\r";

std::vector<std::string> split(std::string_view text, std::string_view separators) {
    std::vector<std::string> parts;
    while (!text.empty()) {
        const auto end = text.find_first_of(separators);
        if (const auto part = text.substr(0, end); !part.empty()) parts.push_back(printable(part));
        if (end == std::string_view::npos) break;
        text.remove_prefix(end + 1);
    }
    return parts;
}

void read_property(std::string_view line, Storage& storage) {
    const auto space = line.find_first_of(blank);
    const auto key = line.substr(0, space);
    const auto value = space == std::string_view::npos ? std::string_view() : trimmed(line.substr(space));
    if (key == "nodes") {
        storage.nodes = split(value, ",; \t");
    } else if (key == "disable") {
        storage.disabled = value != "0";
    } else if (key == "options") {  // mount options of NFS and CIFS (nfs(5): proto=rdma, or rdma)
        for (const auto& option : split(value, ", \t"))
            if (option == "rdma" || option == "proto=rdma" || option == "proto=rdma6") storage.rdma = true;
    } else if (key == "transport" && value == "rdma") {  // of a GlusterFS volume
        storage.rdma = true;
    }
}

}  // namespace

std::vector<Storage> parse_storage_config(std::string_view text) {
    std::vector<Storage> storages;
    bool inside = false;
    while (!text.empty()) {
        const auto newline = text.find('\n');
        const auto raw = text.substr(0, newline);
        text = newline == std::string_view::npos ? std::string_view() : text.substr(newline + 1);
        const auto line = trimmed(raw);
        if (line.empty() || line.front() == '#') continue;
        const bool indented = blank.find(raw.front()) != std::string_view::npos;
        if (indented) {
            if (inside) read_property(line, storages.back());
            continue;
        }
        const auto colon = line.find(':');
        const auto id =
            colon == std::string_view::npos ? std::string_view() : trimmed(line.substr(colon + 1));
        inside = colon != 0 && !id.empty();
        if (!inside) continue;
        Storage& storage = storages.emplace_back();
        storage.type = printable(trimmed(line.substr(0, colon)));
        storage.id = printable(id);
    }
    return storages;
}

void observe_storage(const Machine& machine, NodeReport& report) {
    const auto text = machine.text(config_file, max_config);
    if (text) {
        report.sources["storage"];
        report.system.storages = parse_storage_config(*text);
    } else if (text.error().errno_value != ENOENT && text.error().errno_value != ENOTDIR) {
        report.sources["storage"] = Source::failed(text.error());
    }
}

}  // namespace pve_rdma
