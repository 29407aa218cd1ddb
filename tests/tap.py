"""tap: results of a test program, printed as TAP line by line as they come.

    case("it ends", status == 0, errors)   # the errors are shown if it does not
    sys.exit(end())                        # tells how many there were; 0: all were good
"""

LONGEST = 8000  # characters of a reason that are shown

cases = []


def case(name, ok, reason="", skip=""):
    """One result. `skip` says why there is none."""
    cases.append(bool(ok))
    print("%s %d - %s%s" % ("ok" if ok else "not ok", len(cases), name, skip and " # SKIP " + skip))
    if not ok:
        for line in str(reason)[:LONGEST].split("\n"):
            print("# " + line)
    print(end="", flush=True)


def end():
    """After the last case; the status to end with."""
    print("1..%d" % len(cases), flush=True)
    return 0 if all(cases) else 1
