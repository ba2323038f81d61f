import path from "node:path";
import process from "node:process";
import { describe, expect, inject } from "vitest";
import { runsOnMongo } from "./engines.ts";

const project = path.resolve(import.meta.dirname, "../..");

/**
 * The MongoDB server of this worker, for the tests of this file.
 * @returns null if the run has none (after a printed warning), or if this file runs on SQLite alone (`engines.ts`)
 */
export function mongoUri(): string | null {
  const uris = inject("mongoUris");
  if (uris === undefined) throw new Error("test/database/global-setup.ts is not in this project's globalSetup");
  if (!isOnMongo()) return null;
  return uris[Number(process.env["VITEST_POOL_ID"]) % uris.length] ?? null;
}

/** Defines a suite on MongoDB: none if this file runs on SQLite alone, a skipped one if the run has no server. */
export function describeOnMongo(name: string, define: () => void): void {
  if (!isOnMongo()) return;
  const isMissing = mongoUri() === null;
  describe.skipIf(isMissing)(`${name} on MongoDB${isMissing ? " (SKIPPED: no server)" : ""}`, define);
}

function isOnMongo(): boolean {
  const { testPath } = expect.getState();
  if (testPath === undefined) throw new Error("asked outside of a test file");
  return runsOnMongo(path.relative(project, testPath).replaceAll(path.sep, "/"));
}

/** The options for SecantusDB, which accepts the commands of snapshot sessions but answers from the present. */
export function momentsOf(uri: string): { moments?: "transaction" } {
  return uri.includes("appName=SecantusDB") ? { moments: "transaction" } : {};
}
