"""bundle_web: joins modules of the page that are always needed together into one file.

A browser asks for a module only when it has read the one that imports it, and each of thirty small
files costs it more than its bytes. Here the entry and all that it imports become one module: each
file is a function that is called once and gives back its exports, in the order of the imports:

    const $ui = (() => { const { t } = $i18n; ...; return { h, s }; })();

Only what the page's own modules use of the language is understood; anything else stops the build.
Bindings are copied, so what is exported never changes: `export let` is refused.
"""

import posixpath
import re

NAME = r"[A-Za-z_$][\w$]*"
IMPORT = re.compile(r"""^import\s+([^'";]+?)\s+from\s+['"](\.[\w./-]+)['"];[ \t]*$""", re.M)
EXPORT = re.compile(r"^export\s+((?:async\s+)?function\*?|class|const)\s+(%s)" % NAME, re.M)
DEFAULT = re.compile(r"^export\s+default\s+(?=[{\[])", re.M)
LATER = re.compile(r"""\bimport\(\s*['"](\.[\w./-]+)['"]\s*\)""")
LEFT_OVER = re.compile(r"^(?:import|export)\b(?!\().*$", re.M)


class BundleError(Exception):
    pass


def path_of(module, written):
    """The file that `module` means by './x.js'."""
    return posixpath.normpath(posixpath.join(posixpath.dirname(module), written))


def object_of(module):
    """The name of the object with a module's exports."""
    return "$" + re.sub(r"\W", "_", module.removesuffix(".js"))


def imports_of(module, text):
    return [path_of(module, written) for _, written in IMPORT.findall(text)]


def in_order(entries, texts):
    """The entries and all that they import, each behind what it imports."""
    order, open_ = [], []

    def visit(module, whose):
        if module in open_:
            raise BundleError("circle of imports: %s" % " -> ".join(open_ + [module]))
        if module in order:
            return
        if module not in texts:
            raise BundleError("%s imports %s, which is not there" % (whose, module))
        open_.append(module)
        for other in imports_of(module, texts[module]):
            visit(other, module)
        open_.pop()
        order.append(module)

    for entry in entries:
        visit(entry, "the bundle")
    return order


def taken(names, source):
    """What the names of an import statement are, as a declaration that takes them from an object."""
    if names.startswith("{") and names.endswith("}"):
        return "const %s = %s;" % (re.sub(r"\s+as\s+", ": ", names), source)
    whole = re.fullmatch(r"\*\s+as\s+(%s)" % NAME, names)
    if whole:
        return "const %s = %s;" % (whole.group(1), source)
    if re.fullmatch(NAME, names):
        return "const %s = %s.default;" % (names, source)
    raise BundleError("an import that is not understood: %s" % names)


def exports_of(module, text):
    """What it exports: {name outside: name inside}."""
    found = {name: name for _, name in EXPORT.findall(text)}
    defaults = len(DEFAULT.findall(text))
    if defaults:
        found["default"] = "$default"
    rest = LEFT_OVER.findall(IMPORT.sub("", DEFAULT.sub("", EXPORT.sub("", text))))
    if rest or defaults > 1:
        raise BundleError("%s: not understood: %s" % (module, (rest or ["export default"])[0]))
    return found


def as_function(module, text, bundled):
    """One module as an expression whose value has its exports."""
    exports = exports_of(module, text)
    text = IMPORT.sub(lambda m: taken(m[1], object_of(path_of(module, m[2]))), text)
    text = EXPORT.sub(r"\1 \2", text)
    text = DEFAULT.sub("const $default = ", text)

    def later(match):
        other = path_of(module, match[1])
        return "Promise.resolve(%s)" % object_of(other) if other in bundled else match[0]

    pairs = ", ".join(a if a == b else "%s: %s" % (a, b) for a, b in exports.items())
    return "const %s = (() => {\n%s\nreturn { %s };\n})();\n" % (
        object_of(module), LATER.sub(later, text).rstrip(), pairs)


def named_again(module, text):
    """The exports of a bundled module under their own names."""
    names = [name for name in exports_of(module, text) if name != "default"]
    lines = ["export const { %s } = %s;" % (", ".join(names), object_of(module))] if names else []
    if len(names) < len(exports_of(module, text)):
        lines.append("export default %s.default;" % object_of(module))
    return "\n".join(lines) + "\n"


def relative(module, other):
    path = posixpath.relpath(other, posixpath.dirname(module) or ".")
    return path if path.startswith(".") else "./" + path


def pointed_at(module, text, home, bundled):
    """A module outside the bundle, which takes from it what is there."""
    objects = []

    def take(match):
        other = path_of(module, match[2])
        if other not in bundled:
            return match[0]
        objects.append(object_of(other))
        return taken(match[1], objects[-1])

    text = IMPORT.sub(take, text)
    if not objects:
        return text
    names = ", ".join(sorted(set(objects)))
    return "import { %s } from '%s';\n%s" % (names, relative(module, home), text)


def bundle(home, entries, texts):
    """All modules, {name: text}, with `home` and `entries` and what they import joined in `home`.

    Whoever asks for one of the joined modules by its name gets what is in the bundle, not a copy.
    """
    order = in_order(entries + [home], texts)
    bundled = set(order)
    result = {}
    for module, text in texts.items():
        if module not in bundled:
            result[module] = pointed_at(module, text, home, bundled)
        elif module != home:
            result[module] = "import { %s } from '%s';\n%s" % (
                object_of(module), relative(module, home), named_again(module, text))
    parts = [as_function(module, texts[module], bundled) for module in order]
    objects = ", ".join(object_of(module) for module in order)
    result[home] = "%sexport { %s };\n%s" % ("".join(parts), objects,
                                             named_again(home, texts[home]))
    return result
