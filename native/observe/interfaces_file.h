// /etc/network/interfaces below a machine's root, as facts.
#pragma once

#include "eni/diagnostic.h"
#include "eni/view.h"
#include "facts/report.h"
#include "observe/machine.h"

namespace pve_rdma {

inline constexpr const char* interfaces_path = "/etc/network/interfaces";

// The files of a machine, for eni's readers.
class MachineFiles : public eni::FileReader {
  public:
    explicit MachineFiles(const Machine& machine) : machine_(machine) {}
    Result<std::string> read(const std::string& path, std::size_t limit) override;
    Result<std::vector<std::string>> list(const std::string& folder) override;

  private:
    const Machine& machine_;
};

// Secrets are left out; text that is no UTF-8 is replaced.
std::vector<InterfacesFile> interfaces_facts(const eni::View&, const std::vector<eni::Diagnostic>&);

// The traps of the file, and values of our own options that the hook would refuse.
std::vector<eni::Diagnostic> interfaces_findings(const eni::View&);

// Source "interfaces". A machine without the file has no such source.
void observe_interfaces(const Machine&, NodeReport&);

}  // namespace pve_rdma
