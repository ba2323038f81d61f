/** SecantusDB, a development-only server that speaks MongoDB's wire protocol. Tests use it on machines without `mongod`. */
import { spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pythonTool } from "../python-tool.ts";
import type { TestMongo } from "./mongod.ts";

/** The name in the URIs of its servers. */
const secantus = "SecantusDB";
const requirement = "SecantusDB==0.7.0b3";
const tool = pythonTool("secantus", requirement);
const python = join(tool.bin, "python");

/**
 * The program that starts SecantusDB. It ends with its parent process, even after a crash, because its standard input
 * is closed then. Its threads take turns, of 5 ms by Python's default. With that, two test files at once on a server
 * took three times as long as one after the other.
 */
const program = `
import os, sys, threading
threading.Thread(target=lambda: (sys.stdin.read(), os._exit(0)), daemon=True).start()
sys.setswitchinterval(0.0002)
from secantus.cli import main
sys.exit(main())
`;

/**
 * The most entries of the oplog. SecantusDB reads all of them whenever a change stream starts, and a test needs only
 * the latest.
 */
const oplogEntries = 5000;

export function isSecantusInstalled(): boolean {
  return tool.isInstalled();
}

/** @param more further options of the program */
export async function startSecantus(more: readonly string[] = []): Promise<TestMongo> {
  await tool.install();
  const storage = await mkdtemp(join(tmpdir(), "sopwright-secantus-"));
  const options = ["--host", "127.0.0.1", "--port", "0", "--storage-path", storage];
  options.push("--oplog-max-entries", String(oplogEntries), ...more);
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
    return { uri: `mongodb://${address}/?directConnection=true&appName=${secantus}`, name: requirement, stop };
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
