/** Which tests run on MongoDB. */
import { globSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { isProof } from "../proof.ts";
import { runsAllEngines, storageTests } from "./engines.ts";

const project = path.resolve(import.meta.dirname, "../..");

describe("the tests of storage", () => {
  test.each(storageTests)("%s names tests that exist", (beginning) => {
    const pattern = beginning.endsWith("/") ? `${beginning}**/*.test.ts` : beginning;
    expect(globSync(pattern, { cwd: project })).not.toEqual([]);
  });
});

describe("SOP_ENGINES", () => {
  test("runs every server test on both engines as all, and the tests of storage when it isn't set", () => {
    expect([runsAllEngines({ SOP_ENGINES: "all" }), runsAllEngines({})]).toEqual([true, isProof]);
  });

  test("is refused when misspelled", () => {
    expect(() => runsAllEngines({ SOP_ENGINES: "ALL" })).toThrow('the only value is "all"');
  });
});
