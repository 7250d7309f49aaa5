// The hook of dpkg and of apt, which `pve-rdma ofed guard on` puts in their configuration. One static
// program: it must work on a node whose libraries do not.
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string>
#include <string_view>

#include <fcntl.h>
#include <unistd.h>

#include "guard/ruling.h"

namespace {

using namespace pve_rdma::guard;

std::string environment(const char* name) {
    const char* value = std::getenv(name);
    return value ? value : "";
}

// dpkg keeps the descriptor of --status-fd to itself, also when that is standard error: no file that is
// opened later may take its place.
void open_standard_files() {
    int file = 0;
    while (file >= 0 && file <= STDERR_FILENO)
        file = ::open("/dev/null", O_RDWR);
    if (file > STDERR_FILENO) ::close(file);
}

bool answer(std::string_view mode) {
    if (mode == "dpkg")
        return passes(rule_dpkg(environment("DPKG_HOOK_ACTION"), environment("DPKG_ROOT"),
                                environment("DPKG_ADMINDIR"), environment("DPKG_FORCE")));
    if (mode == "apt") return rule_apt(STDIN_FILENO).losses.empty();
    return mode == "check";  // does this program run at all
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 2) {
        std::fputs("usage: pve-rdma-guard dpkg|apt (run by them), pve-rdma-guard check\n", stderr);
        return 2;
    }
    open_standard_files();
    try {
        return answer(argv[1]) ? 0 : 1;
    } catch (const std::exception& exception) {
        std::fprintf(stderr, "pve-rdma guard: %s (this is a fault of pve-rdma: please report it)\n",
                     exception.what());
        return 1;
    }
}
