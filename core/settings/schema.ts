/** A user's own settings (`docs/spec/entities.md`). */
import { z } from "zod";
import { Message, missingValueError, ServerOwned, sentenceError } from "../contract/parts.ts";
import { keyRefusals, canBeApiKey, isMaskedKey } from "./ai-key.ts";
import { mailKinds, type MailKind } from "./mail-kinds.ts";

const choices = Object.fromEntries(mailKinds.map((kind) => [kind, z.boolean()])) as Record<MailKind, z.ZodBoolean>;

export const UserSettings = z
  .object({
    /** The masked key: `sk-••••abcd`; null if none is stored. */
    openaiApiKey: z.string().nullable(),
    hasApiKey: z.boolean(),
    hasGlobalApiKey: z.boolean(),
    aiFeaturesEnabled: z.boolean(),
    /** The company's own setting. If it is off, none of its users can use AI. */
    companyAiEnabled: z.boolean(),
    /** The reason why a stored key doesn't work; null for a working key or none. */
    apiKeyProblem: z.string().nullable(),
    mailChoices: z.object(choices),
  })
  .meta({ id: "UserSettings" });
export type UserSettings = z.output<typeof UserSettings>;

/**
 * A new key. A masked key is the stored one sent back, so it is ignored. An empty key, or null, removes the stored one.
 */
const storedKey = z
  .string()
  .trim()
  .max(500)
  .refine((value) => value === "" || isMaskedKey(value) || canBeApiKey(value), sentenceError(keyRefusals.characters))
  .nullish();

export const UserSettingsUpdate = z.strictObject({
  openaiApiKey: storedKey,
  aiFeaturesEnabled: z.boolean().optional(),
  mailChoices: z.strictObject(choices).partial().optional(),
  hasApiKey: ServerOwned.flag,
  hasGlobalApiKey: ServerOwned.flag,
  companyAiEnabled: ServerOwned.flag,
  apiKeyProblem: ServerOwned.text,
});

/** The length is not checked further, so that an invalid key gets the seed's message and not one about lengths. */
export const ApiKeyTest = z.strictObject({ apiKey: z.string(missingValueError(keyRefusals.invalid)).trim().max(500) });
export const ApiKeyTested = z.object(Message).meta({ id: "ApiKeyTested" });
