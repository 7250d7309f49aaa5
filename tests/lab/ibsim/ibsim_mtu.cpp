// ibsim_mtu: preloaded into the ibsim server, gives each simulated port a MtuCap of its own and lets
// NeighborMTU follow the subnet manager. ibsim alone answers 2048 for both and ignores what is set.
//
// Environment: IBSIM_MTU_FILE, lines "PORTGUID-HEX PORT|* 256|512|1024|2048|4096".
//
// How it gets in: ibsim keeps a struct Port for each port and writes its PortInfo with mad_set_field*() of
// libibmad, which the loader lets us replace. For every PortInfo request ibsim writes LocalPortNum, then
// GidPrefix, into Port::portinfo; for a Set it reads VLCap of the incoming data right before that, and
// nowhere else. What is relied on of struct Port (ibsim 0.10 to 0.12) is checked with each write, and the
// server ends with a message if it does not hold.
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <string>
#include <utility>

#include <infiniband/mad.h>

#include <dlfcn.h>
#include <unistd.h>

namespace {

// struct Port begins: u64 subnet prefix, u64 GUID, 15 ints of which the first is the port number,
// portinfo[64].
constexpr std::size_t kGuidOffset = 8;
constexpr std::size_t kNumberOffset = 16;
constexpr std::size_t kLidOffset = kNumberOffset + sizeof(int);
constexpr std::size_t kPortInfoOffset = 16 + 15 * sizeof(int);
constexpr int kAnyPort = -1;

template <class T>
T read_at(const std::uint8_t* from) {
    T value{};
    std::memcpy(&value, from, sizeof value);
    return value;
}

template <class Function>
Function* libibmad(const char* name) {
    return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

[[noreturn]] void give_up(const char* why) {
    std::fprintf(stderr, "ibsim_mtu: %s\n", why);
    _exit(3);
}

// The code of an MTU in PortInfo: 256 is 1, 4096 is 5.
std::uint32_t mtu_code(int bytes) {
    constexpr std::array sizes{256, 512, 1024, 2048, 4096};
    for (std::size_t i = 0; i < sizes.size(); ++i) {
        if (sizes[i] == bytes) return static_cast<std::uint32_t>(i + 1);
    }
    give_up("an MTU in IBSIM_MTU_FILE is none of 256, 512, 1024, 2048, 4096");
}

class MtuTable {
  public:
    MtuTable() {
        const char* name = std::getenv("IBSIM_MTU_FILE");
        std::FILE* file = name != nullptr ? std::fopen(name, "r") : nullptr;
        if (file == nullptr) give_up("IBSIM_MTU_FILE names no readable file");
        std::array<char, 256> line{};
        while (std::fgets(line.data(), static_cast<int>(line.size()), file) != nullptr)
            add(line.data());
        std::fclose(file);
    }

    // 0 where the file says nothing.
    std::uint32_t capability(std::uint64_t guid, int number) const {
        auto entry = entries_.find({guid, number});
        if (entry == entries_.end()) entry = entries_.find({guid, kAnyPort});
        return entry == entries_.end() ? 0 : entry->second;
    }

  private:
    void add(const char* line) {
        unsigned long long guid = 0;
        std::array<char, 16> port{};
        int bytes = 0;
        if (line[0] == '#' || line[0] == '\n') return;
        if (std::sscanf(line, "%llx %15s %d", &guid, port.data(), &bytes) != 3) {
            give_up("a line of IBSIM_MTU_FILE is not \"PORTGUID PORT MTU\"");
        }
        entries_[{guid, port[0] == '*' ? kAnyPort : std::atoi(port.data())}] = mtu_code(bytes);
    }

    std::map<std::pair<std::uint64_t, int>, std::uint32_t> entries_;
};

// ibsim has one thread, so plain variables do. They live in a function: the loader may call us before any
// initializer of this file has run.
struct State {
    MtuTable table;
    std::map<const std::uint8_t*, std::uint32_t>
        neighbour;                           // portinfo -> NeighborMTU, as the subnet manager set it
    const std::uint8_t* numbered = nullptr;  // the PortInfo whose LocalPortNum was written last,
    std::uint32_t number = 0;                // and that number
    std::uint32_t requested = 0;             // NeighborMTU of the Set under way, 0: none
};

State& state() {
    static State state;
    return state;
}

void check(bool fits) {
    if (!fits)
        give_up("struct Port of this ibsim is not laid out as in ibsim 0.10 to 0.12; the shim does not fit");
}

// Called when GidPrefix is written. LocalPortNum was written right before, and is 0 for a switch.
void check_layout(const std::uint8_t* info, std::uint64_t gid_prefix) {
    const std::uint8_t* port = info - kPortInfoOffset;
    const auto number = static_cast<std::uint32_t>(read_at<int>(port + kNumberOffset));
    check(state().numbered == info && read_at<std::uint64_t>(port) == gid_prefix);
    check(state().number == 0 ? number < 255 : number == state().number);
}

bool on_stack(const void* address) {
    const auto here = reinterpret_cast<std::intptr_t>(__builtin_frame_address(0));
    return std::labs(reinterpret_cast<std::intptr_t>(address) - here) < 65536;
}

}  // namespace

extern "C" std::uint32_t mad_get_field(void* buf, int base, enum MAD_FIELDS field) {
    static auto* const real = libibmad<std::uint32_t(void*, int, enum MAD_FIELDS)>("mad_get_field");
    // The data of a request lies on the server's stack, the ports on its heap.
    if (field == IB_PORT_VL_CAP_F && on_stack(buf))
        state().requested = real(buf, base, IB_PORT_NEIGHBOR_MTU_F);
    return real(buf, base, field);
}

extern "C" void mad_set_field(void* buf, int base, enum MAD_FIELDS field, std::uint32_t value) {
    static auto* const real = libibmad<void(void*, int, enum MAD_FIELDS, std::uint32_t)>("mad_set_field");
    if (field == IB_PORT_LOCAL_PORT_F) {
        state().numbered = static_cast<const std::uint8_t*>(buf);
        state().number = value;
    }
    // The LID, which the subnet manager chose, comes next: another look at the layout.
    if (field == IB_PORT_LID_F && buf == state().numbered) {
        const auto* port = static_cast<const std::uint8_t*>(buf) - kPortInfoOffset;
        check(static_cast<std::uint32_t>(read_at<int>(port + kLidOffset)) == value);
    }
    real(buf, base, field, value);
}

extern "C" void mad_set_field64(void* buf, int base, enum MAD_FIELDS field, std::uint64_t value) {
    static auto* const real = libibmad<void(void*, int, enum MAD_FIELDS, std::uint64_t)>("mad_set_field64");
    if (field == IB_PORT_GID_PREFIX_F) {
        State& now = state();
        const auto* info = static_cast<const std::uint8_t*>(buf);
        check_layout(info, value);
        const std::uint8_t* port = info - kPortInfoOffset;
        const auto capability = now.table.capability(read_at<std::uint64_t>(port + kGuidOffset),
                                                     read_at<int>(port + kNumberOffset));
        if (now.requested != 0) now.neighbour[info] = std::exchange(now.requested, 0U);
        if (capability != 0) mad_set_field(buf, 0, IB_PORT_MTU_CAP_F, capability);
        const auto set = now.neighbour.find(info);
        if (set != now.neighbour.end()) mad_set_field(buf, 0, IB_PORT_NEIGHBOR_MTU_F, set->second);
    }
    real(buf, base, field, value);
}
