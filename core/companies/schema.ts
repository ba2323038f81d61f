/** Companies as system administrators and a company's own administrators see them (`docs/spec/entities.md`). */
import { z } from "zod";
import {
  Paging,
  requiredCleanTextSchema,
  ServerOwned,
  Time,
  sentenceError,
  issueWithSentence,
} from "../contract/parts.ts";
import { displayNameSchema } from "../contract/shown-name.ts";
import { ApprovalRule, ApprovalRuleAsk, dueDays, reviewMonths } from "./rule-schemas.ts";
import { glossaryRowProblem, glossaryLimits } from "./glossary.ts";
import { textRules } from "./settings.ts";
import { readNumberScheme } from "../numbers/numbers.ts";
import { email } from "../users/account-names.ts";
import { companyDefaults, companySizes, companyStatuses, slugPattern, subscriptions } from "./rules.ts";
import { sentences } from "../language/catalog.ts";

const refusals = sentences("core.companies.schema", {
  wholeQuota: "{of, select, users {Max users} other {Max SOPs}} must be a whole number",
  leastQuota: "{of, select, users {Max users} other {Max SOPs}} must be at least 1",
  name: "Company name must be at least 2 characters",
  shortSlug: "Slug must be at least 2 characters",
  slug: "Slug must be lowercase with hyphens only",
  website: "Website must be a valid URL",
  logo: "Upload the logo as an image first",
  size: "This size is not known",
  storage: "Storage must be a number",
  leastStorage: "Storage must be at least 1 MB",
  wholeTokens: "Tokens must be a whole number",
  leastTokens: "Tokens can't be less than 0",
  mostTokens: "Enter a smaller number",
  shortPassword: "Password must be at least 6 characters",
});

export const Settings = z
  .object({
    documentControl: z.enum(["flexible", "strict"]),
    approvalRule: ApprovalRule,
    allowSelfApproval: z.boolean(),
    reviewMonths: z.int().nullable(),
    readingDays: z.int().nullable(),
    numberScheme: z.string(),
    textRules: z.enum(textRules),
    aiEnabled: z.boolean(),
    aiUserTokensPerDay: z.int().nullable(),
    aiCompanyTokensPerMonth: z.int().nullable(),
    passwordMinimum: z.int().nullable(),
    witnessEmail: z.string().nullable(),
    glossary: z.array(z.array(z.string())),
    roleOverrides: z.record(z.string(), z.record(z.string(), z.boolean())),
  })
  .meta({ id: "CompanySettings" });

export const Company = z
  .object({
    id: z.string(),
    name: z.string(),
    slug: z.string(),
    description: z.string().nullable(),
    logo: z.string().nullable(),
    website: z.string().nullable(),
    industry: z.string().nullable(),
    size: z.string().nullable(),
    status: z.enum(companyStatuses),
    settings: Settings,
    subscription: z.string(),
    maxUsers: z.int(),
    maxSOPs: z.int(),
    userCount: z.int(),
    sopCount: z.int(),
    maxBytes: z.int(),
    assetBytes: z.int(),
    createdAt: Time,
    updatedAt: Time,
  })
  .meta({ id: "Company" });
export type Company = z.output<typeof Company>;

export const OwnCompany = Company.extend({
  /** The size of the texts of versions, proposals and comments, which count toward `maxBytes` too. */
  textBytes: z.int(),
  /** True if a restore recreated the company's record and no administrator has confirmed its settings since. */
  settingsLost: z.boolean(),
}).meta({ id: "OwnCompany" });

const optionalTextSchema = (max: number) => z.string().trim().max(max).nullish();
const blank = z.literal("");
const quotaSchema = (of: "users" | "sops") =>
  z
    .int(sentenceError(() => refusals.wholeQuota({ of })))
    .min(
      1,
      sentenceError(() => refusals.leastQuota({ of })),
    )
    .max(1_000_000);

const name = displayNameSchema(refusals.name, 2).max(120);
const slug = requiredCleanTextSchema(refusals.shortSlug, 2).max(60).regex(slugPattern, sentenceError(refusals.slug));
const website = z.union(
  [blank, z.url({ protocol: /^https?$/, ...sentenceError(refusals.website) }).max(500)],
  sentenceError(refusals.website),
);
/** The path of an image that was uploaded as an asset of the company. Images of other servers are refused. */
const logo = z.union(
  [blank, z.string().regex(/^\/api\/assets\/[0-9a-f]{64}\.(png|jpg|gif|webp)$/)],
  sentenceError(refusals.logo),
);
const size = z.union([blank, z.enum(companySizes)], sentenceError(refusals.size));

/** Fields that describe the company. A blank value clears a field. */
const about = {
  description: optionalTextSchema(2000),
  website: website.nullish(),
  industry: optionalTextSchema(120),
  size: size.nullish(),
};
/** The storage limit for images and PDFs, in bytes. */
const maxBytes = z
  .int(sentenceError(refusals.storage))
  .min(1024 * 1024, sentenceError(refusals.leastStorage))
  .max(Number.MAX_SAFE_INTEGER);
