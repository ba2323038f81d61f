/**
 * The edit screen as a state machine: its states, events and effects. `editing-next.ts` has the transitions. Both files
 * are pure.
 */
import type { Sop, SopForm } from "./schema.ts";

/** Unsaved text that the browser stores. */
export interface StoredDraft {
  values: SopForm;
  /** The version that the values were written on; null for a new SOP. */
  baseVersion: number | null;
  /** The time at which the draft was stored, ISO 8601. */
  savedAt: string;
  /** AI calls whose proposals are in the values; absent in a draft of an older release. */
  aiCalls?: readonly string[];
}

export interface FoundDraft extends StoredDraft {
  key: string;
}

/** The effect of a save with the chosen status; null: the server would refuse it. `text` tells the user. */
export interface SaveOutcome {
  saves: "draft" | "published" | "archived" | null;
  text: string;
}

/** A save, from its request to its end. */
export interface SaveRequest {
  /** True if the user continues editing after the save. */
  stay: boolean;
  /** True if the saved draft is then submitted for approval. */
  submits: boolean;
  /** True for a save by a pause. It shows no message, and only changes the text and fields without immediate effect. */
  isAutomatic: boolean;
  /** The `stay` of another save that was requested during this one; null for none. */
  again: boolean | null;
  /** True if the screen got other values during the save, so that the answer must not mark them as saved. */
  isReplaced: boolean;
}

/** The stage of the running save. `sent` has the values of the screen at the time when they were checked or sent. */
export type SaveStage =
  | { at: "rest" }
  /** The save waits for images to be uploaded. @prop lost the number of images that were lost before */
  | { at: "images"; save: SaveRequest; lost: number }
  | { at: "check"; save: SaveRequest; sent: SopForm }
  /** The screen asks the user whether to archive. */
  | { at: "archive"; save: SaveRequest; sent: SopForm; values: SopForm }
  | ({ at: "server" } & SentSave)
  /** An earlier attempt may be stored although its answer was lost, so the SOP is read again. */
  | ({ at: "attempt"; error: unknown } & SentSave)
  /** The server refused the save as stale. Images that are being uploaded belong to the user's own text. */
  | ({ at: "stale" } & SentSave);

export interface SentSave {
  save: SaveRequest;
  sent: SopForm;
  /** The result of the form's checks for `sent`, with the status that the user chose. */
  values: SopForm;
  publishes: boolean;
  /** The AI calls of the sent values. */
  aiCalls: readonly string[];
}

/** The open dialog; there is at most one. */
export type OpenDialog =
  | { ask: "publish"; sop: Sop; stay: boolean }
  | { ask: "submit"; sop: Sop }
  /** The dialog after another user saved first. @prop mine the user's values */
  | { ask: "merge"; mine: SopForm; stay: boolean };

export interface Editing {
  userId: string;
  /** A unique id for each opening of the screen. It names the drafts, and the request that creates the SOP. */
  visit: string;
  /** True if the screen was opened for a new SOP. */
  isNew: boolean;
  /** The newest version that the screen knows; null if nothing is stored yet. */
  base: Sop | null;
  /** The version that the values are based on. It is older than `base` after an older draft was restored. */
  writtenOn: number | null;
  isUnsaved: boolean;
  /** True if the browser has stored the unsaved text, up to the last pause in typing. */
  isKept: boolean;
  /** AI calls whose proposals were accepted since the last save. */
  aiCalls: readonly string[];
  step: SaveStage;
  /**
   * True if another user saved first, or the SOP is gone. Pauses then save no version until a save by the user
   * succeeds.
   */
  isBehind: boolean;
  /**
   * Values that were sent without getting an answer, so that the server may have stored them.
   */
  lost: SopForm | null;
  dialog: OpenDialog | null;
  /** The user's own values while the screen shows another user's version. */
  setAside: SopForm | null;
  images: { underWay: number; lost: number };
  drafts: {
    /** A counter that increases when this visit stores another draft besides the first. */
    part: number;
    /** Keys of drafts whose text the next stored draft contains. */
    contained: readonly string[];
    /** Unsaved values of other visits that the user hasn't decided about, the newest first. */
    found: readonly FoundDraft[];
  };
  /**
   * The values of the screen when the user left it, while a save may still be answered. Null: the user is still there.
   */
  left: SopForm | null;
}

