/** Stores unsaved text of the edit screen in the browser. */
import { draftKey, type Editing, type EditingEffect } from "./editing.ts";
import type { SopForm } from "./schema.ts";

/** Adds the current draft key to the drafts that the next stored draft replaces, for a state that gets another key. */
export function withDraftToReplace(state: Editing): Editing {
  const { drafts } = state;
  return { ...state, drafts: { ...drafts, contained: [...drafts.contained, draftKey(state)] } };
}

/** Like `withDraftToReplace`, and also gives the next draft a new key, because the SOP's current key may be in use. */
export function withNewDraftKey(state: Editing): Editing {
  const { drafts } = withDraftToReplace(state);
  return { ...state, drafts: { ...drafts, part: drafts.part + 1 } };
}

export function keepDraftEffect(
  state: Editing,
  values: SopForm,
  { isLast = false, isAnnounced = false } = {},
): EditingEffect {
  const { writtenOn: baseVersion, aiCalls, drafts } = state;
  const draft = { values, baseVersion, aiCalls };
  return { do: "keep", key: draftKey(state), draft, replaces: drafts.contained, isLast, isAnnounced };
}
