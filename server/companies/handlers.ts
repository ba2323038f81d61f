/** Handles the calls of system administrators for all companies. */
import type { z } from "zod";
import type { CompanyCreate, CompanyUpdate } from "#core/companies/schema.ts";
import { AppError } from "#core/errors.ts";
import { searchKeysOfCompany } from "#core/search-keys.ts";
import { changedFieldValues } from "../audit/record.ts";
import type { Collections, CompanyDocument } from "../database/documents.ts";
import { DuplicateKeyError, type Transaction } from "../database/port.ts";
import { markFactReviewed } from "../findings/lost-facts.ts";
import type { Handlers } from "../http/call.ts";
import type { Services } from "../http/services.ts";
import type { PlainAction } from "../effects/events.ts";
import { recordChange } from "../effects/record.ts";
import type { SignedInCall } from "../effects/signed.ts";
import { insertCompany } from "./create.ts";
import { loadPageByName } from "./named-pages.ts";
import {
  companyAfter,
  updatedOptionalText,
  presentCompany,
  auditedCompanyFields,
  markLogoUsed,
  unknownLogoError,
} from "./record.ts";
import { transactionFor } from "../database/turns.ts";
import { refusals } from "./refusals.ts";
import type { MessageWithId } from "#core/language/catalog.ts";

export function companyHandlers(services: Services): Handlers<"companies"> {
  const { db, clock, companies, config, repositories } = services;

  async function changeCompany(
    call: SignedInCall,
    id: string,
    body: z.output<typeof CompanyUpdate>,
  ): Promise<{ company: CompanyDocument }> {
    const at = clock.now();
    const company = await transactionFor(db, id, async (tx) => {
      const before = await tx.collection("companies").findOne({ _id: id });
      if (!before) throw new AppError("not_found");
      // the default isn't stored, so that the company follows later changes of the server's setting
      const isDefault = before.maxBytes === null && body.maxBytes === config.companyBytes;
      const after = companyAfter(before, isDefault ? { ...body, maxBytes: undefined } : body, at);
      const looksAtPlan = body.maxUsers !== undefined && body.maxSOPs !== undefined;
      const changes = {
        ...changedFieldValues(auditedCompanyFields(before), auditedCompanyFields(after)),
        ...(looksAtPlan &&
          (await markFactReviewed(tx, id, "plan limits", at)) && { planLost: { from: true, to: false } }),
      };
      if (Object.keys(changes).length === 0) return before;
      assertQuotasCoverUse(before, after);
      if (after.logo !== null && after.logo !== before.logo)
        await markLogoUsed(tx, id, call.identity.user._id, after.logo, at);
      if (after.slug !== before.slug) await assertSlugFree(tx, after.slug);
      if (after.status !== before.status) await signOutIfInactive(tx, call, after);
      await tx
        .collection("companies")
        .updateOne(
          { _id: id },
          { $set: { ...auditedCompanyFields(after), ...searchKeysOfCompany(after), updatedAt: at } },
        );
      await recordChange(
        tx,
        call,
        { companyId: id, at, hears: { resources: ["companies", "company", "me"] } },
        { action: auditActionOf(before, after), entityType: "company", entityId: id, changes },
      );
      return after;
    }).catch(throwSlugTaken);
    companies.forget(id);
    return { company };
  }

  return {
    async list({ query }) {
      const { status, ...paging } = query;
      const filter = status === undefined || status === "all" ? {} : { status };
      const { rows, ...page } = await loadPageByName(db.collection("companies"), filter, paging, { words: 0 });
      return { data: rows.map((row) => presentCompany(row, config)), ...page };
    },

    async get({ params }) {
      const company = await db.collection("companies").findOne({ _id: params.id });
      if (!company) throw new AppError("not_found");
      return presentCompany(company, config);
    },

    async create(call) {
      const at = clock.now();
      const company = await db.transaction((tx) => createCompanyAsAdmin(tx, call, call.body, at)).catch(throwSlugTaken);
      repositories.wake(company._id);
      return presentCompany(company, config);
    },

    async update(call) {
      return presentCompany((await changeCompany(call, call.params.id, call.body)).company, config);
    },

    async remove(call) {
      await changeCompany(call, call.params.id, { status: "deleted" });
      return { ok: true };
    },
  };
}

