import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { keepScratchInMemory } from "./test/scratch.ts";

keepScratchInMemory();

/** Tests of the database: they start a MongoDB server. */
const database = { globalSetup: ["test/database/global-setup.ts"] };
/** Polling for a state: the default of a second is too short for a busy machine. */
const patient = { testTimeout: 60_000, hookTimeout: 60_000, expect: { poll: { timeout: 20_000 } } };
const setup = "test/strict-writer.ts";
const node = { environment: "node" as const, ...patient, setupFiles: [setup] };
const web = { environment: "jsdom" as const, ...patient, setupFiles: [setup, "web/testing/setup.ts"] };

/**
 * For browsers and server processes on a busy machine: more time, and a second try in CI. `test/second-tries.ts`
 * reports tests that needed it at the end: it is still a fault.
 */
const whole = {
  testTimeout: 90_000,
  retry: process.env["CI"] === "true" ? 1 : 0,
};

/** A clean checkout has no durations, so larger files count as longer. A browser's tests take long at any size. */
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
      // files share their imports: loading them for each file takes a third of the work
      { extends: true, test: { ...node, name: "core", isolate: false, include: ["core/**/*.test.ts"] } },
      {
        extends: true,
        test: { ...node, ...database, name: "server", isolate: false, include: ["server/**/*.test.ts"] },
      },
      { extends: true, test: { ...node, name: "cli", include: ["cli/**/*.test.ts"] } },
      {
        extends: true,
        test: { ...node, ...database, ...whole, name: "whole", include: ["test/**/*.test.ts"] },
      },
      {
        extends: true,
        // as in a browser
        resolve: { alias: { "#markdown-parser": `${import.meta.dirname}/core/markdown/parser/micromark.ts` } },
        test: { ...web, name: "web", include: ["web/**/*.test.{ts,tsx}"] },
      },
    ],
  },
});
