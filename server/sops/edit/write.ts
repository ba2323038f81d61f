/**
 * Writes SOPs; no other code changes them. A write is a list of steps, each with its resulting state. One transaction
 * stores the last state, the new versions and the counters. It also stores a ledger event and an audit row for each
 * step, and one event for browsers.
 */
import { isDeepStrictEqual } from "node:util";
import { utf8Length } from "#core/markdown/limits.ts";
import { AppError } from "#core/errors.ts";
import type { RepoEvent } from "#core/repository/event.ts";
import { becomesCommit, ledgerEvents, assetFilesForBranches, type SopWrite } from "#core/life-cycle/ledger.ts";
import type { LifeCycleStep } from "#core/life-cycle/step.ts";
import type {
  CategoryDocument,
  Collections,
  CounterDocument,
  SopDocument,
  SopVersionDocument,
  UserDocument,
} from "../../database/documents.ts";
import type { Transaction } from "../../database/port.ts";
import { assertTextRoom, type TextRoom } from "../../companies/text-room.ts";
import { markAssetsLinked } from "../../assets/unlinked.ts";
import type { EventWithFacts } from "../../effects/events.ts";
import { findSlugOfLostCategory } from "../../categories/lost-folder.ts";
import { recordChange, type RecordedRow } from "../../effects/record.ts";
import { changeFactsForEvent, type EventAudience } from "../../events/recipients.ts";
import type { Identity, Origin, IdempotentRun } from "../../http/call.ts";
import { carryOutEffect } from "./carry-out.ts";
import { addCounts, countDelta, type CounterSteps } from "./counts.ts";
import { ChangedMeanwhile } from "./concurrent-change.ts";
import { numberTakenError } from "./numbers.ts";
import { updatePublishedPeriods } from "../history/periods.ts";
import { assertRuleMet } from "./publishing-rule.ts";
import { refusals } from "./refusals.ts";

export interface SopAuthor {
  user: Pick<UserDocument, "_id" | "name" | "companyId"> & { username?: string };
  origin: Origin | null;
  at: string;
  idempotency?: IdempotentRun | null;
  /** The identity of the request. If set, its user is checked again in the transaction. */
  identity?: Identity;
}

export interface SourcedWrite extends SopWrite {
  /**
   * The key of the imported file in `sop_sources`, for the audit entry. No other document would name that record if it
   * is lost.
   */
  source?: string;
}

/**
 * Writes SOPs of one company inside a transaction. Never writes the view counter, because views change it at any time.
 */
export async function writeSops(
  tx: Transaction<Collections>,
  author: SopAuthor,
  writes: readonly SourcedWrite[],
  options: { importId?: string; categories: readonly CategoryDocument[]; room: TextRoom },
): Promise<void> {
  const store = tx.forCompany(author.user.companyId);
  const slugs = await loadCategorySlugs(tx, author.user.companyId, writes, options.categories);
  await updateSopCount(tx, author.user.companyId, writes);
  const added = addedTextBytes(writes);
  const counters = await updateCounters(tx, author.user.companyId, writes, added, options.importId !== undefined);
  if (added > 0) assertTextRoom(counters, added, options.room);
  for (const { before, steps } of writes) {
    const after = steps.at(-1)?.sop;
    if (!after) continue;
    await storeLatestState(tx, before, after);
    if (before) await assertNumberNotReserved(tx, before, after);
    await updatePublishedPeriods(tx, before, after, author.at);
  }
  const stored = await markAndFindLinkedAssets(tx, author, writes);
  const ledger = ledgerEvents(author, writes, { seq: counters.repoSeq, slugs, stored }, options.importId);
  const versions = versionsWithEventNumber(writes, ledger);
  if (versions.length > 0) await store.collection("sop_versions").insertMany(versions);
  if (ledger.length > 0) await store.collection("repo_events").insertMany(ledger);
  await recordChange(
    tx,
    author,
    {
      companyId: author.user.companyId,
      at: author.at,
      eventSeq: counters.eventSeq,
      hears: {
        resources: [
          "sops",
          "categories",
          "stats",
          ...(hasRequestChange(writes) ? (["approvals"] as const) : []),
          ...(writes.some(isPublicationChanged) ? (["acknowledgements"] as const) : []),
        ],
        ...sopEventAudience(writes),
      },
      consequences: writes.flatMap(cancellationEvents),
    },
    ...writes.flatMap(({ before, steps, source }) =>
      steps.map((step, index) =>
        auditRowOfStep(steps[index - 1]?.sop ?? before, step, { importId: options.importId, source }),
      ),
    ),
  );
  for (const { before, steps } of writes) {
    for (const [index, { effects = [] }] of steps.entries())
      for (const effect of effects) await carryOutEffect(tx, effect, steps[index - 1]?.sop ?? before, author.at);
    const after = steps.at(-1)?.sop;
    if (after) await assertRuleMet(tx, before, after);
  }
}

