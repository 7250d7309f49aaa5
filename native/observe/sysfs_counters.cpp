#include "observe/sysfs_device.h"
#include "observe/sysfs_values.h"

namespace pve_rdma::sysfs {

namespace {

using Counters = std::map<std::string, std::uint64_t>;

// A driver without performance management answers "N/A (no PMA)" in every file: one note is enough.
void read_folder(SysfsReader& folder, const std::string& name, Counters& counters) {
    for (const auto& counter : folder.list(name)) {
        if (counter == "lifespan") continue;  // how long the kernel keeps what it read, no counter
        const auto path = name + "/" + counter;
        const auto text = folder.text(path);
        if (!text) continue;
        if (const auto value = parse_counter(*text)) {
            counters.emplace(printable(counter), *value);
        } else if (text->starts_with("N/A")) {
            folder.note(Error{.code = ErrorCode::unavailable,
                              .subject = folder.folder() + "/" + name,
                              .message = "the driver gives no port counters: " + *text});
            return;
        } else {
            folder.note_value(path, *text, "a counter");
        }
    }
}

}  // namespace

void read_counters(SysfsReader& folder, Port& port) {
    if (port.counters.empty()) {
        read_folder(folder, "counters", port.counters);
        read_folder(folder, "counters_ext", port.counters);
    }
    if (port.hw_counters.empty()) read_folder(folder, "hw_counters", port.hw_counters);
}

}  // namespace pve_rdma::sysfs
