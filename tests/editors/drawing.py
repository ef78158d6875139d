"""A picture of a terminal's screen, for pages: made by a command, never in a run of the tests."""

from __future__ import annotations

import re
from pathlib import Path

import pyte
from PIL import Image, ImageDraw, ImageFont
from pyte.screens import Char

FONT = "/usr/share/fonts/truetype/dejavu/DejaVuSansMono{}.ttf"
SIZE_PX = 15
LINE_PX = 19
BACKGROUND, FOREGROUND = "14161b", "e0e2ea"  # Neovim's dark colours
COLOURS = {
    "black": "000000",
    "red": "cd3131",
    "green": "0dbc79",
    "brown": "e5e510",
    "blue": "2472c8",
    "magenta": "bc3fbc",
    "cyan": "11a8cd",
    "white": "e5e5e5",
}
# pyte takes both for something else: underlines with a shape, and their colour.
SHAPED_UNDERLINE = re.compile(r"\x1b\[4:[0-9]m")
UNDERLINE_COLOUR = re.compile(r"\x1b\[5[89][:;0-9]*m")


def draw(styled: str, to: Path, *, cols: int, rows: int) -> None:
    """Draw a screen as `tmux capture-pane -e` gives it, as a PNG of few colours."""
    screen = _screen(styled, cols, rows)
    fonts = [ImageFont.truetype(FONT.format(kind), SIZE_PX) for kind in ("", "-Bold")]
    width = int(fonts[0].getlength("M"))
    image = Image.new("RGB", (cols * width, rows * LINE_PX), f"#{BACKGROUND}")
    pen = ImageDraw.Draw(image)
    for y in range(rows):
        for x in range(cols):
            _cell(pen, screen.buffer[y][x], (x * width, y * LINE_PX, width), fonts)
    image.quantize(64).save(to, optimize=True)


def _screen(styled: str, cols: int, rows: int) -> pyte.Screen:
    screen = pyte.Screen(cols, rows)
    text = UNDERLINE_COLOUR.sub("", SHAPED_UNDERLINE.sub("\x1b[4m", styled))
    pyte.Stream(screen).feed("\r\n".join(text.split("\n")[:rows]))
    return screen


def _cell(
    pen: ImageDraw.ImageDraw,
    char: Char,
    place: tuple[int, int, int],
    fonts: list[ImageFont.FreeTypeFont],
) -> None:
    x, y, width = place
    front, back = _colour(char.fg, FOREGROUND), _colour(char.bg, BACKGROUND)
    if char.reverse:
        front, back = back, front
    pen.rectangle((x, y, x + width - 1, y + LINE_PX - 1), fill=back)
    if char.data.strip():
        pen.text((x, y), char.data, font=fonts[char.bold], fill=front)
    if char.underscore:
        pen.line((x, y + LINE_PX - 2, x + width - 1, y + LINE_PX - 2), fill=front)


def _colour(name: str, default: str) -> str:
    return f"#{default if name == 'default' else COLOURS.get(name.removeprefix('bright'), name)}"
