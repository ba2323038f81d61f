/** Every stored collection: `docs/spec/entities.md` with `_id` for `id`, plus the server's own. */
import { peopleCollections, type PeopleCollections } from "./documents/people.ts";
import { sopCollections, type SopCollections } from "./documents/sops.ts";
import { lifeCycleCollections, type LifeCycleCollections } from "./documents/life-cycle.ts";
import { proposalCollections, type ProposalCollections } from "./documents/proposals.ts";
import { suggestionCollections, type SuggestionCollections } from "./documents/suggestions.ts";
import { aiCollections, type AiCollections } from "./documents/ai.ts";
import { mirrorCollections, type MirrorCollections } from "./documents/mirror.ts";
import { runningCollections, type RunningCollections } from "./documents/running.ts";
import type { StoredCollections } from "./documents/parts.ts";
import type { Declarations } from "./port.ts";

export type * from "./documents/people.ts";
export type * from "./documents/sops.ts";
export type * from "./documents/life-cycle.ts";
export type * from "./documents/proposals.ts";
export type * from "./documents/suggestions.ts";
export type * from "./documents/ai.ts";
export type * from "./documents/mirror.ts";
export type * from "./documents/running.ts";

export interface Collections
  extends
    PeopleCollections,
    SopCollections,
    LifeCycleCollections,
    ProposalCollections,
    SuggestionCollections,
    AiCollections,
    MirrorCollections,
    RunningCollections {}

/** The collections with their indexes, for both engines. An index serves every query of a screen. */
export const declarations: StoredCollections<Collections> = {
  ...peopleCollections,
  ...sopCollections,
  ...lifeCycleCollections,
  ...proposalCollections,
  ...suggestionCollections,
  ...aiCollections,
  ...mirrorCollections,
  ...runningCollections,
};

/**
 * Declarations without shapes, with which no document counts as damaged: for data of an earlier version, and to restore
 * a backup.
 */
export const shapelessDeclarations = Object.fromEntries(
  Object.entries(declarations).map(([name, { shape: _shape, ...rest }]) => [name, rest]),
) as Declarations<Collections>;
