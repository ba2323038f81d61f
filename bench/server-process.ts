/** A server in its own process, as in production. */
import { spawn, type ChildProcess } from "node:child_process";
import { readFileSync } from "node:fs";
import path from "node:path";
import { createInterface } from "node:readline";

export const root = path.resolve(import.meta.dirname, "..");

export interface ServerProcess {
  url: string;
  child: ChildProcess;
  stop(): Promise<void>;
}

/** Starts `program` on Node 24 and waits for `listening on …`. */
export async function startServer(program: string, env: Record<string, string>): Promise<ServerProcess> {
  const child = spawn(process.execPath, [path.resolve(root, program)], {
    cwd: root,
    env: { PATH: process.env["PATH"] ?? "", LOG_LEVEL: "warn", PORT: "0", REQUESTS_PER_MINUTE: "100000000", ...env },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const url = await new Promise<string>((resolve, reject) => {
    child.once("exit", (code) => reject(new Error(`${program} ended with ${code} before it listened`)));
    createInterface({ input: child.stdout }).on("line", (line) => {
      const match = /^listening on (\S+)/.exec(line);
      if (match?.[1]) resolve(match[1]);
    });
  });
  return {
    url,
    child,
    async stop() {
      const ended = new Promise((resolve) => child.once("exit", resolve));
      child.kill("SIGTERM");
      await ended;
    },
  };
}

/** Of the process itself, without those that it started; null where it isn't Linux. @param field now, or at most so far */
export function memoryMiB(pid: number | undefined, field: "VmRSS" | "VmHWM"): number | null {
  try {
    const status = readFileSync(`/proc/${pid}/status`, "utf8");
    const [, kilobytes] = new RegExp(`^${field}:\\s+(\\d+)`, "m").exec(status) ?? [];
    return kilobytes === undefined ? null : Math.round(Number(kilobytes) / 1024);
  } catch {
    return null;
  }
}

export async function signIn(url: string, username: string, password: string): Promise<string> {
  const answer = await fetch(`${url}/api/auth/login`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ username, password }),
  });
  if (!answer.ok) throw new Error(`sign-in: ${answer.status} ${await answer.text()}`);
  const cookie = answer.headers.getSetCookie().find((line) => /^(__Host-)?sid=[^;]/.test(line));
  return cookie?.split(";")[0] ?? "";
}

/** Waits until the repository has caught up: it is not measured. */
export async function settle(url: string, cookie: string): Promise<void> {
  for (let tries = 0; tries < 600; tries++) {
    const state = (await (await fetch(`${url}/api/repository`, { headers: { cookie } })).json()) as { lag: number };
    if (state.lag === 0) return;
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
  throw new Error("the repository did not catch up");
}
