/** Finds the rule that a category sets for published versions, and whether a version meets it. */
import { isRuleMet } from "#core/approvals/rules.ts";
import { defaultSettings, type ApprovalRule } from "#core/companies/settings.ts";
import { documentControlOf, approvalRequiredError, type DocumentControl } from "#core/sops/rules.ts";
import type { CategoryDocument, Collections, CompanyDocument, SopDocument } from "../../database/documents.ts";
import type { Transaction } from "../../database/port.ts";
import { ChangedMeanwhile } from "./concurrent-change.ts";

export interface PublishingPolicy {
  control: DocumentControl;
  rule: ApprovalRule;
  /** The name of the category that sets the rule; null if the company does. */
  ruleOf: string | null;
}

/**
 * Returns the policy of a category; of the company if `categoryId` is null. A category whose record is missing counts
 * as one that needs approval.
 */
export function publishingPolicyOf(
  company: CompanyDocument | null,
  category: CategoryDocument | undefined,
  categoryId: string | null,
): PublishingPolicy {
  const isLost = category === undefined && categoryId !== null;
  const own = category?.approvalRule ?? null;
  return {
    control: isLost ? "strict" : documentControlOf(company?.settings.documentControl ?? "strict", category),
    rule: own ?? company?.settings.approvalRule ?? defaultSettings.approvalRule,
    ruleOf: own === null ? null : (category?.name ?? null),
  };
}

type SopKey = Pick<SopDocument, "_id" | "companyId">;

/**
 * Says whether the approvers of this version meet the policy, by the present rule.
 * @param store the database or a transaction
 */
export async function isPolicyMet(
  store: Transaction<Collections>,
  { _id: sopId, companyId }: SopKey,
  version: number,
  { control, rule }: PublishingPolicy,
): Promise<boolean> {
  if (control === "flexible") return true;
  const requests = await store
    .forCompany(companyId)
    .collection("approval_requests")
    .find({ sopId, version, outcome: "approved" });
  return requests.some(({ approvers }) => isRuleMet({ rule, approvers }));
}

/** Says whether the versions that readers see now or on a scheduled day meet this policy. */
export async function isPolicyMetByReaderVersions(
  store: Transaction<Collections>,
  sop: SopDocument,
  policy: PublishingPolicy,
): Promise<boolean> {
  for (const shown of [sop.published, sop.scheduled])
    if (shown && !(await isPolicyMet(store, sop, shown.version, policy))) return false;
  return true;
}

/**
 * Checks, at the end of every write, that a version meets its category's rule before readers see it. A later change of
 * policy unpublishes nothing: versions that readers already had in this category stay.
 * @throws ChangedMeanwhile when the policy changed since the write was decided; AppError conflict for a new SOP
 */
export async function assertRuleMet(
  tx: Transaction<Collections>,
  before: SopDocument | null,
  after: SopDocument,
): Promise<void> {
  const fresh = (["published", "scheduled"] as const).flatMap((field) => {
    const [had, has] = [before?.[field], after[field]];
    const isSame = had?.version === has?.version && had?.categoryId === has?.categoryId;
    return has && !isSame ? [has] : [];
  });
  if (fresh.length === 0) return;
  const company = await tx.collection("companies").findOne({ _id: after.companyId });
  for (const { version, categoryId } of fresh) {
    const categories = tx.forCompany(after.companyId).collection("categories");
    const category = categoryId === null ? null : await categories.findOne({ _id: categoryId });
    const policy = publishingPolicyOf(company, category ?? undefined, categoryId);
    if (await isPolicyMet(tx, after, version, policy)) continue;
    throw before === null && policy.control !== "flexible"
      ? approvalRequiredError(policy.control)
      : new ChangedMeanwhile();
  }
}
