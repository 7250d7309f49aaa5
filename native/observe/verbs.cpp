#include "observe/verbs.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <mutex>

#include <fmt/format.h>

#include "observe/sysfs_values.h"
#include "observe/verbs_values.h"

namespace pve_rdma {

namespace {

constexpr const char* providers_hint =
    "install ibverbs-providers, or the vendor's rdma-core if its driver is loaded";

// libibverbs writes warnings to standard error and has no switch for most of them. Its C stream is another
// one for the time of a call; what it says becomes part of the report.
class Listener {
  public:
    Listener() : before_(stderr), stream_(::open_memstream(&text_, &size_)) {
        if (stream_) stderr = stream_;
    }
    Listener(const Listener&) = delete;
    Listener& operator=(const Listener&) = delete;
    ~Listener() {
        if (stream_) {
            stderr = before_;
            std::fclose(stream_);
        }
        std::free(text_);
    }
    std::string said() {
        if (!stream_) return {};
        std::fflush(stream_);
        return printable(std::string_view(text_, size_));
    }

  private:
    FILE* before_;
    char* text_ = nullptr;
    std::size_t size_ = 0;
    FILE* stream_;
};

struct DeviceList {
    int count = 0;  // before `list`, whose initialiser sets it
    ibv_device** list = nullptr;
    DeviceList() : list(::ibv_get_device_list(&count)) {}
    DeviceList(const DeviceList&) = delete;
    DeviceList& operator=(const DeviceList&) = delete;
    ~DeviceList() {
        if (list) ::ibv_free_device_list(list);
    }
};

struct Context {
    ibv_context* context;
    explicit Context(ibv_device* device) : context(::ibv_open_device(device)) {}
    Context(const Context&) = delete;
    Context& operator=(const Context&) = delete;
    ~Context() {
        if (context) ::ibv_close_device(context);
    }
};

void read_gids(ibv_context* context, const std::string& name, NodeReport& report, RdmaDevice& device,
               Source& source) {
    std::size_t length = 0;
    for (const auto& port : device.ports) {
        if (!port.gids.empty()) return;
        length += port.gid_table_length.value_or(0);
    }
    std::vector<ibv_gid_entry> entries(length);
    const auto got = ::ibv_query_gid_table(context, entries.data(), entries.size(), 0);
    if (got < 0) {
        source.unread.push_back(
            Unread::from(errno_error(static_cast<int>(-got), name, "cannot read the GID table")));
        return;
    }
    entries.resize(static_cast<std::size_t>(got));
    add_gid_entries(entries, report.links, device);
}

void read_device(ibv_device* handle, NodeReport& report, Source& source) {
    const std::string name = ::ibv_get_device_name(handle);
    errno = 0;
    const Context opened(handle);
    if (!opened.context) {
        Error error = errno_error(errno ? errno : EIO, name, "cannot open the verbs device");
        if (error.code == ErrorCode::permission)
            error.hint = "/dev/infiniband/uverbs* must be open to the user";
        source.unread.push_back(Unread::from(error));
        return;
    }
    RdmaDevice* device = report.find_device(name);
    if (!device) {
        device = &report.devices.emplace_back();
        device->name = name;
    }
    ibv_device_attr_ex attributes{};
    if (const int failure = ::ibv_query_device_ex(opened.context, nullptr, &attributes)) {
        source.unread.push_back(Unread::from(errno_error(failure, name, "cannot query the device")));
        return;
    }
    add_device_attributes(attributes, opened.context->num_comp_vectors, *device);
    const std::uint32_t ports =
        std::max<std::uint32_t>(attributes.orig_attr.phys_port_cnt, attributes.phys_port_cnt_ex);
    for (std::uint32_t number = 1; number <= std::min<std::uint32_t>(ports, 255); ++number) {
        ibv_port_attr port_attributes{};
        if (const int failure =
                ::ibv_query_port(opened.context, static_cast<std::uint8_t>(number), &port_attributes)) {
            source.unread.push_back(Unread::from(
                errno_error(failure, fmt::format("{}/{}", name, number), "cannot query the port")));
            continue;
        }
        Port* port = device->find_port(number);
        if (!port) {
            port = &device->ports.emplace_back();
            port->number = number;
        }
        add_port_attributes(port_attributes, *port);
    }
    read_gids(opened.context, name, report, *device, source);
}

void note_without_provider(const DeviceList& found, const std::vector<std::string>& present, Source& source) {
    for (const auto& name : present) {
        const bool listed = std::any_of(found.list, found.list + found.count, [&](ibv_device* device) {
            return name == ::ibv_get_device_name(device);
        });
        if (!listed)
            source.unread.push_back(
                Unread::from(Error{.code = ErrorCode::unavailable,
                                   .subject = name,
                                   .message = "no provider of libibverbs claims the device",
                                   .hint = providers_hint}));
    }
}

}  // namespace

void observe_verbs(const Machine& machine, NodeReport& report) {
    Source& source = report.sources["verbs"];
    if (!machine.live()) {
        source = recorded_source();
        return;
    }
    const auto present = machine.list("/sys/class/infiniband");
    if (!present || present->empty()) return;
    if (!machine.exists("/sys/class/infiniband_verbs/abi_version")) {
        source = Source::failed(Error{.code = ErrorCode::unavailable,
                                      .subject = "/sys/class/infiniband_verbs",
                                      .message = "ib_uverbs is not loaded",
                                      .hint = "modprobe ib_uverbs"});
        return;
    }
    static std::mutex one_at_a_time;  // libibverbs' stream is the process's
    const std::scoped_lock lock(one_at_a_time);
    Listener listener;
    errno = 0;
    const DeviceList found;
    if (!found.list) {
        source = Source::failed(errno_error(errno ? errno : EIO, "libibverbs", "cannot list devices"));
        return;
    }
    note_without_provider(found, *present, source);
    for (int i = 0; i < found.count; ++i)
        read_device(found.list[i], report, source);
    if (const auto said = listener.said(); !said.empty())
        source.unread.push_back(
            Unread::from(Error{.code = ErrorCode::machine, .subject = "libibverbs", .message = said}));
}

}  // namespace pve_rdma
