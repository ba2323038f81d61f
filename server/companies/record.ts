/** A company's record in the form of the API, and the effects of its changes. */
import type { z } from "zod";
import type { Company, CompanyUpdate } from "#core/companies/schema.ts";
import { AppError } from "#core/errors.ts";
import { companyKeys } from "#core/search-keys.ts";
import { defaultSettings } from "#core/companies/settings.ts";
import type { Config } from "../config.ts";
import { markUsed } from "../assets/unlinked.ts";
import type { Collections, CompanyDocument } from "../database/documents.ts";
import type { Store, Transaction } from "../database/port.ts";
import { refusals } from "./refusals.ts";

/** The maximum number of bytes of images and PDFs that a company can store. */
export function allowedBytes(company: Pick<CompanyDocument, "maxBytes">, config: Pick<Config, "companyBytes">): number {
  return company.maxBytes ?? config.companyBytes;
}

/** Bytes of the company's texts, which count beside its images and PDFs. */
export async function storedTextBytes(
  store: Pick<Store<Collections>, "collection">,
  companyId: string,
): Promise<number> {
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
    maxBytes: allowedBytes(company, config),
    settings: { ...defaultSettings, ...company.settings } as z.input<typeof Company>["settings"],
  };
}

/** The new value of a text field. A missing value keeps the old one. A blank value or null clears it. */
export function updatedOptionalText(given: string | null | undefined): string | null;
export function updatedOptionalText(given: string | null | undefined, before: string | null): string | null;
export function updatedOptionalText(given: string | null | undefined, before: string | null = null): string | null {
  return given === undefined ? before : given || null;
}

/** The company's own description. */
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

export function changedCompany(
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
  return { ...after, ...companyKeys(after) };
}

/** The fields that an administrator changes, as stored and as shown in the audit log. */
export function auditedCompanyFields(company: CompanyDocument) {
  const { name, slug, description, logo, website, industry, size, status, subscription, maxUsers, maxSOPs, maxBytes } =
    company;
  return { name, slug, description, logo, website, industry, size, status, subscription, maxUsers, maxSOPs, maxBytes };
}

/** @throws AppError invalid_input unless it is an image that this user uploaded to the company */
export async function useLogo(
  tx: Transaction<Collections>,
  companyId: string,
  userId: string,
  logo: string,
  at: string,
): Promise<void> {
  const [, sha256, ext] = /^\/api\/assets\/([0-9a-f]{64})\.(\w+)$/.exec(logo) ?? [];
  const assets = tx.forCompany(companyId).collection("assets");
  const asset = sha256 === undefined ? null : await assets.findOne({ sha256 });
  if (!asset || asset.ext !== ext || !asset.uploaders.includes(userId) || !(await markUsed(tx, companyId, logo, at)))
    throw unknownLogoError();
}

export function unknownLogoError(): AppError {
  const message = refusals.logo();
  return new AppError("invalid_input", message, { logo: message });
}
