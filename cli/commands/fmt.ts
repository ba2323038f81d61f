import { join, resolve } from "node:path";
import { createConfigFiles } from "../config/find.ts";
import { dialectFor, partsFor } from "../config/resolve.ts";
import { exit, type Problem } from "../exit.ts";
import { writeFileAtomically } from "../files.ts";
import { formatFile } from "../format-file.ts";
import { noteLeftOut } from "../left-out.ts";
import { openTexts, problemAt, type TextFile } from "../texts.ts";
import type { Context, Result } from "../context.ts";

export interface FmtOptions {
  check?: boolean;
  diff?: boolean;
  ext?: string[];
}

interface Formatted {
  path: string;
  changed: boolean;
  diff?: string;
  /** The text from stdin. */
  text?: string;
}

export async function fmt(context: Context, paths: string[], options: FmtOptions): Promise<Result> {
  const texts = await openTexts(context, paths, "stdin", options.ext ?? []);
  const problems: Problem[] = [...texts.problems];
  const files: Formatted[] = [];
  let stdout = "";
  const configs = createConfigFiles(context.flags.config && resolve(context.cwd, context.flags.config));
  for await (const source of texts.each()) {
    if ("code" in source) {
      problems.push(source);
      continue;
    }
    try {
      const place = source.file ?? join(context.cwd, source.path);
      const text = formatFile(source.text, source.path, {
        dialect: dialectFor(place, await partsFor(place, configs)).value,
        note: (message) => context.out.note(`${source.path}: ${message}`),
      });
      const changed = text !== source.text;
      const formatted: Formatted = { path: source.path, changed };
      if (options.diff && changed) formatted.diff = await diffOf(source, text);
      if (source.file === null) formatted.text = text;
      files.push(formatted);
      if (options.diff || options.check)
        stdout += formatted.diff ?? (changed && !options.diff ? `${source.path}\n` : "");
      else stdout += await keep(source, text, changed);
    } catch (error) {
      problems.push(problemAt(source.path, error));
    }
  }
  const changed = files.filter((file) => file.changed).length;
  say(context, options, changed, files.length);
  noteLeftOut(context.out, texts.leftOut);
  const data = { files, leftOut: texts.leftOut };
  return { exit: exitOf(options, problems, files.length, changed), data, text: stdout, errors: problems };
}

/** @returns what to print on stdout: the formatted text of stdin, or the name of the rewritten file */
async function keep({ file, path }: TextFile, text: string, changed: boolean): Promise<string> {
  if (file === null) return text;
  if (!changed) return "";
  await writeFileAtomically(file, text);
  return `${path}\n`;
}

async function diffOf({ path, text }: TextFile, formatted: string): Promise<string> {
  const { createTwoFilesPatch } = await import("diff");
  return createTwoFilesPatch(`a/${path}`, `b/${path}`, text, formatted);
}

function say({ out }: Context, { check, diff }: FmtOptions, changed: number, total: number): void {
  const done = check || diff ? "would change" : "changed";
  out.note(`${changed} of ${total} ${total === 1 ? "file" : "files"} ${done}`);
}

function exitOf({ check }: FmtOptions, problems: readonly Problem[], total: number, changed: number): number {
  const refused = problems.some(({ code }) => code === "tree" || code === "dialect");
  if (problems.length > 0) return total > 0 || refused ? exit.partly : exit.invalid;
  return check && changed > 0 ? exit.findings : exit.done;
}
