/** Stores unsaved text of the edit screen in the browser. */
import { draftKey, type Editing, type EditingEffect } from "./editing.ts";
import type { SopForm } from "./schema.ts";

/** Notes that the next draft, under another key, replaces the draft under the current key. */
export function withDraftToReplace(state: Editing): Editing {
  const { drafts } = state;
  return { ...state, drafts: { ...drafts, contained: [...drafts.contained, draftKey(state)] } };
}

/** Like `withDraftToReplace`, and also chooses an unused key, because the SOP's key may be taken. */
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
