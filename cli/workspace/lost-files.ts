/** Refuses files of SOPs whose front matter lost its id, because each such file would become a second SOP. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { firstItemsText } from "#core/language/formats.ts";
import { splitFrontMatter } from "#core/markdown/front-matter.ts";
import { isSpellingOfNumber } from "#core/numbers/numbers.ts";
import { linesWithWords, sharesHalfOfLines } from "#core/sops/import-rules.ts";
import { relationToSopAtPath } from "#core/sops/likeness.ts";
import { frontMatterOrNull, type LocalDocument } from "./documents.ts";
import type { Problem } from "../exit.ts";
import type { RemoteSop } from "./remote.ts";
import type { SyncRow } from "./rows.ts";
import { readBaseText, trackedSopAt, type TrackedSop, type WorkspaceState } from "./state.ts";

/** The text of an SOP that the local file is based on. */
interface BaseText {
  was: TrackedSop;
  title: string | undefined;
  description: string | undefined;
  markdown: string;
}

interface LostFilesContext {
  root: string;
  /** Every document of the workspace. */
  all: readonly LocalDocument[];
  state: WorkspaceState;
  remoteSops: ReadonlyMap<string, RemoteSop>;
  damaged: ReadonlyMap<string, Problem>;
}

/** The maximum number of texts to compare a file with: those that share the most lines with the file. */
const textsAtMost = 40;
/**
 * Returns a function that checks one file: it returns the row of a file that lost its id, or null for any other file.
 * If the file has the text of an SOP other than that of its path, the row names both SOPs.
 */
export function createLostFileCheck({
  root,
  all,
  state,
  remoteSops,
  damaged,
}: LostFilesContext): (document: LocalDocument) => Promise<SyncRow | null> {
  let reading: Promise<BaseTexts> | undefined;
  const readTexts = () => (reading ??= readBaseTexts(root, state.sops, onServer));
  const onServer = new Set([...remoteSops.keys(), ...damaged.keys()]);
  const ids = new Set(all.map(({ id }) => id));
  const withoutFile = Object.entries(state.sops).filter(
    ([sopId, was]) => onServer.has(sopId) && !ids.has(sopId) && !existsSync(join(root, was.path)),
  );

  return async (document) => {
    const { id, path, title, text } = document;
    const front = id === null ? frontMatterOrNull(text) : null;
    // Front matter that can't be read is refused elsewhere, with the line of its error.
    if (front === null) return null;
    const at = trackedSopAt(state, path);
    if (at !== undefined) {
      const [sopId, was] = at;
      // If another file has the SOP's id, the document can be a new SOP.
      if (!onServer.has(sopId) || ids.has(sopId) || isSpellingOfNumber(front.sop ?? "", was.number)) return null;
      const others = otherSopsWithText(document, await readTexts(), sopId);
      const reason = `it was the file of ${was.number}`;
      const newSop = ", or give a new SOP another path";
      return others.length === 0
        ? rowOfOwnSop(sopId, was, `${reason} and lost its id`, newSop)
        : rowOfOtherSops(was, others, reason, newSop);
    }
    if (front.sop !== undefined) return null;
    const { body } = splitFrontMatter(text);
    for (const [sopId, was] of withoutFile) {
      const base = await readBaseText(root, sopId);
      if (base === null || !sharesHalfOfLines(splitFrontMatter(base).body, body)) continue;
      const others = otherSopsWithText(document, await readTexts(), sopId);
      const reason = `it resembles ${was.path}, the file of ${was.number}`;
      const newSop = `. For a new SOP, run \`sop pull\` first: it brings back ${was.path}`;
      return others.length === 0
        ? rowOfOwnSop(sopId, was, `${reason}, and has no id`, newSop)
        : rowOfOtherSops(was, others, reason, newSop);
    }
    return null;

    function rowOfOwnSop(sopId: string, { number }: TrackedSop, reason: string, newSop: string): SyncRow {
      const hint = `put back sop: "${number}" and id: "${sopId}"${newSop}`;
      return { number, path, title, outcome: "refused", reason, hint };
    }

    function rowOfOtherSops(
      { number }: TrackedSop,
      others: readonly BaseText[],
      reason: string,
      newSop: string,
    ): SyncRow {
      const numbers = firstItemsText(others.map(({ was }) => was.number));
      const hint = `put back sop and id of the SOP that it is${newSop}`;
      return {
        number,
        path,
        title,
        outcome: "refused",
        reason: `${reason}, but resembles ${numbers}, and has no id`,
        hint,
      };
    }
  };
}

interface BaseTexts {
  texts: ReadonlyMap<string, BaseText>;
  /** The ids of the SOPs whose text has a line, by that line. */
  byLine: ReadonlyMap<string, readonly string[]>;
}

async function readBaseTexts(
  root: string,
  sops: LostFilesContext["state"]["sops"],
  onServer: ReadonlySet<string>,
): Promise<BaseTexts> {
  const texts = new Map<string, BaseText>();
  const byLine = new Map<string, string[]>();
  for (const [id, was] of Object.entries(sops)) {
    const base = onServer.has(id) ? await readBaseText(root, id) : null;
    const front = base === null ? null : frontMatterOrNull(base);
    if (base === null || front === null) continue;
    const markdown = splitFrontMatter(base).body;
    texts.set(id, { was, title: front.title, description: front.description, markdown });
    for (const line of new Set(linesWithWords(markdown))) {
      const ids = byLine.get(line);
      if (ids === undefined) byLine.set(line, [id]);
      else ids.push(id);
    }
  }
  return { texts, byLine };
}

/** Returns the SOPs other than the file's own SOP whose text is that of the file. */
function otherSopsWithText({ text }: LocalDocument, { texts, byLine }: BaseTexts, ownId: string): readonly BaseText[] {
  const own = texts.get(ownId);
  const front = frontMatterOrNull(text);
  if (own === undefined || front === null) return [];
  const markdown = splitFrontMatter(text).body;
  const counts = new Map<string, number>();
  for (const line of new Set(linesWithWords(markdown)))
    for (const id of byLine.get(line) ?? []) counts.set(id, (counts.get(id) ?? 0) + 1);
  const nearest = [...counts].filter(([id]) => id !== ownId).toSorted((a, b) => b[1] - a[1]);
  const others = nearest.slice(0, textsAtMost).flatMap(([id]) => texts.get(id) ?? []);
  const compared = (one: BaseText) => ({
    ...one,
    hasSameName: false,
    hasSameDescription: Boolean(one.description) && one.description === front.description,
    isEqual: false,
  });
  const file = { title: front.title, markdown, hasOwnTitle: front.title !== undefined };
  const found = relationToSopAtPath(file, compared(own), others.map(compared));
  return found.is === "another text" ? found.nearest : [];
}
