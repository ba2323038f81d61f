/**
 * Adds notes to documents that have most of the text of another SOP than the one that they change, because a user can
 * exchange the ids or texts of two files by mistake.
 */
import { sequenceHashesOf, wordsOfMarkdown } from "#core/approvals/said.ts";
import { firstItemsText } from "#core/language/formats.ts";
import type { Actor } from "#core/permissions/actor.ts";
import { mayReadVersion } from "#core/permissions/can.ts";
import { linesWithWords } from "#core/sops/import-rules.ts";
import type { ImportOutcome } from "#core/sops/import-schema.ts";
import { createTakenTextFinder } from "#core/sops/likeness.ts";
import type { SopDocument } from "../../database/documents.ts";
import type { Services } from "../../http/services.ts";
import type { SopText } from "../edit/version-of.ts";
import { createImportNote, noteTexts } from "./note-texts.ts";
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
 * Adds a note to each document whose new text is nearer to the text of another SOP than to its own text before. An SOP
 * counts in its latest and its published version, as far as the user can read them.
 *
 * @param texts the texts before the changes, by the ids of their SOPs
 */
export async function addSameTextNotes(
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
    // many texts from one template share marks
    const rare = marks.filter((mark) => !old.has(mark));
    const shared = rare.length > 0 ? rare : marks.slice(0, 1);
    return [{ document, sop, before, markdown: text.markdown, marks: marks.join(" "), shared }];
  });
  if (changed.length === 0) return;
  const company = services.db.forCompany(actor.companyId);
  const found = await findVersionsWithMarks(company, new Set(changed.flatMap(({ shared }) => shared)));
  const sops = await loadExistingSops(company, [...found.map(({ sopId }) => sopId), ...texts.keys()]);
  const byId = new Map(sops.map((sop) => [sop._id, sop]));
  const names = found.flatMap(({ sopId, version }) => {
    const sop = byId.get(sopId);
    const isCurrent = sop?.version === version || sop?.published?.version === version;
    return sop !== undefined && isCurrent && mayReadVersion(actor, sop, version) ? [{ sopId, version }] : [];
  });
  const marked =
    names.length === 0
      ? []
      : await company
          .collection("sop_versions")
          .find({ $or: names }, { projection: { sopId: 1, markdown: 1, textMarks: 1 } });
  // edited texts of one request can have no mark in common
  const ofRequest = [...texts].map(([sopId, { markdown }]) => ({ sopId, markdown }));
  const takenFrom = createTakenTextFinder([...marked, ...ofRequest]);
  const wanted = new Set(changed.map(({ marks }) => marks));
  const equal = marked.filter(({ textMarks }) => wanted.has(textMarks.join(" ")));
  const byWords = Map.groupBy(equal, ({ markdown }) => wordsOfMarkdown(markdown).join(" "));
  for (const { document, sop, before, markdown } of changed) {
    const numbersOf = (those: readonly { sopId: string }[]) =>
      new Set(those.flatMap(({ sopId }) => (sopId === sop._id ? [] : (byId.get(sopId)?.label ?? []))));
    const same = numbersOf(byWords.get(wordsOfMarkdown(markdown).join(" ")) ?? []);
    const most = same.size > 0 ? same : numbersOf(takenFrom(before, markdown));
    if (most.size === 0) continue;
    const sentence = same.size > 0 ? noteTexts.sameText : noteTexts.mostText;
    // a push shows the first notes of a file
    document.notes.unshift(createImportNote("same-text", sentence({ numbers: firstItemsText(most) })));
  }
}
