/**
 * Word files as Markdown: CPU for each document, read and converted as `sop import` does, and words that are missing then.
 * Another folder of Word files: `SOP_BENCH_WORD`.
 */
import { createHash } from "node:crypto";
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { createConverter } from "../core/import/converter.ts";
import { createSourceTree } from "../core/import/archive.ts";
import { round, type Figure } from "./figure.ts";
import { wordFiles } from "./word-files.ts";
import { missingWords } from "./word-text.ts";

interface Source {
  name: string;
  bytes: Uint8Array;
}

export async function* word(): AsyncGenerator<Figure> {
  let [total, files, lost, all] = [0, 0, 0, 0];
  for (const source of sources()) {
    const { text, seconds } = await convertOne(source);
    const { words, missing } = missingWords(source.bytes, text);
    yield { name: `word.${source.name}`, value: round(seconds), unit: "s CPU", goal: "≤ 3" };
    if (missing.length > 0) {
      yield { name: `word.${source.name}.missing`, value: missing.length, unit: `of ${words} words`, goal: "0" };
      process.stderr.write(`${source.name}: ${missing.slice(0, 40).join(" ")}\n`);
    }
    total += seconds;
    files += 1;
    lost += missing.length;
    all += words;
  }
  yield { name: "word.missing", value: lost, unit: `of ${all} words`, goal: "0" };
  yield { name: "word.all", value: round(total), unit: `s CPU for ${files} files`, goal: "≤ 60 for 20 files" };
}

function* sources(): Generator<Source> {
  const folder = process.env["SOP_BENCH_WORD"];
  if (folder === undefined) yield* wordFiles();
  else
    for (const name of readdirSync(folder).toSorted())
      if (/\.docx$/i.test(name)) yield { name, bytes: readFileSync(join(folder, name)) };
}

const sha256 = (data: Uint8Array | string) => createHash("sha256").update(data).digest("hex");

async function convertOne({ name, bytes }: Source) {
  const before = process.cpuUsage();
  const file = { path: name, read: () => bytes };
  const document = { path: name, kind: "docx" as const, file };
  const converter = createConverter({ documents: [document], tree: createSourceTree([file]), sha256 });
  await converter.examine(document);
  const { text } = await converter.convert(document);
  const { user, system } = process.cpuUsage(before);
  return { text, seconds: (user + system) / 1e6 };
}