/**
 * Returns the event for an approval request that the steps cancel: a pending request that the SOP no longer has, unless
 * a step ends it.
 */
function cancellationEvents({ before, steps }: SopWrite): EventWithFacts<"approval.canceled">[] {
  const after = steps.at(-1)?.sop;
  const requestId = before?.requestId ?? null;
  if (!after || requestId === null || after.requestId === requestId) return [];
  if (steps.some((step) => step.resolves === true)) return [];
  return [{ kind: "approval.canceled", entityType: "sop", entityId: after._id, facts: { requestId } }];
}

/** Says whether readers see another version after the write, or none. */
function isPublicationChanged({ before, steps }: SopWrite): boolean {
  const after = steps.at(-1)?.sop;
  return after !== undefined && publishedVersionOf(before) !== publishedVersionOf(after);
}

function publishedVersionOf(sop: SopDocument | null): number | null {
  return sop?.hasPublished ? (sop.published?.version ?? null) : null;
}

/** Says whether a request was created, decided, ended or canceled. */
function hasRequestChange(writes: readonly SopWrite[]): boolean {
  return writes.some(({ before, steps }) => before?.requestId != null || steps.at(-1)?.sop.requestId != null);
}

/** Returns the audience of the event. Readers get the event only if the version that they see changed. */
function sopEventAudience(writes: readonly SopWrite[]): EventAudience {
  const about = writes.flatMap(({ before, steps }) =>
    steps
      .slice(-1)
      .map(({ sop }) =>
        changeFactsForEvent(before, sop, !isDeepStrictEqual(publishedSummary(before), publishedSummary(sop))),
      ),
  );
  return { about };
}

function publishedSummary(sop: SopDocument | null) {
  return sop?.published && sop.deletedAt === null ? { ...sop.published, label: sop.label } : null;
}

/**
 * Refuses a number that an import has reserved since it was checked. The numbers of SOPs are compared by a unique
 * index.
 */
async function assertNumberNotReserved(
  tx: Transaction<Collections>,
  before: SopDocument,
  { companyId, label, labelKey }: SopDocument,
): Promise<void> {
  if (before.labelKey === labelKey) return;
  if (await tx.forCompany(companyId).collection("reserved_numbers").findOne({ labelKey }))
    throw numberTakenError(label);
}

async function storeLatestState(
  tx: Transaction<Collections>,
  before: SopDocument | null,
  after: SopDocument,
): Promise<void> {
  const sops = tx.forCompany(after.companyId).collection("sops");
  if (before === null) return sops.insertOne(after);
  const { _id, companyId: _companyId, views: _views, ...fields } = after;
  const stored = await sops.updateOne(
    { _id, revision: before.revision },
    { $set: { ...fields, revision: before.revision + 1 } },
  );
  if (stored.matchedCount === 0) throw new ChangedMeanwhile();
}

/**
 * Updates the company's number of SOPs. Archived and deleted SOPs don't count (`docs/spec/entities.md`). The update
 * checks the limit, so that simultaneous writes can't exceed it.
 * @throws AppError limit_reached
 */
async function updateSopCount(
  tx: Transaction<Collections>,
  companyId: string,
  writes: readonly SopWrite[],
): Promise<void> {
  const needed = writes.reduce(
    (sum, { before, steps }) => sum + Number(steps.at(-1)?.sop.live ?? false) - Number(before?.live ?? false),
    0,
  );
  if (needed === 0) return;
  const companies = tx.collection("companies");
  if (needed < 0) {
    await companies.updateOne({ _id: companyId }, { $inc: { sopCount: needed } });
    return;
  }
  const company = await companies.findOne({ _id: companyId });
  const taken = await companies.updateOne(
    { _id: companyId, sopCount: { $lte: (company?.maxSOPs ?? 0) - needed } },
    { $inc: { sopCount: needed } },
  );
  if (taken.matchedCount === 0) {
    const free = Math.max(0, (company?.maxSOPs ?? 0) - (company?.sopCount ?? 0));
    throw new AppError("limit_reached", refusals.fullCompany({ most: company?.maxSOPs ?? 0, free, needed }), {
      free,
      needed,
    });
  }
}

