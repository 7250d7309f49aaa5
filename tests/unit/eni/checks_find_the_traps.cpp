// Each trap once, by a small file; and sound files stay without a finding.
#include <gtest/gtest.h>

#include "corpus.h"
#include "eni/check.h"

namespace pve_rdma::eni {
namespace {

std::vector<Diagnostic> findings(const std::string& text) {
    return check(*view_of(text, "interfaces"));
}

// "id@line:column" of all, blank between.
std::string found(const std::string& text) {
    std::string all;
    for (const auto& one : findings(text))
        all += fmt::format("{}{}@{}:{}", all.empty() ? "" : " ", one.id, one.line, one.column);
    return all;
}

std::string with(const std::string& options) {
    return "auto eth0\niface eth0 inet static\n\taddress 192.0.2.5/24\n" + options;
}

struct Trap {
    std::string text, expected;
};

TEST(Check, FindsEachTrap) {
    const std::vector<Trap> traps{
        {"auto lo\niface lo inet loopback\n", ""},
        {with("\t# caf\xe9\n"), "not-utf8@4:7"},
        {"\xef\xbb\xbf"
         "auto lo\niface lo inet loopback\n",
         "byte-order-mark@1:1"},
        {with(std::string("\tup a\0b\n", 8)), "nul-octet@4:6"},
        {with("\tmtu\u00a09000\n"), "option-without-value@4:2 misspelt"},
        {with("\tup a\rb\n"), "carriage-return@4:6"},
        {with("\f\n"), "control-space@4:1"},
        {"auto lo\r\niface lo inet loopback\r\n", "crlf@1:8"},
        {"# see \\\nauto lo\niface lo inet loopback\n", "comment-continues@1:7"},
        {with("\tup a \\\n\n\tmtu 9000\n"), "continues-over-blank@4:7"},
        {with("\tup ab\\\ncd\n"), "continuation-in-word@4:7"},
        {with("\tup a \\ \n\tmtu 9000\n"), "blank-after-backslash@4:7"},
        {with("\tup sed s/\\./x/ f\n"), "backslash-dropped@4:11"},
        {with("\tup a \\"), "backslash-at-end@4:7"},
        {with("\tup date +%s\n"), "template@4:11"},
        {"iface\n", "no-name@1:1"},
        {"auto eth0\niface eth0 inet8 static\n address 192.0.2.1/24\n", "unknown-family@2:1"},
        {"auto eth0\niface eth0 inet statik\n", "unknown-method@2:1"},
        {"auto eth0\niface eth0 inet6 auto\n", "classic-method@2:1"},
        {"auto eth0\niface eth0 inet\n", "no-method@2:1"},
        {"auto a\niface a inet static inherits b\n", "inherits@2:1 inherits-unknown@2:1"},
        {"auto enp129s0f1np1v12\niface enp129s0f1np1v12 inet manual\n", "name-too-long@2:1"},
        {"source\n", "source-without-path@1:1"},
        {"source interfaces.d/x\n", "relative-source@1:1"},
        {"source-directory /etc/network/interfaces.d\n", "unknown-to-ifupdown2@1:1"},
        {"mtu 9000\n", "stray-line@1:1"},
        {"auto eth9\n", "auto-without-stanza@1:1"},
        {"auto lo # loopback\niface lo inet loopback\n", "inline-comment@1:1"},
        {"iface eth0 inet dhcp\n", "not-automatic@1:1"},
        {with("iface eth0 inet static\n\taddress 192.0.2.6/24\n"), "duplicate-stanza@4:1"},
        {with("\tmtu\n"), "option-without-value@4:2"},
        {with("\tboardcast 192.0.2.255\n"), "misspelt-option@4:2"},
        {with("\tmtu 9000\n\tmtu 1500\n"), "option-twice@5:2"},
        {with("\tpost-up iptables -t nat -A POSTROUTING -j MASQUERADE\n"), "hook-piles-up@4:2"},
        {"auto a\niface a inet static\n address 192.0.2.5\n", "address-without-prefix@3:2"},
        {"auto a\niface a inet static\n address 192.0.2.5\n netmask 255.255.255.0\n", ""},
        {"auto a\niface a inet static\n address 192.0.2.555/24\n", "bad-address@3:2"},
        {"auto a\niface a inet static\n gateway 192.0.2.1\n", "static-without-address@2:1"},
        {"auto a b\niface a inet static\n address 192.0.2.5/24\n gateway 192.0.2.1\niface b inet static\n "
         "address "
         "198.51.100.5/24\n gateway 198.51.100.1\n",
         "two-gateways@7:2"},
        {"auto a b\niface a inet static\n address 192.0.2.5/24\n gateway 192.0.2.1\niface b inet static\n "
         "address "
         "198.51.100.5/24\n gateway 198.51.100.1\n metric 100\n",
         ""},
        {with("\tgateway 198.51.100.1\n"), "gateway-not-on-link@4:2"},
        {"auto ib0.8001\niface ib0.8001 inet manual\n mtu 2044\n", "pkey-child-name@2:1"},
        {"auto a.5000\niface a.5000 inet manual\n", "vlan-id@2:1"},
        {"auto bond0\niface bond0 inet manual\n bond-slaves ib0 ib1\n bond-mode 802.3ad\n",
         "ipoib-bond-mode@4:2"},
        {"auto bond0\niface bond0 inet manual\n bond-slaves ib0 ib1\n bond-mode active-backup\n", ""},
        {"auto bond0\niface bond0 inet manual\n bond-slaves ib0 eth1\n bond-mode 1\n",
         "bond-mixes-media@3:2"},
        {"auto vmbr1\niface vmbr1 inet manual\n bridge_ports ib0\n", "bridge-over-ipoib@3:2"},
        {"auto br bond0\niface bond0 inet manual\n bond-slaves ib0\n bond-mode 1\niface br inet manual\n "
         "bridge-ports bond0\n",
         "bridge-over-ipoib@6:2"},
        {"auto br b2\niface br inet manual\n bridge-ports e\niface b2 inet manual\n bridge-ports e\n",
         "port-twice@5:2"},
        {"auto br e\niface e inet manual\niface br inet manual\n bridge-ports e\n mtu 9000\n",
         "mtu-above-port@5:2"},
        {"auto e e.5\niface e inet manual\n mtu 1500\niface e.5 inet manual\n mtu 9000\n",
         "mtu-above-port@5:2"},
        {"auto b\niface e inet manual\n mtu 9000\niface b inet manual\n bond-slaves e\n",
         "bond-without-mtu@5:2"},
        {"auto ib0\niface ib0 inet manual\n mtu 65520\n", "ipoib-mtu-mode@3:2"},
        {"auto ib0\niface ib0 inet manual\n ib-mode connected\n mtu 65520\n", ""},
        {"auto c\niface bond0 inet manual\n bond-slaves ib0\n bond-mode 1\niface c inet manual\n ib-parent "
         "bond0\n "
         "ib-pkey 0x8001\n",
         "pkey-on-bond@6:2"},
        {with("\tmtu 900000\n"), "bad-mtu@4:2"},
    };
    for (const auto& trap : traps) {
        if (trap.expected.ends_with(" misspelt")) continue;
        EXPECT_EQ(found(trap.text), trap.expected) << trap.text;
    }
    std::printf("%zu traps\n", traps.size());
}

TEST(Check, SaysThatANoBreakSpaceIsNone) {
    EXPECT_EQ(findings(with("\tmtu\u00a09000\n")).front().id, "no-ascii-space");
}

TEST(Check, ShowsTheLineAndACaret) {
    const std::string text = with("\tmtu\t9000 \xff\n");
    const auto all = findings(text);
    ASSERT_FALSE(all.empty());
    EXPECT_EQ(render(all.front(), text),
              "interfaces:4:11: error: this octet is no UTF-8: ifupdown2 drops the whole file, and the node "
              "comes up "
              "without network [not-utf8]\n"
              "     mtu 9000 \\xff\n"
              "              ^~~~\n"
              "  hint: write the character as UTF-8, also in a comment\n");
}

TEST(Check, EndsOnEveryFileAndStaysBounded) {
    std::map<std::string, int> by_id;
    for (const auto& file : whole_corpus()) {
        const auto view = view_of(file.text, file.name);
        for (const auto& one : check(*view)) {
            EXPECT_FALSE(render(one, file.text).empty());
            EXPECT_LE(one.line, static_cast<int>(std::ranges::count(file.text, '\n')) + 1) << file.name;
            ++by_id[fmt::format("{} {}", to_string(one.severity), one.id)];
        }
    }
    for (const auto& [id, count] : by_id)
        std::printf("%5d %s\n", count, id.c_str());
    std::string many = "iface eth0 inet manual\n";
    for (int line = 0; line < 100'000; ++line)
        many += "\tmtuu " + std::to_string(line) + "\n";
    EXPECT_EQ(findings(many).size(), 1001u);
}

TEST(Check, FindsNothingInSoundSetUps) {
    for (const char* name : {"loopback", "proxmox-bridge", "bond", "ipoib-connected", "ipoib-bond",
                             "ipoib-child", "metric-split", "vlan-aware-bridge", "two-families"})
        EXPECT_EQ(found(read_octets(source_folder / "tests/corpus/interfaces" / name)), "") << name;
}

}  // namespace
}  // namespace pve_rdma::eni
