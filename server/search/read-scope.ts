/** Decides which texts of an index an actor can read, before a text is read. */
import type { Actor } from "#core/permissions/actor.ts";
import {
  canReadRestrictedSops,
  canSeeUnrestrictedLatestVersions,
  canSeeOnlyPublished,
  canWorkOnPublished,
} from "#core/permissions/can.ts";
import type { Collections, SopDocument } from "../database/documents.ts";
import type { Database, Projection } from "../database/port.ts";
import { granteeKeysOf } from "#core/permissions/grantees.ts";
import { visibleScopes } from "../sops/list/visible.ts";

/**
 * The kinds of versions: a published version; a newer version of a published SOP; the latest version of an SOP that
 * isn't published.
 */
export const versionKinds = ["published", "revision", "draft"] as const;
export type VersionKind = (typeof versionKinds)[number];

export interface SopVersion {
  sopId: string;
  version: number;
}

export interface ReadScope {
  /** The id of the user. */
  userId: string;
  /** The kinds of versions that the user can read in every unrestricted SOP. */
  kinds: readonly VersionKind[];
  /** True if the user can read these kinds in restricted SOPs too. */
  passesRestrictions: boolean;
  /** True if the user sees latest versions, even of a published SOP with a newer version. */
  seesLatest: boolean;
  /** The versions that this actor can read in addition to the versions of these kinds. */
  own: readonly SopVersion[];
  /** The company's restricted SOPs. */
  restricted: readonly string[];
}

const fields: Projection<SopDocument> = { version: 1, published: 1, restricted: 1, ownerId: 1, grantees: 1 };

export async function loadReadScope(db: Database<Collections>, actor: Actor): Promise<ReadScope> {
  const sops = db.forCompany(actor.companyId).collection("sops");
  const restricted = await sops.find({ restricted: true }, { projection: fields });
  const passes = canReadRestrictedSops(actor);
  const [allLatest, publishedOnly] = [canSeeUnrestrictedLatestVersions(actor), canSeeOnlyPublished(actor)];
  const common = { userId: actor.userId, passesRestrictions: passes, restricted: restricted.map(({ _id }) => _id) };
  if (allLatest || publishedOnly) {
    const grantees = new Set(granteeKeysOf(actor));
    const mine = restricted.filter(
      ({ ownerId, grantees: given }) => ownerId === actor.userId || given.some((one) => grantees.has(one)),
    );
    const own = passes
      ? []
      : mine.flatMap((sop) => sopVersionList(sop, publishedOnly ? sop.published?.version : sop.version));
    return { ...common, kinds: publishedOnly ? ["published"] : versionKinds, seesLatest: !publishedOnly, own };
  }
  const worksOnLatest = canWorkOnPublished(actor);
  const scopes = visibleScopes(actor).filter(({ narrow }) => narrow);
  const heads = (await Promise.all(scopes.map(({ filter }) => sops.find(filter, { projection: fields })))).flat();
  const own = heads
    .filter(
      (sop) => sop.restricted || (worksOnLatest ? sop.published === null : sop.published?.version !== sop.version),
    )
    .flatMap((sop) => sopVersionList(sop, sop.version));
  return {
    ...common,
    kinds: worksOnLatest ? ["published", "revision"] : ["published"],
    seesLatest: worksOnLatest,
    own,
  };
}

function sopVersionList({ _id }: Pick<SopDocument, "_id">, version: number | undefined): SopVersion[] {
  return version === undefined ? [] : [{ sopId: _id, version }];
}
