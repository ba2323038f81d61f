import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { keepScratchInMemory } from "./test/scratch.ts";

keepScratchInMemory();

/** Tests on the database: a MongoDB server is started for them. */
const database = { globalSetup: ["test/database/global-setup.ts"] };
/** A look that waits for a state: the default, a second, is too short for a busy machine. */
const patient = { testTimeout: 60_000, hookTimeout: 60_000, expect: { poll: { timeout: 20_000 } } };
const node = { environment: "node" as const, ...patient };
const web = { environment: "jsdom" as const, ...patient, setupFiles: ["web/testing/setup.ts"] };

/**
 * Browsers and server processes on a busy machine: more time, and in CI, where nobody looks on, a second try. What needs one
 * is named at the end (`test/second-tries.ts`): it is a fault still.
 */
const whole = {
  testTimeout: 90_000,
  retry: process.env["CI"] === "true" ? 1 : 0,
};

/** A clean checkout knows no durations and takes the larger file for the longer one; a browser's files are long whatever their size. */
class LongestFirst extends BaseSequencer {
  static readonly folders = ["/test/screens/", "/test/journeys/", "/test/", "/server/"];

  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => {
      const at = LongestFirst.folders.findIndex((folder) => moduleId.startsWith(import.meta.dirname + folder));
      return at === -1 ? LongestFirst.folders.length : at;
    };
    return (await super.sort(files)).toSorted((one, other) => rank(one) - rank(other));
  }
}

export default defineConfig({
  test: {
    // one long file at the end would leave the other core idle
    sequence: { sequencer: LongestFirst },
    // one file at a time left the second core of a CI machine idle
    maxWorkers: 2,
    projects: [
      // files share what they import: starting it again for each of them is a third of the work
      { extends: true, test: { ...node, name: "core", isolate: false, include: ["core/**/*.test.ts"] } },
      {
        extends: true,
        test: { ...node, ...database, name: "server", isolate: false, include: ["server/**/*.test.ts"] },
      },
      { extends: true, test: { ...node, name: "cli", include: ["cli/**/*.test.ts"] } },
      {
        extends: true,
        test: { ...node, ...database, ...whole, name: "whole", isolate: false, include: ["test/**/*.test.ts"] },
      },
      { extends: true, test: { ...web, name: "web", isolate: false, include: ["web/**/*.test.{ts,tsx}"] } },
    ],
  },
});
