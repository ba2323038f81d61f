/** Founding a company: with its categories, its counters and the root of its repository, all or nothing. */
import { startingCategories } from "#core/categories/rules.ts";
import { defaultSettings } from "#core/companies/settings.ts";
import { newId } from "#core/ids.ts";
import { foundingEvent } from "#core/repository/event.ts";
import { slugify } from "#core/repository/names.ts";
import type { CompanyDocument, Collections } from "../database/documents.ts";
import type { Transaction } from "../database/port.ts";

export interface Founding {
  name: string;
  /** Wanted address; `-2`, `-3` … is added while it is taken. */
  slug: string;
  at: string;
  industry?: string;
  size?: string;
  maxUsers?: number;
  maxSOPs?: number;
}

export async function foundCompany(tx: Transaction<Collections>, founding: Founding): Promise<CompanyDocument> {
  const { at } = founding;
  const company: CompanyDocument = {
    _id: newId(),
    name: founding.name,
    slug: await freeSlug(tx, slugify(founding.slug)),
    description: null,
    logo: null,
    website: null,
    industry: founding.industry ?? null,
    size: founding.size ?? null,
    status: "active",
    settings: defaultSettings,
    subscription: "free",
    maxUsers: founding.maxUsers ?? 10,
    maxSOPs: founding.maxSOPs ?? 100,
    userCount: 0,
    sopCount: 0,
    createdAt: at,
    updatedAt: at,
  };
  const categories = startingCategories.map((category, order) => ({
    _id: newId(),
    companyId: company._id,
    ...category,
    teamId: null,
    order,
    createdAt: at,
    updatedAt: at,
  }));
  await tx.collection("companies").insertOne(company);
  await tx.collection("categories").insertMany(categories);
  await tx.collection("counters").insertOne({
    _id: company._id,
    companyId: company._id,
    sopNumber: 0,
    repoSeq: 0,
    eventSeq: 0,
    heads: {},
    inForce: 0,
    categories: {},
  });
  const root = foundingEvent({ id: company._id, name: company.name }, categories, at);
  await tx.collection("repo_events").insertOne(root);
  return company;
}

async function freeSlug(tx: Transaction<Collections>, wanted: string): Promise<string> {
  for (let suffix = 1; ; suffix++) {
    const slug = suffix === 1 ? wanted : `${wanted.slice(0, 50)}-${suffix}`;
    if (!(await tx.collection("companies").findOne({ slug }))) return slug;
  }
}
