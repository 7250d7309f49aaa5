// A text as a file that is read in parts.
#pragma once

#include "observe/pci_ids.h"

namespace pve_rdma {

inline PartReader parts_of(std::string text) {
    return [text = std::move(text)](std::size_t offset, std::size_t size) {
        return offset < text.size() ? text.substr(offset, size) : std::string();
    };
}

}  // namespace pve_rdma
