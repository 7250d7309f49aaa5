#include "observe/pci_ids.h"

#include <ranges>

#include "base/number.h"
#include "observe/sysfs_values.h"

namespace pve_rdma {

namespace {

constexpr std::size_t window = 4096, block_part = 32768, max_block = 1u << 20;
constexpr std::size_t id_length = 6;  // "15b3  "

// "15b3  Mellanox Technologies" -> 0x15b3; nullopt for any other line.
std::optional<std::uint32_t> line_id(std::string_view line) {
    if (line.size() < id_length || line.substr(4, 2) != "  ") return std::nullopt;
    return parse_number<std::uint32_t>(line.substr(0, 4), 16);
}

struct VendorLine {
    std::size_t offset;
    std::uint32_t id;
};

// The first line in [from, until) that begins with a vendor's number. Lists of classes ("C 02  ...") follow
// the last vendor and hold none.
std::optional<VendorLine> next_vendor(const PartReader& ids, std::size_t from, std::size_t until) {
    // One octet more in front, for the newline that makes it the beginning of a line.
    for (std::size_t at = from ? from - 1 : 0; at < until; at += window) {
        const std::string text = ids(at, window + id_length + 1);
        if (from == 0 && at == 0)
            if (const auto id = line_id(text)) return VendorLine{0, *id};
        for (std::size_t line = text.find('\n'); line < window; line = text.find('\n', line + 1))
            if (const auto id = line_id(std::string_view(text).substr(line + 1)))
                return at + line + 1 < until ? std::optional(VendorLine{at + line + 1, *id}) : std::nullopt;
        if (text.size() <= window) break;
    }
    return std::nullopt;
}

std::optional<std::size_t> find_vendor(const PartReader& ids, std::size_t size, std::uint32_t vendor) {
    std::size_t low = 0, high = size;  // its line, if there is one, begins in [low, high)
    while (low < high) {
        const std::size_t middle = low + (high - low) / 2;
        const auto line = next_vendor(ids, middle, high);
        if (line && line->id == vendor) return line->offset;
        if (line && line->id < vendor)
            low = line->offset + 1;
        else
            high = middle;
    }
    return std::nullopt;
}

// Calls `take(line)` for each line of the block that begins at `offset`, its first line included.
template <class Take>
void for_each_line(const PartReader& ids, std::size_t offset, Take&& take) {
    std::string text;
    bool first = true;
    for (std::size_t read = 0; read < max_block; read += block_part) {
        text += ids(offset + read, block_part);
        const bool last = text.size() < block_part;
        if (last && !text.ends_with('\n')) text += '\n';
        std::size_t begin = 0;
        for (auto end = text.find('\n'); end != std::string::npos; end = text.find('\n', begin)) {
            const auto line = std::string_view(text).substr(begin, end - begin);
            if (!first && !line.starts_with('\t') && !line.starts_with('#')) return;
            take(line);
            first = false;
            begin = end + 1;
        }
        if (last) return;
        text.erase(0, begin);
    }
}

}  // namespace

void name_devices(const PartReader& ids, std::size_t size, std::vector<PciDevice>& devices) {
    for (auto first = devices.begin(); first != devices.end(); ++first) {
        const auto same = [&](const PciDevice& other) { return other.vendor_id == first->vendor_id; };
        if (!first->vendor_id || std::any_of(devices.begin(), first, same)) continue;
        const auto offset = find_vendor(ids, size, *first->vendor_id);
        if (!offset) continue;
        for_each_line(ids, *offset, [&](std::string_view line) {
            const bool is_vendor = !line.starts_with('\t') && !line.starts_with('#');
            const auto id = is_vendor ? first->vendor_id : line_id(line.substr(1));
            for (auto& device : devices | std::views::filter(same)) {
                if (is_vendor)
                    device.vendor_name = printable(line.substr(id_length));
                else if (id && device.device_id == id)
                    device.device_name = printable(line.substr(id_length + 1));
            }
        });
    }
}

}  // namespace pve_rdma
