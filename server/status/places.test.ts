/** Settings that name a place with something else in it. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, expect, test } from "vitest";
import { findConfiguredPathFault } from "./places.ts";

const dir = mkdtempSync(path.join(tmpdir(), "sopwright-places-"));
afterAll(() => rmSync(dir, { recursive: true }));
const at = (name: string) => path.join(dir, name);
writeFileSync(at("file"), "");
mkdirSync(at("folder"));

test.each([
  ["FONTS_DIR that is a file", { fontsDir: at("file") }, "FONTS_DIR: there is a file in the place of the folder"],
  [
    "FONTS_DIR that is missing",
    { fontsDir: at("none") },
    "FONTS_DIR: the folder is missing, or this user can't read it",
  ],
  ["FONTS_DIR that is a folder", { fontsDir: at("folder") }, null],
  [
    "WITNESS_FILE that is a folder",
    { witnessFile: at("folder") },
    "WITNESS_FILE: there is a folder in the place of the file",
  ],
  [
    "WITNESS_FILE in a file",
    { witnessFile: at("file/x") },
    "WITNESS_FILE: its folder is missing, or this user can't write there",
  ],
  ["WITNESS_FILE that is a file", { witnessFile: at("file") }, null],
])("a %s", async (_, given, fault) => {
  expect(await findConfiguredPathFault({ dataDir: dir, fontsDir: at("fonts"), witnessFile: null, ...given })).toBe(
    fault,
  );
});
