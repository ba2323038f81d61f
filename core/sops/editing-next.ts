/** The transitions of the edit screen. Events that are not allowed in a state change nothing. */
import {
  draftKey,
  type Editing,
  type EditingEvent,
  type EditingEffect,
  type SaveFailure,
  type SaveOutcome,
  type SaveRequest,
  type SentSave,
  type SaveStage,
} from "./editing.ts";
import { automaticSave, valuesToSaveAfterPause } from "./editing-automatic.ts";
import { keepDraftEffect, withNewDraftKey, withDraftToReplace } from "./editing-drafts.ts";
import {
  asStoredForm,
  formValuesForCopy,
  withUnfilledFields,
  comparedFields,
  formFields,
  formValuesOfDraft,
  haveSameValues,
  sopFormValuesOf,
  type ComparedField,
} from "./form-values.ts";
import type { Sop, SopForm } from "./schema.ts";

type EditingNext = readonly [state: Editing, effects: readonly EditingEffect[]];

/** Returns the next state, and the effects in their order. A pure function without clock, ids and I/O. */
export function advanceEditing(state: Editing, event: EditingEvent): EditingNext {
  const { step, dialog, drafts, images } = state;
  const isHere = state.left === null;
  switch (event.type) {
    case "entered":
      return [{ ...state, left: null }, []];
    case "left":
      return isHere ? leaveScreen(state, event.now) : [state, []];
    case "hidden":
      return [state, isHere && state.isUnsaved ? [keepDraftEffect(state, event.now, { isLast: true })] : []];
    case "rested":
      return [state, isHere && state.isUnsaved ? [keepDraftEffect(state, event.now)] : []];
    case "paused": {
      const values = isHere ? valuesToSaveAfterPause(state, event.now) : null;
      return values ? transmitSave(state, automaticSave, values, values, false) : [state, []];
    }
    case "typed":
      return isHere ? [markUnsaved(state), [{ do: "keepSoon" }]] : [state, []];

    case "imageStarted": {
      const started = { ...state, images: { ...images, underWay: images.underWay + 1 } };
      return isHere ? [markUnsaved(started), [{ do: "keepSoon" }]] : [started, []];
    }
    case "imageLost":
      return [{ ...state, images: { ...images, lost: images.lost + 1 } }, []];
    case "imageEnded":
      return afterImageEnd({ ...state, images: { ...images, underWay: images.underWay - 1 } }, event.now);
    case "assisted":
      return [{ ...state, aiCalls: [...new Set([...state.aiCalls, event.callId])] }, []];

    case "saveRequested":
      return isHere && !dialog ? requestSave(state, event.stay, event.now) : [state, []];
    case "publishRequested": {
      if (!isHere || dialog) return [state, []];
      if (step.at === "rest" && !state.isUnsaved && state.base?.status === "draft") {
        return [{ ...state, dialog: { ask: "publish", sop: state.base, stay: false } }, []];
      }
      const now: SopForm = { ...event.now, status: "published" };
      return withFirstEffects([{ do: "set", values: { status: "published" } }], requestSave(state, false, now));
    }
    case "submitRequested": {
      if (!isHere || dialog || step.at !== "rest") return [state, []];
      if (state.isUnsaved || !state.base) return beginSave(state, createSaveRequest(true, true), event.now);
      const { stored } = event;
      return [stored?.status === "draft" ? { ...state, dialog: { ask: "submit", sop: stored } } : state, []];
    }
    case "checked":
      if (step.at !== "check") return [state, []];
      if (step.save.isReplaced) return [withoutStepAndDialog(state), []];
      return sendSave(state, step.save, step.sent, event.values, event.outcome);
    case "invalid":
      return step.at === "check" ? [withoutStepAndDialog(state), []] : [state, []];
    case "archiveAnswered":
      if (step.at !== "archive") return [state, []];
      return event.isYes
        ? transmitSave(state, step.save, step.sent, step.values, false)
        : [withoutStepAndDialog(state), []];
    case "saved":
      return step.at === "server" ? afterStoredSave(state, event.sop, event.now, step) : [state, []];
    case "attemptRead":
      return step.at === "attempt" ? afterAttemptRead(state, step, event.sop, event.now) : [state, []];
    case "failed":
      return step.at === "check" || step.at === "server" ? afterFailure(state, event.failure, event.now) : [state, []];

    case "mergeSaved": {
      if (dialog?.ask !== "merge" || step.at !== "rest") return [state, []];
      const { theirs, values, outcome } = event;
      const [merged, effects] = showValues(acceptServerVersion(state, theirs), values, theirs.version, true);
      const save = createSaveRequest(dialog.stay, false);
      return withFirstEffects(
        [{ do: "remember", sop: theirs }, ...effects],
        sendSave(merged, save, values, values, outcome),
      );
    }
    case "mergeEdited":
      if (dialog?.ask !== "merge" || step.at !== "rest") return [state, []];
      return adoptVersion({ ...state, dialog: null }, event.theirs, event.values, true);
    case "theirsTaken":
      if (dialog?.ask !== "merge" || step.at !== "rest") return [state, []];
      return adoptVersion(
        { ...state, dialog: null, setAside: dialog.mine },
        event.theirs,
        sopFormValuesOf(event.theirs),
        false,
      );
    case "mineBroughtBack":
      if (!isHere || dialog || !state.setAside) return [state, []];
      return showValues({ ...state, setAside: null }, state.setAside, state.writtenOn, true);
    case "dialogClosed":
      if (!isHere) return [state, []];
      // the new SOP has its own page now, where the user continues to edit
      return [
        { ...state, dialog: null },
        dialog?.ask === "publish" && state.isNew ? [{ do: "openEditor", sop: dialog.sop }] : [],
      ];
    case "published": {
      if (dialog?.ask !== "publish") return [state, []];
      const opens = !dialog.stay || state.isNew;
      return [
        { ...state, dialog: null, base: event.sop },
        opens ? [{ do: "open", sop: event.sop, submits: false }] : [],
      ];
    }

    case "approvalPreferred":
      if (dialog?.ask !== "publish") return [state, []];
      // a new SOP is submitted on its own page
      return state.isNew
        ? [{ ...state, dialog: null }, [{ do: "open", sop: event.sop, submits: true }]]
        : [{ ...state, dialog: { ask: "submit", sop: event.sop } }, []];

    case "restored": {
      if (!isHere) return [state, [{ do: "remember", sop: event.sop }]];
      if (event.isUndo && !haveSameValues(event.now, sopFormValuesOf(state.base))) return [state, []];
      const dropped: EditingEffect = { do: "drop", keys: [draftKey(state), ...drafts.contained] };
      const clean = { ...withSaveIgnored(state), aiCalls: [], dialog: null, drafts: { ...drafts, contained: [] } };
      return withFirstEffects([dropped], adoptVersion(clean, event.sop, sopFormValuesOf(event.sop), false));
    }
    case "templateChosen":
      return isHere && !state.base ? showValues(state, event.values, null, true) : [state, []];

    case "draftsFound": {
      const isOther = ({ key, values }: (typeof event.drafts)[number]) =>
        key !== draftKey(state) && !haveSameValues(formValuesOfDraft(values, state.base), sopFormValuesOf(state.base));
      return isHere ? [{ ...state, drafts: { ...drafts, found: event.drafts.filter(isOther) } }, []] : [state, []];
    }
    case "draftRestored":
      return isHere && !dialog ? restoreDraft(state, event.now, event.at) : [state, []];
    case "draftDiscarded": {
      const [given, ...found] = drafts.found;
      if (!given) return [state, []];
      return [{ ...state, drafts: { ...drafts, found } }, [{ do: "drop", keys: [given.key] }]];
    }
    case "draftKept": {
      const contained = drafts.contained.filter((key) => !event.replaced.includes(key));
      return [{ ...state, isKept: true, drafts: { ...drafts, contained } }, [{ do: "drop", keys: event.replaced }]];
    }
    case "draftRefused":
      return [state.isKept ? { ...state, isKept: false } : state, []];
    case "takenAlong": {
      if (!isHere || !state.base) return [state, []];
      const moved = {
        ...withNewDraftKey(withSaveIgnored(state)),
        base: null,
        writtenOn: null,
        isUnsaved: true,
        dialog: null,
      };
      return withLastEffects(leaveScreen(moved, formValuesForCopy(event.now)), [{ do: "openNew" }]);
    }
  }
}

