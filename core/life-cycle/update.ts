/** Plans a save from the edit screen or the API. A save can move an SOP, add a version, publish or archive the SOP. */
import { AppError } from "../errors.ts";
import type { Actor } from "../permissions/actor.ts";
import { can } from "../permissions/can.ts";
import {
  savePlanForMoveAsDraft,
  planSave,
  type AllowedActions,
  type DocumentControl,
  type SavePlan,
} from "../sops/rules.ts";
import type { SopUpdate } from "../sops/schema.ts";
import { archiveStep, unarchiveStep } from "./archive.ts";
import { publishStep, type Publication } from "./publish.ts";
import type { StoredSop } from "./records.ts";
import { createStep, saveStep, type VersionToStore, type NewSop } from "./save.ts";
import { withoutPendingRequest, type LifeCycleStep } from "./step.ts";
import { refusals } from "./refusals.ts";

/** The facts that a save depends on. */
export interface UpdateFacts {
  latest: StoredSop;
  asked: SopUpdate;
  may: AllowedActions;
  /** The document control of the category that the SOP leaves, and of the category that it enters. */
  control: { from: DocumentControl; to: DocumentControl };
  /** True if the published version meets the rule of the new category, so that it can move with the SOP. */
  readersFollow: boolean;
  /** The requested number, if it differs from the stored one. */
  number: Pick<StoredSop, "label" | "labelKey"> | null;
  /** True if the text differs from the stored one. */
  hasOtherText: boolean;
  /** The version with the new text, which is stored if the save makes a version. */
  made: VersionToStore;
  at: string;
  reviewMonths: number | null;
}

export interface UpdatePlan {
  steps: LifeCycleStep[];
  /** True if the save publishes, so that the text must keep the company's writing rules. */
  publishes: boolean;
  /** The names of fields in the request that have no effect. */
  ignored: string[];
}

/** @throws AppError conflict or forbidden */
export function planUpdate(facts: UpdateFacts): UpdatePlan {
  const { latest, asked, may, control, readersFollow, number, hasOtherText, made, at, reviewMonths } = facts;
  const categoryId = asked.categoryId === undefined ? latest.categoryId : asked.categoryId;
  const moves = categoryId !== latest.categoryId;
  const changed = hasOtherText || number !== null;
  // a save that moves an SOP also obeys the rule of the category that the SOP leaves
  const strictest = control.to === "flexible" ? control.from : control.to;
  const planned = planSave(latest, { status: asked.status, changed, moves }, may, strictest);
  const plan = readersFollow ? planned : savePlanForMoveAsDraft(latest, planned);
  const steps: LifeCycleStep[] = [];
  const currentSop = () => steps.at(-1)?.sop ?? { ...latest, ...number };
  if (plan.unarchive) steps.push(unarchiveStep(currentSop(), at, null));
  if (moves) steps.push(moveToCategoryStep(currentSop(), categoryId, at, readersFollow));
  if (plan.newVersion) {
    // readers already have this text, so the change counts as minor
    const next = changed ? made : { ...made, version: { ...made.version, changeClass: "minor" as const } };
    steps.push(withNumberChange(saveStep(currentSop(), next), latest, number));
  }
  const { effective } = made.version.frontMatter;
  return {
    steps: [...steps, ...publishOrArchiveSteps(currentSop(), plan, { at, note: null, effective, reviewMonths })],
    publishes: plan.publish,
    ignored: plan.newVersion ? [] : givenVersionFields(asked),
  };
}

/** Plans a new SOP by its requested status (`planSave`). */
export function planCreate(
  identity: NewSop,
  made: VersionToStore,
  plan: SavePlan,
  reviewMonths: number | null,
): { steps: LifeCycleStep[]; sop: StoredSop } {
  const first = createStep(identity, made);
  const { frontMatter, createdAt: at } = made.version;
  const publication = { at, note: null, effective: frontMatter.effective, reviewMonths };
  const steps = [first, ...publishOrArchiveSteps(first.sop, plan, publication)];
  return { steps, sop: steps.at(-1)?.sop ?? first.sop };
}

function publishOrArchiveSteps(sop: StoredSop, plan: SavePlan, publication: Publication): LifeCycleStep[] {
  if (plan.publish) return [publishStep(sop, publication)];
  return plan.archive ? [archiveStep(sop, publication.at, null)] : [];
}

function withNumberChange(
  step: LifeCycleStep,
  { label: from }: StoredSop,
  number: UpdateFacts["number"],
): LifeCycleStep {
  return number === null ? step : { ...step, changes: { ...step.changes, number: { from, to: number.label } } };
}

/**
 * Moves an SOP to another category. This ends a pending request, which was about the SOP in the old category.
 * @param readersFollow the published version meets the rule of the new category; otherwise it stays in the old one
 */
export function moveToCategoryStep(
  sop: StoredSop,
  categoryId: string | null,
  at: string,
  readersFollow: boolean,
): LifeCycleStep {
  const { status, published, scheduled } = sop;
  const shown = readersFollow
    ? { published: published && { ...published, categoryId }, scheduled: scheduled && { ...scheduled, categoryId } }
    : {};
  return {
    verb: "move",
    sop: {
      ...withoutPendingRequest(sop),
      ...shown,
      status: status === "under_review" ? "draft" : status,
      categoryId,
      updatedAt: at,
    },
    changes: { categoryId: { from: sop.categoryId, to: categoryId } },
  };
}

/** Returns the names of the request's fields that describe a new version. A save without a new version ignores them. */
function givenVersionFields(asked: SopUpdate): string[] {
  const isGiven = (value: unknown) =>
    typeof value === "string" ? value.trim() !== "" : Array.isArray(value) ? value.length > 0 : value === true;
  return (["changeNote", "changeClass", "aiCalls", "automatic"] as const).filter((field) => isGiven(asked[field]));
}

/**
 * Asserts that the user can share the SOP, if the save changes its owner or team, because those get access to the SOP.
 * @throws AppError forbidden
 */
export function assertMayChangeOwnerAndTeam(actor: Actor, latest: StoredSop, { ownerId, teamId }: SopUpdate): void {
  const changed = (["ownerId", "teamId"] as const).filter((field) => {
    const requested = { ownerId, teamId }[field];
    return requested !== undefined && requested !== latest[field];
  });
  if (changed.length > 0 && !can(actor, "sop.share", latest)) {
    const message = refusals.cannotGive();
    throw new AppError("forbidden", message, Object.fromEntries(changed.map((field) => [field, message])));
  }
}

/**
 * Refuses a save that asks to restrict the SOP, because a save can't do that and the author would believe it did.
 * @throws AppError invalid_input
 */
export function assertNotRestricting({ restricted }: SopUpdate, isRestricted: boolean): void {
  if (restricted === undefined || restricted === null || restricted === isRestricted) return;
  const message = refusals.cannotRestrict();
  throw new AppError("invalid_input", message, { restricted: message });
}
