/** One engine in its own process: builds an index of generated SOPs, searches it, and prints the cost as one JSON line. */
import { globSync, readFileSync, statSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import MiniSearch from "minisearch";
import { parseQuery } from "#core/search/query.ts";
import { CompanyIndex } from "../server/search/company-index.ts";
import { createIndexFile, type RowText } from "../server/search/index-file.ts";
import { questionForAllTerms } from "../server/search/match.ts";
import { fullAccess } from "../test/search/quality.ts";

const [engine = "", count = "2000"] = process.argv.slice(2);
const queryCount = 400;

let state = 7;
const below = (limit: number) => {
  state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
  return Math.floor(((state >>> 8) / 0x800000) * limit);
};
const pick = <T>(from: readonly T[]): T => from[below(from.length)] as T;

/** Paragraphs of the library, with names of machines, because those make a company's vocabulary grow. */
function makeTexts(size: number): RowText[] {
  const root = path.resolve(import.meta.dirname, "../templates");
  const files = globSync("{sops,demo/sops}/*.md", { cwd: root }).sort();
  const paragraphs = files.flatMap((file) => {
    const text = readFileSync(path.join(root, file), "utf8").split(/\n---\n/)[1] ?? "";
    return text.split(/\n\n+/).filter((one) => one.length > 60 && one.length < 900);
  });
  const syllables = "ba ce di fo gu la me ni po ru sa te vi xo zu ka".split(" ");
  const machine = () => pick(syllables) + pick(syllables) + pick(syllables) + pick(syllables);
  const few = (words: number) =>
    pick(paragraphs)
      .match(/[A-Za-z]{4,}/g)
      ?.slice(0, words)
      .join(" ") ?? "";
  return Array.from({ length: size }, (_, n) => {
    let markdown = "";
    while (markdown.length < 5_500)
      markdown += `## ${few(3)}\n\n${pick(paragraphs)}\n\nUse the ${machine()} of unit ${n}.\n\n`;
    const title = `${few(4)} ${machine()}`;
    return {
      sopId: `sop-${n}`,
      version: 1,
      seen: 3,
      number: `SOP-${n}`,
      title,
      description: few(12),
      tags: [],
      lang: "en",
      // as one string, as it comes from a database
      markdown: Buffer.from(markdown).toString(),
    };
  });
}

const texts = makeTexts(Number(count));
const questions = Array.from({ length: queryCount }, () => {
  const words = pick(texts).markdown.match(/[a-z]{4,}/g) ?? [];
  return Array.from({ length: 1 + below(3) }, () => pick(words)).join(" ");
});

function settled(): number {
  for (let n = 0; n < 3; n++) globalThis.gc?.();
  return process.memoryUsage().rss / 1e6;
}

async function measure(build: () => ((question: string) => unknown) | Promise<(question: string) => unknown>) {
  const before = settled();
  const started = process.cpuUsage();
  const ask = await build();
  const { user, system } = process.cpuUsage(started);
  const memory = settled() - before;
  const times = questions.map((question) => {
    const from = performance.now();
    ask(question);
    return performance.now() - from;
  });
  times.sort((one, other) => one - other);
  const at = (share: number) => times[Math.floor(times.length * share)] ?? 0;
  return { buildMs: (user + system) / 1000, memoryMb: Math.max(0, memory), p50: at(0.5), p99: at(0.99) };
}

const folder = await mkdtemp(path.join(tmpdir(), "sopwright-search-"));
try {
  const file = path.join(folder, "index.db");
  const figures =
    engine === "minisearch"
      ? await measure(() => {
          const mini = new MiniSearch<RowText>({ fields: ["title", "description", "markdown"], idField: "sopId" });
          mini.addAll(texts);
          const prefix = (_: string, at: number, terms: string[]) => at === terms.length - 1;
          return (question) =>
            mini.search(question, { combineWith: "AND", boost: { title: 8, description: 3 }, prefix }).slice(0, 100);
        })
      : await measure(async () => {
          const made = createIndexFile(file);
          made.transaction(() => texts.forEach((text) => made.add(text)));
          made.close();
          const index = await CompanyIndex.load(file);
          return (question) =>
            index.bestRows(fullAccess, questionForAllTerms(parseQuery(question).terms ?? []), {
              offset: 0,
              limit: 100,
            });
        });
  const fileMb = engine === "minisearch" ? 0 : statSync(file).size / 1e6;
  process.stdout.write(`${JSON.stringify({ ...figures, fileMb })}\n`);
} finally {
  await rm(folder, { recursive: true, force: true });
}
