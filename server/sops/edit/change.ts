/** Changes an SOP: reads it, decides and writes. Starts over if another write changed the SOP since the read. */
import { loadTextRoom } from "../../companies/text-room.ts";
import type { RuleOfSop } from "#core/approvals/rules.ts";
import { AppError } from "#core/errors.ts";
import type { LifeCycleStep } from "#core/life-cycle/step.ts";
import type { SopAction } from "#core/permissions/actions.ts";
import type { DocumentControl } from "#core/sops/rules.ts";
import { DuplicateKeyError, type Transaction } from "../../database/port.ts";
import { runInTurn, transactionFor } from "../../database/turns.ts";
import type { Collections, SopDocument } from "../../database/documents.ts";
import type { Call, Identity } from "../../http/call.ts";
import type { Services } from "../../http/services.ts";
import { loadSopForAction } from "../view/load.ts";
import { ChangedMeanwhile } from "./concurrent-change.ts";
import { publishingPolicyOf, type PublishingPolicy } from "./publishing-rule.ts";
import { writeSops, type SopAuthor } from "./write.ts";
import { refusals } from "./refusals.ts";

const attempts = 5;

type WriteAlso = (tx: Transaction<Collections>) => Promise<void>;

/** @param ifMatch the version that the caller expects; null: any @throws AppError stale */
export function assertVersionMatches(sop: SopDocument, ifMatch: number | null): void {
  if (ifMatch !== null && ifMatch !== sop.version) {
    throw new AppError("stale", refusals.otherVersion({ version: sop.version }), { version: sop.version });
  }
}

/**
 * Creates the function that reads the SOP of a call as it is now.
 * @throws AppError not_found, forbidden, or stale
 */
export function createSopLoader(
  services: Pick<Services, "db">,
  { identity, params, ifMatch }: { identity: Identity; params: { id: string } } & Pick<Call, "ifMatch">,
  action: SopAction,
): () => Promise<SopDocument> {
  return async () => {
    const sop = await loadSopForAction(services, identity.actor, params.id, action);
    assertVersionMatches(sop, ifMatch);
    return sop;
  };
}

export function authorOfChange(
  call: { identity: Identity } & Pick<Call, "origin" | "idempotency">,
  at: string,
): SopAuthor {
  return { user: call.identity.user, origin: call.origin, at, idempotency: call.idempotency };
}

/**
 * Loads the policy that a version in this category must meet before readers see the version. Without a category, it is
 * the company's.
 */
export async function loadPublishingPolicy(
  { companies }: Pick<Services, "companies">,
  companyId: string,
  categoryId: string | null,
): Promise<PublishingPolicy> {
  const category = await categoryWithId({ companies }, companyId, categoryId);
  return publishingPolicyOf(await companies.get(companyId), category, categoryId);
}

export async function loadDocumentControlSettings(
  services: Pick<Services, "companies">,
  companyId: string,
  categoryId: string | null,
): Promise<DocumentControl> {
  return (await loadPublishingPolicy(services, companyId, categoryId)).control;
}

/**
 * Loads the months from publication to the periodic review: those of the category, or else of the company; null for no
 * review.
 */
export async function loadReviewMonths(
  { companies }: Pick<Services, "companies">,
  { companyId, categoryId }: Pick<SopDocument, "companyId" | "categoryId">,
): Promise<{ reviewMonths: number | null }> {
  const category = await categoryWithId({ companies }, companyId, categoryId);
  const company = await companies.get(companyId);
  return { reviewMonths: category?.reviewMonths ?? company?.settings.reviewMonths ?? null };
}

/**
 * Loads the approval rule of the category, or else of the company. An approval request keeps the rule with which it was
 * created.
 */
export async function loadApprovalRule(
  { companies }: Pick<Services, "companies">,
  { companyId, categoryId }: Pick<SopDocument, "companyId" | "categoryId">,
): Promise<RuleOfSop> {
  const { rule, ruleOf } = await loadPublishingPolicy({ companies }, companyId, categoryId);
  return { rule, category: ruleOf };
}

async function categoryWithId(
  { companies }: Pick<Services, "companies">,
  companyId: string,
  categoryId: string | null,
) {
  if (categoryId === null) return undefined;
  return (await companies.categories(companyId)).find(({ _id }) => _id === categoryId);
}

/**
 * Changes an SOP.
 * @param decide returns the steps for the SOP's present state; no steps mean no change. It can run again
 * @param also runs in the same transaction
 * @returns the SOP after the write
 */
export function changeSop(
  services: Services,
  author: SopAuthor,
  id: string,
  load: () => Promise<SopDocument>,
  decide: (sop: SopDocument) => Promise<readonly LifeCycleStep[]> | readonly LifeCycleStep[],
  also?: WriteAlso,
): Promise<SopDocument> {
  return runInTurn(id, () => changeLoadedSop(services, author, load, decide, also));
}

async function changeLoadedSop(
  services: Services,
  author: SopAuthor,
  load: () => Promise<SopDocument>,
  decide: (sop: SopDocument) => Promise<readonly LifeCycleStep[]> | readonly LifeCycleStep[],
  also?: WriteAlso,
): Promise<SopDocument> {
  const { db, companies, repositories } = services;
  for (let attempt = 1; ; attempt++) {
    const before = await load();
    const steps = await decide(before);
    const last = steps.at(-1);
    if (!last) return before;
    const categories = await companies.categories(before.companyId);
    const room = await loadTextRoom(services, before.companyId);
    try {
      await transactionFor(db, before.companyId, async (tx) => {
        await writeSops(tx, author, [{ before, steps }], { categories, room });
        await also?.(tx);
      });
      repositories.wake(before.companyId);
      return { ...last.sop, revision: before.revision + 1 };
    } catch (error) {
      // a duplicate key means that another SOP has taken the same number
      if (!(error instanceof ChangedMeanwhile) && !(error instanceof DuplicateKeyError)) throw error;
      if (attempt === attempts) throw new AppError("busy");
      // reads the policy again, because it may have changed
      companies.forget(before.companyId);
    }
  }
}