async function updateCounters(
  tx: Transaction<Collections>,
  companyId: string,
  writes: readonly SopWrite[],
  textBytes: number,
  asOne: boolean,
): Promise<CounterDocument> {
  const steps = writes.reduce((sum, write) => sum + write.steps.filter(becomesCommit).length, 0);
  const delta: CounterSteps = {
    repoSeq: asOne ? 1 : steps,
    eventSeq: 1,
    ...(textBytes > 0 ? { textBytes } : {}),
  };
  for (const {
    before,
    steps: [...row],
  } of writes)
    addCounts(delta, countDelta(before, row.at(-1)?.sop ?? null));
  const moved = await tx
    .collection("counters")
    .findOneAndUpdate({ _id: companyId }, { $inc: delta }, { returnDocument: "after" });
  if (!moved) throw new AppError("damaged");
  return moved;
}

function addedTextBytes(writes: readonly SopWrite[]): number {
  const added = writes.flatMap(({ steps }) => steps.flatMap(({ version }) => version?.markdown ?? []));
  return added.reduce((sum, markdown) => sum + utf8Length(markdown), 0);
}

/**
 * Marks the assets that the new texts link as used, and returns the names of those that are stored. A link can name an
 * asset that was never uploaded, and the repository gets only stored assets.
 */
async function markAndFindLinkedAssets(
  tx: Transaction<Collections>,
  { user: { companyId }, at }: SopAuthor,
  writes: readonly SopWrite[],
): Promise<ReadonlySet<string>> {
  const linked = assetFilesForBranches(writes);
  if (linked.length === 0) return new Set();
  const hashes = [...new Set(linked.map((file) => file.slice(0, 64)))];
  await markAssetsLinked(tx, companyId, hashes, at);
  const assets = await tx
    .forCompany(companyId)
    .collection("assets")
    .find({ sha256: { $in: hashes } }, { projection: { sha256: 1, ext: 1 } });
  return new Set(assets.map(({ sha256, ext }) => `${sha256}.${ext}`));
}

/**
 * Returns the slugs of the categories that the writes name, by id. Loads slugs that the caller's older list lacks,
 * because with a wrong slug the commit would have a wrong path and would always fail.
 */
async function loadCategorySlugs(
  tx: Transaction<Collections>,
  companyId: string,
  writes: readonly SopWrite[],
  known: readonly CategoryDocument[],
): Promise<ReadonlyMap<string, string>> {
  const slugs = new Map(known.map((category) => [category._id, category.slug]));
  const states = writes.flatMap(({ before, steps }) => [...(before ? [before] : []), ...steps.map(({ sop }) => sop)]);
  const used = states.flatMap(({ categoryId, published }) => [categoryId, published?.categoryId]);
  const missing = new Set(used.filter((id): id is string => typeof id === "string" && !slugs.has(id)));
  if (missing.size === 0) return slugs;
  const company = tx.forCompany(companyId);
  const found = await company.collection("categories").find({ _id: { $in: [...missing] } });
  for (const category of found) slugs.set(category._id, category.slug);
  for (const sop of states)
    for (const id of [sop.categoryId, sop.published?.categoryId]) {
      if (typeof id !== "string" || slugs.has(id)) continue;
      const slug = await findSlugOfLostCategory(company, sop);
      if (slug !== null) slugs.set(id, slug);
    }
  return slugs;
}

/**
 * Returns the new versions with the number of the event that commits each of them: an import has a single event, other
 * writes have one for each step.
 */
function versionsWithEventNumber(writes: readonly SopWrite[], ledger: readonly RepoEvent[]): SopVersionDocument[] {
  const steps = writes.flatMap((write) => write.steps.filter(becomesCommit));
  return steps.flatMap(({ version }, index) => {
    const event = ledger.length === 1 ? ledger[0] : ledger[index];
    return version && event ? [{ ...version, repoSeq: event.seq }] : [];
  });
}

function auditRowOfStep(
  before: SopDocument | null,
  step: LifeCycleStep,
  { importId, source }: { importId: string | undefined; source: string | undefined },
): RecordedRow {
  const { sop, changes, note, scheduled } = step;
  const row = {
    entityType: "sop",
    entityId: sop._id,
    changes: {
      version: sop.version,
      contentHash: sop.contentHash,
      ...changes,
      ...(note ? { note } : {}),
      ...(importId === undefined ? {} : { importId }),
      ...(source === undefined ? {} : { source }),
    },
  };
  if (step.request) return { ...row, action: `sop.${step.verb}`, facts: step.request };
  const published = { from: publishedVersionOf(before), to: publishedVersionOf(sop) };
  return {
    ...row,
    action: `sop.${step.verb}`,
    facts: { version: sop.version, published, ...(scheduled === undefined ? {} : { scheduled }) },
  };
}
