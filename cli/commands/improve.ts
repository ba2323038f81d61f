/** Improves a document by AI or by rules. The proposed changes are shown as a diff or written to the file. */
import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { AppError } from "#core/errors.ts";
import { limits } from "#core/limits.ts";
import { applyFixes } from "#core/lint/fix.ts";
import { lintText, type LintOptions } from "#core/lint/engine.ts";
import { formatMarkdown } from "#core/markdown/format.ts";
import { chooseAi, type ImproveKind } from "../ai/choose-ai.ts";
import { withoutTitleHeading, splitMarkdownFile, type FileInParts } from "../ai/document.ts";
import { proposalsOf, type Proposals } from "../ai/proposals.ts";
import { printProposals } from "../ai/print-proposals.ts";
import { CliError, exit, invalidInputError, type Problem } from "../exit.ts";
import { writeFileAtomically } from "../files.ts";
import { formatFile } from "../format-file.ts";
import { createConfigFinder } from "../lint/config.ts";
import { printableText } from "../output.ts";
import { openTexts, asFileProblem, type TextFile } from "../texts.ts";
import type { CommandContext, CommandResult } from "../context.ts";
import { untranslated } from "#core/language/catalog.ts";

const passesAtMost = 10;

export interface ImproveOptions {
  kind?: ImproveKind | "formatting";
  rules?: boolean;
  write?: boolean;
  /** True to also apply proposals that change a number, an obligation such as “must”, or the order of steps. */
  marked?: boolean;
  detailedExitcode?: boolean;
  timeout: number;
}

export async function improveDocument(
  context: CommandContext,
  given: string,
  options: ImproveOptions,
): Promise<CommandResult> {
  const kind = requestKindOf(options);
  const source = await readSingleText(context, given);
  const whole = splitImprovableFile(source);
  const document = kind === "rules" ? whole : withoutTitleHeading(whole);
  const proposals =
    kind === "rules"
      ? await improveByConfiguredRules(context, source, document)
      : await requestAiProposals(context, document, kind, options);
  const text = document.with(proposals.body);
  const changed = text !== source.text;
  const written = changed && options.write === true && source.file !== null;
  if (written) await writeIfUnchanged(source, text);
  const diff = changed ? await improvementDiffOf(source, text) : "";
  printProposals(context, proposals, { changed, canWrite: source.file !== null && !options.write });
  const isPending = (changed && !written) || proposals.edits.some(({ taken }) => !taken);
  return {
    exit: isPending && options.detailedExitcode ? exit.pending : exit.done,
    data: { path: source.path, kind, changed, written, diff, ...proposals },
    text: outputTextOf(context, source, options, { text, diff, written }),
  };
}

/** The kind of the request; `rules` if it needs no AI. */
function requestKindOf({ kind, rules }: ImproveOptions): ImproveKind | "rules" {
  if (kind === "formatting") return "rules";
  if (rules && kind !== undefined)
    throw invalidInputError("usage", `--rules works without AI, but --kind ${kind} needs it: choose one`);
  return rules ? "rules" : (kind ?? "improve");
}

async function readSingleText(context: CommandContext, given: string): Promise<TextFile> {
  const { problems, each } = await openTexts(context, [given], "stdin");
  const found: (TextFile | Problem)[] = [...problems];
  for await (const text of each()) {
    found.push(text);
    if (found.length > 1) break;
  }
  const [first, second] = found;
  if (first === undefined || second !== undefined)
    throw invalidInputError("usage", `${given}: name one document`, {
      hint: `for f in ${given}/*.md; do sop improve "$f"; done`,
    });
  if ("code" in first) throw new CliError(exit.invalid, first);
  return first;
}

/**
 * Splits a document into its parts and checks that it can be improved.
 * @throws exit 2 if it can't be read, is empty, or is written for another tool, so that formatting would damage it
 */
function splitImprovableFile({ text, path }: TextFile): FileInParts {
  try {
    formatFile(text, path);
    const document = splitMarkdownFile(text);
    if (document.body.trim() === "")
      throw invalidInputError("empty", `${path}: no text below the front matter`, {
        path,
        hint: "write something first",
      });
    return document;
  } catch (error) {
    throw new CliError(exit.invalid, asFileProblem(path, error));
  }
}

