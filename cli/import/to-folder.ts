/** `sop import --to-dir`: the converted documents as files, without a server. */
import { randomUUID } from "node:crypto";
import { extname, join, resolve } from "node:path";
import { readMarkdownDocument } from "#core/convert/markdown-file.ts";
import { emitFile } from "#core/markdown/front-matter.ts";
import { exit, failureOf, interrupted } from "../exit.ts";
import { readIfThere, writeFileWhole } from "../files.ts";
import { readSource } from "../read-source.ts";
import { problemAt } from "../texts.ts";
import type { Context } from "../context.ts";
import { refusedRow, type Candidate } from "./examine.ts";
import type { PlanRow } from "./plan.ts";
import type { Sent } from "./send.ts";

export interface FolderOptions {
  folder: string;
  dryRun?: boolean;
  onConflict: "skip" | "theirs" | "copy";
}

/** File by file, each whole or not at all; what stands there with another text is a conflict. */
export async function writeImport(
  candidates: readonly Candidate[],
  options: FolderOptions,
  context: Context,
): Promise<Sent> {
  const rows: PlanRow[] = [];
  const sent = { importId: randomUUID(), rows, quota: null };
  for (const candidate of candidates) {
    if (context.signal.aborted) return { ...sent, stopped: interrupted() };
    context.out.progress(`converting ${rows.length + 1} of ${candidates.length}`);
    try {
      rows.push(await writeOne(candidate, resolve(context.cwd, options.folder), options));
    } catch (error) {
      const stopped = failureOf(error);
      if (stopped.problem.code === "bug") throw error;
      // The disk is full or read-only: the next file would fare no better.
      return { ...sent, stopped: { ...stopped, exit: exit.invalid } };
    }
  }
  return { ...sent, stopped: null };
}

async function writeOne(candidate: Candidate, folder: string, options: FolderOptions): Promise<PlanRow> {
  const source = await readSource(candidate);
  if ("code" in source) return refusedRow(source, candidate.path);
  const converted = convert(candidate.path, source.text);
  if ("outcome" in converted) return converted;
  const path = candidate.path.slice(0, -extname(candidate.path).length);
  const row = { path: candidate.path, title: converted.title, notes: converted.notes };
  const at = await placeFor(join(folder, path), converted.text, options.onConflict);
  if (at.outcome === "conflict") {
    return {
      ...row,
      outcome: "conflict",
      reason: `${at.file} is there with another text`,
      hint: "--on-conflict theirs writes over it, copy beside it",
    };
  }
  if (at.outcome !== "unchanged" && !options.dryRun) await writeFileWhole(at.file, converted.text);
  return { ...row, outcome: at.outcome };
}

function convert(path: string, text: string): { text: string; title: string; notes: PlanRow["notes"] } | PlanRow {
  try {
    const { frontMatter, body, report } = readMarkdownDocument({ path, text });
    const notes = report.map(({ line, code, message }) => ({
      code,
      message,
      ...(line !== undefined && { line }),
    }));
    return { text: emitFile(frontMatter, body), title: frontMatter.title ?? "", notes };
  } catch (error) {
    return refusedRow(problemAt(path, error), path);
  }
}

interface Place {
  file: string;
  outcome: "create" | "update" | "unchanged" | "conflict";
}

/** `name.md`, or beside it `name-2.md` … for a copy. */
async function placeFor(name: string, text: string, onConflict: FolderOptions["onConflict"]): Promise<Place> {
  for (let copy = 1; ; copy += 1) {
    const file = copy === 1 ? `${name}.md` : `${name}-${copy}.md`;
    const there = await readIfThere(file);
    if (there === null) return { file, outcome: "create" };
    if (there.equals(Buffer.from(text))) return { file, outcome: "unchanged" };
    if (onConflict === "theirs") return { file, outcome: "update" };
    if (onConflict === "skip") return { file, outcome: "conflict" };
  }
}
