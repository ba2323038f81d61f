/**
 * Decrypts a user's stored AI key. It is encrypted for that user, and readable while the keyring has the key that
 * encrypted it.
 */
import type { UserDocument } from "../database/documents.ts";
import type { Keyring, UnsealedText } from "./keyring.ts";
import type { MessageWithId } from "#core/language/catalog.ts";
import { refusals } from "./refusals.ts";
import { sealPlace } from "./sealed-values.ts";

/** @returns null when the user has no key */
export function openStoredKey(keys: Keyring, user: Pick<UserDocument, "_id" | "openaiApiKey">): UnsealedText | null {
  return user.openaiApiKey === null ? null : keys.open(user.openaiApiKey, sealPlace("users", user._id, "openaiApiKey"));
}

/** Returns the message for a user whose key can't be used. */
export function storedKeyProblem(opened: UnsealedText | null): MessageWithId | null {
  if (opened === null || opened.ok) return null;
  return opened.reason === "unknown_key" ? refusals.lostKey() : refusals.damagedKey();
}
