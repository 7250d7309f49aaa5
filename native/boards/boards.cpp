#include "boards/boards.h"

#include <algorithm>

#include <fmt/format.h>

namespace pve_rdma {

namespace {

// One field of a row as CMake wrote it. Each conversion below happens while this file is compiled: a field
// that does not fit its column is no constant expression.
struct Field {
    std::string_view text;
    consteval Field(const char* field) : text(field) {}  // NOLINT: a literal is a field
};

consteval std::string_view required(Field field) {
    if (field.text.empty()) throw "an empty field";
    return field.text;
}

consteval bool yes(Field field) {
    if (field.text != "yes" && field.text != "no") throw "neither yes nor no";
    return field.text == "yes";
}

consteval std::optional<FirmwareVersion> firmware(Field field) {
    if (field.text.empty()) return std::nullopt;
    const auto version = FirmwareVersion::read(field.text);
    if (!version) throw "not a firmware version";
    return version;
}

consteval std::uint16_t pci_id(Field field) {
    if (field.text.size() != 6 || !field.text.starts_with("0x")) throw "not 0x and four digits";
    std::uint32_t id = 0;
    for (const char digit : field.text.substr(2)) {
        const auto value = std::string_view("0123456789abcdef").find(digit);
        if (value == std::string_view::npos) throw "not a hexadecimal digit";
        id = id * 16 + static_cast<std::uint32_t>(value);
    }
    return static_cast<std::uint16_t>(id);
}

consteval std::optional<std::uint16_t> optional_id(Field field) {
    return field.text.empty() ? std::nullopt : std::optional(pci_id(field));
}

template <class T, std::size_t count>
consteval T word(Field field, const std::pair<std::string_view, T> (&words)[count]) {
    for (const auto& [name, value] : words)
        if (field.text == name) return value;
    throw "not a word of this column";
}

constexpr std::pair<std::string_view, Confidence> confidences[]{
    {"low", Confidence::low}, {"medium", Confidence::medium}, {"high", Confidence::high}};
constexpr std::pair<std::string_view, FunctionKind> kinds[]{{"physical", FunctionKind::physical},
                                                            {"virtual", FunctionKind::virtual_function},
                                                            {"recovery", FunctionKind::recovery}};
constexpr std::pair<std::string_view, BoardProtocols> protocols[]{{"unknown", BoardProtocols::unknown},
                                                                  {"vpi", BoardProtocols::vpi},
                                                                  {"ethernet", BoardProtocols::ethernet}};

consteval NicFamily family_row(Field name, Field driver, Field infiniband, Field ethernet, Field roce,
                               Field last_firmware, Field firmware_confidence, Field firmware_source,
                               Field last_ofed, Field dropped_by_ofed, Field doca, Field confidence,
                               Field source, Field note) {
    return {required(name),
            required(driver),
            yes(infiniband),
            yes(ethernet),
            required(roce),
            firmware(last_firmware),
            word(firmware_confidence, confidences),
            firmware_source.text,
            last_ofed.text,
            dropped_by_ofed.text,
            required(doca),
            word(confidence, confidences),
            required(source),
            note.text};
}

consteval PciFunction function_row(Field vendor, Field device, Field family, Field kind, Field driver,
                                   Field name, Field confidence, Field source) {
    return {pci_id(vendor),
            pci_id(device),
            family.text,
            word(kind, kinds),
            driver.text,
            required(name),
            word(confidence, confidences),
            required(source)};
}

consteval Board board_row(Field psid, Field name, Field oem, Field family, Field device, Field protocol,
                          Field protocols_source, Field firmware_seen, Field confidence, Field source) {
    return {required(psid),        required(name),          required(oem),
            required(family),      optional_id(device),     word(protocol, protocols),
            protocols_source.text, firmware(firmware_seen), word(confidence, confidences),
            required(source)};
}

constexpr NicFamily family_table[]{
#define ROW(...) family_row(__VA_ARGS__),
#include "boards/families.inc"
#undef ROW
};
constexpr PciFunction function_table[]{
#define ROW(...) function_row(__VA_ARGS__),
#include "boards/functions.inc"
#undef ROW
};
constexpr Board board_table[]{
#define ROW(...) board_row(__VA_ARGS__),
#include "boards/boards.inc"
#undef ROW
};

// As the PSIDs of the boards table begin, and SM_ of a board seen in a public probe.
constexpr std::pair<std::string_view, std::string_view> oem_prefixes[]{
    {"MT_", "Mellanox"},   {"HP_", "HP"},     {"DEL", "Dell"},     {"IBM", "IBM"},       {"ORC", "Oracle"},
    {"ISL", "EMC/Isilon"}, {"HUA", "Huawei"}, {"FB_", "Facebook"}, {"SM_", "Supermicro"}};

template <class Table, class Match>
auto find(const Table& table, Match&& match) {
    const auto found = std::ranges::find_if(table, match);
    return found == std::end(table) ? std::nullopt : std::optional(*found);
}

}  // namespace

std::string_view to_string(Confidence confidence) {
    for (const auto& [name, value] : confidences)
        if (value == confidence) return name;
    return "low";
}

Result<FirmwareVersion> FirmwareVersion::parse(std::string_view text) {
    if (const auto version = read(text)) return *version;
    return std::unexpected(Error{.code = ErrorCode::malformed,
                                 .subject = std::string(text),
                                 .message = "not a firmware version (three numbers, as 2.42.5000)"});
}

std::string FirmwareVersion::text() const {
    return major_number >= 10 ? fmt::format("{}.{}.{:04}", major_number, minor_number, sub_minor)
                              : fmt::format("{}.{}.{}", major_number, minor_number, sub_minor);
}

std::optional<Board> board_by_psid(std::string_view psid) {
    return find(board_table, [&](const Board& board) { return board.psid == psid; });
}

std::optional<NicFamily> family_by_name(std::string_view name) {
    return find(family_table, [&](const NicFamily& family) { return family.name == name; });
}

std::optional<PciFunction> pci_function(std::uint16_t vendor, std::uint16_t device) {
    return find(function_table, [&](const PciFunction& function) {
        return function.vendor == vendor && function.device == device;
    });
}

std::optional<NicFamily> family_by_pci_id(std::uint16_t vendor, std::uint16_t device) {
    const auto function = pci_function(vendor, device);
    return function ? family_by_name(function->family) : std::nullopt;
}

std::string_view oem_by_psid(std::string_view psid) {
    for (const auto& [prefix, oem] : oem_prefixes)
        if (psid.starts_with(prefix)) return oem;
    return {};
}

std::span<const NicFamily> nic_families() {
    return family_table;
}
std::span<const PciFunction> pci_functions() {
    return function_table;
}
std::span<const Board> boards() {
    return board_table;
}

}  // namespace pve_rdma
