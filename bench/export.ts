/**
 * `sop export`: a PDF of about 20 pages from a warm typesetter, and a Word file of the same text. Then a site of 1,000
 * SOPs from a folder. Each with the size of its files. It starts with the rendered text, which a server already has.
 * PDF and Word times are those of the printing process. CPU time is shown next to wall time, because the machine may be
 * busy.
 */
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type { ExportDocument } from "#core/export/document.ts";
import { createDocx } from "#core/export/docx/print-docx.ts";
import { renderHtml } from "#core/markdown/render.ts";
import { printPdf } from "../server/export/print-pdf.ts";
import { openTypesetter } from "../server/export/typst.ts";
import { median, round, type Figure } from "./figure.ts";

const quick = process.env["SOP_BENCH_QUICK"] === "1";
const rounds = quick ? 3 : 9;
const siteSops = quick ? 100 : 1_000;
const sopBin = process.env["SOP_BENCH_SOP"] ?? "dist/sop.js";

const verbs = "Check Open Close Record Turn Compare Clean Fill Empty Weigh".split(" ");
const things = "valve,gauge,feed pump,safety relay,log sheet,drum,filter housing,weigh scale,pressure line".split(",");
const pick = (from: readonly string[], at: number) => from[at % from.length] ?? "";

/** Steps, tables and warnings as in an SOP; `chapters` of about 45 lines. */
function text(seed: number, chapters: number): string {
  const chapter = (number: number) => {
    const step = (index: number) => {
      const at = seed + number * 31 + index * 7;
      return `${index + 1}. **Operator:** ${pick(verbs, at)} the ${pick(things, at * 3)} of line ${at % 40} until the needle of gauge ${at % 9} has come to rest, and write value and time on form F-${100 + (at % 60)}.`;
    };
    const row = (index: number) => `| ${pick(things, seed + index)} | ${index + 2} bar | ${pick(verbs, index)} daily |`;
    const steps = Array.from({ length: 18 }, (_, index) => step(index)).join("\n");
    const rows = Array.from({ length: 6 }, (_, index) => row(index)).join("\n");
    return `## Part ${number + 1}: the ${pick(things, seed + number)}\n\nThis part begins when the line stands still.\n\n> [!WARNING]\n> Stored pressure injures. Release it before the cover is opened.\n\n${steps}\n\n| Part | Limit | Action |\n|---|---|---|\n${rows}\n`;
  };
  return Array.from({ length: chapters }, (_, number) => chapter(number)).join("\n");
}

function aDocument(markdown: string): ExportDocument {
  return {
    number: "SOP-0042",
    version: 7,
    workingCopy: false,
    state: "published",
    title: "Start the mixing line",
    description: "How the line is started after it stood still.",
    markdown,
    lang: "en",
    category: "Operations",
    company: "Example",
    owner: "Ann Archer",
    writtenBy: { name: "Ann Archer", at: "2026-10-01T10:00:00.000Z" },
    changeClass: "major",
    approvals: [{ name: "Ben Baker", at: "2026-10-03T10:00:00.000Z" }],
    effective: "2026-10-05",
    reviewBy: "2027-10-05",
    contentHash: "ab12".repeat(16),
    tags: [],
    at: "2026-10-01T10:00:00.000Z",
  };
}

interface Taken {
  wall: number;
  cpu: number;
  bytes: number;
}

/** Each round uses another text of the same length, so that caches don't help. */
async function measure(
  print: (document: ExportDocument, html: string) => Promise<Uint8Array> | Uint8Array,
): Promise<Taken> {
  const taken: Taken[] = [];
  for (let seed = 0; seed <= rounds; seed += 1) {
    const document = aDocument(text(seed, 17));
    // a server already has it, because the page was viewed before
    const html = renderHtml(document.markdown);
    const before = process.cpuUsage();
    const start = performance.now();
    const { length: bytes } = await print(document, html);
    const { user, system } = process.cpuUsage(before);
    taken.push({ wall: performance.now() - start, cpu: (user + system) / 1000, bytes });
  }
  const warm = taken.slice(1);
  const of = (key: keyof Taken) => median(warm.map((one) => one[key]));
  return { wall: of("wall"), cpu: of("cpu"), bytes: of("bytes") };
}

export async function* run(): AsyncGenerator<Figure> {
  const typesetter = await openTypesetter();
  let pages = 0;
  const pdf = await measure((document, html) => {
    const { bytes } = printPdf(typesetter, { format: "pdf", document, html, standard: null }, {});
    pages =
      Buffer.from(bytes)
        .toString("latin1")
        .split(/\/Type \/Page\b(?!s)/).length - 1;
    return bytes;
  });
  const named = `export: PDF of ${pages} pages, warm`;
  yield { name: named, value: round(pdf.wall), unit: "ms", goal: "≤ 300 on an idle core" };
  yield { name: `${named}, CPU`, value: round(pdf.cpu), unit: "ms" };
  yield { name: `${named}, size`, value: round(pdf.bytes / 1024), unit: "KiB" };
  const word = await measure(async (document, html) => (await createDocx(document, html, {})).bytes);
  yield { name: "export: Word file of the same, warm", value: round(word.wall), unit: "ms" };
  yield { name: "export: Word file of the same, CPU", value: round(word.cpu), unit: "ms" };
  yield { name: "export: Word file of the same, size", value: round(word.bytes / 1024), unit: "KiB" };
  yield* site();
}

async function* site(): AsyncGenerator<Figure> {
  const folder = mkdtempSync(path.join(tmpdir(), "sop-bench-export-"));
  try {
    for (let index = 0; index < siteSops; index += 1) {
      const place = path.join(folder, "docs", `part-${index % 12}`);
      mkdirSync(place, { recursive: true });
      const head = `---\nsop: SOP-${String(index + 1).padStart(4, "0")}\ntitle: ${pick(verbs, index)} the ${pick(things, index)} of line ${index}\ndescription: How it is done on line ${index}\n---\n`;
      writeFileSync(path.join(place, `sop-${index + 1}.md`), head + text(index, 1));
    }
    const start = performance.now();
    await sop(folder, "export", "--from-dir", "docs", "--format", "site", "-o", "site");
    const seconds = (performance.now() - start) / 1000;
    const made = path.join(folder, "site");
    const sizes = readdirSync(made, { recursive: true, encoding: "utf8" }).map((name) =>
      statSync(path.join(made, name)),
    );
    const bytes = sizes.reduce((sum, one) => sum + (one.isFile() ? one.size : 0), 0);
    yield { name: `export: site of ${siteSops} SOPs from a folder, start included`, value: round(seconds), unit: "s" };
    yield { name: "export: site, all files", value: round(bytes / 1024 / 1024), unit: "MiB" };
    const index = statSync(path.join(made, "site", "index.js")).size;
    yield { name: "export: site, search index", value: round(index / 1024), unit: "KiB" };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function sop(cwd: string, ...args: string[]): Promise<void> {
  const child = spawn(process.execPath, [path.resolve(sopBin), ...args], {
    cwd,
    stdio: ["ignore", "ignore", "inherit"],
  });
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", (code) => (code === 0 ? resolve() : reject(new Error(`sop ${args.join(" ")}: exit ${code}`))));
  });
}

if (process.argv[1] === import.meta.filename) for await (const figure of run()) console.log(JSON.stringify(figure));
