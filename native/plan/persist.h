// How the files of a node must change to bring up, at the next boot, what a change brings up now: the main
// file of interfaces(5), our own sourced one (eni/placement.h says what stands where), and our file of
// sysctl.d. Pure: files are read through a FileReader, nothing is written.
#pragma once

#include "desired/desired.h"
#include "eni/file_reader.h"
#include "network/file_change.h"
#include "network/network.h"

namespace pve_rdma {

inline constexpr const char* sysctl_file = "/etc/sysctl.d/90-pve-rdma.conf";
inline constexpr const char* kept_by_us = "# Kept by pve-rdma. Edits by hand are kept.\n";  // of new files

struct Persistence {
    std::vector<FileChange> files{};  // in the order in which they are to be written
    std::string diff{};               // unified
    std::vector<Error> refusals{};    // what the files cannot say
    std::vector<std::string>
        notes{};  // what holds until the next boot only, and what works against the change
};

// `main`: /etc/network/interfaces.
Result<Persistence> persist(const Desired&, const Network& target, eni::FileReader&, const std::string& main);

}  // namespace pve_rdma
