/**
 * SecantusDB, a development-only server that speaks MongoDB's wire protocol: what the tests use where there is no `mongod`.
 * It lives in a private virtual environment inside `node_modules`, made once.
 */
import { execFile, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { promisify } from "node:util";
import type { TestMongo } from "./test-mongo.ts";

const run = promisify(execFile);

const requirement = "SecantusDB==0.7.0b3";
const home = join(import.meta.dirname, "../../node_modules/.cache/sopwright/secantus");
const python = join(home, "bin", "python");
const ready = join(home, `.ready-${requirement}`);
const lock = `${home}.lock`;
const staleLockMs = 10 * 60_000;

/** Ends with the process that started it, however that one ends: its standard input is closed then. */
const program = `
import os, sys, threading
threading.Thread(target=lambda: (sys.stdin.read(), os._exit(0)), daemon=True).start()
from secantus.cli import main
sys.exit(main())
`;

export function isSecantusInstalled(): boolean {
  return existsSync(ready);
}

/** @param more further options of the program */
export async function startSecantus(more: readonly string[] = []): Promise<TestMongo> {
  await install();
  const storage = await mkdtemp(join(tmpdir(), "sopwright-secantus-"));
  const options = ["--host", "127.0.0.1", "--port", "0", "--storage-path", storage, ...more];
  const server = spawn(python, ["-c", program, ...options], { stdio: ["pipe", "ignore", "pipe"] });
  const stop = async (): Promise<void> => {
    const ended = new Promise((resolve) => server.once("exit", resolve));
    if (server.exitCode === null && server.signalCode === null) {
      server.kill("SIGKILL");
      await ended;
    }
    await rm(storage, { recursive: true, force: true });
  };
  try {
    const address = await listening(server);
    return { uri: `mongodb://${address}/?directConnection=true`, name: requirement, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

function listening(server: ReturnType<typeof spawn>): Promise<string> {
  return new Promise((resolve, reject) => {
    let log = "";
    server.stderr?.on("data", (chunk: Buffer) => {
      if (log.length < 20_000) log += chunk.toString();
      const address = /listening on (\S+:\d+)/.exec(log)?.[1];
      if (address !== undefined) resolve(address);
    });
    server.once("error", reject);
    server.once("exit", (code) => reject(new Error(`it stopped with code ${code}: ${log.slice(-500)}`)));
  });
}

/** Under a lock: several test runs may want it at the same moment. */
async function install(): Promise<void> {
  if (existsSync(ready)) return;
  await mkdir(join(home, ".."), { recursive: true });
  while (!(await tookLock())) await delay(500);
  try {
    if (existsSync(ready)) return;
    await rm(home, { recursive: true, force: true });
    await run("python3", ["-m", "venv", home]);
    await run(python, ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", requirement]);
    await writeFile(ready, "");
  } finally {
    await rm(lock, { recursive: true, force: true });
  }
}

async function tookLock(): Promise<boolean> {
  try {
    await mkdir(lock);
    return true;
  } catch {
    const age = await stat(lock).then(
      ({ mtimeMs }) => Date.now() - mtimeMs,
      () => 0,
    );
    if (age > staleLockMs) await rm(lock, { recursive: true, force: true });
    return false;
  }
}