const withFirstEffects = (first: readonly EditingEffect[], [state, effects]: EditingNext): EditingNext => [
  state,
  [...first, ...effects],
];
const withLastEffects = ([state, effects]: EditingNext, last: readonly EditingEffect[]): EditingNext => [
  state,
  [...effects, ...last],
];
const withoutStepAndDialog = (state: Editing): Editing => ({ ...state, step: { at: "rest" }, dialog: null });
const createSaveRequest = (stay: boolean, submits: boolean): SaveRequest => ({
  stay,
  submits,
  isAutomatic: false,
  again: null,
  isReplaced: false,
});
/** Tells whether no user waits for the save. */
const isUnattendedSave = ({ isAutomatic, again }: SaveRequest): boolean => isAutomatic && again === null;

/** Requests a save. During a running save, the request waits, and is based on the version that this save makes. */
function requestSave(state: Editing, stay: boolean, now: SopForm): EditingNext {
  const { step } = state;
  if (step.at === "rest") return beginSave(state, createSaveRequest(stay, false), now);
  return [{ ...state, step: { ...step, save: { ...step.save, again: stay && step.save.again !== false } } }, []];
}

function beginSave(state: Editing, save: SaveRequest, now: SopForm): EditingNext {
  if (state.images.underWay > 0) return [{ ...state, step: { at: "images", save, lost: state.images.lost } }, []];
  const values: SopForm = save.submits ? { ...now, status: "draft" } : now;
  return [{ ...state, step: { at: "check", save, sent: now } }, [{ do: "check", values, base: state.base }]];
}

