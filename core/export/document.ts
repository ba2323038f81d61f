/** The data of an exported document besides its text: identity, status and signatures. */
import { dayOf, paperDay } from "../days.ts";
import { catalog } from "../language/catalog.ts";
import { effectiveText, effectiveTextOfFile } from "./effective-text.ts";
import type { FrontMatter } from "../markdown/front-matter.ts";
import type { VersionProof } from "../repository/prove-file.ts";
import { printedName } from "../users/printed-name.ts";

/**
 * The watermark of a version by its status. `scheduled`: waits for its effective date; `superseded`: replaced by a
 * later version.
 */
export const versionMarks = {
  draft: "draft",
  under_review: "draft",
  scheduled: "not-yet-effective",
  published: null,
  superseded: "superseded",
  archived: "archived",
} as const;

export type VersionState = keyof typeof versionMarks;

/** Words that exports show around the text of a document. */
export const exportTexts = catalog("core.export", {
  states: {
    draft: "Draft",
    under_review: "Under Review",
    scheduled: "Not yet effective",
    published: "Published",
    superseded: "Superseded",
    archived: "Archived",
  },
  facts: {
    number: "Number",
    version: "Version",
    status: "Status",
    category: "Category",
    owner: "Owner",
    effective: "Effective date",
    published: "Published",
    reviewBy: "Next review",
    timeZone: "Time zone",
    writtenBy: "Written by",
    approvedBy: "Approved by",
    commit: "Commit",
    fileHash: "File hash (SHA-256)",
    versionHash: "Version hash (SHA-256)",
  },
  utc: "UTC",
  uncontrolled: "Printed = uncontrolled copy",
  version: "Version {version}",
  workingCopy: "Working copy",
  workingCopyOf: "Working copy of version {version}",
  change: "{version} ({change, select, major {major} other {minor}} change)",
  notApproved: "Not approved",
  page: "Page {page} of {pages}",
  continued: "(continued)",
  lostImage: "Picture not available",
  lostImageOf: "Picture: {alt}",
  image: "Picture",
});

export interface Signature {
  name: string;
  username?: string | undefined;
  /** The time of the signature: ISO 8601, UTC. */
  at: string;
}

export interface ExportDocument {
  /** The number, such as SOP-0042; for a file without a number, its name. */
  number: string;
  /** Null for a file that no server has given a version number. */
  version: number | null;
  /** True for a local file, which may have been edited since its version. */
  workingCopy: boolean;
  state: VersionState;
  title: string;
  description: string;
  /** Canonical Markdown; images are `/api/assets/<sha256>.<ext>`. */
  markdown: string;
  lang: string | null;
  category: string | null;
  /** The company that the document belongs to. */
  company: string | null;
  owner: string | null;
  writtenBy: Signature | null;
  changeClass: "minor" | "major" | null;
  approvals: Signature[];
  /** The effective date that the author set, `YYYY-MM-DD`. A first publication may name a past day. */
  effective: string | null;
  /**
   * The day on which this version became the published one, in UTC: `YYYY-MM-DD`; null or absent if it isn't published.
   */
  published?: string | null;
  /** The next periodic review: `YYYY-MM-DD`. */
  reviewBy: string | null;
  /** The SHA-256 of the version's file, in hexadecimal digits. */
  contentHash: string | null;
  tags: string[];
  /**
   * The address of the SOP on the server, for readers of a printed copy; null or absent without an address that works
   * on other devices.
   */
  address?: string | null;
  /** The commit in the company's repository that proves the version; null or absent without one. */
  proof?: VersionProof | null;
  /**
   * The time when the version was created: ISO 8601, UTC. Files contain this date, so that two exports of a version are
   * equal.
   */
  at: string;
}

/** Returns the facts that exports take from the front matter. */
export function factsInFrontMatter({ lang, owner, tags = [], effective, review_by: review }: FrontMatter) {
  return { lang: lang ?? null, owner: owner ?? null, tags, effective: effective ?? null, reviewBy: review ?? null };
}

/** Returns the version as each page shows it: `Version 7`, `Working copy of version 7`. */
export function documentVersionText({ version, workingCopy }: Pick<ExportDocument, "version" | "workingCopy">): string {
  if (version === null) return exportTexts.workingCopy;
  return workingCopy
    ? exportTexts.workingCopyOf({ version: `${version}` })
    : exportTexts.version({ version: `${version}` });
}

/** Returns the text that replaces an image that an export can't show. */
export function missingImageText(alt: string): string {
  return alt === "" ? exportTexts.image : exportTexts.lostImageOf({ alt });
}

/** Returns the words around the two numbers of `Page 2 of 5`, for programs that fill in the numbers. */
export function pageNumberWords(): [before: string, between: string, after: string] {
  const [before = "", between = "", after = ""] = exportTexts.page({ page: "\0", pages: "\0" }).split("\0");
  return [before, between, after];
}

/**
 * Returns the rows of an export's control block, in order. Unknown facts are left out. One row names the time zone of all days,
 * because readers of a file can be in any.
 */
export function controlBlockRows(document: ExportDocument): [name: string, value: string][] {
  const { changeClass, writtenBy, approvals, workingCopy } = document;
  const names = exportTexts.facts;
  const version = workingCopy || document.version === null ? documentVersionText(document) : `${document.version}`;
  const showsDay = [document.effective, document.published, document.reviewBy, writtenBy, ...approvals].some(Boolean);
  const facts: [string, string | null][] = [
    [names.number, document.number],
    [names.version, changeClass ? exportTexts.change({ version, change: changeClass }) : version],
    [names.status, exportTexts.states[document.state]],
    [names.category, document.category],
    [names.owner, document.owner],
    [names.effective, document.effective && effectiveDateOf(document, document.effective)],
    [names.published, document.published ? paperDay(document.published) : null],
    [names.reviewBy, document.reviewBy && paperDay(document.reviewBy)],
    [names.timeZone, showsDay ? exportTexts.utc : null],
    [names.writtenBy, writtenBy && signatureText(writtenBy)],
    [names.approvedBy, approvals.length > 0 ? approvals.map(signatureText).join("\n") : notApprovedText(document)],
    [names.commit, document.proof?.commit ?? null],
    [workingCopy ? names.fileHash : names.versionHash, document.contentHash],
  ];
  return facts.filter((fact): fact is [string, string] => fact[1] !== null && fact[1] !== "");
}

function effectiveDateOf({ workingCopy, published, at }: ExportDocument, day: string): string {
  return workingCopy ? effectiveTextOfFile(day, paperDay) : effectiveText(day, published ?? dayOf(at), paperDay);
}

function notApprovedText({ state }: ExportDocument): string | null {
  return state === "draft" || state === "under_review" ? exportTexts.notApproved : null;
}

function signatureText(signature: Signature): string {
  return `${printedName(signature)}, ${paperDay(signature.at)}`;
}
