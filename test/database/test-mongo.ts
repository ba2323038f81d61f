/** The MongoDB of a test run, in the order of the README: MONGODB_TEST_URI, `mongod`, SecantusDB. */
import { hasMongod, startMongod, type TestMongo } from "./mongod.ts";
import { startSecantus } from "./secantus.ts";

/**
 * @param workers the number of workers. SecantusDB runs Python on one core, so each worker gets its own
 * @returns empty if there is no MongoDB, after a printed warning
 * @throws in that case with `CI=true`
 */
export async function startTestMongo(workers: number): Promise<TestMongo[]> {
  const given = process.env["MONGODB_TEST_URI"];
  if (given) return [{ uri: given, name: "MONGODB_TEST_URI", stop: async () => undefined }];
  try {
    if (hasMongod()) return [await startMongod()];
    return await Promise.all(Array.from({ length: workers }, () => startSecantus()));
  } catch (error) {
    const reason = error instanceof Error ? error.message.trim().split("\n").at(-1) : String(error);
    const line = `SKIPPED: every test on MongoDB, no server could be started (${reason}). Set MONGODB_TEST_URI, put mongod on PATH, or install python3-venv.`;
    if (process.env["CI"] === "true") throw new Error(line, { cause: error });
    process.stderr.write(`\n\u001b[1;33m${line}\u001b[0m\n\n`);
    return [];
  }
}
