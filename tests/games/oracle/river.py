"""The wolf, the goat and the cabbage; a state is the set of those who are across."""

from text import board


class River:
    def start(self):
        return frozenset()

    def successors(self, across):
        everybody = {"farmer", "wolf", "goat", "cabbage"}
        if across == everybody:
            return []
        here = across if "farmer" in across else everybody - across
        out = []
        for who in here:
            after = across ^ {"farmer", who}
            for bank in (after, everybody - after):
                if "farmer" not in bank and "goat" in bank and len(bank) > 1:
                    break
            else:
                out.append(frozenset(after))
        return out

    def text(self, across):
        rows = [("cabbage", "C"), ("goat", "G"), ("wolf", "W"), ("farmer", "F")]
        return board([[None, k] if n in across else [k, None] for n, k in rows]) + " f"


def game(name):
    return River()
