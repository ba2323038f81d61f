/**
 * Computes the record of a company that a backup lacks, from the audit log and the ledger. The caller stores the
 * record; without it, the company's users can't sign in. A field that neither the log nor the ledger mentions gets the
 * value of a new company. If the log has gaps, protective settings get the strictest value.
 */
import { z } from "zod";
import { genesisHash } from "#core/audit/chain.ts";
import { companyDefaults, slugPattern } from "#core/companies/rules.ts";
import { Company, Settings } from "#core/companies/schema.ts";
import { defaultSettings, type CompanySettings } from "#core/companies/settings.ts";
import { slugify } from "#core/repository/slugs.ts";
import { searchKeysOfCompany } from "#core/search-keys.ts";
import { verifyCompanyAudit } from "../audit/verify-company.ts";
import { findFreeSlug } from "../companies/create.ts";
import type { AuditDocument, Collections, CompanyDocument } from "../database/documents.ts";
import type { Database } from "../database/port.ts";
import { sha256 } from "../hashing.ts";
import { loadLastVerification } from "../integrity/witness.ts";
import type { Keyring } from "../keys/keyring.ts";
import { overridesAfterChange } from "../permissions/role-permissions.ts";

/**
 * The strictest values of protective settings. They apply if the log has gaps, because a stricter setting could be
 * lost.
 */
const strictest: Partial<CompanySettings> = { documentControl: "strict", allowSelfApproval: false, aiEnabled: false };

const tellingActions = [
  "account.register",
  "company.activate",
  "company.create",
  "company.delete",
  "company.suspend",
  "company.update",
  "role.permission",
];

const RolePermission = z.object({
  role: z.string(),
  permission: z.string(),
  granted: z.object({ to: z.boolean().nullable() }),
});

const fields = {
  ...Company.pick({
    name: true,
    description: true,
    logo: true,
    website: true,
    industry: true,
    size: true,
    status: true,
    subscription: true,
    maxUsers: true,
    maxSOPs: true,
  }).shape,
  slug: z.string().regex(slugPattern),
  maxBytes: z.int().nullable(),
};
type LoggedCompanyFields = Partial<Pick<CompanyDocument, keyof typeof fields>>;

interface RecreateOptions {
  keys: Pick<Keyring, "verifyKeys">;
  /** True if entries of the audit log are known to be lost. */
  lacksEntries: boolean;
  at: string;
}

export async function reconstructCompany(
  db: Database<Collections>,
  companyId: string,
  { keys, lacksEntries, at }: RecreateOptions,
): Promise<CompanyDocument> {
  const company = db.forCompany(companyId);
  const [founded] = await company.collection("repo_events").find({ seq: 0 }, { limit: 1 });
  const createdAt = await findCompanyCreationTime(db, companyId, founded?.at ?? at);
  const { told, settings, isComplete } = companyFieldsInAudit(await loadCompanyEntriesInAudit(db, companyId));
  const audit = await verifyCompanyAudit(db, { _id: companyId, createdAt }, { keys: keys.verifyKeys() });
  const isWhole = audit.ok && isComplete && !lacksEntries;
  const name = told.name ?? founded?.company?.name ?? "Company";
  const slug = told.slug ?? (await loadLastVerification(db, companyId))?.company ?? slugify(name);
  const userCount = await company.collection("users").countDocuments({ status: { $ne: "deleted" } });
  const sopCount = await company.collection("sops").countDocuments({ live: true });
  const sizes = await company.collection("assets").find({}, { projection: { size: 1 } });
  const assetBytes = sizes.reduce((sum, { size }) => sum + size, 0);
  const { industry = null } = told;
  const free = await findFreeSlug(db, slug);
  return {
    _id: companyId,
    name,
    slug: free,
    ...searchKeysOfCompany({ name, slug: free, industry }),
    description: told.description ?? null,
    logo: told.logo ?? null,
    website: told.website ?? null,
    industry,
    size: told.size ?? null,
    status: told.status ?? companyDefaults.status,
    settings: { ...defaultSettings, ...settings, ...(!isWhole && strictest) },
    subscription: told.subscription ?? companyDefaults.subscription,
    maxUsers: Math.max(told.maxUsers ?? companyDefaults.maxUsers, userCount),
    maxSOPs: Math.max(told.maxSOPs ?? companyDefaults.maxSOPs, sopCount),
    userCount,
    sopCount,
    maxBytes: told.maxBytes ?? null,
    assetBytes,
    createdAt,
    updatedAt: at,
  };
}

/**
 * Returns the time when the company was created, as the first entry of the audit log proves it. Without that entry,
 * returns the time of the ledger's first event as the best estimate.
 */
async function findCompanyCreationTime(db: Database<Collections>, companyId: string, likely: string): Promise<string> {
  const company = db.forCompany(companyId);
  const oldest = { sort: { createdAt: 1 }, limit: 1 } as const;
  const [first] = await company.collection("audit_logs").find({ seq: 1 }, { limit: 1 });
  const [category] = await company.collection("categories").find({}, oldest);
  const [user] = await company.collection("users").find({}, oldest);
  const times = [likely, first?.createdAt, category?.createdAt, user?.createdAt].filter((time) => time !== undefined);
  const isProven = (createdAt: string) => genesisHash({ companyId, createdAt }, sha256) === first?.prevHash;
  return times.find(isProven) ?? likely;
}

/**
 * Returns the audit entries about the company's fields, in the order of the chain. Entries outside the chain come last.
 */
async function loadCompanyEntriesInAudit(db: Database<Collections>, companyId: string): Promise<AuditDocument[]> {
  const logs = db.forCompany(companyId).collection("audit_logs");
  const entries = await logs.find({ action: { $in: tellingActions } }, { sort: { _id: 1 } });
  return entries.sort((a, b) => (a.seq ?? Infinity) - (b.seq ?? Infinity) || 0);
}

/**
 * Returns the last logged value of each field and setting. Ignores a value that doesn't fit its schema. `isComplete` is
 * false if a value was ignored, or if an entry was erased.
 */
function companyFieldsInAudit(entries: readonly AuditDocument[]) {
  const told: Record<string, unknown> = {};
  const settings: Record<string, unknown> = {};
  let roleOverrides: CompanySettings["roleOverrides"] = {};
  let isComplete = true;
  const readField = (field: string, value: unknown) => {
    const [, setting] = /^settings\.(\w+)$/.exec(field) ?? [];
    const [shapes, values, name] = setting === undefined ? [fields, told, field] : [Settings.shape, settings, setting];
    if (!Object.hasOwn(shapes, name)) return;
    const parsed = (shapes as Record<string, z.ZodType>)[name]?.safeParse(value);
    if (parsed?.success) values[name] = parsed.data;
    else isComplete = false;
  };
  for (const { action, changes } of entries) {
    // the changes of this entry were erased
    if (changes === null) isComplete = false;
    else if (action === "role.permission") {
      const { data } = RolePermission.safeParse(changes);
      if (data)
        roleOverrides = overridesAfterChange(
          roleOverrides,
          data.role as never,
          data.permission as never,
          data.granted.to,
        );
      else isComplete = false;
    } else if (action === "account.register") readField("slug", changes["company"]);
    else if (action === "company.create") for (const [field, value] of Object.entries(changes)) readField(field, value);
    else
      for (const [field, change] of Object.entries(changes)) readField(field, (change as { to?: unknown } | null)?.to);
  }
  return {
    told: told as LoggedCompanyFields,
    settings: { ...settings, roleOverrides } as Partial<CompanySettings>,
    isComplete,
  };
}
