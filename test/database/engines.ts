/**
 * Which tests run on MongoDB too. Every server test can; by default only those of storage do, where the engines can differ.
 * `SOP_ENGINES=all` runs all of them on both engines, and so do the proofs of `npm run bench`.
 */
import { isProof } from "../proof.ts";

/** Beginnings of the test files about storage. */
export const storageTests = [
  // the engines, one by one and compared
  "server/database/",
  // leases, turns, the outbox, deadlines
  "server/jobs/",
  // what is stored, checked
  "server/integrity/",
  // the ledger and the commits made from it
  "server/repository/",
  // writers of the same record
  "server/approvals/races.test.ts",
  "server/sops/edit/races.test.ts",
  "test/hostile/races.test.ts",
  // a MongoDB that is wrong, slow or gone, and what is sent to it
  "server/http/outage.test.ts",
  "server/start-failure.test.ts",
  "test/commands.test.ts",
];

/** @throws on a value that is not known: a misspelled "all" would leave tests out */
export function runsAllEngines(env: NodeJS.ProcessEnv = process.env): boolean {
  const wanted = env["SOP_ENGINES"] ?? "";
  if (wanted !== "" && wanted !== "all") throw new Error(`SOP_ENGINES is "${wanted}"; the only value is "all"`);
  return wanted === "all" || isProof;
}

/** @param file path of a test file from the project's folder, with slashes */
export function runsOnMongo(file: string): boolean {
  return runsAllEngines() || storageTests.some((beginning) => file.startsWith(beginning));
}
