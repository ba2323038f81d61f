/** Runs one command: builds its context, prints its result and returns the exit code. */
import { resolve } from "node:path";
import { statSync } from "node:fs";
import { createTerminalPrompts } from "./ask.ts";
import { jsonEnvelope, createOutput, writeAll } from "./output.ts";
import { exit, failureOf, interruptedError, invalidInputError } from "./exit.ts";
import type { CommandContext, GlobalFlags, CommandResult } from "./context.ts";

export type CommandRun = (context: CommandContext, ...input: never[]) => Promise<CommandResult>;

/** The parts of a process that the program uses, so that a test can replace them. */
export interface ProcessParts {
  stdout: NodeJS.WriteStream;
  stderr: NodeJS.WriteStream;
  env: NodeJS.ProcessEnv;
  cwd(): string;
}

export async function runCliCommand(
  name: string,
  load: () => Promise<CommandRun>,
  flags: GlobalFlags,
  input: readonly unknown[],
  world: ProcessParts = process,
): Promise<number> {
  const out = createOutput(
    {
      json: flags.json === true,
      quiet: flags.quiet === true,
      verbose: flags.verbose === true,
      color: flags.color !== false,
    },
    world,
  );
  const stop = new AbortController();
  const onInterrupt = () => {
    // A second ^C ends the program without any cleanup.
    if (stop.signal.aborted) process.exit(exit.interrupted);
    stop.abort(interruptedError());
  };
  process.on("SIGINT", onInterrupt).on("SIGTERM", onInterrupt);
  const finishCommand = async (result: CommandResult) => {
    out.progress(null);
    const errors = result.errors ?? [];
    if (out.json || !result.errorsInText) for (const problem of errors) out.problem(problem);
    const ok = result.exit === exit.done || result.exit === exit.pending;
    const text = out.json ? jsonEnvelope(name, ok, result.data, errors) : (result.text ?? "");
    if (text && !result.streamed) await writeAll(world.stdout, text);
    return result.exit;
  };
  try {
    const context: CommandContext = {
      flags,
      out,
      env: world.env,
      cwd: enterWorkingFolder(flags.C, world.cwd()),
      signal: stop.signal,
      ask: createTerminalPrompts({ interactive: isInteractive(flags), yes: flags.yes === true, signal: stop.signal }),
      stdin: readStdin,
    };
    const command = (await load()) as (context: CommandContext, ...input: readonly unknown[]) => Promise<CommandResult>;
    return await finishCommand(await command(context, ...input));
  } catch (error) {
    const failure = failureOf(stop.signal.aborted ? stop.signal.reason : error);
    if (error instanceof Error && failure.exit !== exit.interrupted) out.detail(stackTraceOf(error));
    return await finishCommand({ exit: failure.exit, data: null, errors: [failure.problem] });
  } finally {
    process.off("SIGINT", onInterrupt).off("SIGTERM", onInterrupt);
  }
}

function enterWorkingFolder(folder: string | undefined, cwd: string): string {
  if (folder === undefined) return cwd;
  const path = resolve(cwd, folder);
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() !== true) {
    throw invalidInputError("no_match", `-C ${folder}: folder not found`);
  }
  process.chdir(path);
  return path;
}

function isInteractive(flags: GlobalFlags): boolean {
  return process.stdin.isTTY === true && process.stderr.isTTY === true && flags.input !== false && !process.env["CI"];
}

async function readStdin(): Promise<Uint8Array> {
  const chunks: Buffer[] = [];
  for await (const chunk of process.stdin) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

/** Ends quietly when the reader closes the pipe, as in `sop … | head`. */
export function exitOnClosedPipe(error: NodeJS.ErrnoException): void {
  if (error.code === "EPIPE") process.exit(exit.done);
  throw error;
}

function stackTraceOf(error: Error): string {
  const cause = error.cause instanceof Error ? `\ncaused by ${error.cause.stack ?? error.cause.message}` : "";
  return (error.stack ?? error.message) + cause;
}
