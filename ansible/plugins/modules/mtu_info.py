#!/usr/bin/python
# -*- coding: utf-8 -*-
# Copyright (c) The pve-rdma authors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
# Written by ansible/generate from `pve-rdma schema`; change the backend's table, not this file.

from __future__ import absolute_import, division, print_function

__metaclass__ = type

DOCUMENTATION = r'''
module: mtu_info
short_description: Show the MTU of every hop under an address, and what reaches a peer
version_added: 0.1.0
description:
- 'Without peers: for each link with an address, what a packet passes on its way down (bridge, bond, VLAN, VXLAN,
  IPoIB with its group and port) and which hop is the smallest. With peers: the same for the route to each, and
  a search with ICMP echo requests that may not be fragmented for the largest packet that reaches it, telling a
  router that names its MTU, a blackhole (small packets pass, larger ones vanish), and a peer that answers nothing
  apart. Exit code 1 when the largest packet that this node sends does not reach a peer. Needs no root where net.ipv4.ping_group_range
  has a group of the caller.'
author:
- The pve-rdma authors
options:
  peer:
    description:
    - Addresses to probe, IPv4 or IPv6 (fe80::1%vmbr0 for link-local ones).
    type: list
    elements: str
  timeout_ms:
    description:
    - Wait this long for a peer's first answer; later ones by its round trip.
    - From 10 to 10000.
    type: int
    default: 500
  retries:
    description:
    - Ask again this many times before a size counts as not answered.
    - From 1 to 10.
    type: int
    default: 3
  deadline_ms:
    description:
    - Give up after this time; peers that are not settled then are unsure.
    - From 100 to 600000.
    type: int
    default: 30000
  backend:
    description:
    - Where the backend comes from.
    - C(installed) runs the one that the Debian package pve-rdma installed on the node, C(transfer) sends the one
      that lies in this collection, C(auto) sends it only when none is installed.
    type: str
    choices:
    - auto
    - installed
    - transfer
    default: auto
attributes:
  check_mode:
    support: full
    description:
    - 'It reads only: the same with and without check mode.'
  async:
    support: none
    description:
    - The task runs in one step.
'''

EXAMPLES = r'''
- name: Show the MTU of every hop under an address, and what reaches a peer
  pve.rdma.mtu_info:
  register: result
'''

RETURN = r'''
operation:
  type: str
  returned: always
  description:
  - The operation of the backend that answered.
ok:
  type: bool
  returned: always
  description:
  - False when a check says no, or when the task failed.
warnings:
  type: list
  returned: always
  description:
  - What the reader should know besides the answer.
  elements: str
error:
  type: dict
  returned: always
  description:
  - What went wrong (code, subject, message, ...); null when nothing did.
backend:
  type: dict
  returned: always
  description:
  - Which backend answered, C(path), and whether it was sent, C(transferred).
mtu:
  type: dict
  returned: success
  description:
  - The answer; C(pve-rdma schema mtu) describes its members.
'''
