import { execFile } from "node:child_process";
import { existsSync, fstatSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { afterAll, expect, test, vi } from "vitest";

const synced: string[] = [];
vi.mock("node:fs", async (original) => {
  const whole = await original<typeof import("node:fs")>();
  const fsyncSync = (handle: number) => {
    synced.push(fstatSync(handle).isDirectory() ? "folder" : "file");
    whole.fsyncSync(handle);
  };
  return { ...whole, fsyncSync };
});
// files of the server share their modules: this one's are its own
vi.resetModules();
const { addFirstKey, createKeyFileIfMissing, keyFilePath: keyFile, readKeyFile } = await import("./key-file.ts");
afterAll(() => void vi.resetModules());

const dir = mkdtempSync(path.join(tmpdir(), "sopwright-keys-"));
afterAll(() => rmSync(dir, { recursive: true }));

test("keys are on disk, under their name too, before they encrypt anything", () => {
  const file = keyFile(dir);
  createKeyFileIfMissing(file);
  // a name that a power cut takes back takes every sealed value with it
  expect(synced.splice(0)).toEqual(["file", "folder"]);
  const added = addFirstKey(file);
  expect(synced.splice(0)).toEqual(["file", "folder"]);
  expect(readKeyFile(file).map(({ id }) => id)).toEqual([added.id, expect.any(String)]);
});

test("simultaneous rotations lose no key of each other", async () => {
  const file = keyFile(mkdtempSync(path.join(dir, "at-once-")));
  createKeyFileIfMissing(file);
  const program = `
    import { addFirstKey } from ${JSON.stringify(pathToFileURL(path.join(import.meta.dirname, "key-file.ts")))};
    for (let n = 0; n < 10; n++)
      try { console.log(addFirstKey(${JSON.stringify(file)}).id) } catch (error) { if (error.code !== "busy") throw error }
  `;
  const rotations = [1, 2, 3].map(() =>
    promisify(execFile)(process.execPath, ["--input-type=module", "--eval", program]),
  );
  const added = (await Promise.all(rotations)).flatMap(({ stdout }) =>
    stdout.split("\n").filter((line) => line !== ""),
  );
  expect(added.length).toBeGreaterThan(0);
  const kept = readKeyFile(file).map(({ id }) => id);
  expect(kept.slice(0, -1).sort()).toEqual(added.sort());
});

test("a killed rotation stops the next one for a minute", () => {
  const file = keyFile(mkdtempSync(path.join(dir, "killed-")));
  createKeyFileIfMissing(file);
  writeFileSync(`${file}.lock`, "");
  expect(() => addFirstKey(file)).toThrow("another process adds a key");
  const past = new Date(Date.now() - 61_000);
  utimesSync(`${file}.lock`, past, past);
  expect(readKeyFile(file)).toHaveLength(1);
  expect(addFirstKey(file).id).toBe(readKeyFile(file)[0]?.id);
  expect(existsSync(`${file}.lock`)).toBe(false);
});
