/** Where the edit screen keeps unsaved text in the browser. */
import { draftKey, type Editing, type Effect } from "./editing.ts";
import type { SopForm } from "./schema.ts";

/** The draft so far is contained in the one with the next key. */
export function withOldKey(state: Editing): Editing {
  const { drafts } = state;
  return { ...state, drafts: { ...drafts, contained: [...drafts.contained, draftKey(state)] } };
}

/** As above, where the SOP's key may have been in use before. */
export function withFreshKey(state: Editing): Editing {
  const { drafts } = withOldKey(state);
  return { ...state, drafts: { ...drafts, part: drafts.part + 1 } };
}

export function keep(state: Editing, values: SopForm, { isLast = false, isAnnounced = false } = {}): Effect {
  const { writtenOn: baseVersion, aiCalls, drafts } = state;
  const draft = { values, baseVersion, aiCalls };
  return { do: "keep", key: draftKey(state), draft, replaces: drafts.contained, isLast, isAnnounced };
}
