#include "eni/inherits.h"

#include <algorithm>

#include "eni/limits.h"

namespace pve_rdma::eni {

const Stanza* inherited_stanza(const View& view, const Stanza& stanza) {
    if (stanza.inherits.empty() || stanza.kind != LineKind::iface) return nullptr;
    const Interface* const named = view.find(stanza.inherits.front());
    if (!named) return nullptr;
    for (const auto index : named->stanzas) {
        const Stanza& other = view.stanzas[index];
        if (&other >= &stanza) break;
        if (other.kind == LineKind::iface && (stanza.family.empty() || other.family == stanza.family))
            return &other;
    }
    return nullptr;
}

std::vector<const Option*> inherited_and_own(const View& view, const Interface& interface,
                                             std::string_view option) {
    std::vector<const Option*> found;
    for (const auto index : interface.stanzas) {
        std::vector<const Stanza*> line{&view.stanzas[index]};
        while (line.size() < max_inherits)
            if (const Stanza* const next = inherited_stanza(view, *line.back()))
                line.push_back(next);
            else
                break;
        for (auto stanza = line.rbegin(); stanza != line.rend(); ++stanza)
            for (const auto* one : (*stanza)->all(option))
                found.push_back(one);
    }
    return found;
}

}  // namespace pve_rdma::eni