const plan = {
  subscription: z.enum(subscriptions),
  maxUsers: quotaSchema("users"),
  maxSOPs: quotaSchema("sops"),
};

const serverOwned = {
  id: ServerOwned.text,
  userCount: ServerOwned.number,
  sopCount: ServerOwned.number,
  assetBytes: ServerOwned.number,
  textBytes: ServerOwned.number,
  createdAt: ServerOwned.text,
  updatedAt: ServerOwned.text,
};

/** Fields that clients can't change here: settings change at `/api/company`. */
const notHere = { ...serverOwned, settings: ServerOwned.record };

export const CompanyCreate = z
  .strictObject({
    ...notHere,
    ...about,
    name,
    slug,
    logo: logo.nullish(),
    status: z.enum(companyStatuses).default(companyDefaults.status),
    subscription: plan.subscription.default(companyDefaults.subscription),
    maxUsers: plan.maxUsers.default(companyDefaults.maxUsers),
    maxSOPs: plan.maxSOPs.default(companyDefaults.maxSOPs),
    maxBytes: maxBytes.optional(),
  })
  .meta({ id: "CompanyCreate" });

export const CompanyUpdate = z
  .strictObject({
    ...notHere,
    ...about,
    name: name.optional(),
    slug: slug.optional(),
    logo: logo.nullish(),
    status: z.enum(companyStatuses).optional(),
    subscription: plan.subscription.optional(),
    maxUsers: plan.maxUsers.optional(),
    maxSOPs: plan.maxSOPs.optional(),
    maxBytes: maxBytes.optional(),
  })
  .meta({ id: "CompanyUpdate" });

export const CompanyQuery = z.strictObject({
  search: z.string().max(200).optional(),
  status: z.enum([...companyStatuses, "all"]).optional(),
  ...Paging,
});

/** A row of words with the same meaning. Errors name the row. */
const glossaryRow = z
  .array(z.string().trim())
  .min(1)
  .check(({ value, issues }) => {
    const problem = glossaryRowProblem(value);
    if (problem !== null) issues.push(issueWithSentence(problem, value));
  });

/** AI tokens with the server's key; 0 allows none, null sets no limit. */
const tokens = z
  .int(sentenceError(refusals.wholeTokens))
  .min(0, sentenceError(refusals.leastTokens))
  .max(1_000_000_000_000, sentenceError(refusals.mostTokens));

/** A valid scheme for numbers, such as `{category}-{seq:3}`. */
const numberScheme = z
  .string()
  .trim()
  .check(({ value, issues }) => {
    const read = readNumberScheme(value);
    if ("text" in read) issues.push(issueWithSentence(read, value));
  });

export const SettingsUpdate = z.strictObject({
  documentControl: z.enum(["flexible", "strict"]).optional(),
  approvalRule: ApprovalRuleAsk.optional(),
  allowSelfApproval: z.boolean().optional(),
  reviewMonths: reviewMonths.nullish(),
  readingDays: dueDays.nullish(),
  numberScheme: numberScheme.optional(),
  textRules: z.enum(textRules).optional(),
  aiEnabled: z.boolean().optional(),
  aiUserTokensPerDay: tokens.nullish(),
  aiCompanyTokensPerMonth: tokens.nullish(),
  passwordMinimum: z.int().min(6, sentenceError(refusals.shortPassword)).max(64).nullish(),
  /** The confirmed email address of a user. */
  witnessEmail: z.union([email, z.literal("")]).nullish(),
  glossary: z.array(glossaryRow).max(glossaryLimits.rows).optional(),
  /** The field changes only at `/api/company/roles`. */
  roleOverrides: ServerOwned.record,
});
export type SettingsUpdate = z.output<typeof SettingsUpdate>;

export const OwnCompanyUpdate = z
  .strictObject({
    ...serverOwned,
    slug: ServerOwned.text,
    status: ServerOwned.text,
    subscription: ServerOwned.text,
    maxUsers: ServerOwned.number,
    maxSOPs: ServerOwned.number,
    maxBytes: ServerOwned.number,
    ...about,
    name: name.optional(),
    logo: logo.nullish(),
    settings: SettingsUpdate.optional(),
    /** False if an administrator confirms all settings after a restore recreated the company's record. */
    settingsLost: z.boolean().optional(),
  })
  .meta({ id: "OwnCompanyUpdate" });

/** The form of the Companies screen: missing fields are empty texts. */
export const CompanyForm = z.object({
  name,
  slug,
  description: z.string().max(2000),
  website,
  industry: z.string().max(120),
  size,
  subscription: plan.subscription,
  status: z.enum(companyStatuses),
  maxUsers: plan.maxUsers,
  maxSOPs: plan.maxSOPs,
  /** The storage limit; absent for the server's default. */
  maxBytes: maxBytes.optional(),
});
export type CompanyForm = z.output<typeof CompanyForm>;

/** The form of the company page for the company's own administrators. */
export const OwnCompanyForm = z.object({
  name,
  description: z.string().max(2000),
  website,
  industry: z.string().max(120),
  size,
  logo: logo.nullable(),
  settings: SettingsUpdate,
});
export type OwnCompanyForm = z.output<typeof OwnCompanyForm>;
