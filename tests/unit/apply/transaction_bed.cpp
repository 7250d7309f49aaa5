#include "transaction_bed.h"

#include <algorithm>
#include <cerrno>

#include <gtest/gtest.h>

#include "base/json_write.h"

namespace pve_rdma {

namespace {

std::unexpected<Error> refuse(int errno_value, const std::string& path) {
    return std::unexpected(errno_error(errno_value, path, "refused"));
}

}  // namespace

Result<std::string> MemoryDisk::read(const std::string& path, std::size_t limit) {
    return faults_.around([&]() -> Result<std::string> {
        const auto found = files.find(path);
        if (found == files.end()) return refuse(ENOENT, path);
        EXPECT_LE(found->second.size(), limit);
        return found->second;
    });
}

Result<std::vector<std::string>> MemoryDisk::list(const std::string& folder) {
    return faults_.around([&]() -> Result<std::vector<std::string>> {
        if (!folders_.contains(folder)) return refuse(ENOENT, folder);
        std::vector<std::string> names;
        for (const auto& path : folders_)
            if (path.starts_with(folder + "/")) names.push_back(path.substr(folder.size() + 1));
        return names;
    });
}

Result<void> MemoryDisk::make_folder(const std::string& path) {
    return faults_.around([&]() -> Result<void> {
        for (std::size_t end = path.size(); end != 0 && end != std::string::npos;
             end = path.rfind('/', end - 1))
            folders_.insert(path.substr(0, end));
        return {};
    });
}

Result<void> MemoryDisk::create(const std::string& path, std::string_view content, unsigned) {
    return faults_.around([&]() -> Result<void> {
        if (!files.emplace(path, content).second) return refuse(EEXIST, path);
        return {};
    });
}

Result<void> MemoryDisk::reserve(const std::string& path, std::size_t) {
    return faults_.around([&]() -> Result<void> {
        if (!files.emplace(path, "").second) return refuse(EEXIST, path);
        return {};
    });
}

Result<void> MemoryDisk::append(const std::string& path, std::string_view line) {
    return faults_.around(
        [&]() -> Result<void> {
            if (!files.contains(path)) return refuse(ENOENT, path);
            files[path] += line;
            return {};
        },
        [&] {
            if (files.contains(path)) files[path] += line.substr(0, line.size() / 2);
        });
}

Result<void> MemoryDisk::replace(const Replacement& wanted) {
    return faults_.around([&]() -> Result<void> {
        const auto found = files.find(wanted.path);
        if (found == files.end()) return refuse(ENOENT, wanted.path);
        if (found->second != wanted.expected)
            return std::unexpected(Error{.code = ErrorCode::conflict, .subject = wanted.path});
        if (wanted.validate)
            if (auto valid = wanted.validate(wanted.path); !valid) return valid;
        found->second = wanted.content;
        return {};
    });
}

Result<void> MemoryDisk::remove(const std::string& path) {
    return faults_.around([&]() -> Result<void> {
        files.erase(path);
        return {};
    });
}

Result<void> MemoryDisk::remove_folder(const std::string& path) {
    return faults_.around([&]() -> Result<void> {
        std::erase_if(files, [&](const auto& file) { return file.first.starts_with(path + "/"); });
        folders_.erase(path);
        return {};
    });
}

Result<Network> FaultyKernel::read() {
    return faults_.around([&] { return kernel_.read(); });
}

std::vector<StepFailure> FaultyKernel::carry_out(std::span<const Step> steps) {
    std::vector<StepFailure> failures;
    for (std::size_t i = 0; i < steps.size(); ++i) {
        const auto done = faults_.around([&]() -> Result<void> {
            const auto failed = kernel_.carry_out(steps.subspan(i, 1));
            if (failed.empty()) return {};
            return std::unexpected(failed.front().error);
        });
        if (done) continue;
        failures.push_back({i, done.error()});
        if (!goes_on) break;
    }
    return failures;
}

Result<void> FakeWatchdog::arm(const std::string& id, std::chrono::seconds) {
    return faults_.around([&]() -> Result<void> {
        armed.insert(id);
        return {};
    });
}

Result<void> FakeWatchdog::disarm(const std::string& id) {
    return faults_.around([&]() -> Result<void> {
        armed.erase(id);
        return {};
    });
}

TransactionHost Bed::make_host() {
    return {.kernel = faulty_kernel,
            .disk = disk,
            .watchdog = watchdog,
            .now = [this] { return time; },
            .boot_id = boot_id,
            .store = "/store",
            .lock = [] { return TransactionHost::Locks{}; },
            .restart =
                [this](const std::string& unit) {
                    return faults.around([&]() -> Result<void> {
                        start_service(unit);
                        return {};
                    });
                },
            .pause = [this](std::chrono::nanoseconds length) { time += length; }};
}

void Bed::start_service(const std::string& unit) {
    running[unit] = disk.files;
    std::erase_if(running[unit], [](const auto& file) { return !file.first.starts_with("/etc/opensm/"); });
}

Result<TransactionView> Bed::watch(const std::string& id) {
    return watch_transaction(host, id,
                             {.sleep = [this](std::chrono::nanoseconds pause) { time += pause; },
                              .say = [](const Error&) {},
                              .end = [](const Process&) {}});
}

std::map<std::string, std::string> shown(const Network& network) {
    std::map<std::string, std::string> all;
    for (Link link : network.links) {
        link.ifindex = 0;
        std::ranges::sort(link.flags);
        all["link " + link.ifname] = json_text(link, -1);
    }
    for (const auto& one : network.addresses)
        all["address " + json_text(one, -1)];
    for (const auto& one : network.routes)
        all["route " + json_text(one, -1)];
    for (const auto& one : network.rules)
        all["rule " + json_text(one, -1)];
    for (const auto& [name, value] : network.sysctls)
        all["sysctl " + name] = value;
    return all;
}

Step set(const std::string& link, const std::string& key, const std::string& from, const std::string& to) {
    return changed(SettingEntry{link, key, from}, SettingEntry{link, key, to});
}

Step set_sysctl(const std::string& name, const std::string& from, const std::string& to) {
    return changed(SysctlEntry{name, from}, SysctlEntry{name, to});
}

AddressEntry address(const std::string& dev, const std::string& prefix, std::uint32_t metric) {
    const auto parsed = IpPrefix::parse(prefix);
    return {.dev = dev, .local = parsed->address, .length = parsed->length, .metric = metric};
}

RouteEntry route(const std::string& to, const std::string& via, const std::string& dev,
                 std::uint32_t metric) {
    return {.to = *IpPrefix::parse(to), .via = *IpAddress::parse(via), .dev = dev, .metric = metric};
}

}  // namespace pve_rdma
