/** The edit screen in a small world: one screen, one server, one store of drafts, and events in any order. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  draftPlace,
  isBusy,
  startEditing,
  type Draft,
  type Editing,
  type EditingEvent,
  type Effect,
} from "./editing.ts";
import { next } from "./editing-next.ts";
import { asNew, valuesOf } from "./form-values.ts";
import type { Sop, SopForm } from "./schema.ts";

const empty: Sop = {
  id: "sop",
  companyId: "company",
  number: "SOP-0001",
  slug: "sop-1",
  title: "start",
  description: "What to do.",
  content: "",
  markdown: "start",
  categoryId: "cat",
  publishedCategoryId: null,
  category: null,
  authorId: "ann",
  author: null,
  ownerId: null,
  teamId: null,
  status: "draft",
  isTemplate: false,
  isAiGenerated: false,
  readTime: 5,
  views: 0,
  version: 1,
  published: null,
  scheduled: null,
  effectiveAt: null,
  reviewBy: null,
  grants: [],
  approvers: [],
  waitsForMe: false,
  lang: null,
  tags: [],
  restricted: false,
  favorite: false,
  contentHash: "0",
  createdAt: "2026-01-01T00:00:00.000Z",
  updatedAt: "2026-01-01T00:00:00.000Z",
  control: {
    owner: null,
    changedBy: { name: "Ann", at: "2026-01-01T00:00:00.000Z" },
    changeClass: "major",
    effective: null,
    approvedBy: [],
    lastReview: null,
    lastInForce: null,
  },
};

type Of<D extends Effect["do"]> = Extract<Effect, { do: D }>;
const wordsOf = ({ title, markdown }: { title: string; markdown: string }) =>
  `${title} ${markdown}`.split(" ").filter(Boolean);
const sameText = (a: SopForm, b: SopForm) => a.title === b.title && a.markdown === b.markdown;
/** Both texts, as a user merges them who wants to keep all. */
const union = (a: string, b: string) => [...new Set([...a.split(" "), ...b.split(" ")])].filter(Boolean).join(" ");

function must(holds: boolean, rule: string): void {
  if (!holds) throw new Error(rule);
}

/** All that a screen may ask for once the user left it. */
const allowedAfterLeaving: readonly Effect["do"][] = [
  "keep",
  "drop",
  "remember",
  "lookAgain",
  "announce",
  "complain",
  "send",
  "check",
  "readAttempt",
  "openNew",
];

class World {
  state: Editing;
  screen: SopForm;
  readonly drafts = new Map<string, Omit<Draft, "savedAt">>();
  /** Version n is at n - 1. */
  readonly versions: Sop[] = [];
  isDeleted = false;
  readonly effects: Effect[] = [];
  check: Of<"check"> | null = null;
  sending: Of<"send"> | null = null;
  reading = false;
  /** Images that are still wanted by the text on the screen, and those whose text is gone. */
  images = { wanted: 0, unwanted: 0 };
  kept: (readonly string[])[] = [];
  undo: Sop | null = null;
  private words = 0;
  private readonly typed = new Set<string>();
  private readonly ofOthers = new Set<string>();
  private readonly givenUp = new Set<string>();
  private readonly seen = new Set<number>();

  constructor(isNew: boolean) {
    if (!isNew) this.versions.push(empty);
    const sop = this.versions[0] ?? null;
    this.state = startEditing(sop, "me", "visit");
    this.screen = valuesOf(sop);
    this.see(sop);
  }

  get latest(): Sop | null {
    return this.versions.at(-1) ?? null;
  }
  get isHere(): boolean {
    return this.state.left === null;
  }
  names(): Effect["do"][] {
    return this.effects.map((effect) => effect.do);
  }
  all<D extends Effect["do"]>(name: D): Of<D>[] {
    return this.effects.filter((effect): effect is Of<D> => effect.do === name);
  }

