#!/usr/bin/env python3
"""bundle.py: modules that tools/bundle_web.py has joined do what they did apart.

The joined modules are run by node; without it only what is refused is looked at.
"""

import os
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "tools"))

from bundle_web import BundleError, bundle, in_order  # noqa: E402

MODULES = {
    "main.js": """// main
import { add, count as counted } from './sum.js';
import words from './lang/en.js';
import * as all from './sum.js';
export const total = add(1, 2);
export async function open() {
    const { shown } = await import('./first.js');
    const { late } = await import('./late.js');
    return [shown(), late(), words.hello, counted(), all.Box.name, total].join(' ');
}
""",
    "first.js": """import {
    add,
} from './sum.js';
export function shown() { return add(3, 4); }
""",
    "late.js": """import { add, count } from './sum.js';
import words from './lang/en.js';
import { other } from './other.js';
export function late() { return `${add(5, 6)} ${count()} ${words.hello} ${other}`; }
""",
    "other.js": "export const other = 'other';\n",
    "sum.js": """let calls = 0; // one for all
export function add(a, b) {
    calls++;
    return a + b;
}
export function count() { return calls; }
export class Box {}
""",
    "lang/en.js": "export default {\n    hello: 'hello',\n};\n",
}
RUN = """import { open, total } from './main.js';
import { count } from './sum.js';
import en from './lang/en.js';
console.log(await open(), total, count(), en.hello);
"""


def run(texts):
    """What RUN prints beside these modules."""
    with tempfile.TemporaryDirectory() as folder:
        for name, text in {**texts, "run.mjs": RUN, "package.json": '{"type":"module"}'}.items():
            path = os.path.join(folder, name)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "w", encoding="utf-8") as f:
                f.write(text)
        done = subprocess.run(["node", "run.mjs"], cwd=folder, check=False, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        return done.stdout


class Bundle(unittest.TestCase):
    @unittest.skipUnless(shutil.which("node"), "there is no node")
    def test_same_as_apart(self):
        apart = run(MODULES)
        self.assertEqual(apart, "7 11 3 hello other hello 3 Box 3 3 3 hello\n")
        joined = bundle("main.js", ["first.js"], MODULES)
        self.assertEqual(run(joined), apart)
        self.assertNotIn("import ", joined["main.js"])

    def test_what_is_not_needed_at_first_stays(self):
        joined = bundle("main.js", ["first.js"], MODULES)
        self.assertEqual(joined["other.js"], MODULES["other.js"])
        self.assertIn("from './other.js'", joined["late.js"])
        self.assertNotIn("from './sum.js'", joined["late.js"])

    def test_order(self):
        order = in_order(["first.js", "main.js"], MODULES)
        self.assertEqual(order, ["sum.js", "first.js", "lang/en.js", "main.js"])

    def refuses(self, text, why):
        with self.assertRaisesRegex(BundleError, why):
            bundle("main.js", [], {"main.js": text, "a.js": "import { x } from './main.js';\n"})

    def test_refused(self):
        self.refuses("export let x = 1;\n", "main.js: not understood: export let")
        self.refuses("const x = 1;\nexport { x };\n", "not understood: export {")
        self.refuses("export default 7;\n", "not understood: export default")
        self.refuses("export * from './a.js';\n", "not understood: export")
        self.refuses("import './a.js';\n", "not understood: import")
        self.refuses("import { x } from './none.js';\n", "main.js imports none.js")
        self.refuses("import { x } from './a.js';\n", "circle of imports: main.js -> a.js -> main")
        self.refuses("import a, { b } from './b.js';\n", "main.js imports b.js")


if __name__ == "__main__":
    unittest.main()
