/** Reads the texts for `fmt` and `improve`: files, or stdin as `-`. */
import { AppError } from "#core/errors.ts";
import { CliError, failureOf, invalidInputError, type Problem } from "./exit.ts";
import { decodeSource, readSourceText } from "./read-source.ts";
import type { LeftOut } from "./left-out.ts";
import { findMarkdown } from "./walk.ts";
import { pathWithin } from "./workspace.ts";
import type { CommandContext } from "./context.ts";

export interface TextFile {
  path: string;
  /** null for stdin. */
  file: string | null;
  text: string;
}

export interface SelectedTexts {
  problems: Problem[];
  leftOut: LeftOut[];
  /** Reads one text at a time, so that not all are in memory. */
  each(): AsyncGenerator<TextFile | Problem>;
}

/** @param ext further file endings that count as Markdown @throws exit 2 if a path matches nothing */
export async function openTexts(
  context: CommandContext,
  paths: readonly string[],
  stdinName: string,
  ext?: readonly string[],
): Promise<SelectedTexts> {
  if (paths.includes("-")) {
    if (paths.length > 1) throw invalidInputError("usage", "- reads stdin and can't be used with other paths");
    return { problems: [], leftOut: [], each: () => readStdinText(context, stdinName) };
  }
  const { files, refused, leftOut } = await findMarkdown(paths.length === 0 ? ["."] : paths, context.cwd, { ext });
  return {
    problems: refused,
    leftOut,
    each: async function* () {
      for (const { file } of files) {
        context.signal.throwIfAborted();
        // Paths are relative to the working folder, as in the linter's output.
        const found = { file, path: pathWithin(context.cwd, file) };
        const source = await readSourceText(found);
        yield "code" in source ? source : { ...found, text: source.text };
      }
    },
  };
}

async function* readStdinText(context: CommandContext, path: string): AsyncGenerator<TextFile | Problem> {
  const bytes = await context.stdin();
  try {
    yield { path, file: null, text: decodeSource(bytes, path).text };
  } catch (error) {
    yield asFileProblem(path, error);
  }
}

/** Turns an error about one file into a problem. @throws all other errors */
export function asFileProblem(path: string, error: unknown): Problem {
  const isAboutFile = error instanceof AppError || error instanceof CliError;
  if (!isAboutFile && failureOf(error).problem.code !== "file") throw error;
  const { problem } = failureOf(error);
  const { line } = (error instanceof AppError && (error.details as { line?: unknown } | undefined)) || {};
  return { ...problem, path, ...(typeof line === "number" && { line }) };
}
