/**
 * Counts SOPs that lists leave out because they can't be read. Users who set up the company see the count and can ask
 * the operator.
 */
import type { Actor } from "#core/permissions/actor.ts";
import { can } from "#core/permissions/can.ts";
import type { Services } from "../http/services.ts";

const damagedSop = /^document (\S+) of sops: /;

/** Counts the company's SOPs that this server couldn't read. Their versions name the company. */
export async function unreadableSops({ db, damage }: Pick<Services, "db" | "damage">, actor: Actor): Promise<number> {
  if (!can(actor, "company.settings")) return 0;
  const ids = (await damage.lines()).flatMap((line) => damagedSop.exec(line)?.[1] ?? []);
  if (ids.length === 0) return 0;
  const versions = await db
    .forCompany(actor.companyId)
    .collection("sop_versions")
    .find({ sopId: { $in: ids } }, { projection: { sopId: 1 } });
  return new Set(versions.map(({ sopId }) => sopId)).size;
}
