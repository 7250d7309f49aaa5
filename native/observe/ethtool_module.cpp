#include "observe/ethtool_module.h"

#include <cmath>

#include <linux/ethtool_netlink.h>

#include <fmt/format.h>

#include "observe/netlink_table.h"

namespace pve_rdma {

namespace {

enum class Kind { unknown, sfp, qsfp, cmis };

// SFF-8024, table 4-1: which management interface a module has.
Kind kind_of(std::uint8_t identifier) {
    switch (identifier) {
        case 0x02:  // soldered to the board
        case 0x03:
            return Kind::sfp;
        case 0x0c:
        case 0x0d:
        case 0x11:
            return Kind::qsfp;
        case 0x18:
        case 0x19:
        case 0x1b:
        case 0x1e:
        case 0x1f:
            return Kind::cmis;
        default:
            return Kind::unknown;
    }
}

constexpr std::size_t half = 128;

}  // namespace

std::string module_identifier(std::uint8_t identifier) {
    switch (identifier) {
        case 0x02:
            return "soldered";
        case 0x03:
            return "SFP";
        case 0x0c:
            return "QSFP";
        case 0x0d:
            return "QSFP+";
        case 0x11:
            return "QSFP28";
        case 0x18:
            return "QSFP-DD";
        case 0x19:
            return "OSFP";
        case 0x1a:
            return "SFP-DD";
        case 0x1b:
            return "DSFP";
        case 0x1e:
            return "QSFP+ or later with CMIS";
        case 0x1f:
            return "SFP-DD with CMIS";
        default:
            return fmt::format("0x{:02x}", identifier);
    }
}

std::string module_connector(std::uint8_t connector) {
    switch (connector) {
        case 0x01:
            return "SC";
        case 0x07:
            return "LC";
        case 0x0b:
            return "Optical pigtail";
        case 0x0c:
            return "MPO 1x12";
        case 0x0d:
            return "MPO 2x16";
        case 0x20:
            return "HSSDC II";
        case 0x21:
            return "Copper pigtail";
        case 0x22:
            return "RJ45";
        case 0x23:
            return "No separable connector";
        case 0x24:
            return "MXC 2x16";
        case 0x25:
            return "CS";
        case 0x26:
            return "SN";
        case 0x27:
            return "MPO 2x12";
        case 0x28:
            return "MPO 1x16";
        default:
            return fmt::format("0x{:02x}", connector);
    }
}

std::string extended_compliance(std::uint8_t code) {
    constexpr Words<0x22> words{"",
                                "100G AOC or 25GAUI C2M AOC, BER 5e-5",
                                "100GBASE-SR4 or 25GBASE-SR",
                                "100GBASE-LR4 or 25GBASE-LR",
                                "100GBASE-ER4 or 25GBASE-ER",
                                "100GBASE-SR10",
                                "100G CWDM4",
                                "100G PSM4",
                                "100G ACC or 25GAUI C2M ACC, BER 5e-5",
                                "",
                                "",
                                "100GBASE-CR4, 25GBASE-CR CA-25G-L or 50GBASE-CR2 with RS FEC",
                                "25GBASE-CR CA-25G-S or 50GBASE-CR2 with BASE-R FEC",
                                "25GBASE-CR CA-25G-N or 50GBASE-CR2 without FEC",
                                "10 Mb/s single pair",
                                "",
                                "40GBASE-ER4",
                                "4 x 10GBASE-SR",
                                "40G PSM4",
                                "G959.1 P1I1-2D1",
                                "G959.1 P1S1-2D2",
                                "G959.1 P1L1-2D2",
                                "10GBASE-T with SFI",
                                "100G CLR4",
                                "100G AOC or 25GAUI C2M AOC, BER 1e-12",
                                "100G ACC or 25GAUI C2M ACC, BER 1e-12",
                                "100GE-DWDM2",
                                "100G 1550nm WDM",
                                "10GBASE-T short reach",
                                "5GBASE-T",
                                "2.5GBASE-T",
                                "40G SWDM4",
                                "100G SWDM4",
                                "100G PAM4 BiDi"};
    return code < words.size() ? std::string(words[code]) : fmt::format("SFF-8024 0x{:02x}", code);
}

std::optional<std::string> ModuleOctets::text(std::size_t at, std::size_t length) const {
    std::string value;
    for (std::size_t i = at; i < at + length && i < data.size(); ++i)
        value += data[i] >= 0x20 && data[i] < 0x7f ? static_cast<char>(data[i]) : ' ';
    while (!value.empty() && value.back() == ' ')
        value.pop_back();
    const auto start = value.find_first_not_of(' ');
    if (start == std::string::npos) return std::nullopt;
    return value.substr(start);
}

std::string ModuleOctets::oui(std::size_t at) const {
    return fmt::format("{:02x}:{:02x}:{:02x}", u8(at), u8(at + 1), u8(at + 2));
}

Result<Transceiver> decode_module(const ModuleReader& read, bool serial_numbers) {
    const auto page = [&](std::uint8_t number, std::uint8_t address = 0x50) {
        auto octets = read({.address = address, .page = number, .offset = half, .length = half});
        return octets ? *octets : std::vector<std::uint8_t>{};
    };
    auto lower = read({.offset = 0, .length = half});
    if (!lower) return std::unexpected(lower.error());
    if (lower->empty())
        return std::unexpected(
            Error{.code = ErrorCode::malformed, .message = "the module's EEPROM is empty"});

    Transceiver module;
    module.identifier = module_identifier(lower->front());
    switch (kind_of(lower->front())) {
        case Kind::sfp: {
            auto a0 = *lower;
            const bool has_diagnostics = a0.size() > 92 && (a0[92] & 0x40);
            std::vector<std::uint8_t> a2;
            if (has_diagnostics)
                if (auto octets = read({.address = 0x51, .offset = 0, .length = half})) a2 = *octets;
            decode_sfp(a0, a2, serial_numbers, module);
            break;
        }
        case Kind::qsfp: {
            const bool paged = !(lower->size() > 2 && ((*lower)[2] & 0x04));  // bit 2: flat memory
            decode_qsfp(*lower, page(0), paged ? page(3) : std::vector<std::uint8_t>{}, serial_numbers,
                        module);
            break;
        }
        case Kind::cmis: {
            const bool paged = !(lower->size() > 2 && ((*lower)[2] & 0x80));  // bit 7: flat memory
            decode_cmis(*lower, page(0), paged ? page(0x02) : std::vector<std::uint8_t>{},
                        paged ? page(0x11) : std::vector<std::uint8_t>{}, serial_numbers, module);
            break;
        }
        case Kind::unknown:
            break;
    }
    return module;
}

Result<Transceiver> read_module(NetlinkTransport& transport, const GenericFamily& ethtool,
                                std::uint32_t ifindex, bool serial_numbers) {
    const ModuleReader read = [&](const ModuleRange& range) -> Result<std::vector<std::uint8_t>> {
        NetlinkRequest request = generic_request(ethtool, ETHTOOL_MSG_MODULE_EEPROM_GET, 0);
        request.nested(ETHTOOL_A_MODULE_EEPROM_HEADER,
                       [&](NetlinkRequest& header) { header.number(ETHTOOL_A_HEADER_DEV_INDEX, ifindex); });
        request.number(ETHTOOL_A_MODULE_EEPROM_OFFSET, range.offset)
            .number(ETHTOOL_A_MODULE_EEPROM_LENGTH, range.length)
            .octet(ETHTOOL_A_MODULE_EEPROM_PAGE, range.page)
            .octet(ETHTOOL_A_MODULE_EEPROM_BANK, range.bank)
            .octet(ETHTOOL_A_MODULE_EEPROM_I2C_ADDRESS, range.address);
        std::vector<std::uint8_t> octets;
        const auto asked =
            ask(transport, "MODULE_EEPROM_GET", std::move(request), [&](const NetlinkMessage& message) {
                const auto data = find_attribute(generic_attributes(message), ETHTOOL_A_MODULE_EEPROM_DATA);
                if (!data) return;
                const auto bytes = as_bytes(*data);
                octets.assign(bytes.begin(), bytes.end());
            });
        if (!asked) return std::unexpected(asked.error());
        return octets;
    };
    return decode_module(read, serial_numbers);
}

}  // namespace pve_rdma
