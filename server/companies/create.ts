/** Creates a company with its categories, its counters and the first event of its repository, in one transaction. */
import { categoriesByTrade } from "#core/categories/starting.ts";
import { companyDefaults } from "#core/companies/rules.ts";
import { defaultSettings } from "#core/companies/settings.ts";
import { newId } from "#core/ids.ts";
import { createFoundingEvent } from "#core/repository/event.ts";
import { slugify } from "#core/repository/slugs.ts";
import { searchKeysOfCompany } from "#core/search-keys.ts";
import { tradeOfIndustry } from "#core/templates/trades.ts";
import { createStartingCategoryDocument } from "../categories/starting.ts";
import type { CompanyDocument, Collections } from "../database/documents.ts";
import type { Transaction } from "../database/port.ts";

type OptionalCompanyFields = Partial<
  Pick<
    CompanyDocument,
    "description" | "website" | "industry" | "size" | "status" | "subscription" | "maxUsers" | "maxSOPs" | "maxBytes"
  >
>;

export interface NewCompany extends OptionalCompanyFields {
  name: string;
  slug: string;
  at: string;
}

/** Creates a company. If the wanted `slug` is taken, adds `-2`, `-3` … to it. */
export async function createCompany(tx: Transaction<Collections>, founding: NewCompany): Promise<CompanyDocument> {
  return insertCompany(tx, { ...founding, slug: await findFreeSlug(tx, slugify(founding.slug)) });
}

/**
 * Stores a company with exactly this slug, with its categories, counters and first repository event.
 * @throws DuplicateKeyError when the slug is taken
 */
export async function insertCompany(tx: Transaction<Collections>, founding: NewCompany): Promise<CompanyDocument> {
  const { at, name, slug } = founding;
  const industry = founding.industry ?? null;
  const company: CompanyDocument = {
    _id: newId(),
    name,
    slug,
    ...searchKeysOfCompany({ name, slug, industry }),
    description: founding.description ?? null,
    logo: null,
    website: founding.website ?? null,
    industry,
    size: founding.size ?? null,
    status: founding.status ?? companyDefaults.status,
    settings: defaultSettings,
    subscription: founding.subscription ?? companyDefaults.subscription,
    maxUsers: founding.maxUsers ?? companyDefaults.maxUsers,
    maxSOPs: founding.maxSOPs ?? companyDefaults.maxSOPs,
    userCount: 0,
    sopCount: 0,
    maxBytes: founding.maxBytes ?? null,
    assetBytes: 0,
    createdAt: at,
    updatedAt: at,
  };
  const categories = categoriesByTrade[tradeOfIndustry(industry)].map((category, order) =>
    createStartingCategoryDocument(category, { companyId: company._id, order, at }),
  );
  await tx.collection("companies").insertOne(company);
  await tx.collection("categories").insertMany(categories);
  await tx.collection("counters").insertOne({
    _id: company._id,
    companyId: company._id,
    sopNumber: 0,
    repoSeq: 0,
    eventSeq: 0,
    byStatus: {},
    published: 0,
    categories: {},
  });
  const root = createFoundingEvent({ id: company._id, name: company.name }, categories, at);
  await tx.collection("repo_events").insertOne(root);
  return company;
}

export async function findFreeSlug(tx: Pick<Transaction<Collections>, "collection">, wanted: string): Promise<string> {
  for (let suffix = 1; ; suffix++) {
    const slug = suffix === 1 ? wanted : `${wanted.slice(0, 50)}-${suffix}`;
    if (!(await tx.collection("companies").findOne({ slug }))) return slug;
  }
}
