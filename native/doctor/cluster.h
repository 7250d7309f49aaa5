// The nodes that are diagnosed together, each with its history: two reports of one host are the same node at
// two times. The reports must outlive it.
#pragma once

#include <deque>
#include <span>
#include <string>
#include <vector>

#include "doctor/node.h"

namespace pve_rdma::doctor {

struct Input {
    NodeReport report;
    std::string label;  // names a report without a host name: its file
};

class Cluster {
  public:
    // Reports of the same host name that share a GUID or a hardware address are one node; the newest is
    // judged, the one before it is its history. Cost: linear in the reports' devices and links.
    explicit Cluster(std::span<const Input>);
    Cluster(const Cluster&) = delete;
    Cluster& operator=(const Cluster&) = delete;

    const std::deque<Node>& nodes() const { return nodes_; }

  private:
    std::deque<Node> nodes_, older_;
};

}  // namespace pve_rdma::doctor
