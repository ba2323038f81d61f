import { lstat, readdir } from "node:fs/promises";
import { resolve } from "node:path";
import { exit, invalid } from "../exit.ts";
import { connect } from "../server.ts";
import { writeFileWhole } from "../files.ts";
import { chooseSops, readDocument, readSop, type ExportRow } from "../export/read.ts";
import { writeFolder } from "../export/folder.ts";
import type { Context, Result } from "../context.ts";

export interface ExportOptions {
  format: "md" | "json";
  output?: string;
  status?: "draft" | "under_review" | "published" | "archived";
  force?: boolean;
}

export async function exportSops(context: Context, ids: string[], options: ExportOptions): Promise<Result> {
  const target = options.output === undefined ? null : resolve(context.cwd, options.output);
  const oneFile = options.format === "json" || (target !== null && /\.(md|markdown)$/i.test(target));
  if (target !== null && options.force !== true) await refuseTaken(target, options.output ?? "", oneFile);
  const { client, send, download } = await connect(context);
  const source = { client, send, download, progress: context.out.progress };
  const rows = await chooseSops(source, ids, options.status);
  if (rows.length === 0) context.out.note("There is nothing to export.");
  if (options.format === "json") return await exportJson(await readAll(rows, source), target);
  if (target === null || oneFile) return await exportOne(rows, source, target);
  const written = await writeFolder(source, rows, target);
  return {
    exit: exit.done,
    data: { format: "md", output: target, files: written },
    text: `Exported ${count(rows.length)} to ${options.output}\n`,
  };
}

type Source = Parameters<typeof readSop>[0];

async function readAll(rows: readonly ExportRow[], source: Source) {
  const sops = [];
  for (const row of rows) {
    source.progress(`exporting ${sops.length + 1} of ${rows.length}`);
    sops.push(await readSop(source, row.id));
  }
  return sops;
}

async function exportJson(sops: readonly unknown[], target: string | null): Promise<Result> {
  const text = `${JSON.stringify({ schema: "sop.export/1", data: sops }, null, 2)}\n`;
  if (target === null) return { exit: exit.done, data: sops, text };
  await writeFileWhole(target, text);
  return {
    exit: exit.done,
    data: { format: "json", output: target, files: [target] },
    text: `Exported ${count(sops.length)} to ${target}\n`,
  };
}

async function exportOne(rows: readonly ExportRow[], source: Source, target: string | null): Promise<Result> {
  const [row] = rows;
  if (row === undefined) return { exit: exit.done, data: { files: [] }, text: "" };
  if (rows.length > 1) {
    throw invalid("usage", `${count(rows.length)} don't fit into one file`, { hint: "name a folder: -o <folder>" });
  }
  const text = await readDocument(source, row.id);
  if (target === null) return { exit: exit.done, data: { id: row.id, number: row.number, text }, text };
  await writeFileWhole(target, text);
  return {
    exit: exit.done,
    data: { format: "md", output: target, files: [target] },
    text: `Exported ${row.number} to ${target}\n`,
  };
}

function count(sops: number): string {
  return `${sops} SOP${sops === 1 ? "" : "s"}`;
}

/** Nothing that stands there is written over unasked. */
async function refuseTaken(target: string, named: string, oneFile: boolean): Promise<void> {
  const entry = await lstat(target).catch(() => null);
  if (entry === null) return;
  const hint = "choose another place, or say --force";
  if (!entry.isDirectory()) throw invalid("exists", `${named} exists`, { path: named, hint });
  if (oneFile) throw invalid("exists", `${named} is a folder; this writes one file`, { path: named });
  if ((await readdir(target)).length > 0) throw invalid("exists", `${named} is not empty`, { path: named, hint });
}
