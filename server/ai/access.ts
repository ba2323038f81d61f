/** Decides whether a user can use AI, and with which key. Checks the switches before the key. */
import type { Actor } from "#core/permissions/actor.ts";
import { can } from "#core/permissions/can.ts";
import type { ProviderSettings } from "#core/ai/client.ts";
import { AppError } from "#core/errors.ts";
import type { AiKey, CompanyDocument, UserDocument } from "../database/documents.ts";
import type { Services } from "../http/services.ts";
import { granteeKeysOf } from "#core/permissions/grantees.ts";
import { decryptStoredAiKey, storedAiKeyProblem } from "../keys/stored-key.ts";
import { refusals } from "./refusals.ts";

/** Checks that the company and the user have AI switched on. @throws AppError ai_disabled */
export function assertAiSwitchedOn(
  company: Pick<CompanyDocument, "settings"> | null,
  user: Pick<UserDocument, "aiFeaturesEnabled">,
): void {
  if (company?.settings.aiEnabled !== true) throw new AppError("ai_disabled", refusals.offInCompany());
  if (!user.aiFeaturesEnabled) throw new AppError("ai_disabled", refusals.offForYou());
}

export interface KeyInUse {
  key: AiKey;
  settings: ProviderSettings;
}

/**
 * Returns the user's own key, or else the server's. The address of the provider always comes from the operator's
 * settings.
 * @throws AppError ai_key_missing
 */
export function apiKeyForUser({ config, keys }: Pick<Services, "config" | "keys">, user: UserDocument): KeyInUse {
  const { apiKey: global, baseUrl, model, answerTokens } = config.openai;
  const own = decryptStoredAiKey(keys, user);
  if (own?.ok) return { key: "personal", settings: { apiKey: own.text, baseUrl, model, answerTokens } };
  if (global !== null) return { key: "global", settings: { apiKey: global, baseUrl, model, answerTokens } };
  throw new AppError("ai_key_missing", storedAiKeyProblem(own) ?? undefined);
}

/**
 * Checks that the user is an author, because only authors get proposed changes. Authors can create SOPs, have the
 * permission to edit, or have edit access to an SOP.
 * @throws AppError forbidden
 */
export async function assertAuthor({ db }: Pick<Services, "db">, actor: Actor): Promise<void> {
  if (can(actor, "sop.create") || actor.allow.includes("sop.edit")) return;
  const shared = await db
    .forCompany(actor.companyId)
    .collection("sops")
    .find({ grantees: { $in: granteeKeysOf(actor) } });
  if (!shared.some((sop) => can(actor, "sop.edit", sop))) throw new AppError("forbidden");
}

/**
 * Checks that the user can use AI and has a key. Call this before any other work.
 * @throws AppError ai_disabled, ai_key_missing
 */
export async function assertAiReady(
  services: Pick<Services, "companies" | "config" | "keys">,
  user: UserDocument,
): Promise<void> {
  assertAiSwitchedOn(await services.companies.get(user.companyId), user);
  apiKeyForUser(services, user);
}