function afterImageEnd(state: Editing, now: SopForm): EditingNext {
  const { step, images } = state;
  if (images.underWay > 0) return [state, []];
  if (step.at === "stale") return openMergeDialog(state, step, state.left ?? now);
  if (step.at !== "images") return [state, []];
  // a text that lost an image is incomplete, so it isn't submitted
  if (step.save.submits && images.lost > step.lost) return [withoutStepAndDialog(state), []];
  return beginSave(state, step.save, state.left ?? now);
}

function sendSave(
  state: Editing,
  save: SaveRequest,
  sent: SopForm,
  values: SopForm,
  { saves, text }: SaveOutcome,
): EditingNext {
  const isPicked = values.status === "published";
  if (isPicked && saves === null) {
    return [withoutStepAndDialog(state), [{ do: "complain", isNew: state.base === null, reason: text }]];
  }
  if (values.status === "archived" && saves === "archived" && state.base) {
    return [{ ...state, step: { at: "archive", save, sent, values } }, []];
  }
  return transmitSave(state, save, sent, values, isPicked && saves === "published");
}

function transmitSave(
  state: Editing,
  save: SaveRequest,
  sent: SopForm,
  values: SopForm,
  publishes: boolean,
): EditingNext {
  const { base, writtenOn: version, aiCalls } = state;
  return [
    { ...state, step: { at: "server", save, sent, values, publishes, aiCalls } },
    [
      {
        do: "send",
        base,
        version,
        values: withoutPublishedStatus(values, base),
        aiCalls,
        isAutomatic: save.isAutomatic,
      },
    ],
  ];
}

/**
 * Removes the status `published`: a save without publishing must not publish, even if the server would now allow it.
 */
const withoutPublishedStatus = (values: SopForm, base: Sop | null): SopForm =>
  values.status === "published" ? { ...values, status: sopFormValuesOf(base).status } : values;

