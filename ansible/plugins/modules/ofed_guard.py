#!/usr/bin/python
# -*- coding: utf-8 -*-
# Copyright (c) The pve-rdma authors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
# Written by ansible/generate from `pve-rdma schema`; change the backend's table, not this file.

from __future__ import absolute_import, division, print_function

__metaclass__ = type

DOCUMENTATION = r'''
module: ofed_guard
short_description: Keep installers from taking Proxmox VE off the node
version_added: 0.1.0
description:
- While the guard is on, dpkg and apt refuse to remove, purge, downgrade or overwrite the packages that make a Proxmox
  VE node, and what those need, whoever asks and with whatever force. Upgrades pass. The list and the last refusals
  are shown; files in /etc/pve-rdma/guard.d add to the list, one pattern a line. Exit code 1 when the guard is on
  in part or without effect, or when packages are marked for removal.
author:
- The pve-rdma authors
options:
  action:
    description:
    - Switch the guard on or off, or show how it stands.
    type: str
    choices:
    - 'on'
    - 'off'
    - status
    required: true
  once:
    description:
    - 'With off: let the next action pass that would be refused, within ten minutes, and stay on. It is logged.'
    type: bool
  dry_run:
    description:
    - Say whether anything would change, and change nothing.
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
    - Answers what would be done, and does nothing.
  async:
    support: none
    description:
    - The task runs in one step.
'''

EXAMPLES = r'''
- name: Keep installers from taking Proxmox VE off the node
  pve.rdma.ofed_guard:
    action: '...'
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
guard:
  type: dict
  returned: success
  description:
  - The answer; C(pve-rdma schema ofed-guard) describes its members.
'''
