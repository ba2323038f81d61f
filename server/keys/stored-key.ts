/**
 * Decrypts a user's stored AI key. It is encrypted for that user, and readable while the keyring has the key that
 * encrypted it.
 */
import type { UserDocument } from "../database/documents.ts";
import type { Keyring, UnsealedText } from "./keyring.ts";
import type { MessageWithId } from "#core/language/catalog.ts";
import { refusals } from "./refusals.ts";
import { pathOfSealedField } from "./sealed-values.ts";

/** Decrypts a user's AI key. @returns null if the user has stored no key */
export function decryptStoredAiKey(
  keys: Keyring,
  user: Pick<UserDocument, "_id" | "openaiApiKey">,
): UnsealedText | null {
  return user.openaiApiKey === null
    ? null
    : keys.open(user.openaiApiKey, pathOfSealedField("users", user._id, "openaiApiKey"));
}

/** Returns the message for a user whose AI key can't be decrypted; null for a decrypted key and for no key. */
export function storedAiKeyProblem(opened: UnsealedText | null): MessageWithId | null {
  if (opened === null || opened.ok) return null;
  return opened.reason === "unknown_key" ? refusals.lostKey() : refusals.damagedKey();
}
