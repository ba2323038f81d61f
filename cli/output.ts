/** Data goes to stdout and everything else to stderr. With `--json`, stdout is one JSON document. */
import { styleText } from "node:util";
import type { Problem } from "./exit.ts";

type TextStyle = Parameters<typeof styleText>[0];

export interface OutputOptions {
  json: boolean;
  quiet: boolean;
  verbose: boolean;
  color: boolean;
}

export interface CommandOutput extends OutputOptions {
  /** Colors a text for stdout, if stdout is a terminal that shows colors. */
  paint(format: TextStyle, text: string): string;
  /** Prints a note for people on stderr, except with -q. */
  note(text: string): void;
  /** Prints details on stderr with -v. */
  detail(text: string): void;
  problem(problem: Problem): void;
  /** Shows one line on a terminal and rewrites it in place; `null` clears it. */
  progress(text: string | null): void;
  /** Streams data as it comes; only for output that can't be one document. */
  write(data: string | Uint8Array): Promise<void>;
}

export interface Streams {
  stdout: NodeJS.WriteStream;
  stderr: NodeJS.WriteStream;
}

export function createOutput(options: OutputOptions, { stdout, stderr }: Streams): CommandOutput {
  const paintOn = (stream: NodeJS.WriteStream, format: TextStyle, text: string) =>
    options.color ? styleText(format, text, { stream, validateStream: true }) : text;
  const live = stderr.isTTY === true && !options.quiet && !options.json;
  let shown = false;
  const showProgress = (text: string | null) => {
    if (!live || (text === null && !shown)) return;
    stderr.write(`\r\u001b[2K${text === null ? "" : text.slice(0, (stderr.columns || 80) - 1)}`);
    shown = text !== null;
  };
  const writeLine = (text: string) => {
    showProgress(null);
    stderr.write(`${text}\n`);
  };
  return {
    ...options,
    paint: (format, text) => paintOn(stdout, format, text),
    note: (text) => {
      if (!options.quiet) writeLine(text);
    },
    detail: (text) => {
      if (options.verbose) writeLine(text);
    },
    problem: (problem) => {
      writeLine(`${paintOn(stderr, "red", "error:")} ${problemText(problem)}`);
      if (problem.hint) writeLine(`  ${problem.hint}`);
    },
    progress: showProgress,
    write: (data) => writeAll(stdout, data),
  };
}

function problemText({ message, path, line }: Problem): string {
  if (path === undefined || message.startsWith(path) || message.split(/[\s:]+/).includes(path))
    return printableText(message);
  return printableText(`${path}${line === undefined ? "" : `:${line}`}: ${message}`);
}

/**
 * Replaces control characters, because file names and titles from other people could control the terminal. Removes
 * direction isolates, which terminals don't need for right-to-left text.
 */
export function printableText(text: string): string {
  const withoutIsolates = text.replace(/[\u2066-\u2069]/g, "");
  // oxlint-disable-next-line no-control-regex -- stripping them is the point
  return withoutIsolates.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e]/g, "\ufffd");
}

/** Resolves when all bytes are written, so that the process can end. A closed pipe (`sop … | head`) is no error. */
export function writeAll(stream: NodeJS.WriteStream, data: string | Uint8Array): Promise<void> {
  return new Promise((resolve, reject) => {
    stream.write(data, (error) => {
      if (error && (error as NodeJS.ErrnoException).code !== "EPIPE") reject(error);
      else resolve();
    });
  });
}

/** Returns the single JSON document that `--json` prints. */
export function jsonEnvelope(command: string, ok: boolean, data: unknown, errors: readonly Problem[]): string {
  return `${JSON.stringify({ schema: `sop.${command}/1`, ok, data, errors }, null, 2)}\n`;
}
