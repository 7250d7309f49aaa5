// Devices get their names from pci.ids, wherever their vendor stands in it.
#include "observe/pci_ids.h"

#include <gtest/gtest.h>

#include "parts.h"

namespace pve_rdma {
namespace {

void name(const std::string& ids, std::vector<PciDevice>& devices) {
    name_devices(parts_of(ids), ids.size(), devices);
}

TEST(PciNames, BelongToTheirVendor) {
    PciDevice device;
    device.vendor_id = 0x15b3;
    device.device_id = 0x1017;
    std::vector<PciDevice> devices = {device};
    name(
        "# comment\n1000  First\n\t1017  wrong\n15b3  Mellanox\n\t1017  MT27800\n\t\t15b3 0006  sub\n"
        "15b4  Last\n\t1017  wrong\nC 15\n15b3  a class\n",
        devices);
    EXPECT_EQ(devices[0].vendor_name, "Mellanox");
    EXPECT_EQ(devices[0].device_name, "MT27800");
}

TEST(PciNames, AreFoundAtEitherEndOfTheFileAndForAllOfAVendor) {
    std::vector<PciDevice> devices(4);
    for (auto& device : devices)
        device.vendor_id = 0x15b3;
    devices[0].device_id = 0x1003;
    devices[1].device_id = 0x1017;
    devices[2].vendor_id = 0xfffe;  // not in the file
    devices[3].vendor_id = 0x1000;
    name("1000  First\n15b3  Mellanox\n# why\n\t1003  MT27500\n\t1017  MT27800", devices);
    EXPECT_EQ(devices[0].device_name, "MT27500");
    EXPECT_EQ(devices[1].device_name, "MT27800");
    EXPECT_EQ(devices[2].vendor_name, std::nullopt);
    EXPECT_EQ(devices[3].vendor_name, "First");
    EXPECT_EQ(devices[3].device_name, std::nullopt);
}

TEST(PciNames, OfEveryVendorAreFoundInALongFile) {
    std::string ids = "# a list\n";
    for (unsigned vendor = 3; vendor < 60000; vendor += 7) {
        ids += fmt::format("{:04x}  Vendor {}\n", vendor, vendor);
        for (unsigned device = 0; device < vendor % 50; ++device)
            ids += fmt::format("\t{:04x}  Device {}\n\t\t1028 0001  Subsystem\n", device, device);
    }
    ids += "C 02  Network controller\n\t00  Ethernet controller\n";
    std::vector<PciDevice> devices;
    for (unsigned vendor = 3; vendor < 60000; vendor += 7 * 99) {
        devices.emplace_back().vendor_id = vendor;
        devices.back().device_id = vendor % 50 / 2;
    }
    name(ids, devices);
    for (const auto& device : devices) {
        EXPECT_EQ(device.vendor_name, fmt::format("Vendor {}", *device.vendor_id));
        if (*device.vendor_id % 50) {
            EXPECT_EQ(device.device_name, fmt::format("Device {}", *device.device_id));
        }
    }
}

TEST(PciNames, ABlockOfAnyLengthIsReadToItsEnd) {
    std::string ids = "15b2  Before\n15b3  Mellanox\n";
    for (unsigned device = 0; device < 5000; ++device)
        ids += fmt::format("\t{:04x}  Device {}\n", device, device);
    std::vector<PciDevice> devices(1);
    devices[0].vendor_id = 0x15b3;
    devices[0].device_id = 4999;
    name(ids + "15b4  After\n", devices);
    EXPECT_EQ(devices[0].device_name, "Device 4999");
}

TEST(PciNames, TheSearchEndsAlsoWhereTheFirstLineIsOfAnotherVendor) {
    std::vector<PciDevice> devices(1);
    for (unsigned vendor : {0x0001u, 0x1003u, 0x1004u, 0xfffeu}) {
        devices[0].vendor_id = vendor;
        name("1003  Meklanoz\n\t0013  x\n", devices);
    }
    EXPECT_EQ(devices[0].vendor_name, "Meklanoz") << "of the second, which is in the list";
}

TEST(PciNames, AnEmptyFileAndNonsenseNameNothing) {
    std::vector<PciDevice> devices(1);
    devices[0].vendor_id = 0x15b3;
    for (const std::string& ids :
         {std::string(), std::string(20000, '\n'), std::string(20000, 'x'), std::string("15b3")}) {
        name(ids, devices);
        EXPECT_EQ(devices[0].vendor_name, std::nullopt);
    }
}

}  // namespace
}  // namespace pve_rdma
