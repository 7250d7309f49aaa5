// A node report for a person.
#pragma once

#include <string>

#include "facts/report.h"
#include "operations/text_table.h"

namespace pve_rdma {

// Sections with headings, in the order a person asks: the node, its RDMA devices, cards, links, routes,
// software, and last what could not be read. A section that has nothing says so where that matters.
std::string probe_text(const NodeReport&, const TextStyle&);

// The sections, each in a file of its own: probe_text_devices.cpp, probe_text_links.cpp,
// probe_text_system.cpp.
std::string devices_text(const NodeReport&, const TextStyle&);
std::string cards_text(const NodeReport&, const TextStyle&);
std::string links_text(const NodeReport&, const TextStyle&);
std::string routes_text(const NodeReport&, const TextStyle&);
std::string node_text(const NodeReport&, const TextStyle&);
std::string software_text(const NodeReport&, const TextStyle&);
std::string sources_text(const NodeReport&, const TextStyle&);

std::string heading(std::string_view, const TextStyle&);

}  // namespace pve_rdma
