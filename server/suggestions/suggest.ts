/**
 * Finds gaps by the rules and stores them as the user's suggestions, in place of the pending suggestions by the rules.
 */
import { findGaps, type MissingSop, type GapSources } from "#core/assistant/gaps.ts";
import { nameKey } from "#core/assistant/names.ts";
import { newId } from "#core/ids.ts";
import { tryUnlessDamaged } from "../database/beside-damage.ts";
import { transactionFor } from "../database/turns.ts";
import type { Collections, SuggestionDocument } from "../database/documents.ts";
import { DuplicateKeyError, type Transaction } from "../database/port.ts";
import { recordChange } from "../effects/record.ts";
import type { Call, Identity } from "../http/call.ts";
import type { Services } from "../http/services.ts";
import { gatherGapSources } from "./sources.ts";

export type SuggestCall = { identity: Identity } & Pick<Call, "origin">;

type SuggestionSources = Omit<GapSources, "unwanted">;

/**
 * Finds gaps by the rules.
 * @returns the gaps that the rules find now, stored as pending suggestions, the strongest first
 */
export async function suggestByRules(services: Services, call: SuggestCall): Promise<SuggestionDocument[]> {
  return storeRuleSuggestions(services, call, await gatherSuggestionSources(services, call));
}

export async function gatherSuggestionSources(
  services: Services,
  { identity: { actor } }: SuggestCall,
): Promise<SuggestionSources> {
  await services.missed.flush();
  return gatherGapSources(services, actor);
}

/** Returns the gaps that `storeRuleSuggestions` would store, without storing them. */
export async function findGapsNow(
  services: Services,
  { identity: { actor } }: SuggestCall,
  sources: SuggestionSources,
): Promise<MissingSop[]> {
  return gapsToSuggest(sources, await findOwnSuggestions(services, actor));
}

export async function storeRuleSuggestions(
  services: Services,
  call: SuggestCall,
  sources: SuggestionSources,
): Promise<SuggestionDocument[]> {
  return replaceRuleSuggestions(services, call, sources).catch(async (error: unknown) => {
    if (!(error instanceof DuplicateKeyError)) throw error;
    // another server has just stored the same gap, or an unreadable suggestion has its key
    return replaceRuleSuggestions(services, call, sources, await findUnreadableSuggestionKeys(services, call, sources));
  });
}

async function findUnreadableSuggestionKeys(
  services: Services,
  call: SuggestCall,
  sources: SuggestionSources,
): Promise<Set<string>> {
  const { companyId, userId } = call.identity.actor;
  const store = services.db.forCompany(companyId).collection("ai_suggestions");
  const keys = new Set<string>();
  for (const { key } of await findGapsNow(services, call, sources))
    if (!(await tryUnlessDamaged(() => store.findOne({ userId, key })))) keys.add(key);
  return keys;
}

const isPendingRuleSuggestion = ({ source, status }: SuggestionDocument) => source === "rules" && status === "pending";

function gapsToSuggest(sources: SuggestionSources, own: readonly SuggestionDocument[]): MissingSop[] {
  const settled = own.filter((one) => !isPendingRuleSuggestion(one));
  const settledKeys = new Set(settled.map(({ key }) => key));
  return findGaps({ ...sources, unwanted: settled.map(({ title }) => title) }).filter(
    ({ key }) => !settledKeys.has(key),
  );
}

export function findOwnSuggestions(
  { db }: { db: Pick<Transaction<Collections>, "forCompany"> },
  { companyId, userId }: Identity["actor"],
) {
  return db.forCompany(companyId).collection("ai_suggestions").find({ userId });
}

async function replaceRuleSuggestions(
  services: Services,
  call: SuggestCall,
  sources: SuggestionSources,
  without: ReadonlySet<string> = new Set(),
): Promise<SuggestionDocument[]> {
  const { db, clock } = services;
  const { actor } = call.identity;
  return transactionFor(db, actor.companyId, async (tx) => {
    const store = tx.forCompany(actor.companyId).collection("ai_suggestions");
    const own = await store.find({ userId: actor.userId });
    const wanted = gapsToSuggest(sources, own).filter(({ key }) => !without.has(key));
    const open = new Map(own.filter(isPendingRuleSuggestion).map((one) => [one.key, one]));
    const at = clock.now();
    // the strongest gap gets the newest id
    const ids = wanted
      .map(() => newId())
      .toSorted()
      .toReversed();
    const found = wanted.map((gap, index) =>
      suggestionFromGap(gap, call, open.get(gap.key), ids[index] ?? newId(), at),
    );
    const keys = new Set(wanted.map(({ key }) => key));
    const gone = [...open.values()].filter(({ key }) => !keys.has(key)).map(({ _id }) => _id);
    if (gone.length > 0) await store.deleteMany({ _id: { $in: gone } });
    for (const one of found.filter(({ key }) => open.has(key))) {
      const { _id, companyId: _companyId, ...fields } = one;
      await store.updateOne({ _id }, { $set: fields });
    }
    const fresh = found.filter(({ key }) => !open.has(key));
    if (fresh.length > 0) await store.insertMany(fresh);
    await recordSuggestionRun(tx, call, at, { source: "rules", found: found.length, new: fresh.length });
    return found;
  });
}

function suggestionFromGap(
  gap: MissingSop,
  { identity: { actor } }: SuggestCall,
  known: SuggestionDocument | undefined,
  id: string,
  createdAt: string,
): SuggestionDocument {
  return {
    _id: known?._id ?? id,
    companyId: actor.companyId,
    userId: actor.userId,
    ...gap,
    content: null,
    reasoning: null,
    named: [],
    source: "rules",
    status: "pending",
    sopId: null,
    createdAt: known?.createdAt ?? createdAt,
  };
}

/** Records suggestions. Only the user's own browsers get the event, because other users don't see these suggestions. */
export async function recordSuggestionRun(
  tx: Transaction<Collections>,
  { identity, origin }: SuggestCall,
  at: string,
  changes: Record<string, unknown>,
): Promise<void> {
  const { companyId, userId } = identity.actor;
  await recordChange(
    tx,
    { identity, origin },
    { companyId, at, hears: { resources: ["suggestions", "stats"], to: [userId] } },
    { action: "suggestion.suggest", entityType: "suggestion", entityId: null, changes },
  );
}

/** Returns the key of a suggestion that has no rule, from its title. */
export function suggestionKeyOfTitle(title: string): string {
  return `title:${nameKey(title)}`;
}
