#include "guard/permit.h"

#include <ctime>

#include <sys/stat.h>

#include <unistd.h>

#include "guard/files.h"

namespace pve_rdma::guard {

namespace {

const std::string folder = "/run/pve-rdma";
const std::string waiver = folder + "/guard-once", plan = folder + "/guard-plan";
constexpr std::size_t max_note = 256;

bool is_own_file(const std::string& path, struct stat& status) {
    return ::lstat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode) && status.st_uid == 0;
}

std::string note_of(const Process& process) {
    return std::to_string(process.id) + " " + process.started + "\n";
}

}  // namespace

Result<void> grant_waiver() {
    const auto place = place_in(folder, "guard-once");
    return place ? put_text(*place, "") : std::unexpected(place.error());
}

bool waiver_waits() {
    struct stat status{};
    if (!is_own_file(waiver, status)) return false;
    const auto age = std::time(nullptr) - status.st_mtime;
    return age >= 0 && age < waiver_minutes * 60;
}

bool take_waiver() {
    return waiver_waits() && ::unlink(waiver.c_str()) == 0;
}

Result<void> approve_plan(const Process& apt) {
    const auto place = place_in(folder, "guard-plan");
    return place ? put_text(*place, note_of(apt)) : std::unexpected(place.error());
}

bool plan_approved(pid_t apt) {
    struct stat status{};
    if (!is_own_file(plan, status)) return false;
    const auto note = read_text(plan, max_note);
    const auto process = read_process(apt);
    return note && process && *note == note_of(*process);
}

}  // namespace pve_rdma::guard
