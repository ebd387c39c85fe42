"""Reads lines of a pattern, a text (UTF-8 in hexadecimal) and 1 or 0; says where `re` disagrees."""

import re
import sys

wrong = []
for line in open(sys.argv[1], encoding="ascii"):
    pattern, text, expected = line.rstrip("\n").split(",")
    pattern = bytes.fromhex(pattern).decode()
    text = bytes.fromhex(text).decode()
    if (re.search(pattern, text) is not None) != (expected == "1"):
        wrong.append(f"{pattern} on {text!r}")
sys.exit("\n".join(wrong) or 0)
