/** Real-world documents for tests: this repository's small corpus, and the large one next to the project if it exists. */
import { existsSync, globSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { splitFrontMatter } from "../core/markdown/front-matter.ts";

export const smallCorpus = path.join(import.meta.dirname, "corpus");
const beside = path.resolve(import.meta.dirname, "../../shared/corpus");

/** The folder of the large corpus; null in a clone without it. */
export const largeCorpus = existsSync(beside) ? beside : null;

export interface CorpusFile {
  /** The name, such as `laboratory/dna-extraction.md`. No file name is in both corpora. */
  name: string;
  /** The absolute path. */
  path: string;
}

export function bytesOf(file: CorpusFile): Uint8Array {
  return new Uint8Array(readFileSync(file.path));
}

export function textOf(file: CorpusFile): string {
  return readFileSync(file.path, "utf8");
}

/** The bodies of our own SOPs, and one in `oneIn` texts of the corpus. */
export function sopTexts({ oneIn = 1 } = {}): string[] {
  const root = path.join(import.meta.dirname, "..");
  const own = globSync("templates/{sops,demo/sops}/*.md", { cwd: root }).map((name) => path.join(root, name));
  const paths = [...own, ...corpusFiles(".md", { oneIn }).map((file) => file.path)];
  return paths.map((file) => splitFrontMatter(readFileSync(file, "utf8")).body);
}

/** All files of the small corpus, and one in `oneIn` of the large one, without licenses and READMEs. */
export function corpusFiles(ending: string, { oneIn = 1 } = {}): CorpusFile[] {
  const large = largeCorpus === null ? [] : filesOf(largeCorpus, ending).filter((_, index) => index % oneIn === 0);
  return [...filesOf(smallCorpus, ending), ...large];
}

function filesOf(folder: string, ending: string): CorpusFile[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => name.includes("/") && name.endsWith(ending) && !/LICENSE/.test(name))
    .toSorted()
    .map((name) => ({ name, path: path.join(folder, name) }));
}
