// The CPU time of reading files of interfaces(5) within a process, as a benchmark needs it: the least of N
// runs, in milliseconds, one line for each file. usage: eni_reading N FILE...
#include <ctime>
#include <iostream>

#include "base/number.h"
#include "observe/interfaces_file.h"

namespace {

double cpu_ms() {
    timespec now{};
    ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) / 1e6;
}

}  // namespace

int main(int count, char** words) {
    using namespace pve_rdma;
    const auto runs = count > 2 ? parse_number<int>(words[1]) : std::nullopt;
    const auto machine = Machine::open("/");
    if (!runs || *runs < 1 || !machine) return 2;
    MachineFiles files(*machine);
    for (int i = 2; i < count; ++i) {
        double least = 1e9;
        for (int run = 0; run < *runs; ++run) {
            const double start = cpu_ms();
            const auto view = eni::read_view(files, words[i]);
            if (!view) return 1;
            least = std::min(least, cpu_ms() - start);
        }
        std::cout << least << '\n';
    }
}