/** Handles a stored save. Text that was typed since then stays on the screen and is unsaved. */
function afterStoredSave(
  state: Editing,
  sop: Sop,
  screen: SopForm,
  { save, sent, publishes, aiCalls }: SentSave,
): EditingNext {
  const { base, left } = state;
  const remember: EditingEffect = { do: "remember", sop };
  const what = base ? "updated" : "created";
  const kept = state.aiCalls.filter((call) => !aiCalls.includes(call));
  if (save.isReplaced) {
    const newest = base && base.version > sop.version ? base : sop;
    const behind = { ...withoutStepAndDialog(base ? state : withDraftToReplace(state)), base: newest };
    return [
      { ...behind, writtenOn: state.writtenOn ?? sop.version },
      [
        ...(newest === sop ? [remember] : []),
        ...(isUnattendedSave(save) ? [] : [{ do: "announce", what, note: null } as const]),
      ],
    ];
  }
  const now = left ?? screen;
  const theirs = sopFormValuesOf(sop);
  const touched = formFields.filter((field) => now[field] !== sent[field]);
  const differs = state.images.underWay > 0 || touched.some((field) => now[field] !== theirs[field]);
  const isUnchanged = base !== null && sop.version === base.version && sop.status === base.status;
  const asks = publishes && sop.status === "draft" && !differs;

  const note = save.again !== null ? null : differs ? "typedSince" : isUnchanged ? "unchanged" : null;
  const isKept = (field: ComparedField): boolean =>
    touched.includes(field) || (field === "status" && publishes && differs);
  const settled = Object.fromEntries(
    comparedFields.filter((field) => !isKept(field)).map((field) => [field, theirs[field]]),
  );
  const effects: EditingEffect[] = [
    remember,
    ...(left ? [] : [{ do: "set", values: settled } as const]),
    ...((asks && isUnchanged) || isUnattendedSave(save) ? [] : [{ do: "announce", what, note } as const]),
  ];
  const accepted = { ...withoutStepAndDialog(acceptServerVersion(state, sop)), aiCalls: kept, setAside: null };
  if (differs) {
    const more = base ? accepted : { ...accepted, drafts: { ...withDraftToReplace(state).drafts, found: [] } };
    if (left) return [more, [...effects, keepDraftEffect(more, left)]];
    if (save.again === null) return [more, [...effects, { do: "keepSoon" }]];
    return withFirstEffects(
      [...effects, { do: "keepSoon" }],
      beginSave(more, { ...save, stay: save.again, isAutomatic: false, again: null }, { ...now, ...settled }),
    );
  }
  effects.push({ do: "drop", keys: [draftKey(state), ...state.drafts.contained] });
  const clean = { ...accepted, isUnsaved: false, drafts: { ...state.drafts, contained: [] } };
  const stay = save.stay && save.again !== false;
  if (left || (save.submits && sop.status !== "draft")) return [clean, effects];
  if (save.submits && base) return [{ ...clean, dialog: { ask: "submit", sop } }, effects];
  if (asks) return [{ ...clean, dialog: { ask: "publish", sop, stay } }, effects];
  if ((stay && !state.isNew) || isUnattendedSave(save)) return [clean, effects];
  return [clean, [...effects, { do: "open", sop, submits: save.submits }]];
}

function afterFailure(state: Editing, failure: SaveFailure, now: SopForm): EditingNext {
  const { step, base, left } = state;
  const { error } = failure;
  if (step.at !== "server") return failWithMessage(state, error);
  if (isUnattendedSave(step.save)) return afterQuietFailure(state, step, failure);
  if (failure.why === "stale" && base && !left && !step.save.isReplaced) {
    if (state.lost)
      return [{ ...state, step: { ...step, at: "attempt", error } }, [{ do: "readAttempt", id: base.id }]];
    return afterStaleSave(state, step, now);
  }
  if (failure.why === "created" && !base) {
    return [{ ...state, step: { ...step, at: "attempt", error } }, [{ do: "readAttempt", id: failure.id }]];
  }
  const mayBeStored = failure.why === "other" && base !== null && !step.save.isReplaced;
  const unsure = mayBeStored ? { ...state, lost: withoutPublishedStatus(step.values, base) } : state;
  return withFirstEffects(
    failure.why === "gone" && base ? [{ do: "lookAgain", id: base.id }] : [],
    failWithMessage(unsure, error),
  );
}

/** Handles a failed automatic save. The browser keeps the text, and the user's next save shows the error. */
function afterQuietFailure(state: Editing, { save, values }: SentSave, { why }: SaveFailure): EditingNext {
  const { base } = state;
  if (save.isReplaced || !base) return [withoutStepAndDialog(state), []];
  if (why === "other") return [{ ...withoutStepAndDialog(state), lost: withoutPublishedStatus(values, base) }, []];
  return [{ ...withoutStepAndDialog(state), isBehind: true }, [{ do: "lookAgain", id: base.id }]];
}

/** Handles a text that an earlier attempt stored. It counts as saved, and text typed since then is saved next. */
function afterAttemptRead(
  state: Editing,
  step: Extract<SaveStage, { at: "attempt" }>,
  sop: Sop | null,
  now: SopForm,
): EditingNext {
  const { base, lost, left } = state;
  const isOwn =
    sop !== null && (base === null || (lost !== null && haveSameValues(sopFormValuesOf(sop), asStoredForm(lost, sop))));
  if (!isOwn) {
    const { isReplaced } = step.save;
    return base && !left && !isReplaced
      ? afterStaleSave({ ...state, lost: null }, step, now)
      : failWithMessage(state, step.error);
  }
  // later saves by others are compared with the text of version 1, which this screen created
  const stored = base ? sop : { ...sop, version: 1 };
  const save = { ...step.save, again: step.save.again ?? step.save.stay };
  // values that the server chose must not count as typed since then
  const sent = (base && lost) ?? withUnfilledFields(sopFormValuesOf(stored), left ?? now);
  return afterStoredSave(state, stored, now, { ...step, save, sent, publishes: false });
}