/** `now` always has the values of the screen at that moment. */
export type EditingEvent =
  | { type: "entered" }
  | { type: "left"; now: SopForm }
  /** The page was hidden and may never be shown again. */
  | { type: "hidden"; now: SopForm }
  | { type: "typed" }
  /** The user paused typing. */
  | { type: "rested"; now: SopForm }
  /** The user paused for long enough to save a version. */
  | { type: "paused"; now: SopForm }
  | { type: "imageStarted" }
  /** An image wasn't inserted. If its upload had started, this event comes before `imageEnded`. */
  | { type: "imageLost" }
  | { type: "imageEnded"; now: SopForm }
  | { type: "assisted"; callId: string }
  | { type: "saveRequested"; stay: boolean; now: SopForm }
  | { type: "publishRequested"; now: SopForm }
  /** @prop stored the SOP as the screen shows it, if nothing is unsaved */
  | { type: "submitRequested"; stored: Sop | null; now: SopForm }
  | { type: "checked"; values: SopForm; outcome: SaveOutcome }
  | { type: "invalid" }
  | { type: "archiveAnswered"; isYes: boolean }
  | { type: "saved"; sop: Sop; now: SopForm }
  | { type: "failed"; failure: SaveFailure; now: SopForm }
  /** The SOP as it is stored now; null if it can't be read. */
  | { type: "attemptRead"; sop: Sop | null; now: SopForm }
  | { type: "mergeSaved"; theirs: Sop; values: SopForm; outcome: SaveOutcome }
  | { type: "mergeEdited"; theirs: Sop; values: SopForm }
  | { type: "theirsTaken"; theirs: Sop }
  | { type: "mineBroughtBack" }
  | { type: "dialogClosed" }
  | { type: "published"; sop: Sop }
  /** The user requests approval of the version in the dialog, instead of publishing it. */
  | { type: "approvalPreferred"; sop: Sop }
  /** The user restored another version on the server. @prop isUndo text that was typed since then stays */
  | { type: "restored"; sop: Sop; isUndo: boolean; now: SopForm }
  | { type: "templateChosen"; values: SopForm }
  | { type: "draftsFound"; drafts: readonly FoundDraft[] }
  /** @prop at the current time, ISO 8601 */
  | { type: "draftRestored"; now: SopForm; at: string }
  | { type: "draftDiscarded" }
  | { type: "draftKept"; replaced: readonly string[] }
  /** The browser refused to store the draft. */
  | { type: "draftRefused" }
  /** The SOP can't be saved anymore, so its text moves into a new SOP. */
  | { type: "takenAlong"; now: SopForm };

export type SaveFailure =
  | { why: "stale"; error: unknown }
  /** The SOP was deleted, or the user lost the permission to edit it. */
  | { why: "gone"; error: unknown }
  /** The same attempt created this SOP earlier. */
  | { why: "created"; id: string; error: unknown }
  | { why: "other"; error: unknown };

export type EditingEffect =
  /** Show these values in the form and the editor. */
  | { do: "show"; values: SopForm }
  /** Change fields of the form in place. */
  | { do: "set"; values: Partial<SopForm> }
  /** Check the form; answered by `checked`, `invalid` or `failed`. */
  | { do: "check"; values: SopForm; base: Sop | null }
  /** Create (`base` null) or update; answered by `saved` or `failed`. */
  | {
      do: "send";
      base: Sop | null;
      version: number | null;
      values: SopForm;
      aiCalls: readonly string[];
      isAutomatic: boolean;
    }
  /** Read the SOP; answered by `attemptRead`. */
  | { do: "readAttempt"; id: string }
  /** Show this SOP on other screens. */
  | { do: "remember"; sop: Sop }
  /** Ask the server again what the user can see of the SOP. */
  | { do: "lookAgain"; id: string }
  | { do: "announce"; what: "created" | "updated"; note: "typedSince" | "unchanged" | null }
  | { do: "complain"; isNew: boolean; error?: unknown; reason?: string }
  | { do: "keepSoon" }
  /**
   * Store a draft; answered by `draftKept` or `draftRefused`. @prop isLast the page may be closed before a slow answer
   */
  | {
      do: "keep";
      key: string;
      draft: Omit<StoredDraft, "savedAt">;
      replaces: readonly string[];
      isLast: boolean;
      isAnnounced: boolean;
    }
  | { do: "drop"; keys: readonly string[] }
  /** Open the page of the SOP. */
  | { do: "open"; sop: Sop; submits: boolean }
  /** Open the edit screen of an SOP that was just created. */
  | { do: "openEditor"; sop: Sop }
  | { do: "openNew" };

/** @param visit unique for each opening of the screen */
export function startEditing(sop: Sop | null, userId: string, visit: string): Editing {
  return {
    userId,
    visit,
    isNew: sop === null,
    base: sop,
    writtenOn: sop?.version ?? null,
    isUnsaved: false,
    isKept: false,
    aiCalls: [],
    step: { at: "rest" },
    isBehind: false,
    lost: null,
    dialog: null,
    setAside: null,
    images: { underWay: 0, lost: 0 },
    drafts: { part: 0, contained: [], found: [] },
    left: null,
  };
}

/** The prefix of the keys of a user's drafts for one SOP; null: for new SOPs. Older releases used it as the key. */
export function draftKeyPrefix(userId: string, sopId: string | null): string {
  return `${userId}/${sopId ?? "new"}`;
}

/** The key of this visit's draft. */
export function draftKey({ userId, base, visit, drafts: { part } }: Editing): string {
  return `${draftKeyPrefix(userId, base?.id ?? null)}/${visit}${part === 0 ? "" : `.${part}`}`;
}

/** Tells whether the user waits for the server or for images. */
export function isBusy({ step }: Editing): boolean {
  return ["images", "server", "attempt", "stale"].includes(step.at);
}
