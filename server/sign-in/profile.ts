/** The profile: the fields that users can edit in their own record. */
import type { z } from "zod";
import type { ProfileChange } from "#core/sign-in/schema.ts";
import { AppError } from "#core/errors.ts";
import { initialsOf } from "#core/users/rules.ts";
import { markAssetUsed } from "../assets/unlinked.ts";
import type { Collections, UserDocument } from "../database/documents.ts";
import type { Transaction } from "../database/port.ts";
import { refusals } from "./refusals.ts";

export type Profile = Pick<UserDocument, "name" | "initials" | "email" | "department" | "title" | "phone" | "avatar">;

/**
 * Returns the profile after a change. Omitted fields keep their value. Initials follow the name unless the user chose
 * them.
 */
export function profileAfterChange(user: Profile, change: z.output<typeof ProfileChange>): Profile {
  const name = change.name ?? user.name;
  const followed = user.initials === initialsOf(user.name) ? initialsOf(name) : user.initials;
  const { email, department, title, phone, avatar } = change;
  return {
    name,
    initials: change.initials === undefined ? followed : change.initials || initialsOf(name),
    email: email === undefined ? user.email : email || null,
    department: updatedOptionalText(department, user.department),
    title: updatedOptionalText(title, user.title),
    phone: updatedOptionalText(phone, user.phone),
    avatar: updatedOptionalText(avatar, user.avatar),
  };
}

function updatedOptionalText(given: string | null | undefined, before: string | null): string | null {
  return given === undefined ? before : given || null;
}

/**
 * Checks that an address is that of an image which this user uploaded.
 * @throws AppError invalid_input
 */
export async function assertOwnImage(
  tx: Transaction<Collections>,
  user: Pick<UserDocument, "_id" | "companyId">,
  avatar: string | null,
  at: string,
): Promise<void> {
  if (avatar === null) return;
  const [, sha256, ext] = /^\/api\/assets\/([0-9a-f]{64})\.(png|jpg|gif|webp)$/.exec(avatar) ?? [];
  const assets = tx.forCompany(user.companyId).collection("assets");
  const asset = sha256 === undefined ? null : await assets.findOne({ sha256 });
  if (
    !asset ||
    asset.ext !== ext ||
    !asset.uploaders.includes(user._id) ||
    !(await markAssetUsed(tx, user.companyId, avatar, at))
  ) {
    const message = refusals.imageNeeded();
    throw new AppError("invalid_input", message, { avatar: message });
  }
}
