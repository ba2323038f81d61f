import type { TerminalPrompts } from "./ask.ts";
import type { Problem } from "./exit.ts";
import type { CommandOutput } from "./output.ts";

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
export interface CommandContext {
  flags: GlobalFlags;
  out: CommandOutput;
  env: NodeJS.ProcessEnv;
  cwd: string;
  /** Aborted by ^C. */
  signal: AbortSignal;
  ask: TerminalPrompts;
  stdin(): Promise<Uint8Array>;
}

/** The result of a command. The runner prints it, as text or as the JSON envelope. */
export interface CommandResult {
  exit: number;
  data: unknown;
  /** The text for stdout without `--json`. */
  text?: string;
  errors?: readonly Problem[];
  /** The command has already written its output to stdout. */
  streamed?: boolean;
  /** True if `text` contains the errors. Then stderr repeats them only with `--json`. */
  errorsInText?: boolean;
}
