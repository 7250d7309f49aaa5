// partitions.conf of opensm: what it says of IPoIB, and edits that keep every octet they are not about. No IO
// of its own.
//
//     [NAME][=PKEY][,FLAG[=VALUE]]*:[MEMBER[=full|limited|both][,...]];       # a comment
//
// opensm(8), PARTITION CONFIGURATION; beyond it (opensm/osm_prtn_config.c): a definition ends at the first
// ':' of its line, "#" cuts a line wherever it stands, members may go on over several lines.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace pve_rdma::opensm {

struct Partition {
    std::string name{};
    std::optional<std::uint16_t> pkey{};  // its low 15 bits; none: opensm makes one up
    bool ipoib = false;
    std::optional<std::uint32_t> mtu{};  // octets of IPoIB's group; none: opensm's default, 2048
    std::vector<std::string> members{};  // "ALL=full"
};

// ErrorCode::malformed with line and column: what opensm would skip with a line in its log.
Result<std::vector<Partition>> parse_partitions(std::string_view text, const std::string& file);

struct PartitionEdit {
    std::string name{};
    std::optional<std::uint16_t> pkey{};
    std::optional<std::uint32_t> mtu{};                 // of a size that InfiniBand has: 256 ... 4096
    std::optional<std::vector<std::string>> members{};  // none: they stay
    bool absent = false;
};

// The text with that partition as asked, and nothing else changed; the same text when it is so already. No
// text: there is no such file yet. A partition that is new gets IPoIB, and all ports as full members. Where a
// file begins with it, the default partition is written down too: opensm gives all ports full membership of
// it only as long as there is no file. The result is read again before it is returned.
Result<std::string> with_partition(const std::optional<std::string>& text, const std::string& file,
                                   const PartitionEdit&);

}  // namespace pve_rdma::opensm
