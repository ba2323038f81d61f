/** Each verb as a pure step from one state of an SOP to the next. */
import { writesTexts } from "#core/sops/ai-part.ts";
import { dayStart, isDay } from "#core/days.ts";
import { slugify } from "#core/repository/slugs.ts";
import { numberKey } from "#core/numbers/numbers.ts";
import { daysUntil } from "#core/periodic-review/rules.ts";
import { reviewDate, statusAfterSave } from "#core/sops/rules.ts";
import type { Approval, Verb } from "#core/repository/event.ts";
import type {
  Collections,
  SopDocument,
  PublishedVersion,
  SopVersionDocument,
  UserDocument,
} from "../../database/documents.ts";
import type { Transaction } from "../../database/port.ts";
import type { Identity, Origin, Run } from "../../http/call.ts";
import type { ApprovalFacts } from "../../effects/events.ts";
import { withGrantees } from "../../permissions/grantees.ts";
import { assetFiles, linksTo } from "../links/text-links.ts";
import { summaryIn, summaryOf, versionOf, type NewVersion } from "./version-of.ts";

export interface Author {
  user: Pick<UserDocument, "_id" | "name" | "companyId"> & { username?: string };
  origin: Origin | null;
  at: string;
  idempotency?: Run | null;
  /** Of a request whose user is checked again in the transaction. */
  identity?: Identity;
}

/** They change no text and no branch: the audit log records them, the repository does not. */
export const auditedVerbs = [
  "request_approval",
  "approve",
  "reject",
  "request_changes",
  "withdraw",
  "replace_approver",
  "schedule",
  "lapse",
  "review",
] as const;
export type AuditedVerb = (typeof auditedVerbs)[number];

/** On a request for approval. */
type ApprovalVerb = Exclude<AuditedVerb, "schedule" | "lapse" | "review">;
type SopVerb = Exclude<Verb, "found" | "import" | "category" | "unreadable"> | Exclude<AuditedVerb, ApprovalVerb>;

export type Step = StepOf & ({ verb: SopVerb; request?: never } | { verb: ApprovalVerb; request: ApprovalFacts });

interface StepOf {
  /** The state this step leaves. */
  sop: SopDocument;
  /** The version this step adds, if any. */
  version?: SopVersionDocument;
  note?: string | null;
  restores?: number;
  changes?: Record<string, unknown>;
  /** The scheduled version whose day has come. */
  scheduled?: number;
  /** The approvals that publish it. */
  approvals?: readonly Approval[];
  /** It ends the pending request itself. Any other step that leaves a request behind cancels it. */
  resolves?: true;
  /** Other writes of this step, in the same transaction. */
  also?: (tx: Transaction<Collections>) => Promise<void>;
}

/** The flags that lists filter by, from the rest of the state. */
function withDerivedFlags(sop: SopDocument): SopDocument {
  const exists = sop.deletedAt === null;
  const hasPublished = exists && sop.published !== null;
  const matchesPublished = hasPublished || (exists && sop.status === "published");
  const linkedAny = [...new Set([...(sop.linksTo ?? []), ...(sop.published?.linksTo ?? [])])];
  return { ...sop, live: exists && sop.status !== "archived", hasPublished, matchesPublished, linkedAny };
}

/** Leaving the state ends a pending request; `writeSops` cancels it and notifies its approvers. */
export function leaveReview(sop: SopDocument): SopDocument {
  return sop.requestId === null ? sop : withGrantees({ ...sop, requestId: null, approvers: [], waitingFor: [] });
}

export interface NewSop extends Pick<SopDocument, "companyId" | "number" | "label" | "slug" | "categoryId"> {
  id: string;
}

export function createStep(identity: NewSop, made: NewVersion): Step {
  const next = markedAsDrafted(made, undefined);
  const version = versionOf({ ...identity, _id: identity.id, version: 1 }, next);
  const sop: SopDocument = {
    _id: identity.id,
    companyId: identity.companyId,
    number: identity.number,
    label: identity.label,
    labelKey: numberKey(identity.label),
    slug: identity.slug,
    categoryId: identity.categoryId,
    authorId: next.author._id,
    ...summaryOf(next.text.frontMatter, next.relations),
    status: "draft",
    views: 0,
    version: 1,
    contentHash: version.contentHash,
    assets: assetFiles(next.links),
    linksTo: linksTo(next.links),
    linkedAny: linksTo(next.links),
    published: null,
    scheduled: null,
    requestId: null,
    matchesPublished: false,
    lastPublished: null,
    restricted: false,
    grants: [],
    approvers: [],
    grantees: [],
    deletedAt: null,
    live: true,
    ...draftedBy(next, undefined),
    hasPublished: false,
    revision: 1,
    createdAt: next.at,
    updatedAt: next.at,
  };
  return { verb: "create", sop, version, note: next.note, changes: { title: sop.title, ...aiChanges(next) } };
}

