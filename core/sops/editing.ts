/** The edit screen as a state machine: its states, events and effects. `editing-next.ts` has the transitions. Pure. */
import type { Sop, SopForm } from "./schema.ts";

/** Unsaved text, kept in the browser. */
export interface Draft {
  values: SopForm;
  /** The version that the values were written on; null for a new SOP. */
  baseVersion: number | null;
  /** ISO time. */
  savedAt: string;
  /** Calls of the AI whose proposals are in the values; a draft of an older release has none. */
  aiCalls?: readonly string[];
}

export interface FoundDraft extends Draft {
  key: string;
}

/** What a save with the picked status does; null: the server would refuse it. `text` says so to the user. */
export interface Outcome {
  saves: "draft" | "published" | "archived" | null;
  text: string;
}

/** A save from the request to its end. */
export interface Save {
  /** The user goes on editing afterwards. */
  stay: boolean;
  /** The saved draft is submitted for approval. */
  submits: boolean;
  /** A pause made it: it says nothing, and changes nothing but the text and what is beside it. */
  isAutomatic: boolean;
  /** Another save was requested meanwhile: its `stay`. */
  again: boolean | null;
  /** The screen got other values meanwhile: the answer says nothing about them. */
  isReplaced: boolean;
}

/** Where the one running save is. `sent` holds the values of the screen when they were sent or checked. */
export type Step =
  | { at: "rest" }
  /** Images are on their way. @prop lost how many got lost before */
  | { at: "images"; save: Save; lost: number }
  | { at: "check"; save: Save; sent: SopForm }
  /** The user is asked whether to archive. */
  | { at: "archive"; save: Save; sent: SopForm; values: SopForm }
  | ({ at: "server" } & Sent)
  /** An earlier attempt may be stored though its answer got lost: the SOP is read. */
  | ({ at: "attempt"; error: unknown } & Sent)
  /** Refused as stale: images on their way belong to the user's own text. */
  | ({ at: "stale" } & Sent);

export interface Sent {
  save: Save;
  sent: SopForm;
  /** Like `sent`, as the form's checks return it, with the status that the user picked. */
  values: SopForm;
  publishes: boolean;
  /** The AI calls that were sent. */
  aiCalls: readonly string[];
}

/** At most one is open. */
export type OpenDialog =
  | { ask: "publish"; sop: Sop; stay: boolean }
  | { ask: "submit"; sop: Sop }
  /** Another user saved first. @prop mine the user's values */
  | { ask: "merge"; mine: SopForm; stay: boolean };

export interface Editing {
  userId: string;
  /** Unique for each opening of the screen: names its drafts and the request that creates the SOP. */
  visit: string;
  /** The screen was opened for a new SOP. */
  isNew: boolean;
  /** The newest version the screen works with; null: nothing is stored yet. */
  base: Sop | null;
  /** The version that the values were written on. Older than `base` after an older draft was restored. */
  writtenOn: number | null;
  isUnsaved: boolean;
  /** The browser has kept what is unsaved, up to the last pause in typing. */
  isKept: boolean;
  /** AI calls whose proposals were accepted since the last save. */
  aiCalls: readonly string[];
  step: Step;
  /** Someone else saved first, or the SOP is gone: a pause makes no version until a save of the user's went through. */
  isBehind: boolean;
  /** Sent in an update without an answer, and what is on the screen builds on it: it may be stored. */
  lost: SopForm | null;
  dialog: OpenDialog | null;
  /** The user's own values while the other version is on the screen. */
  setAside: SopForm | null;
  images: { underWay: number; lost: number };
  drafts: {
    /** Goes up when this visit keeps another draft beside the first. */
    part: number;
    /** Keys of drafts that the next kept draft contains. */
    contained: readonly string[];
    /** Unsaved values of other visits, not answered yet, the newest first. */
    found: readonly FoundDraft[];
  };
  /** What the screen held when the user left it; a save may still be answered. Null: the user is here. */
  left: SopForm | null;
}