  private see(sop: Sop | null): void {
    if (sop) this.seen.add(sop.version);
  }
  private newWord(by: Set<string>): string {
    this.words += 1;
    const word = `w${this.words}`;
    by.add(word);
    return word;
  }
  /** The user says that these words can go. */
  private giveUp(text: { title: string; markdown: string }): void {
    for (const word of wordsOf(text)) this.givenUp.add(word);
  }

  dispatch(event: EditingEvent): void {
    const before = this.state;
    const [state, effects] = next(before, event);
    this.state = state;
    if (before.left && event.type !== "entered") {
      must(state.left === before.left && !state.dialog, "a screen that was left stays left");
      must(
        effects.every((effect) => allowedAfterLeaving.includes(effect.do)),
        "effects of a screen that was left",
      );
      must(before.step.at !== "rest" || state.step.at === "rest", "no save begins after leaving");
    }
    if (state.dialog?.ask === "submit" && before.dialog?.ask !== "submit") {
      must(state.dialog.sop === this.latest, "the stored version is submitted");
      must(sameText(valuesOf(state.dialog.sop), this.screen), "what is on the screen is submitted");
    }
    must(!state.dialog || state.dialog.ask === "merge" || state.step.at === "rest", "no save under a question");
    for (const effect of effects) this.run(effect);
    this.examine();
  }

  private run(effect: Effect): void {
    this.effects.push(effect);
    switch (effect.do) {
      case "show":
        this.screen = effect.values;
        this.images = { wanted: 0, unwanted: this.images.wanted + this.images.unwanted };
        return;
      case "set":
        this.screen = { ...this.screen, ...effect.values };
        return;
      case "check":
        must(!this.check && !this.sending && !this.reading, "one save at a time");
        this.check = effect;
        return;
      case "send":
        must(!this.check && !this.sending && !this.reading, "one save at a time");
        must(effect.values.status !== "published", "a save never publishes");
        must(!effect.base || (effect.version !== null && this.seen.has(effect.version)), "based on a version seen");
        this.sending = effect;
        return;
      case "readAttempt":
        must(!this.check && !this.sending && !this.reading, "one save at a time");
        this.reading = true;
        return;
      case "keep":
        this.drafts.set(effect.key, effect.draft);
        this.kept.push(effect.replaces);
        return;
      case "drop":
        for (const key of effect.keys) this.drafts.delete(key);
        return;
      case "open":
        must(sameText(valuesOf(effect.sop), this.screen), "nothing unsaved is left behind");
        must(!effect.submits || effect.sop === this.latest, "the stored version is submitted");
        return;
      default:
    }
  }

  /** What holds after every event. */
  private examine(): void {
    const { state, screen } = this;
    const stored = new Set(this.versions.flatMap(wordsOf));
    const safe = new Set([
      ...stored,
      ...this.givenUp,
      ...[...this.drafts.values()].flatMap(({ values }) => wordsOf(values)),
    ]);
    if (this.isHere) for (const word of wordsOf(screen)) safe.add(word);
    if (state.dialog?.ask === "merge") for (const word of wordsOf(state.dialog.mine)) safe.add(word);
    must(
      [...this.typed].every((word) => safe.has(word)),
      "typed text is safe",
    );
    const latest = new Set(this.latest ? wordsOf(this.latest) : []);
    const isSeen = (word: string) => latest.has(word) || this.givenUp.has(word);
    must([...this.ofOthers].every(isSeen), "no silent overwrite");
    const isStored = (word: string) => !this.typed.has(word) || stored.has(word);
    must(!this.isHere || state.isUnsaved || wordsOf(screen).every(isStored), "what is not stored is unsaved");
    must(state.images.underWay === this.images.wanted + this.images.unwanted, "every image is counted");
    const waits = isBusy(state) && state.step.at !== "images" && state.step.at !== "stale";
    must(waits === (this.sending !== null || this.reading), "waits for an answer that comes");
    must((state.step.at === "check") === (this.check !== null), "waits for a check that ends");
  }

