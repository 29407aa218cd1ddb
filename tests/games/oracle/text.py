"""States as one line of text, in the form that ludens reads."""


def board(rows):
    """Rows from the top; each a list of texts, None for an empty cell."""
    out = []
    for row in rows:
        s, empty = "", 0
        for cell in list(row) + [""]:
            if cell is None:
                empty += 1
                continue
            s += str(empty) if empty else ""
            s += cell
            empty = 0
        out.append(s)
    return "/".join(out)


def grid(cells, columns, rows, exists=lambda x, y: True):
    """`cells` maps (column, row) to texts; the first of `rows` is the top one."""
    return board([[cells.get((x, y)) for x in columns if exists(x, y)] for y in rows])