/** `now` is always what the screen holds at that moment. */
export type EditingEvent =
  | { type: "entered" }
  | { type: "left"; now: SopForm }
  /** The page went out of sight and may never come back. */
  | { type: "hidden"; now: SopForm }
  | { type: "typed" }
  /** The user paused typing. */
  | { type: "rested"; now: SopForm }
  /** The user paused for long enough to make a version. */
  | { type: "paused"; now: SopForm }
  | { type: "imageStarted" }
  /** Comes before `imageEnded`. */
  | { type: "imageLost" }
  | { type: "imageEnded"; now: SopForm }
  | { type: "assisted"; callId: string }
  | { type: "saveRequested"; stay: boolean; now: SopForm }
  | { type: "publishRequested"; now: SopForm }
  /** @prop stored the SOP as it is shown, if nothing is unsaved */
  | { type: "submitRequested"; stored: Sop | null; now: SopForm }
  | { type: "checked"; values: SopForm; outcome: Outcome }
  | { type: "invalid" }
  | { type: "archiveAnswered"; isYes: boolean }
  | { type: "saved"; sop: Sop; now: SopForm }
  | { type: "failed"; failure: Failure; now: SopForm }
  /** The SOP as it is stored now; null: it can't be read. */
  | { type: "attemptRead"; sop: Sop | null; now: SopForm }
  | { type: "mergeSaved"; theirs: Sop; values: SopForm; outcome: Outcome }
  | { type: "mergeEdited"; theirs: Sop; values: SopForm }
  | { type: "theirsTaken"; theirs: Sop }
  | { type: "mineBroughtBack" }
  | { type: "dialogClosed" }
  | { type: "published"; sop: Sop }
  /** In place of publishing: asks for approval of the version that the dialog shows. */
  | { type: "approvalPreferred"; sop: Sop }
  /** Another version is on the server by the user's wish. @prop isUndo what was typed since stays */
  | { type: "restored"; sop: Sop; isUndo: boolean; now: SopForm }
  | { type: "templateChosen"; values: SopForm }
  | { type: "draftsFound"; drafts: readonly FoundDraft[] }
  /** @prop at ISO time of now */
  | { type: "draftRestored"; now: SopForm; at: string }
  | { type: "draftDiscarded" }
  | { type: "draftKept"; replaced: readonly string[] }
  /** The browser refused it. */
  | { type: "draftRefused" }
  /** The SOP can't be saved anymore: the text goes into a new one. */
  | { type: "takenAlong"; now: SopForm };

export type Failure =
  | { why: "stale"; error: unknown }
  /** Deleted, or the user lost the right to edit it. */
  | { why: "gone"; error: unknown }
  /** The same attempt created this SOP before. */
  | { why: "created"; id: string; error: unknown }
  | { why: "other"; error: unknown };

export type Effect =
  /** Put these values into form and editor. */
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
  /** Answered by `attemptRead`. */
  | { do: "readAttempt"; id: string }
  /** Other screens show this SOP from now on. */
  | { do: "remember"; sop: Sop }
  /** Ask the server again what the user can see of it. */
  | { do: "lookAgain"; id: string }
  | { do: "announce"; what: "created" | "updated"; note: "typedSince" | "unchanged" | null }
  | { do: "complain"; isNew: boolean; error?: unknown; reason?: string }
  | { do: "keepSoon" }
  /** Store a draft; answered by `draftKept` or `draftRefused`. @prop isLast the page may be gone before a slow answer */
  | {
      do: "keep";
      key: string;
      draft: Omit<Draft, "savedAt">;
      replaces: readonly string[];
      isLast: boolean;
      isAnnounced: boolean;
    }
  | { do: "drop"; keys: readonly string[] }
  /** Go to the SOP's page. */
  | { do: "open"; sop: Sop; submits: boolean }
  /** The edit screen of an SOP that was new. */
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

/** The prefix of the keys of all drafts of one user for one SOP; null: for new SOPs. Older releases used it as the key. */
export function draftPlace(userId: string, sopId: string | null): string {
  return `${userId}/${sopId ?? "new"}`;
}

/** Where this visit keeps its draft. */
export function draftKey({ userId, base, visit, drafts: { part } }: Editing): string {
  return `${draftPlace(userId, base?.id ?? null)}/${visit}${part === 0 ? "" : `.${part}`}`;
}

/** The user waits for the server or for images. */
export function isBusy({ step }: Editing): boolean {
  return ["images", "server", "attempt", "stale"].includes(step.at);
}
