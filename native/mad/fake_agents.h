// The agents of a FakeFabric's nodes: subnet management (SMA), performance management (PMA), administration.
#pragma once

#include "mad/fake_fabric.h"

namespace pve_rdma {

class FakeAgents {
  public:
    explicit FakeAgents(FakeFabric& fabric) : fabric_(fabric) {}

    // The answer of the node at `to` (the port that the MAD came in by); several MADs: the segments of an
    // RMPP transfer. Nothing: the agent drops it.
    std::vector<MadOctets> answer(LinkEnd to, const MadOctets& request);

  private:
    // Each fills the payload and gives the status.
    std::uint16_t subnet(LinkEnd to, const MadHeader& request, MadOctets& out);
    std::uint16_t performance(LinkEnd to, const MadHeader& request, MadOctets& out);
    std::uint16_t administration(LinkEnd to, const MadHeader& request, MadOctets& out);
    std::vector<MadOctets> sm_info_table(const MadOctets& answer) const;

    FakeFabric& fabric_;
};

}  // namespace pve_rdma
