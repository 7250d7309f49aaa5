// What the check of vendor drivers reads of a bundle: control files and dkms.conf. The first octet picks the
// reader.
#include <cstdint>
#include <cstdlib>

#include "ofed/bundle/control.h"
#include "ofed/bundle/dkms_conf.h"
#include "ofed/bundle/installer_text.h"
#include "ofed/plan/cleanup_loop.h"
#include "ofed/plan/installed.h"

namespace {

using namespace pve_rdma::ofed;

void must(bool holds) {
    if (!holds) std::abort();
}

bool lies_in(std::string_view part, std::string_view text) {
    return part.empty() ||
           (part.data() >= text.data() && part.data() + part.size() <= text.data() + text.size());
}

// Values are views into the text; an end is reached.
void check_control(std::string_view text) {
    ControlReader reader(text, "control");
    for (std::size_t count = 0; count <= text.size(); ++count) {
        const auto stanza = reader.next();
        if (!stanza || !*stanza) return;
        must(!(*stanza)->fields.empty());
        for (const auto& field : (*stanza)->fields) {
            must(!field.name.empty() && lies_in(field.name, text) && lies_in(field.value, text));
            must(!(*stanza)->get(field.name).empty() || field.value.empty() ||
                 (*stanza)->get(field.name).data() != field.value.data());
        }
    }
    std::abort();
}

void check_dkms(std::string_view text) {
    const auto conf = parse_dkms_conf(text, "dkms.conf");
    if (!conf) return;
    must(conf->modules.size() <= 1024);
    for (std::size_t i = 0; i < conf->modules.size(); ++i) {
        must(!conf->modules[i].empty() && conf->modules[i].find('-') == std::string::npos);
        for (std::size_t j = 0; j < i; ++j)
            must(conf->modules[i] != conf->modules[j]);
    }
}

void check_status(std::string_view text) {
    const auto installed = Installed::parse(std::string(text.substr(0, 64u << 10)), "status");
    if (!installed) return;
    for (const auto& package : installed->packages())
        // A colon separates the architecture: a name with one, which dpkg never writes, is not found.
        must(!package.name.empty() &&
             (package.name.find(':') != std::string_view::npos || installed->find(package.name) != nullptr));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size == 0) return 0;
    const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
    switch (data[0] % 5) {
        case 0:
            check_control(text);
            break;
        case 1:
            check_dkms(text);
            break;
        case 2:
            check_status(text);
            break;
        case 3:
            read_installer(text, text.substr(text.size() / 2), "12.9");
            break;
        default:
            read_cleanup(text);
            break;
    }
    return 0;
}