/** Once AI wrote a whole text, the SOP stays marked as written by AI, even if a later text drops the mark. */
function markedAsDrafted(next: NewVersion, drafted: true | undefined): NewVersion {
  if (drafted !== true && next.ai?.some(writesTexts) !== true) return next;
  return { ...next, text: { ...next.text, frontMatter: { ...next.text.frontMatter, ai_generated: true } } };
}

function draftedBy({ ai }: NewVersion, drafted: true | undefined): Pick<SopDocument, "aiDrafted"> {
  return drafted === true || ai?.some(writesTexts) === true ? { aiDrafted: true } : {};
}

function aiChanges({ ai = [] }: NewVersion): Record<string, unknown> {
  return ai.length === 0 ? {} : { ai: ai.map(({ callId, model, prompt }) => ({ callId, model, prompt })) };
}

export function saveStep(sop: SopDocument, made: NewVersion): Step {
  const next = markedAsDrafted(made, sop.aiDrafted);
  const version = versionOf({ ...sop, version: sop.version + 1 }, next);
  const after: SopDocument = withDerivedFlags({
    ...leaveReview(sop),
    ...summaryOf(next.text.frontMatter, next.relations),
    status: statusAfterSave(sop.status),
    version: version.version,
    contentHash: version.contentHash,
    assets: assetFiles(next.links),
    linksTo: linksTo(next.links),
    reviewBy: next.text.frontMatter.review_by ?? (next.clearsReview === true ? null : sop.reviewBy),
    ...draftedBy(next, sop.aiDrafted),
    updatedAt: next.at,
  });
  const changes = {
    ...(sop.title !== after.title && { title: { from: sop.title, to: after.title } }),
    ...aiChanges(next),
  };
  return next.restores === undefined
    ? { verb: "save", sop: after, version, note: next.note, changes }
    : { verb: "restore", sop: after, version, note: next.note, changes, restores: next.restores };
}

/**
 * A pending request ends: it was about an SOP of another category.
 * @param readersFollow what readers have has met the rule of the category; else they keep it where it is
 */
export function moveStep(sop: SopDocument, categoryId: string | null, at: string, readersFollow: boolean): Step {
  const { status, published, scheduled } = sop;
  const shown = readersFollow
    ? { published: published && { ...published, categoryId }, scheduled: scheduled && { ...scheduled, categoryId } }
    : {};
  return {
    verb: "move",
    sop: {
      ...leaveReview(sop),
      ...shown,
      status: status === "under_review" ? "draft" : status,
      categoryId,
      updatedAt: at,
    },
    changes: { categoryId: { from: sop.categoryId, to: categoryId } },
  };
}

/** The facts that a publication needs in addition to the latest version. */
export interface Publication {
  at: string;
  note: string | null;
  /** The approvers of the latest version; empty for a direct publication. */
  approvals?: readonly Approval[];
  /** The effective date: chosen for this publication, else that in the file, if it has one. `YYYY-MM-DD` */
  effective?: string | undefined;
  /** The answers for readers: a note in place of this step's, and a class in place of the versions'. */
  changeNote?: string | null;
  changeClass?: "minor" | "major" | undefined;
  /** Months to the next review if the file sets no date; null for no review. */
  reviewMonths: number | null;
}

