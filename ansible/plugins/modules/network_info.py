#!/usr/bin/python
# -*- coding: utf-8 -*-
# Copyright (c) The pve-rdma authors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
# Written by ansible/generate from `pve-rdma schema`; change the backend's table, not this file.

from __future__ import absolute_import, division, print_function

__metaclass__ = type

DOCUMENTATION = r'''
module: network_info
short_description: Print the present network as a document of what is wanted
version_added: 0.1.0
description:
- 'Links, addresses, routes and rules as pve-rdma apply takes them: edit what is to change, remove the rest. Applied
  as it is, it changes nothing. What guests, the kernel, DHCP and router advertisements bring is left out.'
author:
- The pve-rdma authors
options:
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
- name: Print the present network as a document of what is wanted
  pve.rdma.network_info:
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
network:
  type: dict
  returned: success
  description:
  - The answer; C(pve-rdma schema show) describes its members.
'''
