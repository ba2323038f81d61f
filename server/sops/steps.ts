/** Each verb as a pure step from one state of an SOP to the next. */
import { newId } from "#core/ids.ts";
import type { AssetLinks } from "#core/markdown/assets.ts";
import { emitFile, type FrontMatter } from "#core/markdown/front-matter.ts";
import { searchWords } from "#core/markdown/words.ts";
import { numberLabel } from "#core/repository/names.ts";
import { defaultReviewDate, statusAfterSave } from "#core/sops/rules.ts";
import { sha256 } from "../repository/hashing.ts";
import { versionFile } from "../repository/version-file.ts";
import type { SopDocument, SopSummary, SopVersionDocument, UserDocument } from "../database/documents.ts";
import type { Step } from "./write.ts";

/** What a version says, before it has a number: front matter without `sop`, `id`, `version`, and the canonical body. */
export interface SopText {
  frontMatter: FrontMatter;
  markdown: string;
}

/** The ids behind the names that stand in the file. */
export interface SopRelations {
  ownerId: string | null;
  teamId: string | null;
}

export interface NewVersion {
  text: SopText;
  /** Of the text's body, found by the render pool: some texts keep a parser busy for long. */
  links: AssetLinks;
  relations: SopRelations;
  author: Pick<UserDocument, "_id" | "name">;
  at: string;
  note: string | null;
  changeClass: "minor" | "major";
  restores?: number;
  /** Ends the review date, which otherwise stays when the text names none. */
  clearsReview?: boolean;
}

/** Do two texts make the same file, apart from its identity and version? */
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

function summaryOf({ frontMatter, markdown }: SopText, relations: SopRelations): SopSummary {
  const title = frontMatter.title ?? "";
  const description = frontMatter.description ?? "";
  const tags = frontMatter.tags ?? [];
  return {
    title,
    description,
    readTime: frontMatter.read_minutes ?? 1,
    isTemplate: frontMatter.template ?? false,
    isAiGenerated: frontMatter.ai_generated ?? false,
    ...relations,
    tags,
    lang: frontMatter.lang ?? null,
    words: searchWords([title, description, tags.join(" "), markdown]),
  };
}

function versionOf(
  sop: { _id: string; companyId: string; number: number; version: number },
  next: NewVersion,
): SopVersionDocument {
  const frontMatter: FrontMatter = {
    ...withoutIdentity(next.text.frontMatter),
    sop: numberLabel(sop.number),
    id: sop._id,
    version: sop.version,
  };
  const { markdown } = next.text;
  const { assets, places: assetPlaces } = next.links;
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
    contentHash: sha256(versionFile({ frontMatter, markdown, assetPlaces })),
    changedBy: next.author._id,
    changedByName: next.author.name,
    changeNote: next.note,
    changeClass: next.changeClass,
    restores: next.restores ?? null,
    repoSeq: 0,
    createdAt: next.at,
  };
}

function assetFiles({ assets }: AssetLinks): string[] {
  return assets.map(({ sha256, ext }) => `${sha256}.${ext}`);
}

export interface NewSop {
  id: string;
  companyId: string;
  number: number;
  slug: string;
  categoryId: string | null;
}

export function createStep(identity: NewSop, next: NewVersion): Step {
  const version = versionOf({ ...identity, _id: identity.id, version: 1 }, next);
  const sop: SopDocument = {
    _id: identity.id,
    companyId: identity.companyId,
    number: identity.number,
    slug: identity.slug,
    categoryId: identity.categoryId,
    authorId: next.author._id,
    ...summaryOf(next.text, next.relations),
    status: "draft",
    views: 0,
    version: 1,
    contentHash: version.contentHash,
    assets: assetFiles(next.links),
    publishedVersion: null,
    effectiveAt: null,
    reviewBy: next.text.frontMatter.review_by ?? null,
    inForce: null,
    lastInForce: null,
    restricted: false,
    grants: [],
    grantees: [],
    deletedAt: null,
    live: true,
    hasForce: false,
    revision: 1,
    createdAt: next.at,
    updatedAt: next.at,
  };
  return { verb: "create", sop, version, note: next.note, changes: { title: sop.title } };
}

export function saveStep(sop: SopDocument, next: NewVersion): Step {
  const version = versionOf({ ...sop, version: sop.version + 1 }, next);
  const after: SopDocument = {
    ...sop,
    ...summaryOf(next.text, next.relations),
    status: statusAfterSave(sop.status),
    version: version.version,
    contentHash: version.contentHash,
    assets: assetFiles(next.links),
    reviewBy: next.text.frontMatter.review_by ?? (next.clearsReview === true ? null : sop.reviewBy),
    updatedAt: next.at,
  };
  const changes = sop.title === after.title ? {} : { title: { from: sop.title, to: after.title } };
  return next.restores === undefined
    ? { verb: "save", sop: after, version, note: next.note, changes }
    : { verb: "restore", sop: after, version, note: next.note, changes, restores: next.restores };
}

export function moveStep(sop: SopDocument, categoryId: string | null, at: string): Step {
  return {
    verb: "move",
    sop: { ...sop, categoryId, updatedAt: at },
    changes: { categoryId: { from: sop.categoryId, to: categoryId } },
  };
}

/** Puts the head in force. A review date that nobody set is a year away. */
export function publishStep(sop: SopDocument, at: string, note: string | null): Step {
  const { title, description, readTime, isTemplate, isAiGenerated, ownerId, teamId, tags, lang, words } = sop;
  const inForce = { title, description, readTime, isTemplate, isAiGenerated, ownerId, teamId, tags, lang, words };
  const reviewBy = sop.reviewBy ?? defaultReviewDate(at);
  const after: SopDocument = {
    ...sop,
    status: "published",
    publishedVersion: sop.version,
    effectiveAt: at,
    reviewBy,
    inForce: { ...inForce, version: sop.version, contentHash: sop.contentHash, reviewBy, updatedAt: at },
    hasForce: true,
    updatedAt: at,
  };
  return { verb: "publish", sop: after, note };
}

export function unpublishStep(sop: SopDocument, at: string, note: string | null): Step {
  const after: SopDocument = { ...sop, status: "draft", ...noForce, updatedAt: at };
  return {
    verb: "unpublish",
    sop: after,
    note,
    changes: { publishedVersion: { from: sop.publishedVersion, to: null } },
  };
}

export function archiveStep(sop: SopDocument, at: string, note: string | null): Step {
  const after: SopDocument = {
    ...sop,
    ...noForce,
    status: "archived",
    lastInForce: sop.inForce && {
      version: sop.inForce.version,
      title: sop.inForce.title,
      contentHash: sop.inForce.contentHash,
    },
    live: false,
    updatedAt: at,
  };
  return { verb: "archive", sop: after, note, changes: { status: { from: sop.status, to: "archived" } } };
}

export function unarchiveStep(sop: SopDocument, at: string, note: string | null): Step {
  return { verb: "unarchive", sop: { ...sop, status: "draft", lastInForce: null, live: true, updatedAt: at }, note };
}

export function deleteStep(sop: SopDocument, at: string): Step {
  return { verb: "delete", sop: { ...sop, deletedAt: at, live: false, hasForce: false, updatedAt: at } };
}

export function undeleteStep(sop: SopDocument, at: string): Step {
  const live = sop.status !== "archived";
  return { verb: "undelete", sop: { ...sop, deletedAt: null, live, hasForce: sop.inForce !== null, updatedAt: at } };
}

const noForce = { publishedVersion: null, effectiveAt: null, inForce: null, hasForce: false } as const;
