/** Finds the SOPs that lists leave out because this server can't read their records. */
import { isId } from "#core/ids.ts";
import { tryUnlessDamaged } from "../../database/beside-damage.ts";
import type { Collections } from "../../database/documents.ts";
import { damagedIdOf, type CompanyStore } from "../../database/port.ts";
import type { Services } from "../../http/services.ts";

/**
 * Finds the ids of the company's SOPs whose records are damaged. Call it after a list is read, because reading finds
 * the damage. A damaged record doesn't name its company, but the SOP's versions do.
 */
export async function findUnreadableSopIds(
  { db, damage }: Pick<Services, "db" | "damage">,
  companyId: string,
): Promise<ReadonlySet<string>> {
  const met = (await damage.lines()).flatMap((line) => damagedIdOf(line, "sops") ?? []);
  if (met.length === 0) return new Set();
  const company = db.forCompany(companyId);
  const ids = met.filter(isId);
  if (ids.length === met.length) return findDamagedSopIds(company, ids);
  // some damaged rows have lost their ids too, so each SOP that has versions is compared
  const versions = await company.collection("sop_versions").find({ version: 1 }, { projection: { sopId: 1 } });
  const readable = new Set(
    (await company.collection("sops").find({}, { projection: { _id: 1 } })).map(({ _id }) => _id),
  );
  return new Set(versions.map(({ sopId }) => sopId).filter((id) => !readable.has(id)));
}

/**
 * Finds the ids of damaged SOPs among these ids without a readable record. An SOP that never existed has no versions.
 */
export async function findDamagedSopIds(
  company: CompanyStore<Collections>,
  missing: readonly string[],
): Promise<ReadonlySet<string>> {
  const versions =
    missing.length === 0
      ? []
      : await company.collection("sop_versions").find({ sopId: { $in: [...missing] } }, { projection: { sopId: 1 } });
  const damaged = new Set<string>();
  for (const sopId of new Set(versions.map((version) => version.sopId)))
    if (!(await tryUnlessDamaged(() => company.collection("sops").findOne({ _id: sopId })))) damaged.add(sopId);
  return damaged;
}
