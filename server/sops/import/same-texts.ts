/**
 * Adds notes to new versions that have the text of another SOP, because the ids or texts of two files can be exchanged
 * by mistake.
 */
import { sequenceHashesOf, wordsOfMarkdown } from "#core/approvals/said.ts";
import { shortListText } from "#core/language/formats.ts";
import type { Actor } from "#core/permissions/actor.ts";
import { mayReadVersion } from "#core/permissions/can.ts";
import { linesWithWords } from "#core/sops/import-rules.ts";
import type { ImportOutcome } from "#core/sops/import-schema.ts";
import type { SopDocument } from "../../database/documents.ts";
import type { Services } from "../../http/services.ts";
import type { SopText } from "../edit/version-of.ts";
import { importNote, noteTexts } from "./note-texts.ts";
import { findVersionsWithMarks } from "./near-texts.ts";
import type { ImportNote } from "./read.ts";
import { loadExistingSops } from "./stored-data.ts";

/** A decided document of an import, with the fields for comparing texts. */
interface DecidedText {
  outcome: ImportOutcome;
  proposable?: true;
  sop: SopDocument | null;
  text?: SopText;
  notes: ImportNote[];
}

/**
 * Adds a note to each document whose new text is that of another SOP. Compares the words only if all marks of two texts
 * are equal. An SOP counts in its latest and its published version, as far as the user can read them.
 *
 * @param texts the texts before the changes, by the ids of their SOPs
 */
export async function noteSameTexts(
  services: Pick<Services, "db">,
  actor: Actor,
  decided: readonly DecidedText[],
  texts: ReadonlyMap<string, SopText>,
): Promise<void> {
  const changed = decided.flatMap((document) => {
    const { outcome, proposable, sop, text } = document;
    const before = texts.get(sop?._id ?? "")?.markdown;
    if ((outcome !== "update" && proposable !== true) || sop === null || text === undefined) return [];
    // texts of one line, such as "To be written.", are common
    if (before === undefined || before === text.markdown || linesWithWords(text.markdown).length < 2) return [];
    const marks = sequenceHashesOf(text.markdown);
    const old = new Set(sequenceHashesOf(before));
    // many texts from the same template share marks, so search by a mark that is new
    const rare = marks.find((mark) => !old.has(mark)) ?? marks[0];
    return rare === undefined ? [] : [{ document, sop, markdown: text.markdown, marks: marks.join(" "), rare }];
  });
  if (changed.length === 0) return;
  const company = services.db.forCompany(actor.companyId);
  const found = await findVersionsWithMarks(company, new Set(changed.map(({ rare }) => rare)));
  const wanted = new Set(changed.map(({ marks }) => marks));
  const equal = found.filter(({ textMarks }) => wanted.has(textMarks.join(" ")));
  if (equal.length === 0) return;
  const sops = await loadExistingSops(
    company,
    equal.map(({ sopId }) => sopId),
  );
  const byId = new Map(sops.map((sop) => [sop._id, sop]));
  const readable = equal.filter(({ sopId, version }) => {
    const sop = byId.get(sopId);
    const isCurrent = sop?.version === version || sop?.published?.version === version;
    return sop !== undefined && isCurrent && mayReadVersion(actor, sop, version);
  });
  const names = readable.map(({ sopId, version }) => ({ sopId, version }));
  const stored =
    names.length === 0
      ? []
      : await company.collection("sop_versions").find({ $or: names }, { projection: { sopId: 1, markdown: 1 } });
  const byWords = Map.groupBy(stored, (version) => wordsOfMarkdown(version.markdown).join(" "));
  for (const { document, sop, markdown } of changed) {
    const same = byWords.get(wordsOfMarkdown(markdown).join(" ")) ?? [];
    const numbers = new Set(same.flatMap(({ sopId }) => (sopId === sop._id ? [] : (byId.get(sopId)?.label ?? []))));
    if (numbers.size === 0) continue;
    const named = shortListText(numbers);
    document.notes.push(importNote("same-text", noteTexts.sameText({ numbers: named })));
  }
}
