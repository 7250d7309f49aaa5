#!/usr/bin/python
# -*- coding: utf-8 -*-
# Copyright (c) The pve-rdma authors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
# Written by ansible/generate from `pve-rdma schema`; change the backend's table, not this file.

from __future__ import absolute_import, division, print_function

__metaclass__ = type

DOCUMENTATION = r'''
module: ofed_check
short_description: Say what a vendor's driver would do to this node, and whether it is safe
version_added: 0.1.0
description:
- Reads an MLNX_OFED bundle (.tgz, .iso, a folder), Debian packages or a DOCA repository without running anything
  of it, and says what the installer or apt would remove and why, which kernel modules are replaced or cannot be
  loaded afterwards, whether it builds and knows the card, and what to do instead. The words behind -- are those
  for mlnxofedinstall. BLOCK ends with exit code 1; what is not known never counts as OK. Changes nothing.
author:
- The pve-rdma authors
options:
  bundle:
    description:
    - 'The bundle: a .tgz, an .iso, a folder, or .deb files.'
    type: list
    elements: str
  packages:
    description:
    - Packages of the node's own apt sources in place of a bundle, as doca-ofed.
    type: list
    elements: str
  installer_flags:
    description:
    - The words for mlnxofedinstall.
    type: list
    elements: str
  files:
    description:
    - 'Compare the files of every package with those of the node: it takes some seconds more.'
    type: bool
  explain:
    description:
    - Print the page of a rule, and check nothing.
    type: str
    choices:
    - OFED-01
    - OFED-02
    - OFED-03
    - OFED-04
    - OFED-05
    - OFED-06
    - OFED-07
    - OFED-08
    - OFED-09
    - OFED-10
    - OFED-11
    - OFED-12
    - OFED-13
    - OFED-14
    - OFED-15
    - OFED-16
    - OFED-17
    - OFED-18
    - OFED-19
    - OFED-20
    - OFED-21
    - OFED-22
    - OFED-23
    - OFED-24
    - OFED-25
    - OFED-26
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
- name: Say what a vendor's driver would do to this node, and whether it is safe
  pve.rdma.ofed_check:
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
ofed:
  type: dict
  returned: success
  description:
  - The answer; C(pve-rdma schema ofed-check) describes its members.
'''