  private now(): SopForm {
    return this.screen;
  }
  private write(values: SopForm): Sop {
    const { status, title, markdown } = values;
    const sop: Sop = { ...empty, title, markdown, status, version: this.versions.length + 1 };
    this.versions.push(sop);
    return sop;
  }
  /** What the server does with the request. */
  private serve({ base, version, values }: Of<"send">): () => void {
    const fail = (failure: "stale" | "gone" | "created") => () => {
      const error = new Error(failure);
      const now = this.now();
      this.dispatch({
        type: "failed",
        failure: failure === "created" ? { why: failure, id: "sop", error } : { why: failure, error },
        now,
      });
    };
    const answer = (sop: Sop) => () => {
      this.see(sop);
      this.dispatch({ type: "saved", sop, now: this.now() });
    };
    const { latest } = this;
    if (!base) {
      const [first] = this.versions;
      if (!first) return answer(this.write(values));
      return sameText(valuesOf(first), values) ? answer(first) : fail("created");
    }
    if (this.isDeleted || !latest) return fail("gone");
    if (latest.version !== version) return fail("stale");
    if (sameText(valuesOf(latest), values) && latest.status === values.status) return answer(latest);
    return answer(this.write(values));
  }

  /** Everything that can happen; what can't happen now does nothing. */
  readonly can: Record<string, () => void> = {
    type: () => this.type("title"),
    typeText: () => this.type("markdown"),
    pickPublished: () => this.pick("published"),
    pickArchived: () => this.pick("archived"),
    rest: () => this.dispatch({ type: "rested", now: this.now() }),
    hide: () => this.dispatch({ type: "hidden", now: this.now() }),
    leave: () => this.dispatch({ type: "left", now: this.now() }),
    saveKey: () => this.dispatch({ type: "saveRequested", stay: true, now: this.now() }),
    saveButton: () => this.dispatch({ type: "saveRequested", stay: false, now: this.now() }),
    publish: () => this.dispatch({ type: "publishRequested", now: this.now() }),
    submit: () => {
      const { base } = this.state;
      const stored = base && base.version === this.latest?.version ? this.latest : base;
      this.dispatch({
        type: "submitRequested",
        stored: stored?.version === this.latest?.version ? stored : null,
        now: this.now(),
      });
    },
    addImage: () => {
      if (!this.isHere || this.state.dialog) return;
      this.images.wanted += 1;
      this.dispatch({ type: "imageStarted" });
    },
    imageArrives: () => {
      if (this.images.wanted === 0 || !this.isHere) return this.can["imageFails"]?.();
      this.screen = { ...this.screen, markdown: `${this.screen.markdown} ${this.newWord(this.typed)}` };
      this.dispatch({ type: "typed" });
      this.images.wanted -= 1;
      this.dispatch({ type: "imageEnded", now: this.now() });
    },
    imageFails: () => {
      if (this.images.wanted + this.images.unwanted === 0) return;
      if (this.images.unwanted > 0) this.images.unwanted -= 1;
      else this.images.wanted -= 1;
      this.images = { ...this.images };
      this.state = next(this.state, { type: "imageLost" })[0];
      this.dispatch({ type: "imageEnded", now: this.now() });
    },
    passes: () => this.answerCheck(true),
    mayNotPublish: () => this.answerCheck(false),
    invalid: () => {
      if (this.check) this.check = null;
      else return;
      this.dispatch({ type: "invalid" });
    },
    checkOutOfReach: () => {
      if (!this.check) return;
      this.check = null;
      this.dispatch({ type: "failed", failure: { why: "other", error: new Error("no code") }, now: this.now() });
    },
    yes: () => this.dispatch({ type: "archiveAnswered", isYes: true }),
    no: () => this.dispatch({ type: "archiveAnswered", isYes: false }),
    answer: () => {
      const { sending } = this;
      this.sending = null;
      if (sending) this.serve(sending)();
    },
    loseAnswer: () => {
      const { sending } = this;
      if (!sending) return;
      this.sending = null;
      this.serve(sending);
      this.dispatch({ type: "failed", failure: { why: "other", error: new Error("lost") }, now: this.now() });
    },
    loseRequest: () => {
      if (!this.sending) return;
      this.sending = null;
      this.dispatch({ type: "failed", failure: { why: "other", error: new Error("lost") }, now: this.now() });
    },
    readAttempt: () => this.answerRead(this.isDeleted ? null : this.latest),
    cannotRead: () => this.answerRead(null),
    otherSaves: () => {
      const { latest } = this;
      if (!latest || this.isDeleted) return;
      this.write({ ...valuesOf(latest), markdown: `${latest.markdown} ${this.newWord(this.ofOthers)}` });
      this.examine();
    },
    delete: () => void (this.isDeleted = this.latest !== null),
    undelete: () => void (this.isDeleted = false),
    mergeSave: () =>
      this.merge((theirs, values) => {
        const outcome = {
          saves: values.status === "published" ? ("published" as const) : ("draft" as const),
          text: "",
        };
        this.dispatch({ type: "mergeSaved", theirs, values, outcome });
      }),
    mergeEdit: () => this.merge((theirs, values) => this.dispatch({ type: "mergeEdited", theirs, values })),
    takeTheirs: () =>
      this.merge((theirs) => {
        if (this.state.dialog?.ask === "merge") this.giveUp(this.state.dialog.mine);
        this.giveUp(this.screen);
        this.dispatch({ type: "theirsTaken", theirs });
      }),
    bringBack: () => {
      // over a text that the user has seen
      if (this.state.setAside && this.isHere && !this.state.dialog) {
        this.giveUp(this.screen);
        if (this.latest) this.giveUp(this.latest);
      }
      this.dispatch({ type: "mineBroughtBack" });
    },
    closeDialog: () => this.dispatch({ type: "dialogClosed" }),
    confirmPublishing: () => {
      const { dialog } = this.state;
      if (dialog?.ask !== "publish" || dialog.sop.version !== this.latest?.version) return;
      const sop: Sop = { ...dialog.sop, status: "published" };
      this.versions.splice(-1, 1, sop);
      this.dispatch({ type: "published", sop });
    },
    restoreFirst: () => {
      const { latest, state } = this;
      const [first] = this.versions;
      // its own dialog is open and covers the screen
      if (!latest || !first || !this.isHere || state.dialog || !state.base || this.isDeleted) return;
      this.giveUp(this.screen);
      this.giveUp(latest);
      for (const { values } of this.drafts.values()) this.giveUp(values);
      this.undo = latest;
      const sop = this.write({ ...valuesOf(first), status: "draft" });
      this.see(sop);
      this.dispatch({ type: "restored", sop, isUndo: false, now: this.now() });
    },
    undoRestore: () => {
      const { undo, latest } = this;
      if (!undo || !latest || this.isDeleted) return;
      this.undo = null;
      this.giveUp(latest);
      const sop = this.write(valuesOf(undo));
      this.see(sop);
      this.dispatch({ type: "restored", sop, isUndo: true, now: this.now() });
    },
    useTemplate: () => {
      if (this.state.base || !this.isHere || this.state.dialog) return;
      this.giveUp(this.screen);
      this.dispatch({ type: "templateChosen", values: { ...this.screen, title: "template", markdown: "template" } });
    },
    findDrafts: () => {
      const { base } = this.state;
      const values = valuesOf(this.versions[0] ?? null);
      const key = `${draftPlace("me", base?.id ?? null)}/earlier`;
      if (!this.isHere || this.drafts.has(key)) return;
      const word = this.newWord(this.typed);
      const baseVersion = base ? 1 : null;
      const draft = { values: { ...values, title: union(values.title, word) }, baseVersion };
      this.drafts.set(key, draft);
      if (baseVersion) this.seen.add(baseVersion);
      this.dispatch({ type: "draftsFound", drafts: [{ ...draft, key, savedAt: "2026-01-01" }] });
    },
    restoreDraft: () => this.dispatch({ type: "draftRestored", now: this.now(), at: "2026-01-02" }),
    discardDraft: () => {
      const [draft] = this.state.drafts.found;
      if (draft) this.giveUp(draft.values);
      this.dispatch({ type: "draftDiscarded" });
    },
    draftIsStored: () => {
      const replaced = this.kept.shift();
      if (replaced) this.dispatch({ type: "draftKept", replaced });
    },
    takeAlong: () => this.dispatch({ type: "takenAlong", now: this.now() }),
    acceptProposal: () => this.isHere && this.dispatch({ type: "assisted", callId: "call" }),
  };

