/** A new version: its text, and what its record says of it. */
import { marksOf } from "#core/approvals/said.ts";
import type { SopUpdate } from "#core/sops/schema.ts";
import { eachWriterOnce, type Writer } from "#core/approvals/writers.ts";
import { newId } from "#core/ids.ts";
import type { AiPart } from "#core/sops/ai-part.ts";
import { listedFields, noValues, type SopSummary } from "#core/sop-fields.ts";
import { emitFile, type FrontMatter } from "#core/markdown/front-matter.ts";
import type { SopVersionDocument, UserDocument } from "../../database/documents.ts";
import { sha256 } from "../../hashing.ts";
import { versionFile } from "../../repository/version-file.ts";
import type { TextLinks } from "../links/text-links.ts";

/**
 * The text of a version before it has a number: front matter without `sop`, `id`, `version`, and the canonical body.
 */
export interface SopText {
  frontMatter: FrontMatter;
  markdown: string;
}

/** The ids behind the names in the file. */
export interface SopRelations {
  ownerId: string | null;
  teamId: string | null;
}

export interface NewVersion {
  text: SopText;
  links: TextLinks;
  relations: SopRelations;
  author: Pick<UserDocument, "_id" | "name"> & { username?: string };
  at: string;
  note: string | null;
  changeClass: "minor" | "major";
  restores?: number;
  /** The version that the text was made from; kept if it is not the latest one. */
  madeFrom?: number | null;
  /** Others whose words come in. */
  writers?: readonly Writer[];
  ai?: readonly AiPart[];
  /** A pause while editing made it. */
  automatic?: true;
  /** Ends the review date, which otherwise stays when the text names none. */
  clearsReview?: boolean;
}

export function sameText(a: SopText, b: SopText): boolean {
  return (
    a.markdown === b.markdown &&
    emitFile(withoutIdentity(a.frontMatter), "") === emitFile(withoutIdentity(b.frontMatter), "")
  );
}

export function withoutIdentity(frontMatter: FrontMatter): FrontMatter {
  const { sop: _sop, id: _id, version: _version, ...rest } = frontMatter;
  return rest as FrontMatter;
}

/** The summary of a version, from its file and the ids behind its names. */
export function summaryOf(frontMatter: FrontMatter, relations: SopRelations): SopSummary {
  const values = listedFields.map((row) => {
    const value = row.kind === "relation" ? relations[row.name] : frontMatter[row.file];
    return [row.name, value ?? noValues[row.kind]];
  });
  return Object.fromEntries(values) as SopSummary;
}

/** The summary in a record that has more. */
export function summaryIn(record: SopSummary): Required<SopSummary> {
  const values = listedFields.map(({ name, kind }) => [name, record[name] ?? noValues[kind]]);
  return Object.fromEntries(values) as Required<SopSummary>;
}

export function versionOf(
  sop: { _id: string; companyId: string; label: string; version: number },
  next: NewVersion,
): SopVersionDocument {
  const frontMatter: FrontMatter = {
    ...withoutIdentity(next.text.frontMatter),
    sop: sop.label,
    id: sop._id,
    version: sop.version,
  };
  const { markdown } = next.text;
  const { madeFrom = null, writers = [] } = next;
  const others = eachWriterOnce(writers).filter(({ id }) => id !== next.author._id);
  const { assets, places: assetPlaces, sops: sopLinks } = next.links;
  return {
    _id: newId(),
    companyId: sop.companyId,
    sopId: sop._id,
    version: sop.version,
    title: frontMatter.title ?? "",
    description: frontMatter.description ?? "",
    markdown,
    frontMatter,
    assets: assets.map((asset) => asset.sha256),
    assetPlaces,
    ...(sopLinks.length > 0 ? { sopLinks } : {}),
    contentHash: sha256(versionFile({ frontMatter, markdown, assetPlaces, sopLinks })),
    textMarks: marksOf(markdown),
    changedBy: next.author._id,
    changedByName: next.author.name,
    ...(next.author.username && { changedByUsername: next.author.username }),
    ...(others.length > 0 ? { writers: others } : {}),
    changeNote: next.note,
    changeClass: next.changeClass,
    restores: next.restores ?? null,
    ...(madeFrom !== null && madeFrom < sop.version - 1 ? { madeFrom } : {}),
    ...(next.ai && next.ai.length > 0 ? { ai: [...next.ai] } : {}),
    ...(next.automatic && { automatic: true }),
    repoSeq: 0,
    createdAt: next.at,
  };
}

/** The given fields that say how a new version is made. A save that makes none ignores them. */
export function fieldsOfVersion(body: SopUpdate): string[] {
  const isGiven = (value: unknown) =>
    typeof value === "string" ? value.trim() !== "" : Array.isArray(value) ? value.length > 0 : value === true;
  return (["changeNote", "changeClass", "aiCalls", "automatic"] as const).filter((field) => isGiven(body[field]));
}
