#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""text-picture.py TITLE <TEXT >PICTURE.svg: draws what a command printed as a terminal window.

Lines that begin with "$ " are drawn as typed, "== … ==" as headings.
"""

import sys
from xml.sax.saxutils import escape

CHAR, LINE, MARGIN, BAR = 7.83, 18, 18, 34


def main():
    lines = [line.rstrip("\n") for line in sys.stdin]
    width = max(len(line) for line in lines) * CHAR + 2 * MARGIN
    height = len(lines) * LINE + 2 * MARGIN + BAR
    print('<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %d %d">'
          % (width, height, width, height))
    print('<rect width="100%" height="100%" rx="10" fill="#1d1d20"/>')
    print('<path d="M0 %d V10 A10 10 0 0 1 10 0 H%d A10 10 0 0 1 %d 10 V%d Z" fill="#2e2e32"/>'
          % (BAR, width - 10, width, BAR))
    print('<text x="%d" y="22" text-anchor="middle" fill="#ffffff" font-family="Cantarell, sans-serif" '
          'font-size="13" font-weight="bold">%s</text>' % (width / 2, escape(sys.argv[1])))
    print('<g font-family="DejaVu Sans Mono, Liberation Mono, monospace" font-size="13" xml:space="preserve">')
    for number, line in enumerate(lines):
        colour = "#deddda"
        if line.startswith("$ "):
            colour = "#8ff0a4"
        elif line.startswith("=="):
            colour = "#99c1f1"
        elif line.startswith("…"):
            colour = "#9a9996"
        print('<text x="%d" y="%d" fill="%s">%s</text>' % (MARGIN, BAR + MARGIN + number * LINE + 12, colour, escape(line)))
    print("</g></svg>")


main()
