/** Saves an SOP: loads the facts, plans, and writes. */
import { assertMayChangeOwnerAndTeam, assertNotRestricting, planUpdate } from "#core/life-cycle/update.ts";
import { can } from "#core/permissions/can.ts";
import type { SopUpdate } from "#core/sops/schema.ts";
import { loadAiParts } from "../../ai/parts.ts";
import type { SopDocument } from "../../database/documents.ts";
import type { Call, Identity } from "../../http/call.ts";
import type { Services } from "../../http/services.ts";
import {
  authorOfChange,
  changeSop,
  loadDocumentControlSettings,
  createSopLoader,
  loadPublishingPolicy,
  loadReviewMonths,
} from "./change.ts";
import { assertTextReady } from "./checks.ts";
import { assertCategory, factsOfNewVersion, type CreatedSop } from "./create.ts";
import { findNewNumber } from "./numbers.ts";
import { isPolicyMetByReaderVersions } from "./publishing-rule.ts";
import { composeText, loadSaveBase } from "./text.ts";
import { buildNextVersion, isSameText } from "./version-of.ts";

type UpdateCall = { identity: Identity; params: { id: string }; body: SopUpdate } & Pick<
  Call,
  "origin" | "idempotency" | "ifMatch"
>;

export async function updateSop(services: Services, call: UpdateCall): Promise<CreatedSop> {
  const { body, identity, params } = call;
  const { actor, user } = identity;
  const author = authorOfChange(call, services.clock.now());
  const ai = await loadAiParts(services, user, body.aiCalls);
  let saved: Omit<CreatedSop, "sop"> = { markdown: "", notes: [], ignored: [] };
  const load = createSopLoader(services, call, "sop.edit");
  const sop = await changeSop(services, author, params.id, load, async (latest) => {
    assertMayChangeOwnerAndTeam(actor, latest, body);
    assertNotRestricting(body, latest.restricted);
    // a client that sends the whole record back can also send a category whose record is missing, so only a change is
    // checked
    if (body.categoryId !== latest.categoryId) await assertCategory(services, actor.companyId, body.categoryId);
    const base = await loadSaveBase(services, latest);
    const composed = await composeText(
      services,
      identity,
      withoutUnchangedReviewDate(body, latest),
      base,
      latest.aiDrafted,
    );
    const { companyId } = latest;
    const categoryId = body.categoryId === undefined ? latest.categoryId : body.categoryId;
    const number = await findNewNumber(services, latest, body.number, categoryId);
    const target = await loadPublishingPolicy(services, companyId, categoryId);
    const next = {
      ...composed,
      ...factsOfNewVersion(author, body),
      ai,
      clearsReview: body.reviewBy === null || body.reviewBy === "",
      ...(body.automatic && { automatic: body.automatic }),
    };
    const plan = planUpdate({
      latest,
      asked: body,
      may: { publish: can(actor, "sop.publish", latest), archive: can(actor, "sop.archive", latest) },
      control: { from: await loadDocumentControlSettings(services, companyId, latest.categoryId), to: target.control },
      readersFollow:
        categoryId === latest.categoryId || (await isPolicyMetByReaderVersions(services.db, latest, target)),
      number,
      hasOtherText: !isSameText(base.text, composed.text),
      made: buildNextVersion({ ...latest, ...number }, next),
      at: author.at,
      ...(await loadReviewMonths(services, { companyId, categoryId })),
    });
    saved = { markdown: composed.text.markdown, notes: composed.notes, ignored: plan.ignored };
    if (plan.publishes) await assertTextReady(services, actor, composed.text);
    return plan.steps;
  });
  return { sop, ...saved };
}

/** Leaves out an unchanged default review date, because clients send the whole record back. */
function withoutUnchangedReviewDate(body: SopUpdate, { reviewBy }: SopDocument): SopUpdate {
  const rest = { ...body };
  if (rest.reviewBy === reviewBy) delete rest.reviewBy;
  return rest;
}
