/** The edit screen with a small server and a store of drafts. It checks its rules after every event. */
import {
  draftKeyPrefix,
  isBusy,
  startEditing,
  type StoredDraft,
  type Editing,
  type EditingEvent,
  type EditingEffect,
} from "#core/sops/editing.ts";
import { advanceEditing } from "#core/sops/editing-next.ts";
import { sopFormValuesOf } from "#core/sops/form-values.ts";
import type { Sop, SopForm } from "#core/sops/schema.ts";
import { must, sameText, ServerOfOne, union, wordsOf } from "./editing-server.ts";

type Of<D extends EditingEffect["do"]> = Extract<EditingEffect, { do: D }>;
/** The effects that a screen may request after the user left it. */
const allowedAfterLeaving = "keep drop remember lookAgain announce complain send check readAttempt openNew".split(" ");

export class World {
  state: Editing;
  screen: SopForm;
  readonly drafts = new Map<string, Omit<StoredDraft, "savedAt">>();
  readonly server: ServerOfOne;
  readonly effects: EditingEffect[] = [];
  check: Of<"check"> | null = null;
  sending: Of<"send"> | null = null;
  reading = false;
  /** The number of images that the text on the screen still needs, and of those whose text was deleted. */
  images = { wanted: 0, unwanted: 0 };
  kept: (readonly string[])[] = [];
  undo: Sop | null = null;
  private words = 0;
  private readonly typed = new Set<string>();
  /** Words that must survive a crash of the page. */
  private readonly onceKept = new Set<string>();
  private readonly ofOthers = new Set<string>();
  private readonly givenUp = new Set<string>();
  private readonly seen = new Set<number>();

  constructor(isNew: boolean) {
    this.server = new ServerOfOne(isNew);
    const sop = this.latest;
    this.state = startEditing(sop, "me", "visit");
    this.screen = sopFormValuesOf(sop);
    this.see(sop);
  }

  get latest(): Sop | null {
    return this.server.latest;
  }
  get isHere(): boolean {
    return this.state.left === null;
  }
  names(): EditingEffect["do"][] {
    return this.effects.map((effect) => effect.do);
  }
  all<D extends EditingEffect["do"]>(name: D): Of<D>[] {
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
  /** Records that the user agreed to lose these words. */
  private giveUp(text: { title: string; markdown: string }): void {
    for (const word of wordsOf(text)) this.givenUp.add(word);
  }

  dispatch(event: EditingEvent): void {
    const before = this.state;
    const [state, effects] = advanceEditing(before, event);
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
      must(this.server.versions.includes(state.dialog.sop), "a stored version is submitted");
      must(sameText(sopFormValuesOf(state.dialog.sop), this.screen), "what is on the screen is submitted");
    }
    must(!state.dialog || state.dialog.ask === "merge" || state.step.at === "rest", "no save under a question");
    for (const effect of effects) this.run(effect);
    this.examine();
  }

