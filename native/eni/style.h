// How a file is written around a place, so that what is added looks as if its author had written it.
#pragma once

#include <string>

#include "eni/document.h"

namespace pve_rdma::eni {

struct Style {
    std::string line_end = "\n";
    std::string indent = "\t";  // of options
    std::string between = " ";  // a name and its value
};

// From the stanza's last option; else from the nearest stanza before it, then behind it, that has one; else
// Proxmox's own: a tab. The line end is that of the stanza's header, or of the file's first line.
Style style_at(const Document&, std::uint32_t stanza);
// For what is added at the end of the file.
Style style_at_end(const Document&);

// The option's name in the spelling that the stanza, else the file, uses for its relatives: bridge_fd beside
// bridge_ports. As given where there are none.
std::string spelling(const Document&, std::uint32_t stanza, const std::string& option);

}  // namespace pve_rdma::eni
