import { screen, waitFor, within } from "@testing-library/react";
import { afterEach, describe, expect, it } from "vitest";
import { parseHtml, writeHtml } from "#core/markdown/html-tree.ts";
import type { Sop } from "#core/sops/schema.ts";
import { setStepIds } from "#core/steps/steps-of.ts";
import { fakeServer, signedInReplies, type Replies } from "../../testing/fake-server.ts";
import { aControl, aSop, aUser } from "../../testing/records.ts";
import { resetBrowser, showApp } from "../../testing/render-app.tsx";

afterEach(resetBrowser);

const id = "01980000-0000-7000-8000-00000000dcba";
const userId = "01980000-0000-7000-8000-0000000000b2";
const ticksKey = `sop-steps:${userId}:${id}`;
const warning = '<div class="alert alert-warning"><p class="alert-title">Warning</p><p>Hot water sprays.</p></div>';
/** As the server sends it. */
function named(html: string): string {
  const tree = parseHtml(html);
  setStepIds(tree);
  return writeHtml(tree);
}
const content = (second = "Open the valve.") =>
  `<h2 id="user-content-scope">Scope</h2><p>All</p><h2 id="user-content-steps">Steps</h2><ol><li>Stop the mill.</li><li>${second}${warning}</li></ol>`;
const stored = (change: Partial<Sop> = {}): Sop => ({
  ...aSop({
    id,
    title: "Clean the mill",
    status: "published",
    version: 2,
    published: { version: 2, effectiveAt: null },
  }),
  markdown: "",
  control: aControl(),
  ...change,
  content: named(change.content ?? content()),
});

function open(sop: Sop = stored(), replies: Partial<Replies> = {}, path = `/sop/${id}/steps`) {
  const server = fakeServer({
    ...signedInReplies(),
    "GET /api/auth/me": { user: aUser({ role: "viewer", id: userId }) },
    [`GET /api/sops/${id}`]: sop,
    ...replies,
  } as Replies);
  return { server, ...showApp(server, path, "/sops") };
}

const place = (name: string) => screen.findByRole("heading", { level: 2, name });
const done = async (user: ReturnType<typeof showApp>["user"]) =>
  user.click(await screen.findByRole("button", { name: /^(Done|Finish)$/ }));

