/** A file that lost its id still has the number of its SOP. */
import type { Actor } from "#core/permissions/actor.ts";
import { numberKey, readNumber } from "#core/sops/numbers.ts";
import type { Services } from "../../http/services.ts";
import { seenSops } from "../links/titles.ts";
import type { ReadDocument } from "./read.ts";
import { pathKey } from "./stored-data.ts";

/**
 * The documents, with the ids of the SOPs that their numbers name. A path that an earlier import remembers wins: that
 * file got another number here.
 */
export async function withIdsByNumber(
  services: Pick<Services, "db">,
  actor: Actor,
  documents: readonly ReadDocument[],
): Promise<readonly ReadDocument[]> {
  const numberOf = ({ content }: ReadDocument) => {
    const { id, sop, number } = content?.frontMatter ?? {};
    return id === undefined && number === undefined && sop !== undefined ? readNumber(sop) : null;
  };
  const numbered = documents.filter((document) => numberOf(document) !== null);
  if (numbered.length === 0) return documents;
  const seen = await seenSops(services, actor, new Set(numbered.flatMap((document) => numberOf(document) ?? [])));
  const keys = numbered.flatMap(({ path }) => [pathKey(path), `user:${actor.userId}:${pathKey(path)}`]);
  const sources = await services.db
    .forCompany(actor.companyId)
    .collection("sop_sources")
    .find({ key: { $in: keys } });
  const remembered = new Set(sources.map(({ path }) => path));
  return documents.map((document) => {
    const number = numberOf(document);
    const found = number === null ? undefined : seen.get(number);
    if (!document.content || number === null || !found || remembered.has(document.path)) return document;
    if (found.sop.labelKey !== numberKey(number) || found.sop.deletedAt !== null) return document;
    const frontMatter = { ...document.content.frontMatter, id: found.sop._id };
    return { ...document, content: { ...document.content, frontMatter }, byNumber: true as const };
  });
}
