/** Starts the server in a process of its own, so that tests can kill it. */
import { spawn, type ChildProcess } from "node:child_process";
import path from "node:path";
import { node, nodeEnv, project } from "./node-program.ts";

export interface ServerProcess {
  url: string;
  pid: number;
  /** Sends a signal that doesn't end the server: SIGSTOP, SIGCONT. */
  signal(signal: NodeJS.Signals): void;
  /** The output so far, on stdout and stderr. */
  output(): string;
  /**
   * Sends the signal, and resolves when the process has ended.
   * @returns the exit code, or null after a signal that killed it
   */
  stop(signal: NodeJS.Signals): Promise<number | null>;
}

/**
 * @param program a path in this project, or an absolute path
 * @throws the program's output, if it ends before it listens
 */
export async function startProcess(
  env: Record<string, string>,
  program = "server/main.ts",
  { args = [], cwd = process.cwd(), uid }: { args?: string[]; cwd?: string; uid?: number } = {},
): Promise<ServerProcess> {
  const child = spawn(node, [path.resolve(project, program), ...args], {
    cwd,
    env: { ...nodeEnv, PORT: "0", DRAIN_SECONDS: "0", ...env },
    stdio: ["ignore", "pipe", "pipe"],
    ...(uid === undefined ? {} : { uid, gid: uid }),
  });
  const endWithUs = () => void child.kill("SIGKILL");
  process.once("exit", endWithUs);
  const ended = new Promise<number | null>((resolve) => {
    child.once("exit", (code) => {
      process.off("exit", endWithUs);
      resolve(code);
    });
  });
  const { url, output } = await listening(child);
  return {
    url,
    pid: child.pid ?? 0,
    output,
    signal: (signal) => void child.kill(signal),
    stop(signal) {
      child.kill(signal);
      return ended;
    },
  };
}

function listening(child: ChildProcess): Promise<{ url: string; output: () => string }> {
  return new Promise((resolve, reject) => {
    let text = "";
    const read = (chunk: Buffer) => {
      text += chunk.toString();
      const url = /^listening on (\S+)$/m.exec(text)?.[1];
      if (url !== undefined) resolve({ url, output: () => text });
    };
    child.stdout?.on("data", read);
    child.stderr?.on("data", read);
    child.once("error", reject);
    child.once("exit", (code) => reject(new Error(`the server ended with ${code}: ${text.slice(-2000)}`)));
  });
}
