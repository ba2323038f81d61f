/**
 * Checks `sop`, `id` and `version` in imported files. Refuses keys that contradict each other, and reports keys without
 * effect.
 */
import { firstItemsText } from "#core/language/formats.ts";
import { isSpellingOfNumber } from "#core/numbers/numbers.ts";
import type { ImportNote, ImportOutcome } from "#core/sops/import-schema.ts";
import type { SopDocument, SopSourceDocument, SopVersionDocument } from "../../database/documents.ts";
import type { SopText } from "../edit/version-of.ts";
import { createImportNote, noteTexts } from "./note-texts.ts";
import type { LikelySop, ReadDocument } from "./read.ts";
import type { MessageWithId } from "#core/language/catalog.ts";
import { refusals } from "./refusals.ts";

/** The number and authors of a version. */
export type VersionAuthorship = Pick<SopVersionDocument, "version" | "changedBy" | "writers">;

/** The facts that a push knows about its files from the repository. */
export interface PushFacts {
  /**
   * The earlier id and path of each changed file, by its present path. Files that were moved with their ids are left
   * out, and so are new files that resemble no deleted file.
   */
  idsBefore: ReadonlyMap<string, { id: string; path: string }>;
  /** The versions that changed files had before, by the id of their SOP. */
  versionsBefore: ReadonlyMap<string, number>;
  /** The commits that are pushed. */
  commits: ReadonlySet<string>;
  /** The path of another file of the pushed commit with this id, or null. */
  otherFileOf: (id: string, path: string) => Promise<string | null>;
}

/**
 * Removes the detected language from the file of an existing SOP, whose language is the one that the file names. Only a
 * new SOP gets the language of its words.
 */
export function withoutDetectedLanguage(document: ReadDocument): ReadDocument {
  const { content, by } = document;
  const notes = document.notes.filter(({ code }) => code !== "language");
  if (!content || by === "number beside another id" || notes.length === document.notes.length) return document;
  const { lang: _lang, ...frontMatter } = content.frontMatter;
  return { ...document, content: { ...content, frontMatter }, notes };
}

/**
 * Returns the version that a file was made from, or null if unknown. The file of an existing SOP names the version, or
 * its sender knows it. Other files are based on the last import, unless that can have been a newer file of another
 * user.
 *
 * @param latest the version that the user sees
 */
export function baseVersionOf(
  { content, baseVersion, by }: ReadDocument,
  own: SopDocument | undefined,
  source: SopSourceDocument | undefined,
  { push, latest, userId }: { push: PushFacts | undefined; latest: VersionAuthorship | null; userId: string },
): number | null {
  if (!own || by === "number beside another id") {
    const isLatest = latest !== null && latest.version === source?.version;
    const isOfOther = isLatest && latest.changedBy !== userId && !latest.writers?.some(({ id }) => id === userId);
    return isOfOther ? null : (source?.version ?? null);
  }
  const base = content?.frontMatter.version ?? baseVersion ?? push?.versionsBefore.get(own._id) ?? null;
  // The files of a branch name the version that was cloned. If an earlier push of this branch saved a newer version,
  // the file is based on that.
  const { version = 0, pushed } = source ?? {};
  const isInBranch = pushed?.version === version && push?.commits.has(pushed.commit) === true;
  return isInBranch && (base ?? 0) < version ? version : base;
}

/** Finds another file of the pushed commit that has the id of this file, or of the SOP that its number names. */
export async function findOtherFileOfSop(
  { path, content, by }: ReadDocument,
  push: PushFacts | undefined,
): Promise<string | null> {
  const id = content?.frontMatter.id;
  if (push === undefined || id === undefined || by === "number beside another id") return null;
  return await push.otherFileOf(id, path);
}

/**
 * Returns the message about a conflict, with the options of `sop import`.
 * @param isNamed true if the file names the SOP by its id or number
 */
export function conflictReason({ version }: SopDocument, base: number | null, isNamed: boolean): MessageWithId {
  if (base !== null) return refusals.mergeOrChoose({ conflict: refusals.olderBase({ version, base }) });
  return isNamed
    ? refusals.addVersion({ conflict: refusals.noVersion({ version }), version })
    : refusals.replaceOrCopy({ conflict: refusals.importOfOther({ version }) });
}

/** Returns the reason why a file without number and id becomes no new SOP. */
export function likelySopReason(
  { sop, title }: { sop: SopDocument; title: string },
  { by, equallyNear, namedAs }: LikelySop,
): MessageWithId {
  const { label: number, _id: id } = sop;
  if (equallyNear !== undefined || namedAs !== undefined) {
    const numbers = firstItemsText(equallyNear ?? [number]);
    return namedAs === undefined
      ? refusals.equallyNear({ numbers })
      : refusals.nearToOther({ named: namedAs, numbers });
  }
  return by === "path" ? refusals.likelyByPath({ number, id }) : refusals.likelyByText({ title, number, id });
}

/**
 * Returns the reason why a file can't be the SOP that it names: its number belongs to another SOP.
 *
 * @param versions the versions that the file can be based on, because a draft can have had another number then
 */
export function otherNumberReason(
  { content, by }: ReadDocument,
  sop: SopDocument,
  versions: readonly (SopText | null)[],
): MessageWithId | null {
  const written = content?.frontMatter.sop;
  if (written === undefined || by !== undefined) return null;
  const labels = [sop.label, ...versions.flatMap((version) => version?.frontMatter.sop ?? [])];
  return labels.some((label) => isSpellingOfNumber(written, label))
    ? null
    : refusals.otherNumber({ written, number: sop.label });
}

/**
 * Returns notes on `id` and `version` without effect. Files of other servers have such keys, so for new SOPs only a
 * push gets the notes.
 */
export function ignoredKeyNotes(
  { content, by }: ReadDocument,
  { outcome, sop }: { outcome: ImportOutcome; sop: SopDocument | null },
  isPush: boolean,
): ImportNote[] {
  const { id, version } = content?.frontMatter ?? {};
  const ignoredKeyNote = (sentence: MessageWithId) => createImportNote("ignored-key", sentence);
  if (sop && by === undefined && id === sop._id && version !== undefined && version > sop.version)
    return [
      ignoredKeyNote(noteTexts.ignoredVersion({ version: `${version}`, number: sop.label, current: `${sop.version}` })),
    ];
  if (outcome !== "create" || !isPush) return [];
  return [
    ...(id === undefined ? [] : [ignoredKeyNote(noteTexts.ignoredId({ id }))]),
    ...(version === undefined ? [] : [ignoredKeyNote(noteTexts.ignoredFirst({ version: `${version}` }))]),
  ];
}
