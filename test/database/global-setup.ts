/** Starts one MongoDB server for the whole test run, whatever number of projects and workers it has. */
import type { TestProject } from "vitest/node";
import { startTestMongo, type TestMongo } from "./test-mongo.ts";

declare module "vitest" {
  export interface ProvidedContext {
    /** null: there is none, and the run has said so */
    mongoUri: string | null;
  }
}

interface Shared {
  users: number;
  server: Promise<TestMongo | null>;
}

/** Each project loads this module anew; the server is shared beyond that. */
const holder = globalThis as typeof globalThis & { sopwrightTestMongo?: Shared | undefined };

export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const shared = (holder.sopwrightTestMongo ??= { users: 0, server: announced() });
  shared.users += 1;
  project.provide("mongoUri", (await shared.server)?.uri ?? null);
  return async () => {
    shared.users -= 1;
    if (shared.users > 0) return;
    holder.sopwrightTestMongo = undefined;
    await (await shared.server)?.stop();
  };
}

async function announced(): Promise<TestMongo | null> {
  const server = await startTestMongo();
  if (server) process.stdout.write(`Tests run on both engines: SQLite and MongoDB (${server.name})\n`);
  return server;
}
