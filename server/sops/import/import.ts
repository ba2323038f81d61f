/**
 * Handles `POST /api/sops/import`: reads every document, decides about each, then writes all in one transaction and one
 * commit.
 */
import { can } from "#core/permissions/can.ts";
import { findCategory } from "#core/categories/rules.ts";
import { AppError } from "#core/errors.ts";
import type { ImportAnswer, ImportRequest, ImportResult } from "#core/sops/import-schema.ts";
import { loadStorageRoom } from "../../assets/room.ts";
import type { Call, Identity } from "../../http/call.ts";
import type { Services } from "../../http/services.ts";
import { DuplicateKeyError } from "../../database/port.ts";
import { applyImport, reserveImport, unknownCategoryError, type FurtherWrites, type ImportedWords } from "./apply.ts";
import { decideDocuments, type DecidedDocument } from "./decide.ts";
import type { PushFacts } from "./identity-keys.ts";
import { readDocuments } from "./read.ts";
import { authorOfChange } from "../edit/change.ts";
import { ChangedMeanwhile } from "../edit/concurrent-change.ts";
import { refusals } from "./refusals.ts";

export type ImportCall = { identity: Identity; body: ImportRequest; words?: ImportedWords; push?: PushFacts } & Pick<
  Call,
  "origin" | "idempotency"
>;

const attempts = 5;

export async function importDocuments(services: Services, call: ImportCall): Promise<ImportAnswer> {
  return importAnswer(services, call.identity, call.body, await decideAndApply(services, call));
}

/** Decides about the documents and writes the decisions, unless the request is a dry run or only reserves numbers. */
export async function decideAndApply(
  services: Services,
  call: ImportCall,
  also?: FurtherWrites,
): Promise<DecidedDocument[]> {
  const { body, identity } = call;
  if (body.createCategories && !can(identity.actor, "category.write")) {
    throw new AppError("forbidden", refusals.cannotCreateCategories());
  }
  if (!body.dryRun && body.documents.some(({ text }) => text === undefined)) {
    throw new AppError("invalid_input", refusals.dryRunOnly());
  }
  await assertCategory(services, identity.actor.companyId, body);
  const read = await readDocuments(services, body.documents);
  const author = authorOfChange(call, services.clock.now());
  for (let attempt = 1; ; attempt++) {
    const decided = await decideDocuments(services, identity, body, read, call.push);
    if (body.dryRun) return decided;
    try {
      if (body.reserveNumbers) await reserveImport(services, author, body, decided);
      else
        await applyImport(services, author, body, attempt < attempts ? decided : deletePlannedIds(decided), {
          also,
          words: call.words,
        });
      return decided;
    } catch (error) {
      // another import or an editor was faster: decide again
      if (!(error instanceof ChangedMeanwhile) && !(error instanceof DuplicateKeyError)) throw error;
      if (attempt === attempts) throw new AppError("busy");
    }
  }
}

/**
 * Deletes the planned ids from the documents, so that the SOPs get new ids: a deleted SOP of an earlier import can
 * already have a planned id.
 */
function deletePlannedIds(decided: DecidedDocument[]): DecidedDocument[] {
  for (const document of decided) delete document.plannedId;
  return decided;
}

/** Refuses an unknown category even in the plan, whether or not a document needs it. */
async function assertCategory({ db }: Services, companyId: string, { category, createCategories }: ImportRequest) {
  if (category === undefined || createCategories) return;
  if (!findCategory(await db.forCompany(companyId).collection("categories").find({}), category)) {
    throw unknownCategoryError(category);
  }
}

async function importAnswer(
  services: Services,
  { actor }: Identity,
  { files = [] }: ImportRequest,
  decided: readonly DecidedDocument[],
): Promise<ImportAnswer> {
  const company = await services.db.collection("companies").findOne({ _id: actor.companyId });
  return {
    results: decided.map(importResultOf),
    quota: {
      free: Math.max(0, (company?.maxSOPs ?? 0) - (company?.sopCount ?? 0)),
      needed: decided.filter(({ outcome }) => outcome === "create").length,
      bytes: await loadStorageRoom(services, actor, files),
    },
  };
}

export function importResultOf(document: DecidedDocument): ImportResult {
  const { path, outcome, reason, notes, sop, version, resembling } = document;
  return {
    path,
    outcome,
    notes,
    ...(resembling === undefined ? {} : { resembling }),
    ...(reason === undefined ? {} : { reason: reason.text }),
    ...(document.title === undefined ? {} : { title: document.title }),
    ...(document.reserved === undefined ? {} : { number: document.reserved.label }),
    ...(document.plannedId === undefined ? {} : { id: document.plannedId }),
    ...(sop ? { id: sop._id, number: sop.label, title: document.title ?? sop.title } : {}),
    ...(version === undefined ? (sop ? { version: sop.version } : {}) : { version }),
  };
}
