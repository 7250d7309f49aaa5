// What a stanza takes over from others by `inherits`.
//
// As ifupdown 0.8 does (config.c): the options of the first stanza of that name that was read before, of the
// same family where the header says one, stand before the stanza's own, and that stanza's inherited ones
// before those. Of several `inherits` the first counts. A stanza that comes later, or that is no iface,
// cannot be inherited from: ifupdown then refuses the whole file. ifupdown2 knows nothing of it.
#pragma once

#include <vector>

#include "eni/view.h"

namespace pve_rdma::eni {

// The stanza that another, of the same view, inherits from; nullptr: none, or it is not known.
const Stanza* inherited_stanza(const View&, const Stanza&);

// The options of that name, in either spelling, inherited ones first.
std::vector<const Option*> inherited_and_own(const View&, const Interface&, std::string_view option);

}  // namespace pve_rdma::eni
