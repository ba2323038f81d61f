/** Submitting the text on the screen: it is stored first, and the request names the version with it. */
import { act, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { afterEach, describe, expect, it, vi } from "vitest";
import type { Sop } from "#core/sops/schema.ts";
import { aChoice, anApproval } from "../../testing/approval-records.ts";
import {
  fakeServer,
  FakeRefusal,
  signedInReplies,
  type RecordedRequest,
  type Replies,
} from "../../testing/fake-server.ts";
import { aCategory, aControl, aSop } from "../../testing/records.ts";
import { chooseAction, openProperties, showSource } from "../../testing/edit-screen.ts";
import { FakeStream, resetBrowser, showApp } from "../../testing/render-app.tsx";

afterEach(() => {
  resetBrowser();
  vi.unstubAllGlobals();
});

const id = "01980000-0000-7000-8000-00000000abcd";
const stored = (change: Partial<Sop> = {}): Sop => ({
  ...aSop({ id, title: "Open", status: "draft", version: 3, number: "SOP-0042" }),
  content: "<p>One</p>",
  markdown: "One\n",
  control: aControl(),
  ...change,
});
const published: Partial<Sop> = {
  status: "published",
  published: { version: 3, effectiveAt: "2026-03-01T10:00:00.000Z" },
};
const put = `PUT /api/sops/${id}` as const;
const ask = `POST /api/sops/${id}/request-approval` as const;

function open(change: Partial<Sop> = {}, replies: Partial<Replies> = {}, path = `/sop/${id}/edit`) {
  const server = fakeServer({
    ...signedInReplies(),
    [`GET /api/sops/${id}`]: stored(change),
    [`GET /api/sops/${id}/versions`]: [],
    [`GET /api/sops/${id}/approvers`]: aChoice([
      { id: "cy", name: "Cy Cole", username: "anyone", initials: "CC", role: "reviewer", eligible: true },
    ]),
    "GET /api/approvals": [],
    [put]: ({ body }: RecordedRequest) =>
      stored({ status: "draft", ...(body as Partial<Sop>), version: 4, published: stored(change).published }),
    [ask]: anApproval({ sopId: id, version: 4 }),
    ...replies,
  } as Replies);
  return { server, ...showApp(server, path) };
}

type User = ReturnType<typeof showApp>["user"];
const title = () => screen.findByLabelText<HTMLInputElement>("Title");
const submit = (user: User) => chooseAction(user, "Submit for Approval");
const status = async (user: User) => {
  await openProperties(user);
  return screen.getByLabelText<HTMLSelectElement>(/^Status( after saving)?$/);
};
const dialog = () => screen.findByRole("dialog", { name: "Submit for Approval" });

describe("save and submit", () => {
  it("stores the text as a draft with any chosen status, and submits that very version", async () => {
    const { user, server, address } = open();
    await user.type(await title(), " it");
    await user.selectOptions(await status(user), "Published");
    expect(screen.getByLabelText<HTMLInputElement>("Number").value).toBe("SOP-0042");
    await submit(user);
    const asking = within(await dialog());
    expect(asking.getByText("Open it, version 4")).toBeTruthy();
    const [saved] = server.requestsFor(put);
    expect([saved?.headers["if-match"], saved?.body]).toMatchObject(['"v3"', { title: "Open it", status: "draft" }]);
    expect(screen.getByLabelText<HTMLSelectElement>("Status after saving").value).toBe("draft");
    expect((await asking.findByRole<HTMLInputElement>("checkbox", { name: "Cy Cole" })).checked).toBe(true);
    await user.click(asking.getByRole("button", { name: "Submit for Approval" }));
    await waitFor(() => expect(address()).toBe(`/sop/${id}`));
    const [request] = server.requestsFor(ask);
    expect([request?.headers["if-match"], request?.body]).toMatchObject(['"v4"', { approverIds: ["cy"] }]);
  });

  it("is offered for a change to what is published, which becomes a draft; not before there is one", async () => {
    const { user, server } = open(published);
    await title();
    await waitFor(() => expect(server.requestsFor("GET /api/approvals").length).toBeGreaterThan(0));
    await user.click(screen.getByRole("button", { name: "More actions" }));
    const item = await screen.findByRole("menuitem", { name: "Submit for Approval" });
    expect(item.getAttribute("aria-disabled")).toBe("true");
    await user.keyboard("{Escape}");
    await user.type(await title(), " it");
    await submit(user);
    expect(within(await dialog()).getByText("Open it, version 4")).toBeTruthy();
    // saving a published SOP creates a draft without asking
    expect(server.requestsFor(put)[0]?.body).not.toHaveProperty("status");
  });

  it("asks for nothing where more was typed while it was being saved", async () => {
    let answer = (): void => {};
    const waits = new Promise<void>((resolve) => (answer = resolve));
    const { user, server } = open(
      {},
      {
        [put]: async ({ body }: RecordedRequest) => {
          await waits;
          return stored({ ...(body as Partial<Sop>), version: 4 });
        },
      },
    );
    await user.type(await title(), " it");
    await submit(user);
    await waitFor(() => expect(server.requestsFor(put)).toHaveLength(1));
    await user.type(await title(), " now");
    answer();
    await screen.findByText("Your latest edits aren't saved yet.");
    expect(screen.queryByRole("dialog")).toBeNull();
    expect((await title()).value).toBe("Open it now");
  });

  it("submits nothing that could not be saved: missing words, a refusal, a save that came too late", async () => {
    const { user, server } = open({}, { [put]: new FakeRefusal("conflict", "Not now") });
    await user.clear(await title());
    await submit(user);
    await screen.findByText("Title is required");
    expect(server.requestsFor(put)).toEqual([]);
    await user.type(await title(), "Open it");
    await submit(user);
    await screen.findByText("Not now");
    server.reply({
      [put]: new FakeRefusal("stale", "Someone else saved version 4", { version: 4 }),
      [`GET /api/sops/${id}`]: stored({ version: 4, description: "Theirs." }),
      [`GET /api/sops/${id}/versions/3`]: stored(),
    } as Partial<Replies> as Replies);
    await submit(user);
    await screen.findByRole("dialog", { name: "Someone else saved changes" });
    expect(screen.queryByRole("dialog", { name: "Submit for Approval" })).toBeNull();
    expect(server.requestsFor(ask)).toEqual([]);
  });

  it("leaves a stored draft to be submitted as it is", async () => {
    const { user, server } = open();
    await submit(user);
    expect(within(await dialog()).getByText("Open, version 3")).toBeTruthy();
    expect(server.requestsFor(put)).toEqual([]);
  });
});

describe("a new SOP", () => {
  const post = "POST /api/sops" as const;
  const made = ({ body }: RecordedRequest) => stored({ ...(body as Partial<Sop>), version: 1 });

  async function write(replies: Partial<Replies> = {}) {
    const shown = open({}, { [post]: made, [ask]: anApproval({ sopId: id, version: 1 }), ...replies }, "/sop/new");
    const { user, server } = shown;
    await user.type(await title(), "Open");
    await user.type(screen.getByLabelText("Description"), "Every morning.");
    await user.selectOptions(screen.getByLabelText("Category"), "Finance");
    await showSource(user);
    fireEvent.change(screen.getByRole("textbox", { name: "Content" }), { target: { value: "One" } });
    server.reply({ [`GET /api/sops/${id}`]: stored({ version: 1 }) });
    return shown;
  }

  it("is stored as a draft with any chosen status, and that very version is submitted from its page", async () => {
    const { user, server, address } = await write();
    await user.selectOptions(await status(user), "Published");
    await submit(user);
    const asking = within(await dialog());
    expect(asking.getByText("Open, version 1")).toBeTruthy();
    expect(address()).toBe(`/sop/${id}`);
    expect(server.requestsFor(post).map(({ body }) => body)).toMatchObject([{ status: "draft", title: "Open" }]);
    expect((await asking.findByRole<HTMLInputElement>("checkbox", { name: "Cy Cole" })).checked).toBe(true);
    await user.click(asking.getByRole("button", { name: "Submit for Approval" }));
    await screen.findByText("Approval requested");
    const [request] = server.requestsFor(ask);
    expect([request?.headers["if-match"], request?.body]).toMatchObject(['"v1"', { approverIds: ["cy"] }]);
  });

  it("asks once: a user who cancels has the draft, and no question again", async () => {
    const { user } = await write();
    await submit(user);
    await user.click(within(await dialog()).getByRole("button", { name: "Cancel" }));
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    await screen.findByRole("button", { name: "Submit for Approval" });
    await user.click(screen.getByRole("link", { name: "Edit" }));
    await title();
    await user.click(screen.getByRole("link", { name: "Back to the SOP" }));
    await screen.findByRole("button", { name: "Submit for Approval" });
    expect(screen.queryByRole("dialog")).toBeNull();
  });

  it("goes on in the editor when its publication is cancelled", async () => {
    const { user, address, server } = await write();
    await user.click(screen.getByRole("button", { name: "Publish or submit…" }));
    await user.click(within(await screen.findByRole("dialog")).getByRole("button", { name: "Cancel" }));
    await waitFor(() => expect(address()).toBe(`/sop/${id}/edit`));
    expect((await title()).value).toBe("Open");
    expect(server.requestsFor(post)).toHaveLength(1);
  });

  it("takes a new category without leaving the text", async () => {
    const labs = aCategory({ id: "cat-new", name: "Labs" });
    const { user, server } = await write({ "POST /api/categories": labs, "GET /api/teams": [] });
    const category = screen.getByLabelText<HTMLSelectElement>("Category");
    await user.selectOptions(category, "New category…");
    const form = within(await screen.findByRole("dialog", { name: "New Category" }));
    server.reply({ "GET /api/categories": [labs] });
    await user.type(form.getByLabelText("Category name"), "Labs");
    await user.click(form.getByRole("button", { name: "Create Category" }));
    await waitFor(() => expect(category.value).toBe("cat-new"));
    expect((await title()).value).toBe("Open");
  });

  it("shows another person's version first, and does not ask about a text that was not written here", async () => {
    const listed = Promise.withResolvers<void>();
    const list = async ({ query }: RecordedRequest) => {
      if (query["sopId"]) await listed.promise;
      return [];
    };
    const { user, server, address } = await write({ "GET /api/approvals": list });
    server.reply({ [`GET /api/sops/${id}`]: stored({ version: 2, content: "<p>Theirs</p>" }) });
    await submit(user);
    await waitFor(() => expect(address()).toBe(`/sop/${id}`));
    act(() => FakeStream.opened[0]?.emit({ id: "7", resources: ["sops"], sopId: id }));
    await screen.findByText("Theirs");
    listed.resolve();
    await screen.findByRole("button", { name: "Submit for Approval" });
    expect(screen.queryByRole("dialog")).toBeNull();
  });

  it("submits nothing that could not be saved, and asks for what is missing", async () => {
    const { user, server, address } = await write({ [post]: new FakeRefusal("limit_reached", "100 of 100 SOPs") });
    await user.clear(await title());
    await submit(user);
    await screen.findByText("Title is required");
    expect(server.requestsFor(post)).toEqual([]);
    await user.type(await title(), "Open");
    await submit(user);
    await screen.findByText("100 of 100 SOPs");
    expect(screen.queryByRole("dialog")).toBeNull();
    expect(address()).toBe("/sop/new");
  });

  it("is a draft too where an answer got lost, and more was written before the next try", async () => {
    const lost = () => Promise.reject(new TypeError("Failed to fetch"));
    const { user, server } = await write({ [post]: lost });
    await user.selectOptions(await status(user), "Published");
    await submit(user);
    await screen.findByText(/didn't respond/);
    await user.type(await title(), " now");
    server.reply({
      [post]: new FakeRefusal("unprocessable", "This Idempotency-Key was used with another body", { id }),
      [put]: ({ body }: RecordedRequest) => stored({ ...(body as Partial<Sop>), version: 2 }),
    });
    await submit(user);
    expect(within(await dialog()).getByText("Open now, version 2")).toBeTruthy();
    expect(server.requestsFor(put)).toHaveLength(1);
    expect((server.requestsFor(put)[0]?.body as Partial<Sop> | undefined)?.status ?? "draft").toBe("draft");
  });

  it("stays where it is when more was typed: the draft is there, and the next click submits it", async () => {
    const answer = Promise.withResolvers<void>();
    const { user, server, address } = await write({
      [post]: async (requested: RecordedRequest) => (await answer.promise, made(requested)),
    });
    await submit(user);
    await waitFor(() => expect(server.requestsFor(post)).toHaveLength(1));
    await user.type(await title(), " now");
    answer.resolve();
    await screen.findByText("Your latest edits aren't saved yet.");
    expect(screen.queryByRole("dialog")).toBeNull();
    expect(address()).toBe("/sop/new");
    server.reply({ [put]: ({ body }: RecordedRequest) => stored({ ...(body as Partial<Sop>), version: 2 }) });
    await submit(user);
    expect(within(await dialog()).getByText("Open now, version 2")).toBeTruthy();
    expect(server.requestsFor(post)).toHaveLength(1);
  });

  it("doesn't call back a user who left during the save", async () => {
    const answer = Promise.withResolvers<void>();
    const { user, server, address } = await write({
      [post]: async (requested: RecordedRequest) => (await answer.promise, made(requested)),
    });
    await submit(user);
    await waitFor(() => expect(server.requestsFor(post)).toHaveLength(1));
    await user.click(screen.getByRole("link", { name: "Back to Dashboard" }));
    await waitFor(() => expect(address()).toBe("/"));
    answer.resolve();
    await screen.findByText("SOP Created");
    expect(address()).toBe("/");
    expect(screen.queryByRole("dialog")).toBeNull();
  });

  it("has no such button where there is no approval (501)", async () => {
    const { server } = open({}, { "GET /api/approvals": new FakeRefusal("unavailable") }, "/sop/new");
    await title();
    await waitFor(() =>
      expect(server.requestsFor("GET /api/approvals").map(({ query }) => query)).toContainEqual({
        status: "pending",
        mine: "true",
      }),
    );
    expect(screen.queryByRole("button", { name: "Submit for Approval" })).toBeNull();
  });
});

describe("a picture on its way", () => {
  /** Chosen while nothing else was changed. */
  async function pick() {
    const { promise, resolve, reject } = Promise.withResolvers<Response>();
    // uploads don't use the typed client, so the server in memory doesn't get them
    const sent = vi.fn<typeof fetch>(() => promise);
    vi.stubGlobal("fetch", sent);
    const input = await waitFor(() => {
      const shown = document.querySelector("input[type=file]");
      if (!shown) throw new Error("no input for files");
      return shown;
    });
    fireEvent.change(input, { target: { files: [new File(["x"], "x.png", { type: "image/png" })] } });
    await screen.findByText("Uploading x.png…");
    await waitFor(() => expect(sent).toHaveBeenCalledTimes(1));
    expect(sent.mock.calls[0]).toMatchObject([
      "/api/assets",
      { method: "POST", headers: { "content-type": "image/png" } },
    ]);
    const stored = () => resolve(Response.json({ url: "/x.png" }, { status: 201 }));
    return { arrive: () => act(stored), fail: () => act(() => reject(new TypeError("Failed to fetch"))) };
  }
  const isBusy = async () => (await screen.findByRole("button", { name: "Save SOP" })).getAttribute("aria-busy");

  it("is waited for, and is in what is submitted", async () => {
    const { user, server } = open();
    const image = await pick();
    await submit(user);
    await waitFor(async () => expect(await isBusy()).toBe("true"));
    expect(server.requestsFor(put)).toEqual([]);
    image.arrive();
    await dialog();
    expect(server.requestsFor(put).map(({ body }) => body)).toMatchObject([
      { markdown: expect.stringContaining("![](/x.png)") },
    ]);
  });

  it("shows a save that fails, and submits nothing without it", async () => {
    const { user, server } = open();
    const image = await pick();
    await submit(user);
    await waitFor(async () => expect(await isBusy()).toBe("true"));
    image.fail();
    await screen.findByText("Image not added");
    await waitFor(async () => expect(await isBusy()).not.toBe("true"));
    expect(server.requestsFor(put)).toEqual([]);
    expect(screen.queryByRole("dialog")).toBeNull();
  });

  it("is waited for by a plain save, which goes on without it where it fails", async () => {
    const { user, server } = open();
    const first = await pick();
    await user.keyboard("{Control>}s{/Control}");
    await waitFor(async () => expect(await isBusy()).toBe("true"));
    expect(server.requestsFor(put)).toEqual([]);
    first.arrive();
    await waitFor(() => expect(server.requestsFor(put)).toHaveLength(1));
    expect(server.requestsFor(put)[0]?.body).toMatchObject({ markdown: expect.stringContaining("![](/x.png)") });
    await screen.findByText("· version 4");
    const second = await pick();
    await user.type(await title(), " it");
    await user.keyboard("{Control>}s{/Control}");
    second.fail();
    await waitFor(() => expect(server.requestsFor(put)).toHaveLength(2));
    expect(server.requestsFor(put)[1]?.body).toMatchObject({ title: "Open it" });
  });

  it("that began while a save was on its way keeps the screen", async () => {
    const saved = Promise.withResolvers<void>();
    const reply = async ({ body }: RecordedRequest) => {
      await saved.promise;
      return stored({ ...(body as Partial<Sop>), version: 4 });
    };
    const { user, server } = open({}, { [put]: reply });
    await user.type(await title(), " it");
    await submit(user);
    await waitFor(() => expect(server.requestsFor(put)).toHaveLength(1));
    const image = await pick();
    saved.resolve();
    await screen.findByText("Your latest edits aren't saved yet.");
    expect(screen.queryByRole("dialog")).toBeNull();
    image.arrive();
    await user.keyboard("{Control>}s{/Control}");
    await waitFor(() => expect(server.requestsFor(put)).toHaveLength(2));
    expect(server.requestsFor(put)[1]?.body).toMatchObject({ markdown: expect.stringContaining("![](/x.png)") });
  });

  it("is part of mine where the save came too late", async () => {
    const late = Promise.withResolvers<void>();
    const { user, server } = open(
      {},
      { [put]: () => late.promise.then(() => new FakeRefusal("stale", "Late", { version: 4 })) },
    );
    await user.type(await title(), " it");
    await user.keyboard("{Control>}s{/Control}");
    await waitFor(() => expect(server.requestsFor(put)).toHaveLength(1));
    const image = await pick();
    server.reply({
      [`GET /api/sops/${id}`]: stored({ version: 4, markdown: "One\n\nTheirs.\n" }),
      [`GET /api/sops/${id}/versions/3`]: { id: "v3", version: 3, title: "Open", content: "", markdown: "One\n" },
      [put]: ({ body }: RecordedRequest) => stored({ ...(body as Partial<Sop>), version: 5 }),
    });
    late.resolve();
    await waitFor(async () => expect(await isBusy()).toBe("true"));
    expect(screen.queryByRole("dialog")).toBeNull();
    image.arrive();
    const asking = within(await screen.findByRole("dialog", { name: "Someone else saved changes" }));
    await user.click(await asking.findByRole("button", { name: "Save merged text" }));
    await waitFor(() => expect(server.requestsFor(put)).toHaveLength(2));
    const sent = String((server.requestsFor(put)[1]?.body as Partial<Sop> | undefined)?.markdown);
    expect(sent).toContain("![](/x.png)");
    expect(sent).toContain("Theirs.");
  });

  it("stays where a proposal for the text comes before it", async () => {
    const proposed = { markdown: "One\n\nProposed.\n", base: "One\n", summary: "", edits: [], dropped: [], ai: null };
    const { user, server } = open(
      {},
      {
        "GET /api/user/settings": { hasGlobalApiKey: false, companyAiEnabled: false, mailChoices: {} },
        "POST /api/ai/enhance-content": { content: "", ...proposed, findings: { before: [], after: [] } },
      },
    );
    const image = await pick();
    await user.click(await screen.findByRole("button", { name: "More actions" }));
    await user.click(await screen.findByRole("menuitem", { name: /^Formatting/ }));
    await waitFor(() => expect(server.requestsFor("POST /api/ai/enhance-content")).toHaveLength(1));
    await waitFor(async () => expect(await isBusy()).toBe("true"));
    expect(screen.queryByRole("dialog")).toBeNull();
    image.arrive();
    const asking = within(await screen.findByRole("dialog"));
    await user.click(await asking.findByRole("button", { name: "Accept" }));
    await user.click(asking.getByRole("button", { name: /^Apply/ }));
    await waitFor(() => expect(document.querySelector(".ProseMirror")?.textContent).toContain("Proposed."));
    await user.keyboard("{Control>}s{/Control}");
    await waitFor(() => expect(server.requestsFor(put)).toHaveLength(1));
    const sent = String((server.requestsFor(put)[0]?.body as Partial<Sop> | undefined)?.markdown);
    expect(sent).toContain("![](/x.png)");
    expect(sent).toContain("Proposed.");
  });
});
