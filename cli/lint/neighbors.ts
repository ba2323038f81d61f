/** Reads neighbors: documents that the requested ones link to or share a number with. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { FileFacts } from "#core/lint/facts.ts";
import { resolveLinkPath } from "#core/links/paths.ts";
import { findMarkdown } from "../walk.ts";
import { pathWithin } from "../workspace.ts";
import type { LintCache } from "./cache.ts";
import { readLintTarget, type LintSource } from "./read.ts";
import type { LintRoot } from "./targets.ts";

export async function findNeighbors(
  root: LintRoot,
  own: readonly FileFacts[],
  known: ReadonlyMap<string, unknown>,
  cache: LintCache,
): Promise<FileFacts[]> {
  const paths = linkedMarkdownPaths(own).filter((path) => !known.has(path) && existsSync(join(root.folder, path)));
  const linked = new Set(paths);
  const names = sopNamesIn(own);
  const found: FileFacts[] = [];
  for (const path of linked) {
    const source = readNeighborSource(root, path);
    if (source !== null) found.push(await loadFacts(path, source, cache));
  }
  if (root.kind === "folder" || names.size === 0) return found;
  for (const { file } of (await findMarkdown(["."], root.folder).catch(() => ({ files: [] }))).files) {
    const path = pathWithin(root.folder, file);
    if (known.has(path) || linked.has(path)) continue;
    const source = readNeighborSource(root, path);
    if (source !== null && hasNameInFrontMatter(source.text, names)) found.push(await loadFacts(path, source, cache));
  }
  return found;
}

function linkedMarkdownPaths(own: readonly FileFacts[]): string[] {
  return own.flatMap(({ path, links }) =>
    links.flatMap(({ url }) => {
      const address = percentDecodedOrEmpty(url.split(/[#?]/)[0] ?? "");
      const target = address === "" ? undefined : resolveLinkPath(path, address);
      return target !== undefined && /\.(?:md|markdown)$/i.test(target) ? [target] : [];
    }),
  );
}

function percentDecodedOrEmpty(address: string): string {
  try {
    return decodeURIComponent(address);
  } catch {
    return "";
  }
}

/** Returns the numbers and ids of the documents and of the SOPs that they mention. */
function sopNamesIn(own: readonly FileFacts[]): Set<string> {
  const names = own.flatMap(({ sop, id, mentions, sops }) => [
    sop,
    id,
    ...mentions.map((mention) => mention.sop),
    ...sops.map(({ to }) => to),
  ]);
  return new Set(names.filter((name) => name !== undefined));
}

const nameLine = /^(?:sop|id|"sop"|"id")[ \t]*:[ \t]*["']?([^"'\s#]+)/gm;

function hasNameInFrontMatter(text: string, names: ReadonlySet<string>): boolean {
  if (!/^\uFEFF?---/.test(text)) return false;
  const end = text.indexOf("\n---", 3);
  return [...text.slice(0, end === -1 ? 0 : end).matchAll(nameLine)].some(([, name = ""]) => names.has(name));
}

function readNeighborSource(root: LintRoot, path: string): LintSource | null {
  const read = readLintTarget({ file: join(root.folder, path), root, path, shown: path });
  return "unreadable" in read ? null : read;
}

async function loadFacts(path: string, { text, sha256 }: LintSource, cache: LintCache): Promise<FileFacts> {
  const cached = cache.facts(path, sha256);
  if (cached !== null && cached !== "null") return JSON.parse(cached) as FileFacts;
  const { readFileFacts } = await import("#core/lint/facts.ts");
  return readFileFacts(text, path);
}
