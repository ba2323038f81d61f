/** Typed text that was never saved stays in this browser, no matter what is typed, saved or discarded elsewhere. */
import { act, cleanup, fireEvent, screen, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { StoredDraft } from "#core/sops/editing.ts";
import { sopFormValuesOf } from "#core/sops/form-values.ts";
import type { Sop } from "#core/sops/schema.ts";
import {
  fakeServer,
  FakeRefusal,
  signedInReplies,
  type RecordedRequest,
  type Replies,
} from "../../testing/fake-server.ts";
import { installIndexedDb } from "../../testing/fake-indexed-db.ts";
import { aControl, aSop, aUser } from "../../testing/records.ts";
import { FakeStream, resetBrowser, showApp } from "../../testing/render-app.tsx";

const id = "01980000-0000-7000-8000-00000000abcd";
const stored = (change: Partial<Sop> = {}): Sop => ({
  ...aSop({ id, title: "Open", status: "draft", version: 3, number: "SOP-0042" }),
  content: "<p>One</p>",
  markdown: "One\n",
  control: aControl(),
  ...change,
});

const day = 24 * 3600_000;
const draft = (title: string, ageMs: number, baseVersion = 3): StoredDraft => ({
  values: { ...sopFormValuesOf(stored()), title },
  baseVersion,
  savedAt: new Date(Date.now() - ageMs).toISOString(),
});
const oldKey = `${aUser().id}/${id}`;

let kept: Map<string, unknown>;
beforeEach(() => {
  kept = installIndexedDb();
});
afterEach(() => {
  resetBrowser();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

function open(before: () => Promise<void> = async () => {}, replies: Partial<Replies> = {}) {
  let version = 3;
  const saving = async ({ body }: RecordedRequest) => {
    await before();
    return stored({ ...(body as Partial<Sop>), version: (version += 1) });
  };
  const server = fakeServer({
    ...signedInReplies(),
    [`GET /api/sops/${id}`]: stored(),
    [`GET /api/sops/${id}/versions`]: [],
    [`PUT /api/sops/${id}`]: saving,
    ...replies,
  } as Replies);
  return { server, ...showApp(server, `/sop/${id}/edit`) };
}

const title = () => screen.findByLabelText<HTMLInputElement>("Title");
const titles = () => [...kept.values()].map((one) => (one as StoredDraft).values.title).toSorted();
const notice = () => screen.findByText("Unsaved changes found");
const button = (name: string) => screen.findByRole("button", { name });
/** The tab is hidden, which stores typed text at once. */
const hide = () => act(() => void window.dispatchEvent(new Event("pagehide")));

describe("a draft that was found", () => {
  it("outlives what is typed before it is answered, and coming back offers both, the newest first", async () => {
    kept.set(oldKey, draft("Found", 60_000));
    const first = open();
    await notice();
    await first.user.type(await title(), "!");
    hide();
    await waitFor(() => expect(titles()).toEqual(["Found", "Open!"]));
    cleanup();

    const { user } = open();
    await notice();
    await user.click(await button("Restore them"));
    await waitFor(async () => expect((await title()).value).toBe("Open!"));
    await notice();
    await user.click(await button("Restore them"));
    await waitFor(async () => expect((await title()).value).toBe("Found"));
    // the earlier draft waits
    await notice();
    hide();
    await waitFor(() => expect(titles()).toEqual(["Found", "Open!"]));
  });

  it("is gone once it is restored and saved", async () => {
    kept.set(oldKey, draft("Found", 60_000));
    const { user } = open();
    await user.click(await button("Restore them"));
    await user.keyboard("{Control>}s{/Control}");
    await screen.findByText("· version 4");
    await waitFor(() => expect(kept.size).toBe(0));
  });

  it("is discarded alone: text typed since then is kept", async () => {
    kept.set(oldKey, draft("Found", 60_000));
    const { user } = open();
    await notice();
    await user.type(await title(), "!");
    hide();
    await waitFor(() => expect(titles()).toEqual(["Found", "Open!"]));
    await user.click(await button("Discard"));
    await waitFor(() => expect(titles()).toEqual(["Open!"]));
    expect((await title()).value).toBe("Open!");
  });

  it("stays when another text is saved in its stead", async () => {
    kept.set(oldKey, draft("Found", 60_000));
    kept.set(`${oldKey}/another-tab`, draft("Of another tab", 30_000));
    const { user } = open();
    await notice();
    await user.type(await title(), "!");
    hide();
    await waitFor(() => expect(kept.size).toBe(3));
    await user.keyboard("{Control>}s{/Control}");
    await screen.findByText("· version 4");
    await waitFor(() => expect(titles()).toEqual(["Found", "Of another tab"]));
  });
});

describe("leaving while a save is on its way", () => {
  async function leave(typedSince: string) {
    let answer = () => {};
    const { user, address } = open(() => new Promise((resolve) => (answer = resolve)));
    await user.type(await title(), "!");
    await user.click(await button("Save SOP"));
    await waitFor(async () => expect((await button("Save SOP")).getAttribute("aria-busy")).toBe("true"));
    if (typedSince !== "") await user.type(await title(), typedSince);
    await user.click(screen.getByRole("link", { name: "Back to the SOP" }));
    await waitFor(() => expect(address()).toBe(`/sop/${id}`));
    await waitFor(() => expect(titles()).toEqual([`Open!${typedSince}`]));
    answer();
    await screen.findByText("SOP Updated");
    expect(address()).toBe(`/sop/${id}`);
  }

  it("keeps what was typed since, on the version that the save made", async () => {
    await leave("?");
    await waitFor(() => expect([...kept.values()]).toMatchObject([{ baseVersion: 4, values: { title: "Open!?" } }]));
  });

  it("keeps nothing when everything was saved, and doesn't navigate back", async () => {
    await leave("");
    await waitFor(() => expect(kept.size).toBe(0));
  });
});

describe("what is typed and not stored yet", () => {
  it("is written at once as the page goes, which a database answers too late for", async () => {
    vi.stubGlobal("indexedDB", { open: () => new EventTarget() });
    const first = open();
    await first.user.type(await title(), "!");
    hide();
    expect(Object.values<string>(localStorage).filter((text) => text.includes("Open!"))).toHaveLength(1);
    cleanup();

    kept = installIndexedDb();
    const { user } = open();
    await notice();
    await user.click(await button("Restore them"));
    await waitFor(async () => expect((await title()).value).toBe("Open!"));
    await user.keyboard("{Control>}s{/Control}");
    await screen.findByText("· version 4");
    await waitFor(() => expect([...kept.keys(), ...Object.keys(localStorage)]).toEqual([]));
  });

  it("does not wait for ever for who never rests", async () => {
    open();
    const field = await title();
    const start = Date.now();
    for (let typed = 1; typed <= 100 && kept.size === 0; typed += 1) {
      vi.spyOn(Date, "now").mockReturnValue(start + typed * 500);
      fireEvent.change(field, { target: { value: `Open ${typed}` } });
      await act(() => new Promise((resolve) => setTimeout(resolve, 10)));
    }
    expect(kept.size).toBe(1);
  });

  it("does not take the place of what it contains where the disk is full", async () => {
    kept = installIndexedDb({ isFull: () => true });
    kept.set(oldKey, draft("Found", 60_000));
    // from the start, because a draft is written after a second of rest
    vi.spyOn(Storage.prototype, "setItem").mockImplementation(() => {
      throw new DOMException("full", "QuotaExceededError");
    });
    const { user } = open();
    await user.click(await button("Restore them"));
    await waitFor(async () => expect((await title()).value).toBe("Found"));
    await user.type(await title(), "!");
    await user.click(screen.getByRole("link", { name: "Back to the SOP" }));
    await screen.findByText("Unsaved changes are not kept");
    expect(titles()).toEqual(["Found"]);
    cleanup();
    // while the tab is open
    const { user: back } = open();
    await notice();
    await back.click(await button("Restore them"));
    await waitFor(async () => expect((await title()).value).toBe("Found!"));
    await notice();
    await back.click(await button("Discard"));
    await back.keyboard("{Control>}s{/Control}");
    await screen.findByText("· version 4");
  });
});

describe("an SOP that can't be edited anymore", () => {
  const requested = { name: "Copy to a new SOP" };

  it("leaves what is written on the screen, and a new SOP takes it along", async () => {
    const { user, server, address } = open();
    await user.type(await title(), "!");
    server.reply({
      [`GET /api/sops/${id}`]: new FakeRefusal("not_found"),
      [`PUT /api/sops/${id}`]: new FakeRefusal("not_found"),
    });
    await user.keyboard("{Control>}s{/Control}");
    await screen.findByText("You can't save this SOP anymore");
    expect((await title()).value).toBe("Open!");
    await user.click(screen.getByRole("button", requested));
    await waitFor(() => expect(address()).toBe("/sop/new"));
    await user.click(await button("Restore them"));
    await waitFor(async () => expect((await title()).value).toBe("Open!"));
    expect(screen.queryByText(/They start from version/)).toBeNull();
    hide();
    await waitFor(() => expect([...kept.keys()].map((key) => key.split("/")[1])).toEqual(["new"]));
    expect([...kept.values()]).toMatchObject([{ baseVersion: null, values: { markdown: "One\n" } }]);
  });

  it("offers what was kept of it before", async () => {
    kept.set(oldKey, draft("Found", 60_000));
    const { user, address } = open(undefined, { [`GET /api/sops/${id}`]: new FakeRefusal("not_found") });
    await screen.findByText("SOP Not Found");
    await user.click(await screen.findByRole("button", requested));
    await waitFor(() => expect(address()).toBe("/sop/new"));
    await user.click(await button("Restore them"));
    await waitFor(async () => expect((await title()).value).toBe("Found"));
    expect(kept.has(oldKey)).toBe(false);
  });

  it("is shown as gone where nothing was written", async () => {
    const { server } = open();
    await title();
    server.reply({ [`GET /api/sops/${id}`]: new FakeRefusal("not_found") });
    act(() => FakeStream.opened.at(-1)?.emit({ resources: ["sops"] }));
    await screen.findByText("SOP Not Found");
  });
});

describe("how long drafts are kept", () => {
  it("offers the newest five of an SOP, none older than thirty days, and never another's", async () => {
    for (const at of [1, 2, 3, 4, 5, 6]) kept.set(`${oldKey}/${at}`, draft(`Number ${at}`, at * 60_000));
    kept.set(oldKey, draft("Too old", 31 * day));
    kept.set(`${aUser().id}/new/1`, draft("Of a new one", 29 * day));
    kept.set(`${aUser().id}/another`, draft("Of another SOP, too old", 31 * day));
    kept.set(`somebody/${id}`, draft("Of somebody", 1_000));
    const { user } = open();
    await notice();
    await waitFor(() =>
      expect(titles()).toEqual([
        "Number 1",
        "Number 2",
        "Number 3",
        "Number 4",
        "Number 5",
        "Of a new one",
        "Of somebody",
      ]),
    );
    for (const _ of [1, 2, 3, 4, 5]) await user.click(await button("Discard"));
    await waitFor(() => expect(screen.queryByText("Unsaved changes found")).toBeNull());
    await waitFor(() => expect(titles()).toEqual(["Of a new one", "Of somebody"]));
  });
});
