#!/usr/bin/env python3
"""Fetches and unpacks ifupdown and ifupdown2 into a folder, for guests, which have no network; status 1 without one."""
import sys

import ifupdown2
from ifup_bed import unpack_ifupdown, write_wrappers

folder = sys.argv[1]
write_wrappers(f"{folder}/tools2")
sys.exit(0 if ifupdown2.unpack(f"{folder}/ifupdown2") and unpack_ifupdown(f"{folder}/ifupdown") else 1)
