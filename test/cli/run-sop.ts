/** Runs the real program as a process: the sources, or the built binary that SOP_BIN names. */
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { Writable, type Readable } from "node:stream";
import { node, nodeEnv, project } from "../node-program.ts";
import { main } from "../../cli/program.ts";

export { project };
/** The cache of compiled code, outside the folders of the tests, in which the program would count it. */
const cache = join(project, "node_modules/.cache");
export const programFile = process.env["SOP_BIN"]
  ? resolve(project, process.env["SOP_BIN"])
  : join(project, "cli/main.ts");

export interface CliRun {
  code: number | null;
  stdout: string;
  stderr: string;
}

export interface RunOptions {
  cwd: string;
  env?: Record<string, string>;
  input?: string | Uint8Array;
  /** Called when the process runs: for signals, and to read the output before the end. */
  started?: (kill: (signal: NodeJS.Signals) => void, stdout: Readable) => void;
  /** The user that runs the program; only root can choose one. */
  uid?: number;
}

export function runSop(args: readonly string[], options: RunOptions): Promise<CliRun> {
  const { cwd, env = {}, input = "", started, uid } = options;
  return new Promise((done, reject) => {
    const child = spawn(node, [programFile, ...args], {
      cwd,
      env: {
        ...nodeEnv,
        HOME: cwd,
        XDG_CONFIG_HOME: join(cwd, ".config"),
        XDG_CACHE_HOME: cache,
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
    started?.((signal) => child.kill(signal), child.stdout);
  });
}

/** Runs the same program in the test's own process: faster, for tests without signals, stdin or the binary. */
export async function callSop(
  args: readonly string[],
  { cwd, env = {} }: Pick<RunOptions, "cwd" | "env">,
): Promise<CliRun> {
  const [stdout, stderr] = [new Collected(), new Collected()];
  const world = {
    stdout: stdout as unknown as NodeJS.WriteStream,
    stderr: stderr as unknown as NodeJS.WriteStream,
    env: { HOME: cwd, XDG_CONFIG_HOME: join(cwd, ".config"), SOP_KEYRING: "off", ...env } as NodeJS.ProcessEnv,
    cwd: () => cwd,
  };
  // `sop -C` changes to a folder that the test removes; later files share this process
  const here = process.cwd();
  try {
    const code = await main(args, world);
    return { code, stdout: stdout.text, stderr: stderr.text };
  } finally {
    process.chdir(here);
  }
}

class Collected extends Writable {
  text = "";
  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.text += chunk.toString("utf8");
    done();
  }
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
