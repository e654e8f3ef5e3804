#!/usr/bin/env python3
"""Whether compiler/support.md is the page of the list: page.py support_page"""
import os
import subprocess
import sys

PAGE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../compiler/support.md")

wanted = subprocess.run(sys.argv[1:2], stdout=subprocess.PIPE, check=True, text=True).stdout
with open(PAGE, encoding="utf-8") as file:
    if file.read() != wanted:
        sys.exit(f"compiler/support.md isn't what the list says; write it anew: "
                 f"{sys.argv[1]} > compiler/support.md")