describe("the Steps view", () => {
  it("shows one step a screen, its warning before it, and the end", async () => {
    const { user, address } = open();
    await place("Step 1 of 2 · Steps");
    expect(screen.getByText("Stop the mill.")).toBeTruthy();
    expect(screen.queryByText("Hot water sprays.")).toBeNull();
    expect(screen.getByText("Next: Open the valve")).toBeTruthy();
    await done(user);
    await place("Step 2 of 2 · Steps");
    const before = screen.getByText("Hot water sprays.").compareDocumentPosition(screen.getByText("Open the valve."));
    expect(before & Node.DOCUMENT_POSITION_FOLLOWING).not.toBe(0);
    await done(user);
    await place("All 2 done");
    await user.click(screen.getByRole("button", { name: "Back to the SOP" }));
    await waitFor(() => expect(address()).toBe(`/sop/${id}`));
  });

  it.each([
    ["the SOP", `/sop/${id}`],
    ["a link", `/sop/${id}/steps`],
  ])("opened from %s, it leaves no entry in the history", async (from, path) => {
    const { user, address, goBack } = open(stored(), {}, path);
    if (from === "the SOP") await user.click((await screen.findAllByRole("link", { name: "Steps" }))[0] as HTMLElement);
    await done(user);
    await done(user);
    await user.click(await screen.findByRole("button", { name: "Back to the SOP" }));
    await waitFor(() => expect(address()).toBe(`/sop/${id}`));
    goBack();
    await waitFor(() => expect(address()).toBe("/sops"));
  });

  it("goes on with an unfinished run, and begins again after a finished one", async () => {
    const reopen = () => {
      const kept = { ...localStorage };
      resetBrowser();
      Object.entries(kept).forEach(([key, value]) => localStorage.setItem(key, String(value)));
      return open();
    };
    await done(open().user);
    await place("Step 2 of 2 · Steps");
    const second = reopen();
    await place("Step 2 of 2 · Steps");
    await done(second.user);
    await place("All 2 done");
    expect(screen.queryByRole("button", { name: "Start again" })).toBeNull();
    reopen();
    await place("Step 1 of 2 · Steps");
    expect(screen.getByRole("progressbar", { name: "Steps done" }).getAttribute("value")).toBe("0");
  });

  it("goes by Space and arrows, and says at the end what isn't done", async () => {
    const { user } = open();
    await place("Step 1 of 2 · Steps");
    await user.keyboard("{ArrowRight}");
    await place("Step 2 of 2 · Steps");
    await user.keyboard(" ");
    await place("1 of 2 done");
    await user.keyboard("{ArrowLeft}");
    await place("Step 2 of 2 · Steps");
    await user.keyboard("{ArrowRight}");
    await user.click(await screen.findByRole("button", { name: /Stop the mill/ }));
    await place("Step 1 of 2 · Steps");
  });

  it("marks in the contents what is done", async () => {
    const { user } = open();
    await done(user);
    await place("Step 2 of 2 · Steps");
    await user.click(screen.getByRole("button", { name: "Contents" }));
    const contents = within(await screen.findByRole("dialog", { name: "Contents" }));
    const names = contents.getAllByRole("listitem").map(({ textContent }) => textContent);
    expect(names.filter((name) => name.includes("Done: "))).toHaveLength(1);
    contents.getByRole("button", { name: /^Done:/ });
    contents.getByRole("button", { name: /^2/ });
  });

  it("opens an image large, and keeps keys for it", async () => {
    const image =
      '<p><img src="/api/assets/a.png" alt="The red valve"><img src="/api/assets/b.png" alt="Sign" width="24"></p>';
    const { user } = open(stored({ content: `<ol><li><p>Open it.</p>${image}</li><li>Close it.</li></ol>` }));
    const button = await screen.findByRole("button", { name: "Enlarge image: The red valve" });
    expect(screen.getByRole("img", { name: "Sign" })).toBeTruthy();
    button.focus();
    await user.keyboard(" ");
    const box = within(await screen.findByRole("dialog", { name: "The red valve" }));
    await user.click(box.getByRole("button", { name: "Zoom in" }));
    await user.keyboard("{ArrowRight}");
    await user.click(box.getByRole("button", { name: "Zoom out" }));
    await user.keyboard("{Escape}");
    await waitFor(() => expect(screen.queryByRole("dialog", { name: "The red valve" })).toBeNull());
    expect(screen.getByText("Open it.")).toBeTruthy();
    expect(document.activeElement).toBe(button);
  });

  const warningOf = (words: string) =>
    `<div class="alert alert-warning"><p class="alert-title">Warning</p><p>${words}</p></div>`;

  it("shows a short warning above the steps in full with each of them", async () => {
    const { user } = open(
      stored({ content: `${warningOf("Hot steam. Wait until it is cold.")}${content("Lock it.")}` }),
    );
    await done(user);
    await place("Step 2 of 2 · Steps");
    expect(screen.getByText("Hot steam. Wait until it is cold.").closest("details")).toBeNull();
  });

  it.each([
    ["Warning", ["warning"]],
    ["Warning and 1 more", ["warning", "warning"]],
    ["Danger and 2 more", ["caution", "danger", "notice"]],
  ])("folds long hazards above the steps on later steps, under '%s'", async (name, kinds) => {
    const box = warningOf(`Hot steam. ${"Wait until it is cold. ".repeat(20)}`);
    const long = kinds.map((kind) => box.replace("alert-warning", `alert-${kind}`)).join("");
    const { user } = open(stored({ content: `${long}${content("Lock it.")}` }));
    await done(user);
    await place("Step 2 of 2 · Steps");
    const fold = document.querySelector("details");
    expect([fold?.open, fold?.querySelector("summary span")?.firstChild?.textContent]).toEqual([false, name]);
    expect(fold?.querySelector("summary")?.className).toContain(`alert-${name.split(" ")[0]?.toLowerCase()}`);
  });

  it("says at the last step that it finishes", async () => {
    const { user } = open();
    await place("Step 1 of 2 · Steps");
    expect(screen.queryByRole("button", { name: "Finish" })).toBeNull();
    await done(user);
    await place("Step 2 of 2 · Steps");
    await user.click(screen.getByRole("button", { name: "Finish" }));
    await place("All 2 done");
  });

  it("keeps ticks in this browser, and announces a newer version before going on", async () => {
    const third = '<ol start="3"><li>Start the mill.</li></ol>';
    const { user } = open(stored({ content: content() + third }));
    await done(user);
    await done(user);
    await place("Step 3 of 3 · Steps");
    const kept = localStorage.getItem(ticksKey) ?? "";
    resetBrowser();
    localStorage.setItem(ticksKey, kept);
    const next = open(
      stored({ version: 3, published: { version: 3, effectiveAt: null }, content: content("Lock it.") + third }),
    );
    await place("Version 3 is new");
    expect(screen.getByText("You ticked steps of version 2. Ticks of changed steps are removed.")).toBeTruthy();
    await next.user.click(screen.getByRole("button", { name: "Go on with version 3" }));
    await place("Step 2 of 3 · Steps");
    expect(screen.getByText("Lock it.")).toBeTruthy();
  });

  it("ignores ticks that name no user, and removes them with the next tick", async () => {
    await done(open().user);
    await place("Step 2 of 2 · Steps");
    const kept = localStorage.getItem(ticksKey) ?? "";
    resetBrowser();
    localStorage.setItem(`sop-steps:${id}`, kept);
    localStorage.setItem("sop-steps:another", kept);
    localStorage.setItem(`sop-steps:another-user:${id}`, kept);
    const { user } = open();
    await place("Step 1 of 2 · Steps");
    await done(user);
    await place("Step 2 of 2 · Steps");
    expect(Object.keys(localStorage).toSorted()).toEqual([ticksKey, `sop-steps:another-user:${id}`].toSorted());
  });

  it("begins again where ticks were kept in the form of before", async () => {
    const old = { version: 2, done: ["1:1kx9a2"], total: 2, at: "2026-01-01T00:00:00.000Z" };
    localStorage.setItem(ticksKey, JSON.stringify(old));
    const { user } = open();
    await place("Step 1 of 2 · Steps");
    await done(user);
    expect(JSON.parse(localStorage.getItem(ticksKey) ?? "")).toMatchObject({ ticks: [expect.any(String)] });
  });

  it("ticks equal steps one by one, also from a server that names none", async () => {
    const { user } = open({ ...stored(), content: "<ol><li>Wait.</li><li>Wait.</li></ol>" });
    await done(user);
    await place("Step 2 of 2");
    expect(screen.getByRole("progressbar", { name: "Steps done" }).getAttribute("value")).toBe("1");
  });

  it("shows the warnings above all steps and above the list of a step with it", async () => {
    const list = '<ol start="3"><li>Start it.</li><li>Look at it.</li></ol>';
    const text = `${warningOf("Acid.")}${content()}<h3>Start</h3>${warningOf("It moves.")}${list}`;
    const { user } = open(stored({ content: text }));
    for (let times = 0; times < 3; times++) await done(user);
    await place("Step 4 of 4 · Start");
    expect(screen.getByText("Acid.")).toBeTruthy();
    expect(screen.getByText("It moves.")).toBeTruthy();
  });

  it("offers the confirmation at the end to readers who still have to confirm", async () => {
    const hash = "a".repeat(64);
    const mine = { owes: true, dueBy: null, overdue: false, confirmed: null, counts: false };
    const state = { sopId: id, inForce: { version: 2, contentHash: hash }, mine, mayAsk: false, matrix: null };
    const path = `/api/sops/${id}/acknowledgements` as const;
    const { user, server } = open(stored(), {
      [`GET ${path}`]: state,
      [`POST ${path}`]: { ...state, mine: { ...mine, owes: false } },
    } as Partial<Replies>);
    const beginning = await screen.findByText("2 more sections");
    await done(user);
    await done(user);
    const confirm = await screen.findByRole("button", { name: "I have read it" });
    expect(beginning.isConnected).toBe(false);
    expect(confirm.hasAttribute("disabled")).toBe(true);
    screen.getByText("Open the folded sections first.");
    const folded = screen.getByText("2 more sections").closest("details");
    expect(folded?.querySelector("summary")?.textContent).toBe("2 more sections What to do, in order.Scope All");
    await user.click(screen.getByText("2 more sections"));
    await waitFor(() => expect(confirm.hasAttribute("disabled")).toBe(false));
    await user.click(confirm);
    await waitFor(() => expect(server.requestsFor(`POST ${path}`)[0]?.body).toEqual({ version: 2, contentHash: hash }));
  });

  it("offers the published version at the end to users who see a draft, and confirms that one there", async () => {
    const hash = "a".repeat(64);
    const mine = { owes: true, dueBy: null, overdue: false, confirmed: null, counts: false };
    const state = { sopId: id, inForce: { version: 2, contentHash: hash }, mine, mayAsk: false, matrix: null };
    const path = `/api/sops/${id}/acknowledgements` as const;
    const draft = stored({ version: 3, status: "draft" });
    const { user, server } = open(draft, {
      [`GET /api/sops/${id}`]: ({ query }: { query: Record<string, string> }) =>
        query["view"] === "published" ? stored({ content: content("Open the old valve.") }) : draft,
      [`GET ${path}`]: state,
      [`POST ${path}`]: { ...state, mine: { ...mine, owes: false } },
    } as Partial<Replies>);
    await done(user);
    await done(user);
    await user.click(await screen.findByRole("button", { name: "Read version 2" }));
    expect(screen.queryByRole("button", { name: "I have read it" })).toBeNull();
    await screen.findByText("Open the old valve.");
    const confirm = screen.getByRole("button", { name: "I have read version 2" });
    await waitFor(() => expect(confirm.hasAttribute("disabled")).toBe(false));
    await user.click(confirm);
    await waitFor(() => expect(server.requestsFor(`POST ${path}`)[0]?.body).toEqual({ version: 2, contentHash: hash }));
  });

  describe("of a text that says what one needs", () => {
    const needs = "<h2>Equipment</h2><ul><li>Long gloves</li></ul>";
    const withNeeds = stored({ content: needs + content() });

    it("begins with it, and goes back to it", async () => {
      const { user } = open(withNeeds);
      await place("Before you start");
      expect(screen.getByText("Long gloves")).toBeTruthy();
      await user.click(screen.getByRole("button", { name: "Start" }));
      await place("Step 1 of 2 · Steps");
      expect(screen.getByRole("progressbar", { name: "Steps done" }).getAttribute("value")).toBe("0");
      await user.keyboard("{ArrowLeft}");
      await place("Before you start");
      await user.keyboard(" ");
      await place("Step 1 of 2 · Steps");
    });

    it("opens at the step that a search answer named", async () => {
      open(withNeeds, {}, `/sop/${id}/steps?step=2&at=Open+the+valve#user-content-steps`);
      await place("Step 2 of 2 · Steps");
      expect(screen.getByText("Hot water sprays.")).toBeTruthy();
    });

    it("opens at the step that a link names", async () => {
      const { id: step } = /(?<id>user-content-step\.\w+)">Open/.exec(withNeeds.content)?.groups ?? {};
      open(withNeeds, {}, `/sop/${id}/steps#${step}`);
      await place("Step 2 of 2 · Steps");
    });

    it("is confirmed as read only after all of it was shown", async () => {
      const mine = { owes: true, dueBy: null, overdue: false, confirmed: null, counts: false };
      const inForce = { version: 2, contentHash: "a".repeat(64) };
      const { user } = open(
        withNeeds,
        {
          [`GET /api/sops/${id}/acknowledgements`]: { sopId: id, inForce, mine, mayAsk: false, matrix: null },
        } as Partial<Replies>,
        `/sop/${id}/steps?step=2&at=Open+the+valve`,
      );
      await place("Step 2 of 2 · Steps");
      await done(user);
      const confirm = () => screen.findByRole("button", { name: "I have read it" });
      expect((await confirm()).hasAttribute("disabled")).toBe(true);
      expect(screen.getByText("Look at each step first.")).toBeTruthy();
      for (let times = 0; times < 3; times++) await user.keyboard("{ArrowLeft}");
      await place("Before you start");
      await user.click(screen.getByText("1 more section"));
      await waitFor(() => expect(document.querySelector<HTMLDetailsElement>(".before-steps")?.open).toBe(true));
      for (let times = 0; times < 3; times++) await user.keyboard("{ArrowRight}");
      expect((await confirm()).hasAttribute("disabled")).toBe(false);
    });
  });

  it("keeps the step of a search answer from the text to the steps", async () => {
    const { user } = open(stored(), {}, `/sop/${id}?step=2&at=Open+the+valve#user-content-steps`);
    await user.click((await screen.findAllByRole("link", { name: "Steps" }))[0] as HTMLElement);
    await place("Step 2 of 2 · Steps");
  });

  it("says at the end that nothing was recorded", async () => {
    const { user } = open();
    await done(user);
    await done(user);
    await place("All 2 done");
    expect(screen.getByText("Nothing was recorded or sent.")).toBeTruthy();
  });

  it.each([
    ["Draft", { status: "draft", published: null }],
    ["Under Review", { status: "under_review", published: null }],
    ["Not yet effective", { scheduled: { version: 2, effectiveAt: "2099-01-01T00:00:00.000Z" }, published: null }],
    ["Archived", { status: "archived" }],
  ] satisfies [string, Partial<Sop>][])("says %s and the version on each screen", async (name, change) => {
    const needs = "<h2>Equipment</h2><ul><li>Gloves</li></ul>";
    const { user } = open(stored({ ...change, content: needs + content() }));
    const said = () => [screen.getAllByText(name).length, screen.getAllByText("Version 2").length];
    await place("Before you start");
    expect(said()).toEqual([1, 1]);
    await user.click(screen.getByRole("button", { name: "Start" }));
    await place("Step 1 of 2 · Steps");
    expect(said()).toEqual([1, 1]);
    await done(user);
    await done(user);
    await place("All 2 done");
    // beside the title, and above the buttons
    expect(said()).toEqual([2, 2]);
  });

  it("names no status of the published version", async () => {
    const { user } = open();
    await place("Step 1 of 2 · Steps");
    expect([screen.queryByText("Published"), screen.queryByText("Version 2")]).toEqual([null, null]);
    await done(user);
    await done(user);
    await screen.findByText("Version 2");
    expect(screen.queryByText("Published")).toBeNull();
  });

  it("says that a text has no steps", async () => {
    open(stored({ content: "<p>Text</p>" }));
    await screen.findByText("This SOP has no numbered steps.");
  });
});