/** Waits for images that are being uploaded, and then merges both texts. */
function afterStaleSave(state: Editing, step: SentSave, now: SopForm): EditingNext {
  if (state.images.underWay > 0) return [{ ...state, step: { ...step, at: "stale" }, dialog: null }, []];
  return openMergeDialog(state, step, now);
}

function failWithMessage(state: Editing, error: unknown): EditingNext {
  return [withoutStepAndDialog(state), [{ do: "complain", isNew: state.base === null, error }]];
}

/** Opens the merge dialog. The user's side consists of the sent values and everything typed since then. */
function openMergeDialog(state: Editing, { save, sent, values }: SentSave, now: SopForm): EditingNext {
  const since = Object.fromEntries(
    formFields.filter((field) => now[field] !== sent[field]).map((field) => [field, now[field]]),
  );
  return [
    { ...withoutStepAndDialog(state), dialog: { ask: "merge", mine: { ...values, ...since }, stay: save.stay } },
    [],
  ];
}

const acceptServerVersion = (state: Editing, sop: Sop): Editing => ({
  ...state,
  base: sop,
  writtenOn: sop.version,
  isBehind: false,
  lost: null,
});

/** Marks the state as unsaved. An unchanged state stays the same object, because this runs at every key press. */
const markUnsaved = (state: Editing): Editing =>
  state.isUnsaved ? state : { ...state, isUnsaved: true, isKept: false };

/** Shows these values on the screen. */
function showValues(state: Editing, values: SopForm, writtenOn: number | null, isUnsaved: boolean): EditingNext {
  return [
    { ...state, writtenOn, isUnsaved, isKept: false, lost: null },
    [{ do: "show", values }, ...(isUnsaved ? [{ do: "keepSoon" } as const] : [])],
  ];
}

/** Makes this version the base of the screen. */
function adoptVersion(state: Editing, sop: Sop, values: SopForm, isUnsaved: boolean): EditingNext {
  return withFirstEffects(
    [{ do: "remember", sop }],
    showValues(acceptServerVersion(state, sop), values, sop.version, isUnsaved),
  );
}

/** Makes a running save ignore the values of the screen, because they are being replaced. */
function withSaveIgnored(state: Editing): Editing {
  const { step } = state;
  // the answer to these steps still arrives, so the step is kept until then
  if (step.at !== "check" && step.at !== "server" && step.at !== "attempt") return withoutStepAndDialog(state);
  return { ...state, step: { ...step, save: { ...step.save, again: null, isReplaced: true } } };
}

function leaveScreen(state: Editing, now: SopForm): EditingNext {
  const needsUser = state.step.at === "archive" || state.step.at === "stale";
  const gone = { ...(needsUser ? withoutStepAndDialog(state) : { ...state, dialog: null }), left: now };
  return [gone, state.isUnsaved ? [keepDraftEffect(gone, now, { isLast: true, isAnnounced: true })] : []];
}

function restoreDraft(state: Editing, now: SopForm, at: string): EditingNext {
  const { drafts, base, writtenOn, aiCalls } = state;
  const [wanted, ...others] = drafts.found;
  if (!wanted) return [state, []];
  // the replaced text of the screen is offered as the next draft
  const mine = state.isUnsaved && { key: draftKey(state), values: now, baseVersion: writtenOn, aiCalls, savedAt: at };
  const restoring: Editing = {
    ...withSaveIgnored(state),
    aiCalls: wanted.aiCalls ?? [],
    drafts: mine
      ? { part: drafts.part + 1, contained: [wanted.key], found: [...others, mine] }
      : { ...drafts, contained: [...drafts.contained, wanted.key], found: others },
  };
  // this draft was written before the SOP was created, so it is merged with what others saved after version 1
  const version = wanted.baseVersion ?? (base && 1);
  return withFirstEffects(
    mine ? [keepDraftEffect(state, now)] : [],
    showValues(restoring, formValuesOfDraft(wanted.values, base), version, true),
  );
}
