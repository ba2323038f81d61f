/** Converts a company's record to the form of the API, and applies changes to it. */
import type { z } from "zod";
import type { Company, CompanyUpdate } from "#core/companies/schema.ts";
import { AppError } from "#core/errors.ts";
import { searchKeysOfCompany } from "#core/search-keys.ts";
import { defaultSettings } from "#core/companies/settings.ts";
import type { Config } from "../config.ts";
import { markAssetUsed } from "../assets/unlinked.ts";
import type { Collections, CompanyDocument } from "../database/documents.ts";
import type { Store, Transaction } from "../database/port.ts";
import { refusals } from "./refusals.ts";

/** Returns the maximum number of bytes of texts, images and PDFs that a company can store. */
export function byteLimitOf(company: Pick<CompanyDocument, "maxBytes">, config: Pick<Config, "companyBytes">): number {
  return company.maxBytes ?? config.companyBytes;
}

/** Loads the bytes of the company's texts. They count against the company's limit, in addition to images and PDFs. */
export async function loadTextBytes(store: Pick<Store<Collections>, "collection">, companyId: string): Promise<number> {
  const counters = await store.collection("counters").findOne({ _id: companyId }, { projection: { textBytes: 1 } });
  return counters?.textBytes ?? 0;
}

export function presentCompany(
  company: CompanyDocument,
  config: Pick<Config, "companyBytes">,
): z.input<typeof Company> {
  return {
    ...company,
    id: company._id,
    maxBytes: byteLimitOf(company, config),
    settings: { ...defaultSettings, ...company.settings } as z.input<typeof Company>["settings"],
  };
}

/**
 * Returns the new value of a text field. An omitted value keeps the old value. A blank value or null clears the field.
 */
export function updatedOptionalText(given: string | null | undefined): string | null;
export function updatedOptionalText(given: string | null | undefined, before: string | null): string | null;
export function updatedOptionalText(given: string | null | undefined, before: string | null = null): string | null {
  return given === undefined ? before : given || null;
}

/** Returns the fields that describe the company (name, description, logo …) after a change. */
export function companyDescriptionAfter(
  before: CompanyDocument,
  body: Pick<z.output<typeof CompanyUpdate>, "name" | "description" | "website" | "industry" | "size" | "logo">,
): Pick<CompanyDocument, "name" | "description" | "website" | "industry" | "size" | "logo"> {
  return {
    name: body.name ?? before.name,
    description: updatedOptionalText(body.description, before.description),
    website: updatedOptionalText(body.website, before.website),
    industry: updatedOptionalText(body.industry, before.industry),
    size: updatedOptionalText(body.size, before.size),
    logo: updatedOptionalText(body.logo, before.logo),
  };
}

export function companyAfter(
  before: CompanyDocument,
  body: z.output<typeof CompanyUpdate>,
  at: string,
): CompanyDocument {
  const after = {
    ...before,
    ...companyDescriptionAfter(before, body),
    slug: body.slug ?? before.slug,
    status: body.status ?? before.status,
    subscription: body.subscription ?? before.subscription,
    maxUsers: body.maxUsers ?? before.maxUsers,
    maxSOPs: body.maxSOPs ?? before.maxSOPs,
    maxBytes: body.maxBytes ?? before.maxBytes,
    updatedAt: at,
  };
  return { ...after, ...searchKeysOfCompany(after) };
}

/** Returns the fields that an administrator can change, in the form of the audit log. */
export function auditedCompanyFields(company: CompanyDocument) {
  const { name, slug, description, logo, website, industry, size, status, subscription, maxUsers, maxSOPs, maxBytes } =
    company;
  return { name, slug, description, logo, website, industry, size, status, subscription, maxUsers, maxSOPs, maxBytes };
}

/**
 * Marks a company's logo as used, so that its image isn't removed.
 * @throws AppError invalid_input unless the logo is an image that this user uploaded to the company
 */
export async function markLogoUsed(
  tx: Transaction<Collections>,
  companyId: string,
  userId: string,
  logo: string,
  at: string,
): Promise<void> {
  const [, sha256, ext] = /^\/api\/assets\/([0-9a-f]{64})\.(\w+)$/.exec(logo) ?? [];
  const assets = tx.forCompany(companyId).collection("assets");
  const asset = sha256 === undefined ? null : await assets.findOne({ sha256 });
  if (
    !asset ||
    asset.ext !== ext ||
    !asset.uploaders.includes(userId) ||
    !(await markAssetUsed(tx, companyId, logo, at))
  )
    throw unknownLogoError();
}

export function unknownLogoError(): AppError {
  const message = refusals.logo();
  return new AppError("invalid_input", message, { logo: message });
}
