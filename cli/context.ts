import type { Ask } from "./ask.ts";
import type { Problem } from "./exit.ts";
import type { Output } from "./output.ts";

/** Flags that every command takes. */
export interface GlobalFlags {
  C?: string;
  config?: string;
  json?: boolean;
  quiet?: boolean;
  verbose?: boolean;
  color?: boolean;
  input?: boolean;
  yes?: boolean;
  server?: string;
  profile?: string;
}

/** Everything outside the program that a command can use. */
export interface Context {
  flags: GlobalFlags;
  out: Output;
  env: NodeJS.ProcessEnv;
  cwd: string;
  /** Aborted by ^C. */
  signal: AbortSignal;
  ask: Ask;
  stdin(): Promise<Uint8Array>;
}

/** The result of a command. The runner prints it, as text or as the JSON envelope. */
export interface Result {
  exit: number;
  data: unknown;
  /** The text for stdout without `--json`. */
  text?: string;
  errors?: readonly Problem[];
  /** The command has already written its output to stdout. */
  streamed?: boolean;
  /** The text names the errors already: stderr repeats them under `--json` only. */
  errorsInText?: boolean;
}
