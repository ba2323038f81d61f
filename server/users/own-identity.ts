/** Keeps the people of a company distinct in signatures: no two have the same name or email address. */
import { AppError } from "#core/errors.ts";
import { sentences, type MessageWithId } from "#core/language/catalog.ts";
import { isNameOfProduct, isNameOfProductOrRole, isUsernameOfOperator } from "#core/users/own-names.ts";
import { printedName } from "#core/users/printed-name.ts";
import {
  hasAllWordsOfName,
  lookOfUsername,
  doNamesLookAlike,
  looksOfName,
  looksInsideName,
  readingsWithDigitsAsLetters,
} from "#core/users/looks.ts";
import type { Collections, NotificationDocument, UserDocument } from "../database/documents.ts";
import type { Transaction } from "../database/port.ts";
import { notifyUsers } from "../notifications/notify.ts";
import { refusals } from "./refusals.ts";

const texts = sentences("server.users.own-identity", {
  same: "{name} has a name or username that looks the same",
  inside: "The name of {name} is a part of this name",
});

type Tx = Transaction<Collections>;
type IdentityOwner = Pick<UserDocument, "companyId"> & { _id?: string };

/** Says whether the name contains the signature of another person, such as "Ada Lovelace (ada), approved". */
function hasSignature(name: string, username: string): boolean {
  return textsInBrackets(name).some((inside) => doNamesLookAlike(inside, username));
}

const textsInBrackets = (name: string) =>
  [...name.matchAll(/[([{（［]([^)\]}）］]*)/g)].map(([, inside = ""]) => inside);

/**
 * Checks that a name is a person's.
 * @throws AppError conflict for a name of words that the product shows itself or that name a role, also with a number
 */
export function assertPersonalName(name: string): void {
  if (isNameOfProductOrRole(name)) throw ownNameError("name", refusals.reservedName());
}

/**
 * Checks the username of a new account. The first administrator, who operates the server, can be `admin` or `root`.
 * @throws AppError conflict for a username that looks like the product's or the operator's
 */
export function assertUsernameFree({ username, role }: Pick<UserDocument, "username" | "role">): void {
  const isTaken = role === "system_admin" ? isNameOfProduct : isUsernameOfOperator;
  if (isTaken(username)) throw ownNameError("username", refusals.reservedUsername());
}

/**
 * Checks that a name isn't the product's.
 * @throws AppError conflict for a name that looks like the product itself
 */
export function assertNotProduct(name: string): void {
  if (isNameOfProduct(name)) throw ownNameError("name", refusals.reservedName());
}

function ownNameError(field: "name" | "username", message: MessageWithId): AppError {
  return new AppError("conflict", message, { [field]: message });
}

/**
 * Checks a name that a user chooses. Names of deleted users and earlier names stay reserved, because signatures show
 * them. Administrators can give two people the same name, because usernames are shown beside names.
 * @throws AppError conflict for a name that looks like another user's name or username, or has all words of that name;
 * and as `assertPersonalName` does
 */
export async function assertNameFree(tx: Tx, { _id = "", companyId }: IdentityOwner, name: string): Promise<void> {
  assertPersonalName(name);
  const readings = readingsWithDigitsAsLetters(name);
  const looks = new Set(readings.flatMap(looksOfName));
  const asked = [...looks, ...readings.flatMap(looksInsideName), ...textsInBrackets(name).flatMap(looksOfName)];
  const others = await usersCollection(tx, companyId).find(
    { _id: { $ne: _id }, looks: { $in: asked } },
    { projection: { username: 1, looks: 1 } },
  );
  const isTaken = (other: Pick<UserDocument, "username" | "looks">) =>
    other.looks.some((look) => looks.has(look)) ||
    readings.some((reading) => hasAllWordsOfName(reading, other.looks)) ||
    hasSignature(name, other.username);
  if (!others.some(isTaken)) return;
  const message = refusals.similarName();
  throw new AppError("conflict", message, { name: message });
}

/**
 * Finds another user whose name or username looks the same, or whose name is a part of this user's name. Administrators
 * get a note, because they can give two people the same name.
 * @returns the note; undefined if there is no such user
 */
export async function findSimilarNameNote(tx: Tx, user: UserDocument): Promise<MessageWithId | undefined> {
  const { _id, companyId, name, username } = user;
  const readings = readingsWithDigitsAsLetters(name);
  const looks = [...readings.flatMap(looksOfName), lookOfUsername(username), ...readings.flatMap(looksInsideName)];
  const others = await usersCollection(tx, companyId).find(
    { _id: { $ne: _id }, looks: { $in: looks } },
    { projection: { name: 1, username: 1, looks: 1 } },
  );
  const same = others.find(
    (one) =>
      readings.some((reading) => doNamesLookAlike(one.name, reading)) ||
      lookOfUsername(one.username) === lookOfUsername(username),
  );
  if (same) return texts.same({ name: printedName(same) });
  const inside = others.find((one) => readings.some((reading) => hasAllWordsOfName(reading, one.looks)));
  return inside && texts.inside({ name: printedName(inside) });
}

/**
 * Checks that no other user of the company has the address. Other companies aren't checked, so that the answer doesn't
 * reveal their users.
 * @throws AppError conflict
 */
export async function assertEmailFree(
  tx: Tx,
  { _id = "", companyId }: IdentityOwner,
  email: string | null,
): Promise<void> {
  if (email === null) return;
  const other = await usersCollection(tx, companyId).findOne({ email, _id: { $ne: _id }, status: { $ne: "deleted" } });
  if (!other) return;
  const message = refusals.emailTaken();
  throw new AppError("conflict", message, { email: message });
}

const arrow = " → ";
const betweenAtMost = 10;

/**
 * Notifies the company's administrators of a new name, except the administrator who chose it. A later rename replaces
 * the unread notification of an administrator and adds the former name to it. A notification with ten names in between
 * stays, and a new one begins.
 */
export async function notifyOfRename(
  tx: Tx,
  { before, after, actor, at }: { before: UserDocument; after: string; actor: UserDocument; at: string },
): Promise<void> {
  if (before.name === after) return;
  const { companyId, username, _id: userId } = before;
  const admins = await usersCollection(tx, companyId).find({
    _id: { $ne: actor._id },
    role: { $in: ["company_admin", "system_admin"] },
    status: "active",
  });
  const notices = tx.forCompany(companyId).collection("notifications");
  const ofUser = {
    userId: { $in: admins.map(({ _id }) => _id) },
    kind: "user_renamed",
    "detail.userId": userId,
  } as const;
  const namesBetween = (detail: NotificationDocument["detail"]) =>
    typeof detail["between"] === "string" ? detail["between"].split(arrow) : [];
  const open = (await notices.find({ ...ofUser, readAt: null })).filter(
    ({ detail }) => namesBetween(detail).length < betweenAtMost,
  );
  await notices.deleteMany({ _id: { $in: open.map(({ _id }) => _id) } });
  const known = new Map(open.map(({ userId: reader, detail }) => [reader, detail]));
  for (const { _id } of admins) {
    const told = known.get(_id);
    const from = told?.["from"] ?? before.name;
    const detail = {
      userId,
      username,
      from,
      name: after,
      ...(told && { between: [...namesBetween(told), before.name].join(arrow) }),
    };
    await notifyUsers(tx, { companyId, to: [_id], kind: "user_renamed", sopId: null, actor, detail, at });
  }
}

const usersCollection = (tx: Tx, companyId: string) => tx.forCompany(companyId).collection("users");
