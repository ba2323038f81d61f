/** Starts a real `mongod`, if one is on PATH, as a replica set of one node in a temporary folder. */
import { spawn, spawnSync } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
// oxlint-disable-next-line no-restricted-imports -- makes the replica set that the engine asks for
import { MongoClient } from "mongodb";
import { freePort } from "../free-port.ts";

export interface TestMongo {
  uri: string;
  name: string;
  stop(): Promise<void>;
}

const patienceMs = 30_000;

export function hasMongod(): boolean {
  return spawnSync("mongod", ["--version"], { stdio: "ignore" }).status === 0;
}

export async function startMongod(): Promise<TestMongo> {
  const folder = await mkdtemp(join(tmpdir(), "sopwright-mongod-"));
  const port = await freePort();
  const options = ["--replSet", "rs0", "--port", String(port), "--dbpath", folder, "--bind_ip", "127.0.0.1"];
  const server = spawn("mongod", options, { stdio: "ignore" });
  const endWithUs = (): void => void server.kill("SIGKILL");
  process.once("exit", endWithUs);
  const stop = async (): Promise<void> => {
    process.off("exit", endWithUs);
    const ended = new Promise((resolve) => server.once("exit", resolve));
    if (server.exitCode === null && server.signalCode === null) {
      server.kill("SIGKILL");
      await ended;
    }
    await rm(folder, { recursive: true, force: true });
  };
  try {
    await initiate(port);
    return { uri: `mongodb://127.0.0.1:${port}/?replicaSet=rs0`, name: "mongod", stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function initiate(port: number): Promise<void> {
  const client = new MongoClient(`mongodb://127.0.0.1:${port}/?directConnection=true`, {
    serverSelectionTimeoutMS: patienceMs,
  });
  try {
    const admin = client.db("admin");
    const members = [{ _id: 0, host: `127.0.0.1:${port}` }];
    await admin.command({ replSetInitiate: { _id: "rs0", members } });
    const deadline = Date.now() + patienceMs;
    while ((await admin.command({ hello: 1 }))["isWritablePrimary"] !== true) {
      if (Date.now() > deadline) throw new Error("mongod did not become primary");
      await delay(50);
    }
  } finally {
    await client.close();
  }
}
