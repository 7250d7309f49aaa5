// Parsers of files: none crashes or reads beyond its input, and text that goes into a report is UTF-8
// already. The first octet picks the parser.
#include <cstdint>
#include <cstdlib>

#include "observe/modules.h"
#include "observe/packages.h"
#include "observe/pci_values.h"
#include "observe/storage.h"
#include "observe/sysfs_values.h"
#include "observe/system_values.h"

namespace {

using namespace pve_rdma;

void check(bool holds) {
    if (!holds) std::abort();
}
void check_text(const std::string& text) {
    check(printable(text) == text);
}
void check_text(const std::optional<std::string>& text) {
    if (text) check_text(*text);
}

void states(std::string_view text) {
    check_text(port_state_word(text));
    check_text(phys_state_word(text));
    check_text(node_type_word(text));
    parse_counter(text);
    check_text(printable(text));
    check(printable(printable(text)) == printable(text));
}

void rate(std::string_view text) {
    const auto parsed = parse_rate(text);
    if (!parsed) return;
    check(parsed->gbps >= 0);
    check_text(parsed->width);
    check_text(parsed->speed);
}

void packages(std::string_view text) {
    PackageScanner whole;
    whole.feed(text);
    const auto found = whole.finish();
    PackageScanner pieces;
    for (; !text.empty(); text.remove_prefix(std::min<std::size_t>(7, text.size())))
        pieces.feed(text.substr(0, 7));
    check(pieces.finish() == found);
    for (const auto& package : found) {
        check(package_of_interest(package.name));
        check_text(package.version);
        check_text(package.status);
    }
}

void storage(std::string_view text) {
    for (const auto& found : parse_storage_config(text)) {
        check(!found.id.empty() && !found.type.empty());
        check_text(found.id);
        for (const auto& node : found.nodes)
            check_text(node);
    }
}

void vpd(std::string_view text) {
    const PciVpd found = parse_vpd(text);
    check_text(found.name);
    check_text(found.part_number);
    check_text(found.serial_number);
}

PartReader parts_of(std::string_view text) {
    return [text](std::size_t offset, std::size_t size) {
        return std::string(offset < text.size() ? text.substr(offset, size) : "");
    };
}

void config(std::string_view text) {
    if (const auto found = read_pcie_control(parts_of(text))) check(found->max_read_request_size >= 128);
    if (const auto speed = parse_link_speed(text)) check(link_bandwidth(*speed, 16) >= 0);
}

void names(std::string_view text) {
    std::vector<PciDevice> devices(1);
    devices[0].vendor_id = 0x15b3;
    devices[0].device_id = 0x1003;
    name_devices(parts_of(text), text.size(), devices);
    check_text(devices[0].vendor_name);
    check_text(devices[0].device_name);
}

void system_files(std::string_view text) {
    for (const auto& word : command_line_words(text))
        check_text(word);
    count_in_list(text);
    check_text(os_release_value(text, "PRETTY_NAME"));
    check_text(version_release(text));
    check_text(chosen_word(text));
    if (const auto limits = memlock_limits(text)) check_text(limits->first);
    if (const auto file = parse_module_line(text)) check(!file->name.empty());
}

constexpr void (*parsers[])(std::string_view) = {states, rate,   packages, storage,
                                                 vpd,    config, names,    system_files};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size == 0) return 0;
    const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
    parsers[data[0] % std::size(parsers)](text);
    return 0;
}
