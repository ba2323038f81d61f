/** The edit screen's events, in orders that once were bugs, and in random orders. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { wordsOf } from "../../test/editing-server.ts";
import { World } from "../../test/editing-world.ts";
import { formValuesForCopy, saveBodyOf } from "./form-values.ts";

const existing = () => new World(false);
const fresh = () => new World(true);
const lastBody = (world: World) => {
  const last = world.all("send").at(-1);
  if (!last) throw new Error("nothing was sent");
  return saveBodyOf(last.values, last.base);
};
const titles = (world: World) => world.server.versions.map(({ title }) => title);

describe("the edit screen", () => {
  const table: [name: string, world: () => World, events: string, expected: (world: World) => void][] = [
    [
      "is clean after a save that holds all",
      existing,
      "type saveKey passes answer",
      ({ state, drafts }) => expect([state.isUnsaved, state.writtenOn, drafts.size]).toEqual([false, 2, 0]),
    ],
    [
      "says that the browser keeps a text once it does, and while typing goes on",
      fresh,
      "type rest draftIsStored typeText",
      ({ state }) => expect([state.isUnsaved, state.isKept]).toEqual([true, true]),
    ],
    [
      "no longer says so once the browser refused",
      fresh,
      "type rest draftIsStored typeText rest draftIsRefused",
      ({ state }) => expect([state.isUnsaved, state.isKept]).toEqual([true, false]),
    ],
    [
      "doesn't say so of what is typed after a save",
      existing,
      "type rest draftIsStored saveKey passes answer type",
      ({ state }) => expect([state.isUnsaved, state.isKept]).toEqual([true, false]),
    ],
    [
      "makes a version after a pause, and says nothing",
      existing,
      "type pause answer",
      (world) => {
        expect(world.all("send")).toMatchObject([{ version: 1, isAutomatic: true }]);
        expect([world.state.isUnsaved, world.state.writtenOn, world.drafts.size]).toEqual([false, 2, 0]);
        expect(world.names()).not.toContain("announce");
      },
    ],
    [
      "keeps the status that was picked for the user's own save: a pause neither archives nor publishes",
      existing,
      "type pickArchived pause answer pause",
      (world) => {
        expect(world.all("send").map(({ values }) => values.status)).toEqual(["draft"]);
        expect([world.screen.status, world.state.isUnsaved]).toEqual(["archived", true]);
      },
    ],
    [
      "makes no version by a pause of a new SOP, with nothing typed, or after the screen was left",
      fresh,
      "pause type typeText pause saveKey passes answer pause leave pause",
      (world) => expect(world.all("send").map(({ isAutomatic }) => isAutomatic)).toEqual([false]),
    ],
    [
      "stays quiet when another user saved before the pause, and merges at the user's own save",
      existing,
      "type otherSaves pause answer type pause saveKey passes answer",
      (world) => {
        expect(world.all("send").map(({ isAutomatic }) => isAutomatic)).toEqual([true, false]);
        expect(world.names()).not.toContain("complain");
        expect(world.state.dialog?.ask).toBe("merge");
      },
    ],
    [
      "saves as the user asks once the version of a pause is stored, with what was typed since",
      existing,
      "type pause type saveButton answer passes answer",
      (world) => {
        expect(titles(world)).toEqual(["start", "start w1", "start w1 w2"]);
        expect([world.all("send")[1]?.isAutomatic, world.all("open").length]).toEqual([false, 1]);
      },
    ],
    [
      "goes on from a version of a pause whose answer got lost, without a merge",
      existing,
      "type pause loseAnswer type pause saveKey passes answer readAttempt passes answer",
      (world) => {
        expect(titles(world)).toEqual(["start", "start w1", "start w1 w2"]);
        expect([world.state.dialog, world.names().includes("complain")]).toEqual([null, false]);
      },
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
      "keeps what the server chose for a new SOP whose answer got lost",
      fresh,
      "type typeText saveKey passes loseAnswer type saveKey passes answer readAttempt passes answer",
      (world) => {
        expect(world.latest).toMatchObject({ version: 2, ownerId: "me" });
        expect(lastBody(world)).not.toHaveProperty("readTime");
        expect(world.screen).toMatchObject({ number: "SOP-0001", ownerId: "me" });
      },
    ],
    [
      "keeps the read time that the server counted for an update whose answer got lost",
      existing,
      "type saveKey passes loseAnswer type saveKey passes answer readAttempt passes answer",
      (world) => {
        expect(world.latest).toMatchObject({ version: 3 });
        expect(lastBody(world)).not.toHaveProperty("readTime");
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
      "goes on from an update whose answer got lost, without a merge with the own text",
      existing,
      "type saveKey passes loseAnswer type saveKey passes answer readAttempt passes answer",
      (world) => {
        expect(titles(world)).toEqual(["start", "start w1", "start w1 w2"]);
        expect([world.state.dialog, world.state.isUnsaved]).toEqual([null, false]);
      },
    ],
    [
      "opens the merge after a lost answer when another draft was restored since",
      existing,
      "type saveKey passes loseAnswer findDrafts restoreDraft saveKey passes answer",
      (world) => expect([world.state.dialog?.ask, world.all("readAttempt")]).toEqual(["merge", []]),
    ],
    [
      "opens the merge after a lost request when someone else saved",
      existing,
      "type saveKey passes loseRequest otherSaves saveKey passes answer readAttempt",
      (world) => expect(world.state.dialog).toMatchObject({ ask: "merge", mine: { title: "start w1" } }),
    ],
    [
      "opens the merge after a lost answer when someone else saved on top of it",
      existing,
      "type saveKey passes loseAnswer otherSaves type saveKey passes answer readAttempt",
      (world) => expect(world.state.dialog).toMatchObject({ ask: "merge", mine: { title: "start w1 w3" } }),
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
        expect([...world.drafts.keys()]).toEqual(["me/new/visit.1"]);
        expect(world.drafts.get("me/new/visit.1")).toMatchObject({
          baseVersion: null,
          values: formValuesForCopy(world.screen),
        });
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
      "asks for approval of the same version where publishing was asked about",
      existing,
      "type pickPublished saveKey passes answer preferApproval",
      (world) => expect(world.state.dialog).toMatchObject({ ask: "submit", sop: { version: 2 } }),
    ],
    [
      "knows that a version is published, and doesn't ask again",
      existing,
      "type pickPublished saveKey passes answer confirmPublishing publish passes",
      (world) => expect([world.state.base?.status, world.state.dialog]).toEqual(["published", null]),
    ],
    [
      "asks for approval of a new SOP on its own page, also from the question about publishing",
      fresh,
      "type pickPublished saveKey passes answer preferApproval",
      (world) => expect(world.all("open")).toMatchObject([{ submits: true, sop: { version: 1 } }]),
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
      "keeps the draft of a save until one with what was typed since takes its place",
      existing,
      "type rest saveKey passes type answer",
      (world) => expect([...world.drafts.values()]).toMatchObject([{ values: { title: "start w1" } }]),
    ],
    [
      "keeps a new SOP that was saved, deleted and taken along",
      fresh,
      "type rest saveKey passes type answer delete takeAlong draftIsStored draftIsStored",
      (world) => expect([...world.drafts.keys()]).toEqual(["me/new/visit.1"]),
    ],
    [
      "does not lead back a user who left during a save",
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
      "type saveKey passes answer findDrafts restoreDraft saveKey passes answer",
      (world) => expect([world.all("send")[1]?.version, world.state.dialog?.ask]).toEqual([1, "merge"]),
    ],
    [
      "offers what the screen held when a draft is restored over it",
      existing,
      "findDrafts type restoreDraft",
      ({ state, screen, drafts }) => {
        expect([screen.title, state.drafts.found[0]?.values.title]).toEqual(["start w1", "start w2"]);
        expect([...drafts.keys()]).toEqual(["me/sop/of-w1", "me/sop/visit"]);
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
      "merges a draft of a new SOP with what others saved once it existed",
      fresh,
      [
        "type saveKey passes type findDrafts restoreDraft answer",
        "saveKey passes otherSaves answer mergeSave answer restoreDraft saveKey passes answer",
      ].join(" "),
      ({ state }) => expect([state.writtenOn, state.dialog?.ask]).toEqual([1, "merge"]),
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
  const one = fc.constantFrom(...Object.keys(existing().can)).map((name) => [name]);
  const several = fc.constantFrom(
    ["type", "saveKey", "passes", "answer"],
    ["type", "saveKey", "passes", "otherSaves", "answer", "mergeSave"],
    ["type", "saveKey", "passes", "type"],
    ["findDrafts", "restoreDraft"],
    ["type", "rest"],
    ["type", "pause"],
    ["type", "pause", "answer"],
  );
  const events = fc.array(fc.oneof({ arbitrary: one, weight: 3 }, several), { maxLength: 40, size: "max" });

  it("loses no typed text, overwrites no one, sends one save at a time and never gets stuck", () => {
    fc.assert(
      fc.property(fc.boolean(), events, (isNew, order) => {
        const world = new World(isNew).do(...order.flat());
        world.settle();
        expect(world.state.step.at).toBe("rest");
        expect(world.state.dialog).toBeNull();
        if (!world.isHere) return;
        const checks = world.all("check").length;
        world.do("saveKey");
        expect(world.all("check")).toHaveLength(checks + 1);
      }),
      { numRuns: 2000 },
    );
  });
});
