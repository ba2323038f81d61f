/**
 * Finds the users that pushed commits name as authors. A commit can name any user, so the names are only recorded and
 * give no permission.
 */
import { printedName } from "#core/users/printed-name.ts";
import type { Collections } from "../database/documents.ts";
import type { Transaction } from "../database/port.ts";
import type { VersionWriter } from "#core/approvals/writers.ts";

const ownAddress = /^([0-9a-f-]{36})@users\.invalid$/;

/**
 * Finds the users with these addresses.
 * @param addresses addresses of authors and co-authors. An address in the server's own commits contains a user's id;
 * all others are email addresses of users
 */
export async function findWritersOfCommits(
  db: Transaction<Collections>,
  companyId: string,
  addresses: readonly string[],
): Promise<VersionWriter[]> {
  const asked = addresses.map((address) => address.toLowerCase());
  const ids = asked.flatMap((address) => ownAddress.exec(address)?.[1] ?? []);
  const users = db.forCompany(companyId).collection("users");
  const found = [
    ...(ids.length === 0 ? [] : await users.find({ _id: { $in: ids } })),
    ...(asked.length === 0 ? [] : await users.find({ email: { $in: asked } })),
  ];
  return [
    ...new Map(
      found.map((user) => [user._id, { id: user._id, name: printedName(user), stated: true as const }]),
    ).values(),
  ];
}
