// What is known about the cards themselves: families, PCI functions and boards. Facts carried over from
// public documents into the .csv files beside this one, which are compiled in; a row that does not fit its
// columns does not compile. Every row has its source and how sure it is.
//
// Pure: no file is read, nothing fails. An absent optional is "not known". The texts live as long as the
// program. Threads: any.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "boards/firmware_version.h"

namespace pve_rdma {

enum class Confidence {
    low,     // from memory, or of one doubtful source
    medium,  // of one source, or concluded from another fact
    high,    // the maker's own document, or sources that agree
};
std::string_view to_string(Confidence);

// A generation of network chips.
struct NicFamily {
    std::string_view name;    // "ConnectX-3 Pro"
    std::string_view driver;  // the kernel's: mlx4_core, mlx5_core
    bool infiniband = false;  // what the chip can; a board may have firmware for Ethernet only (Board)
    bool ethernet = false;
    std::string_view roce;                         // "v1", "v1 v2", "v2", "none", "unknown"
    std::optional<FirmwareVersion> last_firmware;  // looked up in 2026
    Confidence firmware_confidence{};
    std::string_view firmware_source;
    std::string_view last_ofed;        // last MLNX_OFED with it, "4.9"; empty: not known or never, see note
    std::string_view dropped_by_ofed;  // first MLNX_OFED without it, "5.1"; empty: none, or not known
    std::string_view doca;             // in DOCA-OFED: "yes", "no", "until 2.9", "unknown"
    Confidence confidence{};           // of the three before
    std::string_view source, note;
};

enum class FunctionKind { physical, virtual_function, recovery };

// What a PCI id says. recovery: the card runs from its boot ROM since its flash holds no firmware.
struct PciFunction {
    std::uint16_t vendor = 0, device = 0;
    std::string_view family;  // empty: several families have this id, or it is not known
    FunctionKind kind{};
    std::string_view driver;  // empty: none binds
    std::string_view name;
    Confidence confidence{};
    std::string_view source;
};

enum class BoardProtocols { unknown, vpi, ethernet };

// A board, by its PSID: the name of the firmware image's configuration (sysfs board_id, devlink fw.psid).
struct Board {
    std::string_view psid;
    std::string_view name;  // part number where it is known
    std::string_view oem;   // Mellanox, HP, Dell ...
    std::string_view family;
    std::optional<std::uint16_t> device;  // PCI device, of vendor 0x15b3
    BoardProtocols protocols{};           // vpi: InfiniBand or Ethernet by port; ethernet: Ethernet only
    std::string_view protocols_source;
    std::optional<FirmwareVersion> firmware_seen;  // the newest that was seen; no promise that it is the last
    Confidence confidence{};
    std::string_view source;
};

std::optional<Board> board_by_psid(std::string_view psid);
std::optional<NicFamily> family_by_pci_id(std::uint16_t vendor, std::uint16_t device);
std::optional<NicFamily> family_by_name(std::string_view name);
std::optional<PciFunction> pci_function(std::uint16_t vendor, std::uint16_t device);
// Whose boards have PSIDs that begin so: "DEL0A30000019" is Dell's. Empty: not known.
std::string_view oem_by_psid(std::string_view psid);

std::span<const NicFamily> nic_families();
std::span<const PciFunction> pci_functions();
std::span<const Board> boards();

}  // namespace pve_rdma
