/** Loads the confirmations that a user has given or still has to give. */
import { visibleVersion } from "#core/permissions/can.ts";
import { audienceKeys, isConfirmationValid, type RequiredVersion } from "#core/acknowledgements/rules.ts";
import type { Acknowledgements, OwedAcknowledgement } from "#core/acknowledgements/schema.ts";
import type { AcknowledgementDocument, SopDocument } from "../database/documents.ts";
import type { Identity } from "../http/call.ts";
import {
  acknowledgementAskCollection,
  loadJoinDates,
  laterTime,
  loadRequiredVersions,
  requiredSince,
  type Tx,
} from "./audience.ts";
import { readerState } from "./confirmations.ts";

const listAtMost = 200;

/** Loads the state of the user's confirmation of an SOP. @param sop an SOP that the user can see */
export async function loadOwnConfirmationState(
  store: Tx,
  { user, actor }: Pick<Identity, "user" | "actor">,
  sop: SopDocument,
  now: string,
): Promise<Acknowledgements["mine"]> {
  const { companyId, userId } = actor;
  const sopId = sop._id;
  const ask = await acknowledgementAskCollection(store, companyId).findOne({ sopId });
  const [latest = null] = await store
    .forCompany(companyId)
    .collection("acknowledgements")
    .find({ sopId, userId }, { sort: { version: -1 }, limit: 1 });
  const run = ask || latest ? ((await loadRequiredVersions(store, companyId, [sop])).get(sopId) ?? null) : null;
  const since = ask && requiredSince(ask, user, (await loadJoinDates(store, companyId, { userId })).joined);
  const { state, dueBy, confirmed } = readerState(since === null ? null : ask, run, since ?? "", latest, now);
  return {
    owes: state === "open" || state === "overdue",
    dueBy,
    overdue: state === "overdue",
    confirmed,
    counts: confirmed !== null && run !== null && isConfirmationValid(confirmed.version, run),
  };
}

/** Returns up to 200 confirmations that the user still has to give, sorted by due day. */
export async function loadOpenConfirmations(
  store: Tx,
  { user, actor }: Pick<Identity, "user" | "actor">,
  now: string,
): Promise<OwedAcknowledgement[]> {
  const { companyId, userId } = actor;
  const asks = await acknowledgementAskCollection(store, companyId).find({ audience: { $in: audienceKeys(actor) } });
  if (asks.length === 0) return [];
  const sops = await loadVisiblePublishedSops(
    store,
    actor,
    asks.map(({ sopId }) => sopId),
  );
  const ids = sops.map(({ _id }) => _id);
  const own = await store
    .forCompany(companyId)
    .collection("acknowledgements")
    .find({ userId, sopId: { $in: ids } });
  const latest = latestConfirmationsBySop(own);
  const unread = sops.filter(({ _id, published }) => latest.get(_id)?.version !== published?.version);
  const runs = await loadRequiredVersions(store, companyId, unread);
  const { joined } = await loadJoinDates(store, companyId, { userId });
  const askOf = new Map(asks.map((ask) => [ask.sopId, ask]));
  const owed = unread.flatMap((sop) => {
    const ask = askOf.get(sop._id);
    const since = ask ? requiredSince(ask, user, joined) : null;
    const run: RequiredVersion | null = runs.get(sop._id) ?? null;
    if (!ask || !run || since === null || !sop.published) return [];
    const { state, dueBy } = readerState(ask, run, since, latest.get(sop._id) ?? null, now);
    if (state !== "open" && state !== "overdue") return [];
    const shown = { id: sop._id, number: sop.label, title: sop.published.title };
    const { version } = sop.published;
    return [{ sop: shown, version, since: laterTime(since, run.from), dueBy, overdue: state === "overdue" }];
  });
  const sortKeyOf = ({ dueBy, sop }: OwedAcknowledgement) => `${dueBy ?? "9"} ${sop.number}`;
  return owed.sort((a, b) => (sortKeyOf(a) < sortKeyOf(b) ? -1 : 1)).slice(0, listAtMost);
}

async function loadVisiblePublishedSops(
  store: Tx,
  actor: Identity["actor"],
  ids: readonly string[],
): Promise<SopDocument[]> {
  const sops = store.forCompany(actor.companyId).collection("sops");
  const found = await sops.find({ _id: { $in: [...ids] }, hasPublished: true });
  return found.filter((sop) => visibleVersion(actor, sop) !== "nothing");
}

function latestConfirmationsBySop(own: readonly AcknowledgementDocument[]): Map<string, AcknowledgementDocument> {
  const latest = new Map<string, AcknowledgementDocument>();
  for (const one of own) if ((latest.get(one.sopId)?.version ?? 0) < one.version) latest.set(one.sopId, one);
  return latest;
}
