/** A user's stored AI key: sealed for that user, readable while the key that sealed it is in the ring. */
import type { UserDocument } from "../database/documents.ts";
import type { Keyring, UnsealedText } from "./keyring.ts";
import { sealPlace } from "./sealed-values.ts";

/** @returns null when the user has no key */
export function openStoredKey(keys: Keyring, user: Pick<UserDocument, "_id" | "openaiApiKey">): UnsealedText | null {
  return user.openaiApiKey === null ? null : keys.open(user.openaiApiKey, sealPlace("users", user._id, "openaiApiKey"));
}

/** The message for a user whose key can't be used. */
export function storedKeyProblem(opened: UnsealedText | null): string | null {
  if (opened === null || opened.ok) return null;
  return opened.reason === "unknown_key"
    ? "Your API key is stored, but this server no longer has the key it was encrypted with. Enter it again."
    : "Your stored API key is damaged. Enter it again.";
}
