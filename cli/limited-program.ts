/** Git and the typesetter read input from strangers, so they run within limits (`core/processes.ts`). */
import {
  execFile,
  fork,
  spawn,
  type ExecFileException,
  type ExecFileOptionsWithStringEncoding,
  type ForkOptions,
} from "node:child_process";
import { limitedCommandOf, type ProcessKind } from "#core/processes.ts";

/** The shell's exit code for a missing program. */
const notFound = 127;

/** Runs git to its end. `callback` gets an error with the code `ENOENT` if git isn't installed. */
export function runGit(
  args: readonly string[],
  options: ExecFileOptionsWithStringEncoding,
  callback: (error: ExecFileException | null, stdout: string, stderr: string) => void,
): void {
  const command = limitedCommandOf("terminal", "git", args, process.platform);
  execFile(command.program, command.args, options, (error, stdout, stderr) => {
    if (error?.code === notFound) error.code = "ENOENT";
    callback(error, stdout, stderr);
  });
}

/** Starts git with pipes for its input and output. */
export function startGit(args: readonly string[], options: { cwd: string; env: NodeJS.ProcessEnv }) {
  const command = limitedCommandOf("terminal", "git", args, process.platform);
  return spawn(command.program, command.args, { ...options, stdio: ["pipe", "pipe", "ignore"] });
}

/** Starts a program of this package in its own Node process. */
export function startNode(
  kind: ProcessKind,
  file: string,
  args: readonly string[],
  { execArgv = [], ...options }: Omit<ForkOptions, "execPath">,
) {
  const command = limitedCommandOf(kind, process.execPath, execArgv, process.platform);
  return fork(file, args, { ...options, execPath: command.program, execArgv: command.args });
}
