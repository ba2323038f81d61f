import { messageAndReasonOf } from "#core/language/catalog.ts";
import { keyRefusals, canBeApiKey, isMaskedKey, maskedKeyOf } from "#core/settings/ai-key.ts";
import { mailChoicesOf } from "#core/settings/mail-kinds.ts";
import type { UserSettings, UserSettingsUpdate } from "#core/settings/schema.ts";
import { AppError } from "#core/errors.ts";
import type { z } from "zod";
import { changedFieldValues } from "../audit/record.ts";
import { transactionFor } from "../database/turns.ts";
import type { UserDocument } from "../database/documents.ts";
import { recordChange } from "../effects/record.ts";
import type { Handlers } from "../http/call.ts";
import type { Limiters } from "../http/limiters.ts";
import type { Services } from "../http/services.ts";
import { decryptStoredAiKey, storedAiKeyProblem } from "../keys/stored-key.ts";
import { pathOfSealedField } from "../keys/sealed-values.ts";
import { testAiKey } from "./test-key.ts";

export function settingsHandlers(services: Services, limiters: Limiters): Handlers<"settings"> {
  const { db, clock, config, keys, companies } = services;

  async function presentSettings(user: UserDocument): Promise<UserSettings> {
    const opened = decryptStoredAiKey(keys, user);
    const company = await companies.get(user.companyId);
    return {
      openaiApiKey: opened?.ok ? maskedKeyOf(opened.text) : null,
      hasApiKey: opened?.ok ?? false,
      hasGlobalApiKey: config.openai.apiKey !== null,
      aiFeaturesEnabled: user.aiFeaturesEnabled,
      companyAiEnabled: company?.settings.aiEnabled ?? false,
      apiKeyProblem: storedAiKeyProblem(opened)?.text ?? null,
      mailChoices: mailChoicesOf(user.mailChoices),
    };
  }

  /** Returns the fields that an update sets. Omitted fields, and a masked key, keep their value. */
  function changesOf(user: UserDocument, body: z.output<typeof UserSettingsUpdate>): Partial<UserDocument> {
    const { openaiApiKey: key, aiFeaturesEnabled, mailChoices } = body;
    return {
      ...(key === undefined || isMaskedKey(key ?? "")
        ? {}
        : { openaiApiKey: key ? keys.seal(key, pathOfSealedField("users", user._id, "openaiApiKey")) : null }),
      ...(aiFeaturesEnabled === undefined ? {} : { aiFeaturesEnabled }),
      ...(mailChoices ? { mailChoices: { ...user.mailChoices, ...definedChoices(mailChoices) } } : {}),
    };
  }

  return {
    get: ({ identity }) => presentSettings(identity.user),

    async update(call) {
      const { body, identity } = call;
      const { companyId } = identity.actor;
      const user = await transactionFor(db, companyId, async (tx) => {
        const users = tx.forCompany(companyId).collection("users");
        const before = await users.findOne({ _id: identity.user._id });
        if (!before) throw new AppError("not_found");
        const set = changesOf(before, body);
        if (Object.keys(set).length === 0) return before;
        const after = { ...before, ...set, updatedAt: clock.now() };
        await users.updateOne({ _id: before._id }, { $set: { ...set, updatedAt: after.updatedAt } });
        const changes = auditedSettingsChanges(before, after, set);
        await recordChange(
          tx,
          call,
          { companyId, at: after.updatedAt, hears: { resources: ["settings"], to: [before._id] } },
          { action: "settings.update", entityType: "user", entityId: before._id, changes },
        );
        return after;
      });
      return presentSettings(user);
    },

    async testApiKey({ body, identity }) {
      if (!canBeApiKey(body.apiKey)) throw new AppError("invalid_input", keyRefusals.invalid());
      await limiters.takeKeyTest(identity.user._id);
      return messageAndReasonOf(await testAiKey(config, body.apiKey));
    },
  };
}

function definedChoices(choices: Readonly<Record<string, boolean | undefined>>): Record<string, boolean> {
  return Object.fromEntries(
    Object.entries(choices).filter((entry): entry is [string, boolean] => entry[1] !== undefined),
  );
}

/** Returns the changes for the audit log. They only say that the key changed, without its text or stored form. */
function auditedSettingsChanges(before: UserDocument, after: UserDocument, set: Partial<UserDocument>) {
  const auditedSettings = (user: UserDocument) => ({
    aiFeaturesEnabled: user.aiFeaturesEnabled,
    mailChoices: user.mailChoices,
  });
  const keyState = (user: UserDocument) => (user.openaiApiKey === null ? "none" : "stored");
  return {
    ...changedFieldValues(auditedSettings(before), auditedSettings(after)),
    ...("openaiApiKey" in set ? { openaiApiKey: { from: keyState(before), to: keyState(after) } } : {}),
  };
}
