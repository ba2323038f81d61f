/** Starts the programs of the server, so that no program runs without its limits (`core/processes.ts`). */
import {
  fork,
  spawn,
  type ChildProcess,
  type ChildProcessByStdio,
  type ForkOptions,
  type SpawnOptions,
} from "node:child_process";
import type { Readable, Writable } from "node:stream";
import { limitedCommandOf, type ProcessKind } from "#core/processes.ts";

type PipeOptions = Pick<SpawnOptions, "cwd" | "env" | "detached">;

export function startProgram(
  kind: ProcessKind,
  program: string,
  args: readonly string[],
  options: PipeOptions,
): ChildProcessByStdio<Writable, Readable, Readable> {
  const command = limitedCommandOf(kind, program, args, process.platform);
  return spawn(command.program, command.args, { ...options, stdio: ["pipe", "pipe", "pipe"] });
}

/** Starts a program of ours in a new Node process. */
export function startNode(
  kind: ProcessKind,
  file: URL,
  args: readonly string[],
  { execArgv = [], ...options }: Omit<ForkOptions, "execPath">,
): ChildProcess {
  const command = limitedCommandOf(kind, process.execPath, execArgv, process.platform);
  return fork(file, args, { ...options, execPath: command.program, execArgv: command.args });
}
