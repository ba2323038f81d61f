import process from "node:process";
import { inject } from "vitest";

/** The MongoDB server that the tests of this worker run on. @returns null where the run has none, and has said so */
export function mongoUri(): string | null {
  const uris = inject("mongoUris");
  if (uris === undefined) throw new Error("test/database/global-setup.ts is not in this project's globalSetup");
  return uris[Number(process.env["VITEST_POOL_ID"]) % uris.length] ?? null;
}
