#include "eni/check.h"

namespace pve_rdma::eni {

std::vector<Diagnostic> check(const View& view) {
    Findings findings(view);
    check_octets(view, findings);
    check_statements(view, findings);
    check_options(view, findings);
    check_addresses(view, findings);
    check_links(view, findings);
    return findings.take();
}

}  // namespace pve_rdma::eni
