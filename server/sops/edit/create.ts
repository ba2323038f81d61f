/** Creates an SOP, for people, imports and AI alike. No other code creates SOPs. */
import { loadTextRoom } from "../../companies/text-room.ts";
import { can, visibleVersion } from "#core/permissions/can.ts";
import { AppError } from "#core/errors.ts";
import { newId } from "#core/ids.ts";
import { slugify } from "#core/repository/slugs.ts";
import { planCreate } from "#core/life-cycle/update.ts";
import { planSave } from "#core/sops/rules.ts";
import type { ImportNote } from "#core/sops/import-schema.ts";
import type { SopCreate } from "#core/sops/schema.ts";
import { loadAiParts } from "../../ai/parts.ts";
import { transactionFor } from "../../database/turns.ts";
import type { Collections, SopDocument } from "../../database/documents.ts";
import type { Transaction } from "../../database/port.ts";
import type { Call, Identity } from "../../http/call.ts";
import type { Services } from "../../http/services.ts";
import { findWritersOfCopy } from "../history/writers.ts";
import { versionNumberInView } from "../view/present.ts";
import { assignNumbers } from "./numbers.ts";
import { authorOfChange, loadDocumentControlSettings, loadReviewMonths } from "./change.ts";
import { assertTextReady } from "./checks.ts";
import { composeText } from "./text.ts";
import { createVersion } from "./version-of.ts";
import { writeSops, type SopAuthor } from "./write.ts";
import { refusals } from "./refusals.ts";

type CreateCall = { identity: Identity } & Pick<Call, "origin" | "idempotency">;

export interface CreatedSop {
  sop: SopDocument;
  markdown: string;
  /** The differences between the stored and the sent text. */
  notes: ImportNote[];
  /** The fields of the body without effect. */
  ignored: string[];
}

/**
 * Creates an SOP.
 * @param also further writes of the creation: stored in the same transaction, or not at all
 * @throws AppError limit_reached when the company can't have another SOP
 */
export async function createSop(
  services: Services,
  call: CreateCall,
  body: SopCreate,
  also?: (tx: Transaction<Collections>, sop: SopDocument) => Promise<void>,
): Promise<CreatedSop> {
  const { db, clock, companies, repositories } = services;
  const { identity } = call;
  const { companyId } = identity.actor;
  await assertCategory(services, companyId, body.categoryId);
  const author = authorOfChange(call, clock.now());
  const control = await loadDocumentControlSettings(services, companyId, body.categoryId ?? null);
  const { reviewMonths } = await loadReviewMonths(services, { companyId, categoryId: body.categoryId ?? null });
  const may = {
    publish: can(identity.actor, "sop.publish", draftFactsForPermissions(identity)),
    archive: can(identity.actor, "sop.archive", draftFactsForPermissions(identity)),
  };
  const plan = planSave(null, { status: body.status, changed: true }, may, control);
  const categories = await companies.categories(companyId);
  // a new SOP gets the team of its category
  const category = categories.find(({ _id }) => _id === body.categoryId);
  const teamId = body.teamId === undefined ? category?.teamId : body.teamId;
  const wanted = body.number?.trim() || undefined;
  const composed = await composeText(services, identity, { ...body, teamId }, null);
  if (plan.publish) await assertTextReady(services, identity.actor, composed.text);
  const ai = await loadAiParts(services, identity.user, body.aiCalls);
  const writers = await findWritersOfSource(services, identity, body.copyOf);
  const room = await loadTextRoom(services, companyId);
  const sop = await transactionFor(db, companyId, async (tx) => {
    const [number] = await assignNumbers(tx, companyId, author.at, [{ category: category?.slug ?? null, wanted }]);
    const id = newId();
    const label = number?.label ?? "";
    const identityOfSop = {
      id,
      companyId,
      number: number?.number ?? 0,
      label,
      slug: slugify(composed.text.frontMatter.title ?? ""),
      categoryId: body.categoryId ?? null,
    };
    const next = { ...composed, ...factsOfNewVersion(author, body), ai, writers: writers ?? [] };
    const made = createVersion({ _id: id, companyId, label, version: 1 }, next);
    const { steps, sop: last } = planCreate(identityOfSop, made, plan, reviewMonths);
    await writeSops(tx, author, [{ before: null, steps }], { categories, room });
    await also?.(tx, last);
    return last;
  });
  repositories.wake(companyId);
  const ignored = body.copyOf !== undefined && writers === null ? ["copyOf"] : [];
  return { sop, markdown: composed.text.markdown, notes: composed.notes, ignored };
}

/**
 * Finds the authors of unpublished words in the version that is copied.
 * @param id the id of the copied SOP
 * @returns null without an id, and for an SOP that the user can't see, such as a deleted one
 */
async function findWritersOfSource({ db }: Pick<Services, "db">, { actor }: Identity, id: string | undefined) {
  const sop = id === undefined ? null : await db.forCompany(actor.companyId).collection("sops").findOne({ _id: id });
  const view = sop ? visibleVersion(actor, sop) : "nothing";
  return sop && view !== "nothing" ? findWritersOfCopy(db, sop, versionNumberInView(sop, view)) : null;
}

/** @throws AppError invalid_input for a category of another company */
export async function assertCategory(
  { companies }: Pick<Services, "companies">,
  companyId: string,
  categoryId: string | null | undefined,
): Promise<void> {
  if (categoryId === null || categoryId === undefined) return;
  const categories = await companies.categories(companyId);
  if (!categories.some(({ _id }) => _id === categoryId)) {
    throw new AppError("invalid_input", refusals.unknownCategory(), { categoryId: refusals.unknownCategory() });
  }
}

export function factsOfNewVersion(
  { user: author, at }: SopAuthor,
  body: Pick<SopCreate, "changeNote" | "changeClass">,
) {
  return {
    author,
    at,
    note: body.changeNote?.trim() || null,
    changeClass: body.changeClass ?? ("major" as const),
  };
}

/** Returns the facts about a draft that the user is about to create, for checks of permissions. */
function draftFactsForPermissions({ actor }: Identity) {
  return {
    companyId: actor.companyId,
    authorId: actor.userId,
    ownerId: actor.userId,
    teamId: null,
    status: "draft",
    restricted: false,
    grants: [],
    approvers: [],
    deletedAt: null,
    published: null,
    version: 1,
  };
}