async function createCompanyAsAdmin(
  tx: Transaction<Collections>,
  call: SignedInCall,
  body: z.output<typeof CompanyCreate>,
  at: string,
): Promise<CompanyDocument> {
  // a new company has no assets yet
  if (body.logo) throw unknownLogoError();
  await assertSlugFree(tx, body.slug);
  const { name, slug, status, subscription, maxUsers, maxSOPs, maxBytes = null } = body;
  const company = await insertCompany(tx, {
    name,
    slug,
    status,
    subscription,
    maxUsers,
    maxSOPs,
    maxBytes,
    description: updatedOptionalText(body.description),
    website: updatedOptionalText(body.website),
    industry: updatedOptionalText(body.industry),
    size: updatedOptionalText(body.size),
    at,
  });
  await recordChange(
    tx,
    call,
    { companyId: company._id, at, hears: { resources: ["companies"] } },
    {
      action: "company.create",
      entityType: "company",
      entityId: company._id,
      changes: { name, slug, status, subscription, maxUsers, maxSOPs, maxBytes },
    },
  );
  return company;
}

/**
 * Signs out the users of a company that is no longer active.
 * @throws AppError conflict for the administrator's own company, so that the last system administrator can't be locked
 * out
 */
async function signOutIfInactive(
  tx: Transaction<Collections>,
  { identity }: SignedInCall,
  after: CompanyDocument,
): Promise<void> {
  if (after.status === "active") return;
  if (after._id === identity.user.companyId) throw new AppError("conflict", refusals.ownCompany());
  await endCompanyAccess(tx, after);
}

function assertQuotasCoverUse(before: CompanyDocument, { maxUsers, maxSOPs, maxBytes }: CompanyDocument): void {
  const quotaError = (field: string, message: MessageWithId) => {
    throw new AppError("conflict", message, { [field]: message });
  };
  if (maxUsers < before.maxUsers && maxUsers < before.userCount)
    quotaError("maxUsers", refusals.moreUsers({ used: before.userCount }));
  if (maxSOPs < before.maxSOPs && maxSOPs < before.sopCount)
    quotaError("maxSOPs", refusals.moreSops({ used: before.sopCount }));
  if (maxBytes !== before.maxBytes && maxBytes !== null && maxBytes < before.assetBytes)
    quotaError("maxBytes", refusals.moreBytes({ used: before.assetBytes }));
}

async function assertSlugFree(tx: Transaction<Collections>, slug: string): Promise<void> {
  if (await tx.collection("companies").findOne({ slug })) throw slugTakenError();
}

function slugTakenError(): AppError {
  return new AppError("conflict", refusals.slugTaken(), { slug: refusals.slugTaken() });
}

/**
 * Rethrows an error. Turns the error of a duplicate slug into a refusal, because another server has just used the slug.
 */
function throwSlugTaken(error: unknown): never {
  throw error instanceof DuplicateKeyError ? slugTakenError() : error;
}

function auditActionOf(before: CompanyDocument, after: CompanyDocument): PlainAction {
  if (after.status === before.status) return "company.update";
  return ({ active: "company.activate", suspended: "company.suspend", deleted: "company.delete" } as const)[
    after.status
  ];
}

/**
 * Signs out all users of a company, in the transaction that suspends or deletes it (`docs/spec/statuses.md`). The
 * company's access tokens are refused while the company isn't active, and removed when the company is deleted. The
 * other data stays.
 */
async function endCompanyAccess(
  tx: Transaction<Collections>,
  { _id: companyId, status }: Pick<CompanyDocument, "_id" | "status">,
): Promise<void> {
  await tx.collection("sessions").deleteMany({ companyId });
  if (status === "deleted") await tx.forCompany(companyId).collection("tokens").deleteMany({});
}
