"""Reads the QR code of the page as a camera does: from its dark and light modules alone, by ISO/IEC 18004."""

# Each module of the picture, its light border included, as a row of truths.
MODULES = """(() => {
    const picture = document.querySelector("svg.qr");
    const [ground, dark] = [picture.querySelector("rect"), picture.querySelector("path")];
    const fills = [ground, dark].map((part) => getComputedStyle(part).fill);
    if (fills.join() !== "rgb(255, 255, 255),rgb(0, 0, 0)") return [];
    const side = picture.viewBox.baseVal.width;
    return Array.from({ length: side }, (_, y) => Array.from({ length: side }, (_, x) =>
        dark.isPointInFill(new DOMPoint(x + 0.5, y + 0.5))));
})()"""

# Version 1: 21 × 21 modules, 26 codewords in one block, 10 of which correct the others at level M.
SIDE, BORDER, CODEWORDS, CORRECTING, LEVEL_M = 21, 4, 26, 10, 0
LETTERS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ $%*+-./:"
ALPHANUMERIC = 0b0010

# Whether a mask turns the module of a row and a column.
MASKS = [
    lambda row, column: (row + column) % 2 == 0,
    lambda row, column: row % 2 == 0,
    lambda row, column: column % 3 == 0,
    lambda row, column: (row + column) % 3 == 0,
    lambda row, column: (row // 2 + column // 3) % 2 == 0,
    lambda row, column: row * column % 2 + row * column % 3 == 0,
    lambda row, column: (row * column % 2 + row * column % 3) % 2 == 0,
    lambda row, column: ((row + column) % 2 + row * column % 3) % 2 == 0,
]


def text_of(tab):
    """The text of the QR code that a tab shows."""
    picture = tab.run(MODULES)
    assert len(picture) == SIDE + 2 * BORDER, "no black and white picture of version 1"
    inside = range(BORDER, BORDER + SIDE)
    for y, row in enumerate(picture):
        for x, is_dark in enumerate(row):
            assert not is_dark or (x in inside and y in inside), f"the border is dark at {x}, {y}"
    modules = [[picture[y][x] for x in inside] for y in inside]
    look_at_frame(modules)
    words = codewords(modules, MASKS[mask_of(modules)])
    assert not any(value_at(words, root) for root in roots(CORRECTING)), f"they do not correct each other: {words}"
    return spelled(words[:-CORRECTING])


def number_of(bits):
    return int("".join("1" if bit else "0" for bit in bits), 2)


def look_at_frame(modules):
    """What a camera finds the picture by: a square in three corners, set off in light, and two dotted lines."""
    for top, left in ((0, 0), (0, SIDE - 7), (SIDE - 7, 0)):
        for row in range(max(top - 1, 0), min(top + 8, SIDE)):
            for column in range(max(left - 1, 0), min(left + 8, SIDE)):
                ring = max(abs(row - top - 3), abs(column - left - 3))
                assert modules[row][column] == (ring not in (2, 4)), f"no square at {top}, {left}"
    for step in range(8, SIDE - 8):
        assert modules[6][step] == modules[step][6] == (step % 2 == 0), "the lines between the squares are not dotted"
    assert modules[SIDE - 8][8], "the dark module is light"


def mask_of(modules):
    """The number of the mask, which stands twice in the picture, with the level."""
    one = modules[8][:6] + modules[8][7:9] + [modules[row][8] for row in (7, 5, 4, 3, 2, 1, 0)]
    other = [modules[SIDE - 1 - row][8] for row in range(7)] + modules[8][SIDE - 8:]
    assert one == other, "the two descriptions of the picture differ"
    told = number_of(one) ^ 0b101010000010010
    rest = told
    for shift in range(4, -1, -1):
        if rest >> (shift + 10) & 1:
            rest ^= 0b10100110111 << shift
    assert rest == 0, f"the description of the picture is wrong: {told:015b}"
    assert told >> 13 == LEVEL_M, f"{told:015b} is another level"
    return told >> 10 & 0b111


def is_frame(row, column):
    return 6 in (row, column) or (row < 9 and not 9 <= column <= 12) or (row > 12 and column < 9)


def codewords(modules, is_turned):
    """The bytes, which go up and down in columns two modules wide, from the right to the left."""
    bits, is_upward = [], True
    for right in (20, 18, 16, 14, 12, 10, 8, 5, 3, 1):
        for row in range(SIDE - 1, -1, -1) if is_upward else range(SIDE):
            for column in (right, right - 1):
                if not is_frame(row, column):
                    bits.append(modules[row][column] != is_turned(row, column))
        is_upward = not is_upward
    assert len(bits) == 8 * CODEWORDS, len(bits)
    return [number_of(bits[start:start + 8]) for start in range(0, len(bits), 8)]


def product(one, other):
    """The product of two numbers of the field of 256 elements."""
    result = 0
    while other:
        if other & 1:
            result ^= one
        one, other = one << 1, other >> 1
        if one & 0x100:
            one ^= 0b100011101
    return result


def roots(count):
    """Where the polynomial of sound codewords is zero."""
    root = 1
    for _ in range(count):
        yield root
        root = product(root, 2)


def value_at(words, place):
    value = 0
    for word in words:
        value = product(value, place) ^ word
    return value


def spelled(words):
    bits = "".join(f"{word:08b}" for word in words)
    place = 0

    def take(count):
        nonlocal place
        place += count
        return int(bits[place - count:place], 2)

    assert take(4) == ALPHANUMERIC, "it is of another mode"
    left, text = take(9), ""
    while left > 0:
        pair = take(11) if left > 1 else take(6)
        text += LETTERS[pair // 45] + LETTERS[pair % 45] if left > 1 else LETTERS[pair]
        left -= 2
    assert int(bits[place:place + 4] or "0", 2) == 0, "nothing ends the text"
    return text