async function improveByConfiguredRules(
  { cwd, flags }: CommandContext,
  { file, path }: TextFile,
  document: FileInParts,
): Promise<Proposals> {
  const configOf = createConfigFinder(flags.config && resolve(cwd, flags.config));
  return improveByRules(document, { path, ...(await configOf(file ?? resolve(cwd, "stdin.md"))) });
}

async function requestAiProposals(
  context: CommandContext,
  document: FileInParts,
  kind: ImproveKind,
  { timeout, marked = false }: ImproveOptions,
): Promise<Proposals> {
  const { length } = document.body;
  if (length === 0) throw invalidInputError("empty", "no text below the title", { hint: "write something first" });
  if (length > limits.aiCharacters)
    throw new AppError(
      "ai_input_too_large",
      untranslated(
        `The text has ${length} characters, the AI can read ${limits.aiCharacters}: split it into several SOPs`,
      ),
    );
  const ask = await chooseAi(context, timeout * 1000);
  try {
    return proposalsOf(document, await ask(document, kind), marked);
  } finally {
    context.out.progress(null);
  }
}

/** @throws exit 6 if the file changed while the AI worked */
async function writeIfUnchanged({ file, path, text: before }: TextFile, text: string): Promise<void> {
  if (file === null) return;
  if ((await readFile(file, "utf8")) !== before)
    throw new CliError(exit.conflict, {
      code: "changed",
      message: `${path} changed while the command ran: nothing was written`,
      path,
      hint: "run it again",
    });
  await writeFileAtomically(file, text);
}

async function improvementDiffOf({ path, text }: TextFile, improved: string): Promise<string> {
  const { createTwoFilesPatch, FILE_HEADERS_ONLY } = await import("diff");
  const options = { context: 3, headerOptions: FILE_HEADERS_ONLY };
  return createTwoFilesPatch(`a/${path}`, `b/${path}`, text, improved, undefined, undefined, options);
}

interface ImproveOutcome {
  text: string;
  diff: string;
  written: boolean;
}

function outputTextOf(
  { out }: CommandContext,
  source: TextFile,
  { write }: ImproveOptions,
  outcome: ImproveOutcome,
): string {
  if (source.file === null && write) return outcome.text;
  if (outcome.written) return `${source.path}\n`;
  return process.stdout.isTTY === true ? coloredDiff(outcome.diff, out.paint) : outcome.diff;
}

/** Colors a diff for the terminal. A redirected diff keeps its bytes, so that `git apply` can use it. */
function coloredDiff(diff: string, paint: CommandContext["out"]["paint"]): string {
  const colours = { "+": "green", "-": "red", "@": "cyan" } as const;
  return diff
    .split("\n")
    .map((line) => {
      const shown = printableText(line);
      if (/^(?:---|\+\+\+) /.test(line)) return paint("bold", shown);
      const colour = colours[line.charAt(0) as keyof typeof colours];
      return colour === undefined ? shown : paint(colour, shown);
    })
    .join("\n");
}

/**
 * Formats the body and applies every safe fix in it. The remaining findings cover the whole file with its front matter.
 */
function improveByRules({ head, body: given }: FileInParts, options: LintOptions): Proposals {
  let body = formatMarkdown(given);
  let findings = lintText(head + body, options);
  let fixed = 0;
  for (let pass = 0; pass < passesAtMost; pass += 1) {
    const inBody = findings.filter(({ fix }) => fix?.edits.every(({ start }) => start >= head.length));
    const step = applyFixes(head + body, inBody);
    if (step.fixed === 0) break;
    body = step.text.slice(head.length);
    fixed += step.fixed;
    findings = lintText(head + body, options);
  }
  const open = findings.map(({ fix: _fix, ...finding }) => finding);
  return { body, by: { kind: "rules", fixed }, summary: "", edits: [], dropped: [], findings: open };
}
