import { noteInFile } from "#core/import/markdown/report.ts";
import { AppError } from "#core/errors.ts";
import type { AssetLinks } from "#core/markdown/assets.ts";
import type { FrontMatter } from "#core/markdown/front-matter.ts";
import { mergedTags } from "#core/import/folders.ts";
import { limits } from "#core/limits.ts";
import { notesOnUnseenCharacters, withoutUnseenCharacters } from "#core/text/clean-text.ts";
import { readingMinutesOf } from "#core/markdown/read-time.ts";
import type { ImportDocument, ImportNote } from "#core/sops/import-schema.ts";
import { resources } from "../../capacity/resources.ts";
import type { Services } from "../../http/services.ts";
import type { Sentence } from "#core/language/catalog.ts";
import { createImportNote, noteTexts } from "./note-texts.ts";
import { refusals } from "./refusals.ts";

export type { ImportNote } from "#core/sops/import-schema.ts";

export interface LikelySop {
  sopId: string;
  by: "path" | "text";
  /** The numbers of all SOPs that the document resembles equally. Absent if there is only one. */
  equallyNear?: readonly string[];
  /** The number of the SOP whose file had the path or name. Set if the text is that of another SOP. */
  namedAs?: string;
}

/** A document as sent, with its parsed content. If it can't be parsed, `unreadable` has the reason. */
export interface ReadDocument {
  path: string;
  sha256: string;
  content: {
    frontMatter: FrontMatter;
    markdown: string;
    links: AssetLinks;
    /** Known keys whose values can't be read. */
    unread: readonly string[];
  } | null;
  unreadable: Sentence | null;
  notes: ImportNote[];
  /** The version that the document was made from, as its sender says. */
  baseVersion?: number;
  /** Set if the SOP was found by the number in the file, which can come from another server. */
  by?: "number" | "number beside another id";
  /** The SOP that a document without number and id seems to be, and the reason for it. */
  likely?: LikelySop;
  /**
   * The SOP that the file's id or number names. Set if its user made a copy of that SOP: later imports of the file
   * update the copy.
   */
  copyOf?: string;
  /** Set if the text doesn't resemble the SOP that an earlier import made from the path. */
  isOther?: true;
}

/**
 * Reads each document separately, so that an unreadable document never stops the import. Reads several documents at
 * once.
 */
export async function readDocuments(
  { render, log }: Pick<Services, "render" | "log">,
  documents: readonly ImportDocument[],
): Promise<ReadDocument[]> {
  const read: ReadDocument[] = [];
  const rest = documents.entries();
  const readRemaining = async () => {
    for (const [index, document] of rest) read[index] = await readImportDocument(render, document, log);
  };
  await Promise.all(Array.from({ length: resources.render.companyAtOnce }, readRemaining));
  return read;
}

async function readImportDocument(
  render: Services["render"],
  { path, sha256, text, tags = [], baseVersion }: ImportDocument,
  log: Services["log"],
): Promise<ReadDocument> {
  const nothing = { path, sha256, content: null, unreadable: null, notes: [] };
  if (text === undefined) return nothing;
  try {
    const { frontMatter, body: markdown, links, report } = await render.readDocument({ path, text });
    const complete: FrontMatter = {
      ...frontMatter,
      ...(tags.length > 0 && { tags: mergedTags(frontMatter.tags, tags.map(withoutUnseenCharacters)) }),
      template: frontMatter.template ?? false,
      ai_generated: frontMatter.ai_generated ?? false,
      read_minutes: Math.max(1, frontMatter.read_minutes ?? readingMinutesOf(markdown)),
    };
    const notes: ImportNote[] = report.map(noteInFile);
    notes.push(...tags.flatMap((tag) => notesOnUnseenCharacters("tags", tag)));
    const surplus = complete.tags?.splice(limits.tags) ?? [];
    if (surplus.length > 0)
      notes.push(createImportNote("cut-key", noteTexts.tags({ most: limits.tags, tags: surplus.join(", ") })));
    const unread = report.flatMap(({ key }) => key ?? []);
    const content = { frontMatter: complete, markdown, links, unread };
    return { path, sha256, content, unreadable: null, notes, ...(baseVersion !== undefined && { baseVersion }) };
  } catch (error) {
    if (error instanceof AppError && (error.code === "busy" || error.code === "rate_limited")) throw error;
    if (error instanceof AppError) return { ...nothing, unreadable: error.sentence };
    log.error({ err: error }, "a document could not be read");
    return { ...nothing, unreadable: refusals.serverFailed() };
  }
}
