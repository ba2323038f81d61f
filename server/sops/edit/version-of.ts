/** Creates a new version: its text and its record. */
import { sequenceHashesOf } from "#core/approvals/said.ts";
import { distinctWriters, type VersionWriter } from "#core/approvals/writers.ts";
import { newId } from "#core/ids.ts";
import type { AiPart } from "#core/sops/ai-part.ts";
import { isEverDraftedByAi, type VersionToStore, type SopRelations } from "#core/life-cycle/save.ts";
import type { AssetLinks } from "#core/markdown/assets.ts";
import { fileTextOf, type FrontMatter } from "#core/markdown/front-matter.ts";
import type { SopLink } from "#core/markdown/sop-links.ts";
import type { SopDocument, SopVersionDocument, UserDocument } from "../../database/documents.ts";
import { sha256 } from "../../hashing.ts";
import { versionFileBytes } from "../../repository/version-file.ts";

/**
 * The text of a version before it has a number: front matter without `sop`, `id`, `version`, and the canonical body.
 */
export interface SopText {
  frontMatter: FrontMatter;
  markdown: string;
}

/** The links in a body. Threads find them, because a parser needs long for some texts. */
export interface TextLinks extends AssetLinks {
  sops: SopLink[];
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
  /** The version that the text is based on. It is stored only if it isn't the latest version. */
  madeFrom?: number | null;
  /** The other authors of words in the text; absent if there are none. */
  writers?: readonly VersionWriter[];
  ai?: AiPart[];
  /** True if the version was saved automatically, in a pause while editing. */
  automatic?: true;
  clearsReview?: boolean;
}

/** Says whether two texts are equal, apart from the keys `sop`, `id` and `version`. */
export function isSameText(a: SopText, b: SopText): boolean {
  return (
    a.markdown === b.markdown &&
    fileTextOf(withoutIdentity(a.frontMatter), "") === fileTextOf(withoutIdentity(b.frontMatter), "")
  );
}

/** Returns the front matter without `sop`, `id` and `version`. */
export function withoutIdentity(frontMatter: FrontMatter): FrontMatter {
  const { sop: _sop, id: _id, version: _version, ...rest } = frontMatter;
  return rest as FrontMatter;
}

export function buildNextVersion(sop: SopDocument, next: NewVersion): VersionToStore {
  return createVersion({ ...sop, version: sop.version + 1 }, next);
}

/** @param sop the SOP with the number of the new version */
export function createVersion(
  sop: Pick<SopDocument, "_id" | "companyId" | "label" | "version" | "aiDrafted">,
  next: NewVersion,
): VersionToStore {
  const frontMatter: FrontMatter = {
    ...withoutIdentity(next.text.frontMatter),
    ...(isEverDraftedByAi(next, sop.aiDrafted) && { ai_generated: true }),
    sop: sop.label,
    id: sop._id,
    version: sop.version,
  };
  const { markdown } = next.text;
  const { madeFrom = null, writers = [] } = next;
  const others = distinctWriters(writers).filter(({ id }) => id !== next.author._id);
  const { assets, places: assetPlaces, sops: sopLinks } = next.links;
  const version: SopVersionDocument = {
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
    contentHash: sha256(versionFileBytes({ frontMatter, markdown, assetPlaces, sopLinks })),
    textMarks: sequenceHashesOf(markdown),
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
  return {
    version,
    relations: next.relations,
    assets: assets.map(({ sha256: hash, ext }) => `${hash}.${ext}`),
    linksTo: [...new Set(sopLinks.map(({ to }) => to))],
    ...(next.clearsReview && { clearsReview: true }),
  };
}