  private type(field: "title" | "markdown"): void {
    // dialogs cover the screen
    if (!this.isHere || this.state.dialog || this.state.step.at === "archive") return;
    this.screen = { ...this.screen, [field]: `${this.screen[field]} ${this.newWord(this.typed)}`.trim() };
    this.dispatch({ type: "typed" });
  }
  private pick(status: "published" | "archived"): void {
    if (!this.isHere || this.state.dialog || this.state.step.at === "archive") return;
    this.screen = { ...this.screen, status };
    this.dispatch({ type: "typed" });
  }
  private answerCheck(isAllowed: boolean): void {
    if (!this.check) return;
    const { values } = this.check;
    this.check = null;
    const { status } = values;
    const saves = status === "published" || status === "archived" ? status : "draft";
    this.dispatch({ type: "checked", values, outcome: { saves: isAllowed ? saves : null, text: "not allowed" } });
  }
  private answerRead(sop: Sop | null): void {
    if (!this.reading) return;
    this.reading = false;
    if (sop) this.seen.add(1);
    this.dispatch({ type: "attemptRead", sop, now: this.now() });
  }
  private merge(decide: (theirs: Sop, values: SopForm) => void): void {
    const { dialog, step } = this.state;
    const { latest } = this;
    if (dialog?.ask !== "merge" || step.at !== "rest" || !latest || this.isDeleted) return;
    this.see(latest);
    const { mine } = dialog;
    const values = { ...mine, title: union(mine.title, latest.title), markdown: union(mine.markdown, latest.markdown) };
    decide(latest, values);
  }

