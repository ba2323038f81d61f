import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import fc from "fast-check";
import { afterEach, beforeEach, expect, test } from "vitest";
import * as ofServer from "../server/own-cache.ts";
import { isPrivateFolder, ownCacheFolder } from "./own-cache.ts";

let base = "";
beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), "sop-cache-"));
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

const me = process.getuid?.() ?? 0;

test("makes a folder of this user's alone", () => {
  const folder = ownCacheFolder({ XDG_CACHE_HOME: join(base, "cache") });
  expect(folder).toMatch(/cache\/sopwright\/compiled$/);
  expect(statSync(folder ?? "").mode & 0o777).toBe(0o700);
  expect(ofServer.ownCacheFolder({ XDG_CACHE_HOME: join(base, "cache") })).toBe(folder);
});

test("none where there can be none", () => {
  for (const where of ["relative", join(base, "\0"), "/proc/nowhere"])
    expect([where, ownCacheFolder({ XDG_CACHE_HOME: where })]).toEqual([where, null]);
});

test("none in a folder that another user made, can write to, or can exchange", () => {
  const modes = fc.constantFrom(0o700, 0o755, 0o750, 0o770, 0o777, 0o1777, 0o1700, 0o702, 0o711);
  fc.assert(
    fc.property(modes, modes, modes, (above, middle, own) => {
      const cache = join(base, "cache");
      const folder = join(cache, "sopwright", "compiled");
      mkdirSync(folder, { recursive: true });
      chmodSync(cache, above);
      chmodSync(join(cache, "sopwright"), middle);
      chmodSync(folder, own);
      const canExchange = [above, middle].some((mode) => (mode & 0o022) !== 0 && (mode & 0o1000) === 0);
      const isOpen = (own & 0o077) !== 0;
      const found = ownCacheFolder({ XDG_CACHE_HOME: cache });
      rmSync(cache, { recursive: true });
      expect(found === null).toBe(canExchange || isOpen);
    }),
    { numRuns: 60 },
  );
});

test.skipIf(me !== 0)("none where another user owns a folder on the way", () => {
  for (const theirs of ["cache", "cache/sopwright", "cache/sopwright/compiled"]) {
    const cache = join(base, "cache");
    mkdirSync(join(cache, "sopwright", "compiled"), { recursive: true, mode: 0o700 });
    chownSync(join(base, theirs), 65_534, 65_534);
    expect([theirs, ownCacheFolder({ XDG_CACHE_HOME: cache })]).toEqual([theirs, null]);
    rmSync(cache, { recursive: true });
  }
});

test("none behind a link that leads into another's folder", () => {
  mkdirSync(join(base, "real"), { mode: 0o777 });
  chmodSync(join(base, "real"), 0o777);
  mkdirSync(join(base, "real", "compiled"), { mode: 0o700 });
  mkdirSync(join(base, "cache"));
  symlinkSync(join(base, "real"), join(base, "cache", "sopwright"));
  expect(ownCacheFolder({ XDG_CACHE_HOME: join(base, "cache") })).toBe(null);
  expect(isPrivateFolder(join(base, "cache"), me + 1)).toBe(false);
});
