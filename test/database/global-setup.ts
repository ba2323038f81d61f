/** Starts the MongoDB servers of a test run once, for all of its projects. */
import type { TestProject } from "vitest/node";
import { runsAllEngines } from "./engines.ts";
import type { TestMongo } from "./mongod.ts";
import { startTestMongo } from "./test-mongo.ts";

declare module "vitest" {
  export interface ProvidedContext {
    /**
     * The URIs of the servers: one for each worker, or one for all. Empty without a server, after a printed warning.
     */
    mongoUris: string[];
  }
}

interface Shared {
  users: number;
  servers: Promise<TestMongo[]>;
}

/** Shared through a global, because each project loads its own copy of this module. */
const holder = globalThis as typeof globalThis & { sopwrightTestMongo?: Shared | undefined };

export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const shared = (holder.sopwrightTestMongo ??= { users: 0, servers: announced(project.config.maxWorkers) });
  shared.users += 1;
  project.provide(
    "mongoUris",
    (await shared.servers).map(({ uri }) => uri),
  );
  return async () => {
    shared.users -= 1;
    if (shared.users > 0) return;
    holder.sopwrightTestMongo = undefined;
    await Promise.all((await shared.servers).map((server) => server.stop()));
  };
}

async function announced(workers: number): Promise<TestMongo[]> {
  const servers = await startTestMongo(workers);
  const [first] = servers;
  if (first) process.stdout.write(`${engines(first.name)}\n`);
  return servers;
}

function engines(mongo: string): string {
  if (runsAllEngines()) return `Tests run on both engines: SQLite and MongoDB (${mongo})`;
  return `Tests run on SQLite, and those of storage on MongoDB too (${mongo}). SOP_ENGINES=all runs all of them on both.`;
}
