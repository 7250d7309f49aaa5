#!/usr/bin/python
# -*- coding: utf-8 -*-
# Copyright (c) The pve-rdma authors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
# Written by ansible/generate from `pve-rdma schema`; change the backend's table, not this file.

from __future__ import absolute_import, division, print_function

__metaclass__ = type

DOCUMENTATION = r'''
module: diagnose
short_description: Say what is wrong with a node or a cluster, why, and what to do
version_added: 0.1.0
description:
- 'Judges this node, one recorded report, or many as a cluster. Each finding names its rule, how sure it is, the
  facts it rests on, and a remedy. What is not known is listed as not judged: it is not fine. Two reports of one
  host are its history, which counters need. On this node the InfiniBand fabric is walked too, where root and ib_umad
  allow it. Changes nothing; exit code 1 when an error is found.'
author:
- The pve-rdma authors
options:
  explain:
    description:
    - Print the page of a rule, and judge nothing.
    type: str
    choices:
    - MOD-01
    - MOD-02
    - MOD-03
    - MOD-04
    - MOD-05
    - MOD-06
    - DRV-01
    - DRV-02
    - DRV-03
    - PHY-01
    - PHY-02
    - PHY-03
    - PHY-04
    - PHY-05
    - PHY-06
    - PHY-07
    - PHY-08
    - PHY-09
    - PHY-10
    - PROTO-01
    - PROTO-02
    - PROTO-03
    - SM-01
    - SM-02
    - SM-03
    - SM-04
    - SM-05
    - SM-06
    - SM-07
    - SM-08
    - SM-09
    - SM-10
    - SM-11
    - SM-12
    - GUID-01
    - GUID-02
    - GUID-03
    - GUID-04
    - LID-01
    - LID-02
    - MTU-01
    - MTU-02
    - MTU-03
    - MTU-04
    - MTU-05
    - MTU-06
    - MTU-07
    - MTU-08
    - MTU-09
    - MTU-10
    - MTU-11
    - IPOIB-01
    - IPOIB-02
    - IPOIB-03
    - IPOIB-04
    - IPOIB-05
    - IPOIB-06
    - IPOIB-07
    - IPOIB-08
    - IPOIB-09
    - PCI-01
    - PCI-02
    - PCI-03
    - ETH-01
    - ETH-02
    - ETH-03
    - ETH-04
    - ETH-05
    - ETH-06
    - ROCE-01
    - ROCE-02
    - ROCE-03
    - FW-01
    - FW-02
    - FW-03
    - FW-04
    - SRIOV-01
    - SRIOV-02
    - ROUTE-01
    - ROUTE-02
    - ROUTE-03
    - ROUTE-04
    - ROUTE-05
    - ROUTE-06
    - IFC-01
    - IFC-02
    - IFC-03
    - IFC-04
    - IFC-05
    - IFC-06
    - IFC-07
    - IFC-08
    - IFC-09
    - IFC-10
    - IFC-11
    - IFC-12
    - IFC-13
    - IFC-14
    - IFC-15
    - IFC-16
    - IFC-17
    - SYS-01
    - SYS-02
    - SYS-03
    - SYS-04
    - CLUSTER-01
    - CLUSTER-02
    - CLUSTER-03
    - CLUSTER-04
    - CLUSTER-05
    - CLUSTER-06
    - CLUSTER-07
    - CLUSTER-08
    - CLUSTER-09
    - CLUSTER-10
  severity:
    description:
    - The least severe findings to show.
    type: str
    choices:
    - info
    - warning
    - error
  rule:
    description:
    - Judge by these rules only.
    type: list
    elements: str
    choices:
    - MOD-01
    - MOD-02
    - MOD-03
    - MOD-04
    - MOD-05
    - MOD-06
    - DRV-01
    - DRV-02
    - DRV-03
    - PHY-01
    - PHY-02
    - PHY-03
    - PHY-04
    - PHY-05
    - PHY-06
    - PHY-07
    - PHY-08
    - PHY-09
    - PHY-10
    - PROTO-01
    - PROTO-02
    - PROTO-03
    - SM-01
    - SM-02
    - SM-03
    - SM-04
    - SM-05
    - SM-06
    - SM-07
    - SM-08
    - SM-09
    - SM-10
    - SM-11
    - SM-12
    - GUID-01
    - GUID-02
    - GUID-03
    - GUID-04
    - LID-01
    - LID-02
    - MTU-01
    - MTU-02
    - MTU-03
    - MTU-04
    - MTU-05
    - MTU-06
    - MTU-07
    - MTU-08
    - MTU-09
    - MTU-10
    - MTU-11
    - IPOIB-01
    - IPOIB-02
    - IPOIB-03
    - IPOIB-04
    - IPOIB-05
    - IPOIB-06
    - IPOIB-07
    - IPOIB-08
    - IPOIB-09
    - PCI-01
    - PCI-02
    - PCI-03
    - ETH-01
    - ETH-02
    - ETH-03
    - ETH-04
    - ETH-05
    - ETH-06
    - ROCE-01
    - ROCE-02
    - ROCE-03
    - FW-01
    - FW-02
    - FW-03
    - FW-04
    - SRIOV-01
    - SRIOV-02
    - ROUTE-01
    - ROUTE-02
    - ROUTE-03
    - ROUTE-04
    - ROUTE-05
    - ROUTE-06
    - IFC-01
    - IFC-02
    - IFC-03
    - IFC-04
    - IFC-05
    - IFC-06
    - IFC-07
    - IFC-08
    - IFC-09
    - IFC-10
    - IFC-11
    - IFC-12
    - IFC-13
    - IFC-14
    - IFC-15
    - IFC-16
    - IFC-17
    - SYS-01
    - SYS-02
    - SYS-03
    - SYS-04
    - CLUSTER-01
    - CLUSTER-02
    - CLUSTER-03
    - CLUSTER-04
    - CLUSTER-05
    - CLUSTER-06
    - CLUSTER-07
    - CLUSTER-08
    - CLUSTER-09
    - CLUSTER-10
  no_fabric:
    description:
    - 'Do not walk the InfiniBand fabric: a walk asks every node of the subnet.'
    type: bool
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
- name: Say what is wrong with a node or a cluster, why, and what to do
  pve.rdma.diagnose:
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
findings:
  type: list
  returned: success
  description:
  - The answer; C(pve-rdma schema diagnose) describes its members.
'''
