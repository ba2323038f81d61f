/** Runs the real program as a process: the sources, or the built binary named by SOP_BIN. */
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";

export const project = resolve(import.meta.dirname, "../..");
const node = join(project, "node_modules/.bin/node");
const program = process.env["SOP_BIN"] ? resolve(project, process.env["SOP_BIN"]) : join(project, "cli/main.ts");

export interface Ran {
  code: number | null;
  stdout: string;
  stderr: string;
}

export interface RunOptions {
  cwd: string;
  env?: Record<string, string>;
  input?: string | Uint8Array;
  /** Called when the process runs; for signals. */
  started?: (kill: (signal: NodeJS.Signals) => void) => void;
  /** Whom to be; only root may choose. */
  uid?: number;
}

export function runSop(args: readonly string[], options: RunOptions): Promise<Ran> {
  const { cwd, env = {}, input = "", started, uid } = options;
  return new Promise((done, reject) => {
    const child = spawn(node, [program, ...args], {
      cwd,
      env: {
        PATH: process.env["PATH"] ?? "",
        HOME: cwd,
        XDG_CONFIG_HOME: join(cwd, ".config"),
        SOP_KEYRING: "off",
        ...env,
      },
      ...(uid !== undefined && { uid }),
    });
    let stdout = "";
    let stderr = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => (stdout += text));
    child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text));
    child.once("error", reject);
    child.once("close", (code) => done({ code, stdout, stderr }));
    child.stdin.on("error", () => {}).end(input);
    started?.((signal) => child.kill(signal));
  });
}

export interface Folder {
  path: string;
  write(files: Record<string, string | Uint8Array>): void;
  remove(): void;
}

export function makeFolder(files: Record<string, string | Uint8Array> = {}): Folder {
  const path = mkdtempSync(join(tmpdir(), "sop-cli-"));
  const write = (more: Record<string, string | Uint8Array>) => {
    for (const [name, data] of Object.entries(more)) {
      mkdirSync(dirname(join(path, name)), { recursive: true });
      writeFileSync(join(path, name), data);
    }
  };
  write(files);
  return { path, write, remove: () => rmSync(path, { recursive: true, force: true }) };
}
