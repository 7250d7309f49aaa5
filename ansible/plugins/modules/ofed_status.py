#!/usr/bin/python
# -*- coding: utf-8 -*-
# Copyright (c) The pve-rdma authors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
# Written by ansible/generate from `pve-rdma schema`; change the backend's table, not this file.

from __future__ import absolute_import, division, print_function

__metaclass__ = type

DOCUMENTATION = r'''
module: ofed_status
short_description: 'Show whose driver this node has: the kernel''s, the vendor''s, or parts of both'
version_added: 0.1.0
description:
- Whose kernel modules run, whose would be loaded by each installed kernel, whose libraries are installed; what
  is half done, what an earlier driver has left, and the way back to the kernel's own. Exit code 1 when something
  is half done or could not be found out. Changes nothing.
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
- name: 'Show whose driver this node has: the kernel''s, the vendor''s, or parts of both'
  pve.rdma.ofed_status:
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
  - The answer; C(pve-rdma schema ofed-status) describes its members.
'''
