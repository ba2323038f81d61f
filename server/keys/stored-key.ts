/** A user's stored AI key: sealed for that user, readable while the key that sealed it is in the ring. */
import type { UserDocument } from "../database/documents.ts";
import type { Keyring, UnsealedText } from "./keyring.ts";
import type { MessageWithId } from "#core/language/catalog.ts";
import { refusals } from "./refusals.ts";

/**
 * The place of a user's key, which is part of the authenticated data. So a sealed key can't be opened after a copy to
 * another user.
 */
export function apiKeySealContext(userId: string): string {
  return `users/${userId}/openaiApiKey`;
}

/** @returns null when the user has no key */
export function openStoredKey(keys: Keyring, user: Pick<UserDocument, "_id" | "openaiApiKey">): UnsealedText | null {
  return user.openaiApiKey === null ? null : keys.open(user.openaiApiKey, apiKeySealContext(user._id));
}

/** The message for a user whose key can't be used. */
export function storedKeyProblem(opened: UnsealedText | null): MessageWithId | null {
  if (opened === null || opened.ok) return null;
  return opened.reason === "unknown_key" ? refusals.lostKey() : refusals.damagedKey();
}
