// Debian packages of interest (source "packages") from /var/lib/dpkg/status.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "facts/report.h"
#include "observe/machine.h"

namespace pve_rdma {

// Fills system.packages and system.proxmox_version.
void observe_packages(const Machine&, NodeReport&);

// Whether the observer reports a package of this name.
bool package_of_interest(std::string_view name);

// Takes the status file in pieces of any size and keeps the packages of interest; stanzas of others are
// skipped without a look inside. A line longer than 64 KiB is cut there.
class PackageScanner {
  public:
    void feed(std::string_view piece);
    // What was found, by name; the scanner is empty after it. Packages that were removed with their
    // configuration ("purge ok not-installed") are left out.
    std::vector<Package> finish();

  private:
    void skip_stanza(std::string_view& piece);
    void line(std::string_view);
    void end_of_stanza();

    std::vector<Package> found_;
    Package current_;
    bool inside_ = false, skip_ = false;
    std::string rest_;  // the beginning of a line whose end has not come yet
};

}  // namespace pve_rdma