  private run(effect: EditingEffect): void {
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
        must(this.state.images.underWay === 0, "a save waits for images");
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
        for (const word of wordsOf(effect.draft.values)) if (this.typed.has(word)) this.onceKept.add(word);
        this.kept.push(effect.replaces);
        return;
      case "drop":
        for (const key of effect.keys) this.drafts.delete(key);
        return;
      case "open":
        must(sameText(sopFormValuesOf(effect.sop), this.screen), "nothing unsaved is left behind");
        must(!effect.submits || this.server.versions.includes(effect.sop), "a stored version is submitted");
        return;
      default:
    }
  }

  /** Checks the rules that must be true after every event. */
  private examine(): void {
    const { state, screen } = this;
    const stored = new Set(this.server.versions.flatMap(wordsOf));
    const safe = new Set([
      ...stored,
      ...this.givenUp,
      ...[...this.drafts.values()].flatMap(({ values }) => wordsOf(values)),
    ]);
    must(
      [...this.onceKept].every((word) => safe.has(word)),
      "kept text survives a crash",
    );
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

  /** Lets the server handle the request. @returns the effect of its answer, if it arrives */
  private handle(request: Of<"send">): () => void {
    const answer = this.server.save(request);
    return () => {
      if ("sop" in answer) this.see(answer.sop);
      const now = this.screen;
      this.dispatch("sop" in answer ? { type: "saved", now, ...answer } : { type: "failed", now, failure: answer });
    };
  }

  /** Every possible event. An event that isn't possible now does nothing. */
  readonly can: Record<string, () => void> = {
    type: () => this.type("title"),
    typeText: () => this.type("markdown"),
    pickPublished: () => this.pick("published"),
    pickArchived: () => this.pick("archived"),
    rest: () => this.dispatch({ type: "rested", now: this.screen }),
    pause: () => this.dispatch({ type: "paused", now: this.screen }),
    hide: () => this.dispatch({ type: "hidden", now: this.screen }),
    leave: () => this.dispatch({ type: "left", now: this.screen }),
    saveKey: () => this.dispatch({ type: "saveRequested", stay: true, now: this.screen }),
    saveButton: () => this.dispatch({ type: "saveRequested", stay: false, now: this.screen }),
    publish: () => this.dispatch({ type: "publishRequested", now: this.screen }),
    submit: () => {
      const { base } = this.state;
      const stored = base && base.version === this.latest?.version ? this.latest : base;
      this.dispatch({
        type: "submitRequested",
        stored: stored?.version === this.latest?.version ? stored : null,
        now: this.screen,
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
      this.dispatch({ type: "imageEnded", now: this.screen });
    },
    imageFails: () => {
      if (this.images.wanted + this.images.unwanted === 0) return;
      if (this.images.unwanted > 0) this.images.unwanted -= 1;
      else this.images.wanted -= 1;
      this.state = advanceEditing(this.state, { type: "imageLost" })[0];
      this.dispatch({ type: "imageEnded", now: this.screen });
    },
    passes: () => this.answerCheck(true),
    mayNotPublish: () => this.answerCheck(false),
    invalid: () => {
      if (!this.check) return;
      this.check = null;
      this.dispatch({ type: "invalid" });
    },
    checkOutOfReach: () => {
      if (!this.check) return;
      this.check = null;
      this.dispatch({ type: "failed", failure: { why: "other", error: new Error("no code") }, now: this.screen });
    },
    yes: () => this.dispatch({ type: "archiveAnswered", isYes: true }),
    no: () => this.dispatch({ type: "archiveAnswered", isYes: false }),
    answer: () => {
      const { sending } = this;
      this.sending = null;
      if (sending) this.handle(sending)();
    },
    loseAnswer: () => {
      const { sending } = this;
      if (!sending) return;
      this.sending = null;
      this.handle(sending);
      this.dispatch({ type: "failed", failure: { why: "other", error: new Error("lost") }, now: this.screen });
    },
    loseRequest: () => {
      if (!this.sending) return;
      this.sending = null;
      this.dispatch({ type: "failed", failure: { why: "other", error: new Error("lost") }, now: this.screen });
    },
    readAttempt: () => this.answerRead(this.server.isDeleted ? null : this.latest),
    cannotRead: () => this.answerRead(null),
    otherSaves: () => {
      const { latest } = this;
      if (!latest || this.server.isDeleted) return;
      this.server.write({ ...sopFormValuesOf(latest), markdown: `${latest.markdown} ${this.newWord(this.ofOthers)}` });
      this.examine();
    },
    delete: () => void (this.server.isDeleted = this.latest !== null),
    undelete: () => void (this.server.isDeleted = false),
    mergeSave: () =>
      this.merge((theirs, values) => {
        const saves = values.status === "published" ? "published" : "draft";
        this.dispatch({ type: "mergeSaved", theirs, values, outcome: { saves, text: "" } });
      }),
    mergeEdit: () => this.merge((theirs, values) => this.dispatch({ type: "mergeEdited", theirs, values })),
    takeTheirs: () =>
      this.merge((theirs) => {
        if (this.state.dialog?.ask === "merge") this.giveUp(this.state.dialog.mine);
        this.giveUp(this.screen);
        this.dispatch({ type: "theirsTaken", theirs });
      }),
    bringBack: () => {
      // this replaces a text that the user has seen
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
      this.server.versions.splice(-1, 1, sop);
      this.dispatch({ type: "published", sop });
    },
    preferApproval: ({ dialog } = this.state) =>
      dialog?.ask === "publish" && this.dispatch({ type: "approvalPreferred", sop: dialog.sop }),
    restoreFirst: () => {
      const { latest, state } = this;
      const [first] = this.server.versions;
      if (!latest || !first || !this.isHere || state.dialog || !state.base || this.server.isDeleted) return;
      this.giveUp(this.screen);
      this.giveUp(latest);
      for (const { values } of this.drafts.values()) this.giveUp(values);
      this.undo = latest;
      const sop = this.server.write({ ...sopFormValuesOf(first), status: "draft" });
      this.see(sop);
      this.dispatch({ type: "restored", sop, isUndo: false, now: this.screen });
    },
    undoRestore: () => {
      const { undo, latest } = this;
      if (!undo || !latest || this.server.isDeleted) return;
      this.undo = null;
      this.giveUp(latest);
      const sop = this.server.write(sopFormValuesOf(undo));
      this.see(sop);
      this.dispatch({ type: "restored", sop, isUndo: true, now: this.screen });
    },
    useTemplate: () => {
      if (this.state.base || !this.isHere || this.state.dialog) return;
      this.giveUp(this.screen);
      this.dispatch({ type: "templateChosen", values: { ...this.screen, title: "template", markdown: "template" } });
    },
    findDrafts: () => {
      const { base } = this.state;
      if (!this.isHere) return;
      const place = draftKeyPrefix("me", base?.id ?? null);
      const values = sopFormValuesOf(this.server.versions[0] ?? null);
      const word = this.newWord(this.typed);
      const baseVersion = base ? 1 : null;
      this.drafts.set(`${place}/of-${word}`, { values: { ...values, title: union(values.title, word) }, baseVersion });
      if (baseVersion) this.seen.add(baseVersion);
      const drafts = [...this.drafts].filter(([key]) => key.startsWith(`${place}/of-`));
      this.dispatch({
        type: "draftsFound",
        drafts: drafts.map(([key, draft]) => ({ ...draft, key, savedAt: "2026-01-01" })),
      });
    },
    restoreDraft: () => this.dispatch({ type: "draftRestored", now: this.screen, at: "2026-01-02" }),
    discardDraft: () => {
      const [draft] = this.state.drafts.found;
      if (draft) this.giveUp(draft.values);
      this.dispatch({ type: "draftDiscarded" });
    },
    draftIsStored: () => {
      const replaced = this.kept.shift();
      if (replaced) this.dispatch({ type: "draftKept", replaced });
    },
    draftIsRefused: () => this.dispatch({ type: "draftRefused" }),
    takeAlong: () => this.dispatch({ type: "takenAlong", now: this.screen }),
    acceptProposal: () => this.isHere && this.dispatch({ type: "assisted", callId: "call" }),
  };

  private type(field: "title" | "markdown"): void {
    if (!this.isHere) return this.dispatch({ type: "typed" });
    // dialogs cover the screen
    if (this.state.dialog || this.state.step.at === "archive") return;
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
    // the SOP is new, or has the user's own text
    const { base, lost } = this.state;
    if (sop && (!base || (lost && sameText(sopFormValuesOf(sop), lost)))) this.seen.add(base ? sop.version : 1);
    this.dispatch({ type: "attemptRead", sop, now: this.screen });
  }
  private merge(decide: (theirs: Sop, values: SopForm) => void): void {
    const { dialog, step } = this.state;
    const { latest } = this;
    if (dialog?.ask !== "merge" || step.at !== "rest" || !latest || this.server.isDeleted) return;
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

  /** Answers all open requests until none is left. */
  settle(): void {
    for (let turn = 0; turn < 50; turn += 1) {
      this.do("imageArrives", "passes", "answer", "readAttempt", "no");
      if (this.state.dialog && this.state.step.at === "rest") this.do("closeDialog");
    }
  }
}
