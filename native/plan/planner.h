// The plan of a change: what is wanted, merged with what is; steps in their order; what the files become;
// what is refused, and what to beware of. Pure: the same input gives the same plan, whatever machine it runs
// on.
#pragma once

#include "desired/desired.h"
#include "eni/file_reader.h"
#include "facts/report.h"
#include "network/file_change.h"
#include "network/network.h"
#include "network/step.h"
#include "plan/refuse.h"

namespace pve_rdma {

struct PlanInput {
    const Network& now;
    const Desired& desired;
    const NodeReport& report;          // sections system, pci, devices, links: what safety asks about
    eni::FileReader* files = nullptr;  // none: the change is of the running network only
    std::string interfaces = "/etc/network/interfaces";
    std::optional<IpAddress> caller{};  // where the connection comes from; none: a console
    std::vector<NamedAddress> disks{};  // reached over the network: they must not be cut off
};

struct Plan {
    std::vector<Step> steps{};
    std::vector<FileChange> files{};
    std::string diff{};             // of the files, unified
    std::vector<Error> refusals{};  // not empty: it must not be carried out
    std::vector<std::string> notes{};
    Network target{};

    bool empty() const { return steps.empty() && files.empty(); }
};

// An error: the files could not be read or understood.
Result<Plan> make_plan(const PlanInput&);

}  // namespace pve_rdma
