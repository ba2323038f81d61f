/** The exit codes of every command (`docs/cli.md`) and the mapping from errors to codes. */
import { ApiError } from "#core/api/client.ts";
import { errorSentences } from "#core/error-sentences.ts";
import { AppError, errorTable, isErrorCode } from "#core/errors.ts";

export const exit = {
  done: 0,
  findings: 1,
  invalid: 2,
  partly: 3,
  access: 4,
  network: 5,
  conflict: 6,
  pending: 10,
  bug: 70,
  interrupted: 130,
} as const;

/** A problem in the shape of the JSON envelope. */
export interface Problem {
  code: string;
  message: string;
  path?: string;
  line?: number;
  hint?: string;
}

/** An error that ends a command with an exit code and a message. */
export class CliError extends Error {
  readonly exit: number;
  readonly problem: Problem;

  constructor(exitCode: number, problem: Problem, cause?: unknown) {
    super(problem.message, { cause });
    this.name = "CliError";
    this.exit = exitCode;
    this.problem = problem;
  }
}

export function invalidInputError(code: string, message: string, more: Pick<Problem, "path" | "hint"> = {}): CliError {
  return new CliError(exit.invalid, { code, message, ...more });
}

/** Removes the path from a message that is shown beside the path: `a.md: the file is empty` → `the file is empty`. */
export function messageWithoutPath(message: string, path: string): string {
  return message.startsWith(`${path}: `) ? message.slice(path.length + 2) : message;
}

export function interruptedError(): CliError {
  return new CliError(exit.interrupted, { code: "interrupted", message: "interrupted" });
}

export interface CommandFailure {
  exit: number;
  problem: Problem;
}

/** Returns the exit code and problem for any thrown value. */
export function failureOf(error: unknown): CommandFailure {
  if (error instanceof CliError) return error;
  if (error instanceof ApiError) return apiFailure(error);
  if (error instanceof AppError) {
    const { path } = Object(error.details) as { path?: unknown };
    const { code, message } = error;
    return { exit: errorTable[code].exit, problem: { code, message, ...(typeof path === "string" && { path }) } };
  }
  if (error instanceof Error && (error.name === "ExitPromptError" || error.name === "AbortPromptError")) {
    return interruptedError();
  }
  return fileFailure(error) ?? bugFailure(error);
}

function apiFailure(error: ApiError): CommandFailure {
  if (!isErrorCode(error.code)) {
    return {
      exit: exit.network,
      problem: {
        code: "unexpected_answer",
        message: `the server answered ${error.status} in an unknown format`,
        hint: "check that --server or SOP_SERVER names a Sopwright server",
      },
    };
  }
  const message = error.serverMessage ?? errorSentences[error.code]().text;
  // The message of a `busy` error says what to do, so it needs a hint only if the answer says when to try again.
  const hint = error.code === "busy" && error.retryAfterSeconds === null ? undefined : hintByErrorCode[error.code];
  const details = detailsText(error.details);
  return {
    exit: errorTable[error.code].exit,
    problem: { code: error.code, message: details ? `${message}: ${details}` : message, ...(hint && { hint }) },
  };
}

const hintByErrorCode: { [code in keyof typeof errorTable]?: string } = {
  unauthenticated: "the token is missing, wrong, expired or revoked: run `sop login`, or set SOP_TOKEN",
  forbidden: "ask an administrator for the permission, or use a token with the scope: `sop token create --scope …`",
  stale: "fetch the current version and try again",
  storage_full: "nothing was saved: free space on the server's disk, then run the same command again",
  busy: "try again in a moment",
  ai_key_missing: "add a key to your settings there; rules need none: `sop improve --rules`, `sop generate --no-ai`",
  ai_disabled: "rules need no AI: `sop improve --rules`, `sop generate --no-ai`",
  rate_limited: "wait a minute, then try again",
  internal: "see this request in the server's log",
};

/** Returns the details of an error in one line: `{title: "Title is required"}` → `title: Title is required`. */
function detailsText(details: unknown): string {
  if (typeof details !== "object" || details === null) return "";
  return Object.entries(details)
    .filter(([, value]) => typeof value === "string" || typeof value === "number")
    .map(([key, value]) => `${key}: ${String(value)}`)
    .join("; ");
}

const fileReasons: Record<string, string> = {
  ENOENT: "file or folder not found",
  EACCES: "permission denied",
  EPERM: "permission denied",
  EISDIR: "this is a folder",
  ENOTDIR: "a part of the path is not a folder",
  ENOSPC: "the disk is full",
  EDQUOT: "the disk quota is used up",
  EROFS: "the disk is read-only",
  ENAMETOOLONG: "the name is too long",
  ELOOP: "too many symbolic links",
  EIO: "the disk reports an error",
};

function fileFailure(error: unknown): CommandFailure | null {
  const { code, path } = (error ?? {}) as { code?: unknown; path?: unknown };
  const reason = typeof code === "string" ? fileReasons[code] : undefined;
  if (reason === undefined || typeof path !== "string") return null;
  return { exit: exit.invalid, problem: { code: "file", message: `${path}: ${reason}`, path } };
}

function bugFailure(error: unknown): CommandFailure {
  const message = error instanceof Error ? error.message : String(error);
  return {
    exit: exit.bug,
    problem: { code: "bug", message, hint: "this is a bug: run it again with -v and report it" },
  };
}
