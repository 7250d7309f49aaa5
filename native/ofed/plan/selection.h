// Which packages of a bundle would be put onto the node. Pure.
#pragma once

#include <vector>

#include "ofed/bundle/contents.h"
#include "ofed/plan/installer_flags.h"

namespace pve_rdma::ofed {

// A bundle with an installer, and not single packages that somebody gives to dpkg.
bool has_installer(const Bundle&);

// With an installer: what it would install for the flags. Otherwise all of it.
std::vector<const BundlePackage*> selected_packages(const Bundle&, const InstallerFlags&);

// Debian packages that the installer asks of apt before it goes on, for these flags.
std::vector<std::string> prerequisites(const Bundle&, const InstallerFlags&);

}  // namespace pve_rdma::ofed