  do(...names: string[]): this {
    for (const name of names) {
      const act = this.can[name];
      if (!act) throw new Error(name);
      act();
    }
    return this;
  }

  /** Answers all that is open until nothing is. */
  settle(): void {
    for (let turn = 0; turn < 50; turn += 1) {
      this.do("imageArrives", "passes", "answer", "readAttempt", "no");
      if (this.state.dialog && this.state.step.at === "rest") this.do("closeDialog");
    }
  }
}

const existing = () => new World(false);
const fresh = () => new World(true);
const titles = (world: World) => world.versions.map(({ title }) => title);

describe("the edit screen", () => {
  const table: [name: string, world: () => World, events: string, expected: (world: World) => void][] = [
    [
      "is clean after a save that holds all",
      existing,
      "type saveKey passes answer",
      ({ state, drafts }) => expect([state.isUnsaved, state.writtenOn, drafts.size]).toEqual([false, 2, 0]),
    ],
    [
      "goes to the SOP after the button, stays after the key",
      existing,
      "type saveKey passes answer type saveButton passes answer",
      (world) => expect(world.all("open").map(({ sop }) => sop.version)).toEqual([3]),
    ],
    [
      "keeps what was typed during a save as unsaved, and sends it on the new version",
      existing,
      "type saveButton passes type answer saveKey passes answer",
      (world) => {
        expect(world.all("announce").map(({ note }) => note)).toEqual(["typedSince", null]);
        expect(world.all("send").map(({ version }) => version)).toEqual([1, 2]);
        expect(titles(world)).toEqual(["start", "start w1", "start w1 w2"]);
        expect(world.names()).not.toContain("open");
      },
    ],
    [
      "saves once when asked twice with nothing typed in between",
      existing,
      "type saveKey saveKey passes saveKey answer",
      (world) => expect([world.all("send").length, world.state.step.at]).toEqual([1, "rest"]),
    ],
    [
      "queues a save that was asked for during another, and leaves only if both asked to leave or the last did",
      existing,
      "type saveKey passes type saveButton answer passes answer",
      (world) => expect([world.all("send").length, world.all("open").length]).toEqual([2, 1]),
    ],
    [
      "drops the queued save when the first one fails",
      existing,
      "type saveKey passes type saveKey loseRequest",
      (world) =>
        expect([world.state.step.at, world.state.isUnsaved, world.names().at(-1)]).toEqual(["rest", true, "complain"]),
    ],
    [
      "does not create a second SOP after a lost answer, and saves what was typed since on version 1",
      fresh,
      "type typeText saveKey passes loseAnswer type saveKey passes answer readAttempt passes answer",
      (world) => {
        expect(titles(world)).toEqual(["w1", "w1 w3"]);
        expect(world.all("send").map(({ version }) => version)).toEqual([null, null, 1]);
      },
    ],
    [
      "after a lost answer that someone else's save followed, opens the merge",
      fresh,
      "type saveKey passes loseAnswer otherSaves type saveKey passes answer readAttempt passes answer",
      (world) => expect(world.state.dialog?.ask).toBe("merge"),
    ],
    [
      "reports the first error when the earlier attempt can't be read",
      fresh,
      "type saveKey passes loseAnswer type saveKey passes answer cannotRead",
      (world) => expect([world.state.step.at, world.names().at(-1)]).toEqual(["rest", "complain"]),
    ],
    [
      "a lost answer of an update and a second save: a merge with the own text, nothing is lost",
      existing,
      "type saveKey passes loseAnswer saveKey passes answer",
      (world) => expect(world.state.dialog).toMatchObject({ ask: "merge", mine: { title: "start w1" } }),
    ],
    [
      "opens the merge for a stale save, with what was typed during it",
      existing,
      "type saveKey passes otherSaves type answer",
      (world) =>
        expect(world.state.dialog).toMatchObject({ ask: "merge", mine: { title: "start w2 w3".replace("w2", "w1") } }),
    ],
    [
      "saves the merge on the other's version",
      existing,
      "type saveKey passes otherSaves answer mergeSave answer",
      (world) => {
        expect(world.all("send").map(({ version }) => version)).toEqual([1, 2]);
        expect([world.latest?.title, world.latest?.markdown]).toEqual(["start w1", "start w2"]);
        expect([world.state.dialog, world.state.isUnsaved]).toEqual([null, false]);
      },
    ],
    [
      "merges again when yet another save came first",
      existing,
      "type saveKey passes otherSaves answer mergeSave otherSaves answer",
      (world) => expect([world.state.dialog?.ask, world.state.writtenOn]).toEqual(["merge", 2]),
    ],
    [
      "shows the merged text, and the failure, when saving the merge fails",
      existing,
      "type saveKey passes otherSaves answer mergeSave loseRequest",
      ({ state, screen }) =>
        expect([state.dialog, state.isUnsaved, wordsOf(screen)]).toEqual([null, true, ["start", "w1", "start", "w2"]]),
    ],
    [
      "sets the own text aside for the other's, and brings it back",
      existing,
      "type saveKey passes otherSaves answer takeTheirs bringBack",
      ({ state, screen }) => expect([state.setAside, state.isUnsaved, screen.title]).toEqual([null, true, "start w1"]),
    ],
    [
      "keeps the text on the screen when the SOP was deleted, and asks what is known of it",
      existing,
      "type delete saveKey passes answer",
      (world) => {
        expect(world.names()).toContain("lookAgain");
        expect([world.state.isUnsaved, world.screen.title]).toEqual([true, "start w1"]);
      },
    ],
    [
      "takes the text of a deleted SOP along as the draft of a new one",
      existing,
      "type rest draftIsStored delete saveKey passes answer takeAlong draftIsStored leave",
      (world) => {
        expect([...world.drafts.keys()]).toEqual(["me/new/visit"]);
        expect(world.drafts.get("me/new/visit")).toMatchObject({ baseVersion: null, values: asNew(world.screen) });
      },
    ],
    [
      "waits for images before a save, and goes on without one that fails",
      existing,
      "addImage saveKey imageFails passes answer",
      (world) => expect([world.all("send").length, world.state.step.at]).toEqual([1, "rest"]),
    ],
    [
      "has an image that was on its way in the saved text",
      existing,
      "addImage saveKey imageArrives passes answer",
      (world) => expect(world.latest?.markdown).toBe("start w1"),
    ],
    [
      "submits nothing without the image that failed",
      existing,
      "type addImage submit imageFails",
      (world) =>
        expect([world.all("check").length, world.state.step.at, world.state.dialog]).toEqual([0, "rest", null]),
    ],
    [
      "keeps the screen when an image was added during the save",
      existing,
      "type saveButton passes addImage answer",
      (world) => expect([world.names().includes("open"), world.state.isUnsaved]).toEqual([false, true]),
    ],
    [
      "makes an image that was on its way a part of mine in a merge",
      existing,
      "type saveKey passes addImage otherSaves answer imageArrives",
      (world) => expect(world.state.dialog).toMatchObject({ ask: "merge", mine: { markdown: "start w3" } }),
    ],
    [
      "submits the version that was saved, as a draft whatever status was picked",
      existing,
      "type pickPublished submit passes answer",
      (world) => expect(world.state.dialog).toMatchObject({ ask: "submit", sop: { version: 2, status: "draft" } }),
    ],
    [
      "submits nothing when more was typed during the save",
      existing,
      "type submit passes type answer",
      (world) => expect([world.state.dialog, world.state.isUnsaved]).toEqual([null, true]),
    ],
    [
      "submits a stored draft as it is, without a save",
      existing,
      "submit",
      (world) => expect([world.state.dialog?.ask, world.all("send").length]).toEqual(["submit", 0]),
    ],
    [
      "submits a new SOP from its own page",
      fresh,
      "type submit passes answer",
      (world) => expect(world.all("open")).toMatchObject([{ submits: true, sop: { version: 1 } }]),
    ],
    [
      "asks to publish after a save that picked it, and never sends the status",
      existing,
      "type pickPublished saveKey passes answer",
      (world) => expect([world.state.dialog?.ask, world.all("send")[0]?.values.status]).toEqual(["publish", "draft"]),
    ],
    [
      "keeps the pick when more was typed, and asks with the next save",
      existing,
      "type pickPublished saveKey passes type answer saveKey passes answer",
      (world) => expect(world.state.dialog).toMatchObject({ ask: "publish", sop: { version: 3 } }),
    ],
    [
      "refuses to save as published where that isn't allowed, and sends nothing",
      existing,
      "type pickPublished saveKey mayNotPublish",
      (world) => expect([world.all("send").length, world.all("complain")[0]?.reason]).toEqual([0, "not allowed"]),
    ],
    [
      "asks before it archives; no sends nothing, yes does",
      existing,
      "type pickArchived saveKey passes no saveKey passes yes answer",
      (world) => expect(world.all("send").map(({ values }) => values.status)).toEqual(["archived"]),
    ],
    [
      "keeps the text in the browser when the tab goes out of sight during a save, until the save is through",
      existing,
      "type saveKey passes hide answer",
      (world) => expect([world.all("keep").map(({ isLast }) => isLast), world.drafts.size]).toEqual([[true], 0]),
    ],
    [
      "keeps what was typed during a save that is answered after leaving, on the version it made",
      existing,
      "type saveKey passes type leave answer",
      (world) =>
        expect([...world.drafts.values()]).toMatchObject([{ baseVersion: 2, values: { title: "start w1 w2" } }]),
    ],
    [
      "leads nobody back who left during a save",
      existing,
      "type saveButton passes leave answer",
      (world) => expect([world.names().includes("open"), world.drafts.size]).toEqual([false, 0]),
    ],
    [
      "sends a save that waits for an image after leaving, without a second one",
      existing,
      "type addImage saveKey leave imageFails passes answer",
      (world) => expect([titles(world), world.drafts.size]).toEqual([["start", "start w1"], 0]),
    ],
    [
      "keeps the text when the session ends: leaving without a save",
      existing,
      "type leave",
      (world) => expect(world.all("keep")).toMatchObject([{ isLast: true, isAnnounced: true }]),
    ],
    ["keeps nothing of a clean screen", existing, "hide leave", (world) => expect(world.effects).toEqual([])],
    [
      "restores a draft on the version it was written on, so that a newer one is merged",
      existing,
      "otherSaves findDrafts restoreDraft saveKey passes answer",
      (world) => expect([world.all("send")[0]?.version, world.state.dialog?.ask]).toEqual([1, "merge"]),
    ],
    [
      "offers what the screen held when a draft is restored over it",
      existing,
      "findDrafts type restoreDraft",
      ({ state, screen, drafts }) => {
        expect([screen.title, state.drafts.found[0]?.values.title]).toEqual(["start w1", "start w2"]);
        expect([...drafts.keys()]).toEqual(["me/sop/earlier", "me/sop/visit"]);
      },
    ],
    [
      "drops a restored draft with the save that holds it, and no other",
      existing,
      "findDrafts type restoreDraft rest draftIsStored draftIsStored saveKey passes answer",
      ({ drafts }) => expect([...drafts.keys()]).toEqual(["me/sop/visit"]),
    ],
    [
      "does not put a draft that was restored during a save on the version of that save",
      existing,
      "findDrafts type saveKey passes restoreDraft answer",
      ({ state }) => expect([state.base?.version, state.writtenOn, state.isUnsaved]).toEqual([2, 1, true]),
    ],
    [
      "shows a restored version, and keeps what was typed since when it is undone",
      existing,
      "type saveKey passes answer restoreFirst type undoRestore",
      ({ state, screen }) => expect([state.writtenOn, screen.title]).toEqual([3, "start w2"]),
    ],
    [
      "records the AI calls of accepted proposals with the next save alone",
      existing,
      "acceptProposal type saveKey passes answer type saveKey passes answer",
      (world) => expect(world.all("send").map(({ aiCalls }) => aiCalls)).toEqual([["call"], []]),
    ],
  ];
  it.each(table)("%s", (_, start, events, expected) => expected(start().do(...events.split(" "))));
});

describe("any order of events", () => {
  const names = Object.keys(existing().can);
  const often = ["type", "saveKey", "passes", "answer", "otherSaves", "mergeSave"];
  const events = fc.array(fc.constantFrom(...names, ...often, ...often, ...often), { maxLength: 60 });

  it("loses no typed text, overwrites no one, sends one save at a time and never gets stuck", () => {
    fc.assert(
      fc.property(fc.boolean(), events, (isNew, order) => {
        const world = new World(isNew).do(...order);
        world.settle();
        expect(world.state.step.at).toBe("rest");
        expect(world.state.dialog).toBeNull();
        if (!world.isHere) return;
        const checks = world.all("check").length;
        world.do("saveKey");
        expect(world.all("check")).toHaveLength(checks + 1);
      }),
      { numRuns: 3000 },
    );
  });
});