/** Publishes the latest version, or schedules it. Replaces a missing or past review date by the company's period. */
export function publishStep(
  sop: SopDocument,
  { at, note, approvals = [], effective, changeNote = note, changeClass, reviewMonths }: Publication,
): Step {
  const from = effective !== undefined && isDay(effective) ? dayStart(effective) : at;
  const start = from > at ? from : at;
  const next = reviewMonths === null ? null : reviewDate(start, reviewMonths);
  const isAhead = sop.reviewBy !== null && isDay(sop.reviewBy) && daysUntil(sop.reviewBy, start) > 0;
  const reviewBy = isAhead ? sop.reviewBy : next;
  const ready: SopDocument = { ...leaveReview(sop), status: "published", reviewBy, updatedAt: at };
  const chosen = { ...shownOf(ready, at), effective: effective ?? null };
  const shown = { ...chosen, ...(changeClass && { changeClass }), ...(changeNote && { changeNote }) };
  if (from > at) {
    const waiting = withDerivedFlags({
      ...ready,
      scheduled: { ...shown, effectiveAt: from, approvals: [...approvals] },
    });
    return { verb: "schedule", sop: waiting, note, resolves: true, changes: { effectiveAt: from } };
  }
  const after = withDerivedFlags({
    ...ready,
    ...publishedFrom(sop, { ...shown, effectiveAt: at, approvals: [...approvals] }),
    scheduled: null,
  });
  return { verb: "publish", sop: after, note, approvals, resolves: true, changes: approvedBy(approvals) };
}

/** Publishes the scheduled version on its day. A later draft stays a draft. */
export function takeEffectStep(sop: SopDocument, at: string): Step {
  const { scheduled } = sop;
  if (!scheduled) throw new Error("nothing waits for its day");
  const after = withDerivedFlags({
    ...sop,
    ...publishedFrom(sop, { ...scheduled, effectiveAt: at, updatedAt: at }),
    scheduled: null,
  });
  return { verb: "publish", sop: after, approvals: scheduled.approvals, changes: approvedBy(scheduled.approvals) };
}

/** On its day, a scheduled version without the approval that it now needs becomes a draft again. */
export function lapseStep(sop: SopDocument, at: string): Step {
  const { scheduled } = sop;
  if (!scheduled) throw new Error("nothing waits for its day");
  const isLatest = sop.status === "published" && sop.version === scheduled.version;
  const after = withDerivedFlags({ ...sop, status: isLatest ? "draft" : sop.status, scheduled: null, updatedAt: at });
  const changes = { version: scheduled.version, effectiveAt: { from: scheduled.effectiveAt, to: null } };
  return { verb: "lapse", sop: after, changes };
}

function shownOf(sop: SopDocument, updatedAt: string): Omit<PublishedVersion, "effectiveAt"> {
  const { version, contentHash, assets, linksTo = [], categoryId } = sop;
  return { ...summaryIn(sop), version, contentHash, assets, linksTo, categoryId, updatedAt };
}

/** The first published title sets the address. An address from a draft would tell readers the draft's title. */
function publishedFrom({ slug, addressFixed }: SopDocument, published: PublishedVersion) {
  return { slug: addressFixed ? slug : slugify(published.title), addressFixed: true as const, published };
}

const approvedBy = (approvals: readonly Approval[]): Record<string, unknown> =>
  approvals.length === 0
    ? {}
    : { approvedBy: approvals.map(({ userId, name, username }) => ({ userId, name, username })) };

export function unpublishStep(sop: SopDocument, at: string, note: string | null): Step {
  const after = withDerivedFlags({
    ...sop,
    status: sop.status === "under_review" ? sop.status : "draft",
    published: null,
    scheduled: null,
    updatedAt: at,
  });
  const from = sop.published?.version ?? null;
  return { verb: "unpublish", sop: after, note, changes: { publishedVersion: { from, to: null } } };
}

export function archiveStep(sop: SopDocument, at: string, note: string | null): Step {
  const after = withDerivedFlags({
    ...leaveReview(sop),
    published: null,
    scheduled: null,
    status: "archived",
    lastPublished: sop.published && {
      version: sop.published.version,
      title: sop.published.title,
      contentHash: sop.published.contentHash,
    },
    updatedAt: at,
  });
  return { verb: "archive", sop: after, note, changes: { status: { from: sop.status, to: "archived" } } };
}

export function unarchiveStep(sop: SopDocument, at: string, note: string | null): Step {
  return {
    verb: "unarchive",
    sop: withDerivedFlags({ ...sop, status: "draft", lastPublished: null, updatedAt: at }),
    note,
  };
}

/** An SOP deleted under review comes back as a draft. */
export function deleteStep(sop: SopDocument, at: string): Step {
  const status = sop.status === "under_review" ? "draft" : sop.status;
  return { verb: "delete", sop: withDerivedFlags({ ...leaveReview(sop), status, deletedAt: at, updatedAt: at }) };
}

export function undeleteStep(sop: SopDocument, at: string): Step {
  return { verb: "undelete", sop: withDerivedFlags({ ...sop, deletedAt: null, updatedAt: at }) };
}
