// Asks the reader's process (pve-rdma-ofed-reader), which lies beside the program in a build and in libexec
// when it is installed.
#pragma once

#include "ofed/plan/question.h"

namespace pve_rdma::ofed {

// At most three minutes and 256 MiB of answer. A failure that the process tells is the error.
Result<ReaderAnswer> ask_reader(const ReaderQuestion&);

}  // namespace pve_rdma::ofed
