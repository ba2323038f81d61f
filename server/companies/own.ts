/** Handles calls about the user's own company: its record and settings. */
import { can } from "#core/permissions/can.ts";
import type { SettingsUpdate } from "#core/companies/schema.ts";
import { defaultSettings, type CompanySettings } from "#core/companies/settings.ts";
import { AppError } from "#core/errors.ts";
import { searchKeysOfCompany } from "#core/search-keys.ts";
import { changedFieldValues } from "../audit/record.ts";
import { replaceDefaultCategories } from "../categories/starting.ts";
import type { CompanyDocument, Collections } from "../database/documents.ts";
import type { Transaction } from "../database/port.ts";
import type { Config } from "../config.ts";
import { isFactLost, markFactReviewed } from "../findings/lost-facts.ts";
import type { Handlers } from "../http/call.ts";
import type { Services } from "../http/services.ts";
import { recordChange } from "../effects/record.ts";
import {
  companyDescriptionAfter,
  presentCompany,
  auditedCompanyFields,
  loadTextBytes,
  markLogoUsed,
} from "./record.ts";
import { isAddressConfirmed } from "../integrity/witness.ts";
import { transactionFor } from "../database/turns.ts";
import { refusals } from "./refusals.ts";

export function ownCompanyHandlers(services: Services): Handlers<"company"> {
  const { db, clock, companies, config, repositories } = services;
  const presentOwnCompany = async (company: CompanyDocument) => ({
    ...presentCompany(company, config),
    textBytes: await loadTextBytes(db, company._id),
    settingsLost: await isFactLost(db, company._id, "settings"),
  });
  return {
    async get({ identity: { actor } }) {
      if (!can(actor, "company.settings") && !can(actor, "user.manage")) throw new AppError("forbidden");
      const company = await db.collection("companies").findOne({ _id: actor.companyId });
      if (!company) throw new AppError("not_found");
      return presentOwnCompany(company);
    },

    async update(call) {
      const { body, identity } = call;
      const { companyId } = identity.actor;
      assertPasswordMinimum(config, body.settings);
      const at = clock.now();
      const company = await transactionFor(db, companyId, async (tx) => {
        const before = await tx.collection("companies").findOne({ _id: companyId });
        if (!before) throw new AppError("not_found");
        const about = companyDescriptionAfter(before, body);
        // companies created by earlier versions lack settings that were added later
        const settingsBefore = { ...defaultSettings, ...before.settings };
        const settings = settingsAfter(settingsBefore, body.settings);
        if (settings.allowSelfApproval && !settingsBefore.allowSelfApproval) await assertOnlyUser(tx, companyId);
        await assertWitnessConfirmed(tx, companyId, settingsBefore.witnessEmail, settings.witnessEmail);
        const after = { ...before, ...about, settings, ...searchKeysOfCompany({ ...before, ...about }), updatedAt: at };
        if (about.logo !== null && about.logo !== before.logo)
          await markLogoUsed(tx, companyId, identity.user._id, about.logo, at);
        const trade = { before: before.industry, after: after.industry, at };
        const changes = {
          ...changedFieldValues(auditedCompanyFields(before), auditedCompanyFields(after)),
          ...(can(identity.actor, "category.write") && (await replaceDefaultCategories(tx, identity.user, trade))),
          ...prefixWithSettings(changedFieldValues(settingsBefore, { ...settings })),
          ...(body.settingsLost === false &&
            (await markFactReviewed(tx, companyId, "settings", at)) && { settingsLost: { from: true, to: false } }),
        };
        if (Object.keys(changes).length === 0) return before;
        const { nameKey, words } = after;
        await tx
          .collection("companies")
          .updateOne({ _id: companyId }, { $set: { ...about, settings, nameKey, words, updatedAt: at } });
        await recordChange(
          tx,
          call,
          {
            companyId,
            at,
            hears: {
              resources: ["company", "companies", "me", ...("categories" in changes ? (["categories"] as const) : [])],
            },
          },
          { action: "company.update", entityType: "company", entityId: companyId, changes },
        );
        return after;
      });
      companies.forget(companyId);
      repositories.wake(companyId);
      return presentOwnCompany(company);
    },
  };
}

/**
 * Returns the settings after a change. Omitted fields keep their value. Only `/api/company/roles` changes the
 * permissions of roles.
 */
function settingsAfter(before: CompanySettings, input: SettingsUpdate | undefined): CompanySettings {
  if (!input) return before;
  return {
    documentControl: input.documentControl ?? before.documentControl,
    approvalRule: input.approvalRule ?? before.approvalRule,
    allowSelfApproval: input.allowSelfApproval ?? before.allowSelfApproval,
    numberScheme: input.numberScheme ?? before.numberScheme,
    reviewMonths: input.reviewMonths === undefined ? before.reviewMonths : input.reviewMonths,
    readingDays: input.readingDays === undefined ? before.readingDays : input.readingDays,
    textRules: input.textRules ?? before.textRules,
    aiEnabled: input.aiEnabled ?? before.aiEnabled,
    aiUserTokensPerDay: input.aiUserTokensPerDay === undefined ? before.aiUserTokensPerDay : input.aiUserTokensPerDay,
    aiCompanyTokensPerMonth:
      input.aiCompanyTokensPerMonth === undefined ? before.aiCompanyTokensPerMonth : input.aiCompanyTokensPerMonth,
    passwordMinimum: input.passwordMinimum === undefined ? before.passwordMinimum : input.passwordMinimum,
    witnessEmail: input.witnessEmail === undefined ? before.witnessEmail : input.witnessEmail || null,
    glossary: input.glossary ?? before.glossary,
    roleOverrides: before.roleOverrides,
  };
}

/** Refuses a minimum password length below the server's. */
function assertPasswordMinimum(
  { passwordMinimum }: Pick<Config, "passwordMinimum">,
  input: SettingsUpdate | undefined,
): void {
  if (input?.passwordMinimum == null || input.passwordMinimum >= passwordMinimum) return;
  const message = refusals.serverMinimum({ least: passwordMinimum });
  throw new AppError("invalid_input", message, { "settings.passwordMinimum": message });
}

async function assertWitnessConfirmed(
  tx: Transaction<Collections>,
  companyId: string,
  before: string | null,
  email: string | null,
): Promise<void> {
  if (email === null || email === before || (await isAddressConfirmed(tx, companyId, email))) return;
  const message = refusals.witness();
  throw new AppError("invalid_input", message, { "settings.witnessEmail": message });
}

/** Refuses to allow approval of own work if the company has a second active user (`docs/spec/statuses.md`). */
async function assertOnlyUser(tx: Transaction<Collections>, companyId: string): Promise<void> {
  const active = await tx.forCompany(companyId).collection("users").countDocuments({ status: "active" });
  if (active <= 1) return;
  const message = refusals.severalUsers({ active });
  throw new AppError("conflict", message, { "settings.allowSelfApproval": message });
}

function prefixWithSettings<T>(changes: Record<string, T>): Record<string, T> {
  return Object.fromEntries(Object.entries(changes).map(([field, change]) => [`settings.${field}`, change]));
}
