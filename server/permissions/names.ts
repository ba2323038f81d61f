/** Printed names of people and teams by their ids. */
import type { Collections } from "../database/documents.ts";
import type { Database } from "../database/port.ts";

export async function namesOf(
  db: Database<Collections>,
  companyId: string,
  ids: { users?: readonly string[]; teams?: readonly string[] },
): Promise<ReadonlyMap<string, string>> {
  const company = db.forCompany(companyId);
  const read = async (collection: "users" | "teams", wanted: readonly string[] = []) =>
    wanted.length === 0
      ? []
      : company.collection(collection).find({ _id: { $in: [...new Set(wanted)] } }, { projection: { name: 1 } });
  const found = await Promise.all([read("users", ids.users), read("teams", ids.teams)]);
  return new Map(found.flat().map(({ _id, name }) => [_id, name]));
}
