/** The data of a document in every export, besides its text: identity, status and signatures. */
import { dayOf, paperDay } from "../days.ts";
import { effectiveText, effectiveTextOfFile } from "./effective-text.ts";
import type { FrontMatter } from "../markdown/front-matter.ts";
import type { VersionProof } from "../repository/prove-file.ts";
import { printedName } from "../users/printed-name.ts";

/**
 * The status of the exported version: `scheduled` waits for its effective date, `superseded` was replaced by a later
 * one.
 */
export const versionStates = {
  draft: { label: "Draft", mark: "draft" },
  under_review: { label: "Under Review", mark: "draft" },
  scheduled: { label: "Not yet effective", mark: "not-yet-effective" },
  published: { label: "Published", mark: null },
  superseded: { label: "Superseded", mark: "superseded" },
  archived: { label: "Archived", mark: "archived" },
} as const;

export type VersionState = keyof typeof versionStates;

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
  /** True for a file that may have been edited after the version. */
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
  /** The day on which readers got this version, in UTC: `YYYY-MM-DD`. */
  published?: string | null;
  /** The next periodic review: `YYYY-MM-DD`. */
  reviewBy: string | null;
  /** The SHA-256 of the version's file, in hexadecimal digits. */
  contentHash: string | null;
  tags: string[];
  /** The address of the SOP on the server, for readers of a printed copy. */
  address?: string | null;
  /** The version's place in the company's repository. */
  proof?: VersionProof | null;
  /**
   * The time when the version was created: ISO 8601, UTC. Exports have this date, so that two exports of a version are
   * equal.
   */
  at: string;
}

/** The facts that exports take from the file. */
export function factsInFile({ lang, owner, tags = [], effective, review_by: review }: FrontMatter) {
  return { lang: lang ?? null, owner: owner ?? null, tags, effective: effective ?? null, reviewBy: review ?? null };
}

export const uncontrolled = "Printed = uncontrolled copy";

/** The version as each page shows it: `Version 7`, `Working copy of version 7`. */
export function documentVersionText({ version, workingCopy }: Pick<ExportDocument, "version" | "workingCopy">): string {
  if (!workingCopy && version !== null) return `Version ${version}`;
  return version === null ? "Working copy" : `Working copy of version ${version}`;
}

/** The rows of an export's control block, in order. Unknown facts are left out. */
export function controlFacts(document: ExportDocument): [name: string, value: string][] {
  const { changeClass, writtenBy, approvals } = document;
  const facts: [string, string | null][] = [
    ["Number", document.number],
    [
      "Version",
      documentVersionText(document).replace(/^Version /, "") + (changeClass ? ` (${changeClass} change)` : ""),
    ],
    ["Status", versionStates[document.state].label],
    ["Category", document.category],
    ["Owner", document.owner],
    ["Effective date", document.effective && effectiveDateOf(document, document.effective)],
    ["Published", document.published ? paperDay(document.published) : null],
    ["Next review", document.reviewBy && paperDay(document.reviewBy)],
    ["Written by", writtenBy && signatureText(writtenBy)],
    ["Approved by", approvals.length > 0 ? approvals.map(signatureText).join("\n") : notApprovedText(document)],
    ["Commit", document.proof?.commit ?? null],
    [document.workingCopy ? "File hash (SHA-256)" : "Version hash (SHA-256)", document.contentHash],
  ];
  return facts.filter((fact): fact is [string, string] => fact[1] !== null && fact[1] !== "");
}

function effectiveDateOf({ workingCopy, published, at }: ExportDocument, day: string): string {
  return workingCopy ? effectiveTextOfFile(day, paperDay) : effectiveText(day, published ?? dayOf(at), paperDay);
}

function notApprovedText({ state }: ExportDocument): string | null {
  return state === "draft" || state === "under_review" ? "Not approved" : null;
}

function signatureText(signature: Signature): string {
  return `${printedName(signature)}, ${paperDay(signature.at)}`;
}
