/**
 * Says which tests run on MongoDB too. Every server test can. By default only tests of storage do, because the engines
 * can differ there. `SOP_ENGINES=all` runs all of them on both engines, and so do the proofs of `npm run bench`.
 */
import { isProof } from "../proof.ts";

/** The beginnings of paths of test files about storage. */
export const storageTests = [
  // the engines, each alone and in comparison
  "server/database/",
  // snapshots, and documents that move between the engines
  "server/backup/",
  // counts of the database for operators
  "server/status/",
  // leases, turns, the outbox, deadlines
  "server/jobs/",
  // caches that only servers on MongoDB delete
  "server/capacity/disk-caches.test.ts",
  // copies that such caches begin with
  "server/snapshots/",
  // checks of stored data
  "server/integrity/",
  // folders and keys of several servers
  "server/data-folder/installation.test.ts",
  // leases of mirrors
  "server/mirror/lost-lease.test.ts",
  // the bytes of images and PDFs, outside and inside their documents
  "server/blobs/",
  // the ledger and the commits made from it
  "server/repository/",
  // concurrent writers of a record
  "server/approvals/races.test.ts",
  "server/sops/edit/races.test.ts",
  "test/hostile/races.test.ts",
  // a misconfigured, slow or unreachable MongoDB, and the commands sent to it
  "server/http/outage.test.ts",
  "server/start-failure.test.ts",
  "test/commands.test.ts",
  "test/scale.test.ts",
  "test/servers.test.ts",
  "test/two-versions.test.ts",
  "test/shipped-balancer.test.ts",
];

/** @throws for an unknown value, because a misspelled "all" would skip tests */
export function runsAllEngines(env: NodeJS.ProcessEnv = process.env): boolean {
  const wanted = env["SOP_ENGINES"] ?? "";
  if (wanted !== "" && wanted !== "all") throw new Error(`SOP_ENGINES is "${wanted}"; the only value is "all"`);
  return wanted === "all" || isProof;
}

/** @param file the path of a test file, relative to the project's folder, with slashes */
export function runsOnMongo(file: string): boolean {
  return runsAllEngines() || storageTests.some((beginning) => file.startsWith(beginning));
}
