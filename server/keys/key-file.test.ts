import { fstatSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, expect, test, vi } from "vitest";
import { addKey, createKeyFile, keyFile, readKeyFile } from "./key-file.ts";

const synced: string[] = [];
vi.mock("node:fs", async (original) => {
  const whole = await original<typeof import("node:fs")>();
  const fsyncSync = (handle: number) => {
    synced.push(fstatSync(handle).isDirectory() ? "folder" : "file");
    whole.fsyncSync(handle);
  };
  return { ...whole, fsyncSync };
});

const dir = mkdtempSync(path.join(tmpdir(), "sopwright-keys-"));
afterAll(() => rmSync(dir, { recursive: true }));

test("keys are on disk, under their name too, before anything is sealed with them", () => {
  const file = keyFile(dir);
  createKeyFile(file);
  // a name that a power cut takes back takes every sealed value with it
  expect(synced.splice(0)).toEqual(["file", "folder"]);
  const added = addKey(file);
  expect(synced.splice(0)).toEqual(["file", "folder"]);
  expect(readKeyFile(file).map(({ id }) => id)).toEqual([added.id, expect.any(String)]);
});
