/** Finds SOPs by the number in a file that has no id, or has an id of another server. */
import type { Actor } from "#core/permissions/actor.ts";
import { isBareNumber, sopsNamedByNumber, readPossibleNumbers, unclearNumberMessage } from "#core/numbers/numbers.ts";
import type { Services } from "../../http/services.ts";
import { findDamagedNumberKeys, loadNumberStarts } from "../edit/numbers.ts";
import { findVisibleSops } from "../links/titles.ts";
import type { ReadDocument } from "./read.ts";
import { refusals } from "./refusals.ts";
import { possibleImportKeys } from "./stored-data.ts";

/**
 * Returns the documents, with the id of the SOP that their number names. A document that an earlier import remembers
 * by path or id stays unchanged, because its SOP got another number here.
 */
export async function withIdsByNumber(
  services: Pick<Services, "db">,
  actor: Actor,
  documents: readonly ReadDocument[],
): Promise<readonly ReadDocument[]> {
  const numberOf = ({ content }: ReadDocument) => {
    const { sop, number } = content?.frontMatter ?? {};
    return number === undefined && sop !== undefined ? sop : null;
  };
  const idOf = ({ content }: ReadDocument) => content?.frontMatter.id;
  const numbered = documents.filter((document) => numberOf(document) !== null);
  if (numbered.length === 0) return documents;
  const wanted = numbered.flatMap((document) => [numberOf(document) ?? [], idOf(document) ?? []].flat());
  const hasBare = wanted.some(isBareNumber);
  const starts = hasBare ? await loadNumberStarts(services.db, actor.companyId) : [];
  const seen = await findVisibleSops(services, actor, wanted, starts);
  const sops = [...new Set([...seen.values()].map(({ sop }) => sop))];
  const damaged = await findNumbersOfDamagedSops(
    services,
    actor,
    numbered.flatMap((document) => numberOf(document) ?? []).filter((number) => !seen.has(number)),
    starts,
  );
  const keys = numbered.flatMap((document) => possibleImportKeys(document, actor.userId));
  const sources = await services.db
    .forCompany(actor.companyId)
    .collection("sop_sources")
    .find({ $or: [{ key: { $in: keys } }, { sopId: { $in: [...seen.values()].map(({ sop }) => sop._id) } }] });
  const remembered = new Set(sources.map(({ key }) => key));
  // SOPs made from files of another server. The same number in another file of that server means another SOP
  const fromElsewhere = new Set(
    sources.flatMap(({ key, sopId }) => (/(?:^|:)id:/.test(key) && !key.endsWith(`id:${sopId}`) ? [sopId] : [])),
  );
  return documents.map((document) => {
    const number = numberOf(document);
    const id = idOf(document);
    if (!document.content || number === null || (id !== undefined && seen.has(id))) return document;
    if (possibleImportKeys(document, actor.userId).some((key) => remembered.has(key))) return document;
    const [found, ...others] = sopsNamedByNumber(readPossibleNumbers(number, starts), sops).filter(
      ({ deletedAt }) => deletedAt === null,
    );
    if (!found && damaged.has(number)) return { ...document, unreadable: refusals.sopDamaged() };
    if (!found || (id !== undefined && fromElsewhere.has(found._id))) return document;
    if (others.length > 0) return { ...document, unreadable: unclearNumberMessage(number, [found, ...others]) };
    const frontMatter = { ...document.content.frontMatter, id: found._id };
    const by = id === undefined ? ("number" as const) : ("number beside another id" as const);
    return { ...document, content: { ...document.content, frontMatter }, by };
  });
}

/**
 * Finds those of these numbers that a damaged SOP can have. A new document with such a number would become a second
 * SOP.
 */
async function findNumbersOfDamagedSops(
  { db }: Pick<Services, "db">,
  { companyId }: Actor,
  numbers: readonly string[],
  starts: readonly string[],
): Promise<ReadonlySet<string>> {
  const spelled = numbers.map((number) => ({ number, keys: readPossibleNumbers(number, starts).keys }));
  const keys = [...new Set(spelled.flatMap((one) => one.keys))];
  const damaged = new Set(await findDamagedNumberKeys(db, companyId, keys));
  return new Set(spelled.filter((one) => one.keys.some((key) => damaged.has(key))).map(({ number }) => number));
}
