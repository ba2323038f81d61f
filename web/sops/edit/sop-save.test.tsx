/** Users keep typing while a save runs: nothing is lost, and no one conflicts with themselves. */
import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import { afterEach, describe, expect, it, vi } from "vitest";
import type { Sop } from "#core/sops/schema.ts";
import {
  fakeServer,
  FakeRefusal,
  signedInReplies,
  type RecordedRequest,
  type Replies,
} from "../../testing/fake-server.ts";
import { aControl, aSop } from "../../testing/records.ts";
import { chooseAction, showSource } from "../../testing/edit-screen.ts";
import { resetBrowser, showApp } from "../../testing/render-app.tsx";

afterEach(resetBrowser);

const id = "01980000-0000-7000-8000-00000000abcd";
const stored = (change: Partial<Sop> = {}): Sop => ({
  ...aSop({ id, title: "Open", status: "draft", version: 3, number: "SOP-0042" }),
  content: "<p>One</p>",
  markdown: "One\n",
  control: aControl(),
  ...change,
});
const row = (version: number, isCurrent = false) => ({
  id: `v${version}`,
  sopId: id,
  version,
  title: "Open",
  description: "What to do, in order.",
  changedBy: { id: "b", name: "Ben Baker" },
  changeNote: null,
  changeClass: "minor",
  contentHash: "0",
  restores: null,
  approvedBy: [],
  isCurrent,
  isInForce: false,
  ai: [],
  commit: null,
  createdAt: "2026-03-01T10:00:00.000Z",
});

/** Holds answers to saves until the test releases them one by one. Each returns the sent text as the next version. */
function slow(more: Partial<Replies> = {}, path = `/sop/${id}/edit`) {
  const waiting: (() => void)[] = [];
  let version = path === "/sop/new" ? 0 : 3;
  const saving = (requested: RecordedRequest) =>
    new Promise((resolve) => {
      waiting.push(() => {
        const isStale = requested.method === "PUT" && requested.headers["if-match"] !== `"v${version}"`;
        if (isStale) return resolve(new FakeRefusal("stale", "Someone else saved", { version }));
        const { changeNote: _note, ...sent } = requested.body as Partial<Sop> & { changeNote: unknown };
        resolve(stored({ ...sent, version: (version += 1) }));
      });
    });
  const server = fakeServer({
    ...signedInReplies(),
    [`GET /api/sops/${id}`]: stored(),
    [`GET /api/sops/${id}/versions`]: [row(3, true)],
    [`PUT /api/sops/${id}`]: saving,
    "POST /api/sops": saving,
    ...more,
  } as Replies);
  const answer = async () => {
    await waitFor(() => expect(waiting.length).toBeGreaterThan(0));
    waiting.shift()?.();
  };
  return { server, answer, waiting, ...showApp(server, path) };
}

type User = ReturnType<typeof showApp>["user"];
const title = () => screen.findByLabelText<HTMLInputElement>("Title");
const saveKey = (user: User) => user.keyboard("{Control>}s{/Control}");
const puts = (server: ReturnType<typeof fakeServer>) => server.requestsFor(`PUT /api/sops/${id}`);
const asksBeforeLeaving = () => !window.dispatchEvent(new Event("beforeunload", { cancelable: true }));
const source = () => screen.getByRole<HTMLTextAreaElement>("textbox", { name: "Content" });
async function typeContent(user: User, markdown: string) {
  await showSource(user);
  fireEvent.change(source(), { target: { value: markdown } });
}

describe("typing while a save is on its way", () => {
  it("stays in a field, and is what the next save sends, on the new version", async () => {
    const { user, server, answer } = slow();
    await user.type(await title(), " a");
    await saveKey(user);
    await waitFor(() => expect(puts(server)).toHaveLength(1));
    await user.type(await title(), " b");
    await answer();
    await screen.findByText("· version 4");
    expect((await title()).value).toBe("Open a b");
    expect(asksBeforeLeaving()).toBe(true);
    await saveKey(user);
    await answer();
    await screen.findByText("· version 5");
    expect(puts(server).map(({ body, headers }) => [(body as Sop).title, headers["if-match"]])).toEqual([
      ["Open a", '"v3"'],
      ["Open a b", '"v4"'],
    ]);
    await waitFor(() => expect(asksBeforeLeaving()).toBe(false));
  });

  it("stays unsaved in the text, and the button does not lead away from it", async () => {
    const { user, server, answer, address } = slow();
    await typeContent(user, "One two\n");
    await user.click(await screen.findByRole("button", { name: "Save SOP" }));
    await waitFor(() => expect(puts(server)).toHaveLength(1));
    await typeContent(user, "One two three\n");
    await answer();
    await screen.findByText("· version 4");
    await screen.findByText("SOP Updated");
    expect(screen.getByText(/latest edits aren't saved/)).toBeTruthy();
    expect(address()).toBe(`/sop/${id}/edit`);
    expect(source().value).toBe("One two three\n");
    expect(asksBeforeLeaving()).toBe(true);
  });

  it("is kept when the new SOP comes to be, and goes into it", async () => {
    const { user, server, answer, address } = slow({}, "/sop/new");
    await user.type(await title(), "Open");
    await user.type(screen.getByLabelText("Description"), "Every morning.");
    await user.selectOptions(screen.getByLabelText("Category"), "Finance");
    await typeContent(user, "One\n");
    await user.click(await screen.findByRole("button", { name: "Save SOP" }));
    await waitFor(() => expect(server.requestsFor("POST /api/sops")).toHaveLength(1));
    await user.type(await title(), " it");
    await answer();
    await screen.findByText("· version 1");
    expect((await title()).value).toBe("Open it");
    await user.click(await screen.findByRole("button", { name: "Save SOP" }));
    await answer();
    await waitFor(() => expect(address()).toBe(`/sop/${id}`));
    expect(server.requestsFor("POST /api/sops")).toHaveLength(1);
    expect(puts(server)[0]?.headers["if-match"]).toBe('"v1"');
    expect(puts(server)[0]?.body).toMatchObject({ title: "Open it", markdown: "One\n" });
  });

  it("is part of mine when the save came too late", async () => {
    const theirs = stored({ version: 4, description: "Theirs." });
    const { user, server, waiting } = slow({
      [`GET /api/sops/${id}/versions/3`]: { ...row(3), content: "", markdown: "One\n" },
    });
    await user.type(await title(), " a");
    await saveKey(user);
    await waitFor(() => expect(waiting).toHaveLength(1));
    await user.type(await title(), " b");
    const late = new FakeRefusal("stale", "Someone else saved version 4", { version: 4 });
    server.reply({ [`GET /api/sops/${id}`]: theirs, [`GET /api/sops/${id}/versions`]: [row(4, true), row(3)] });
    server.reply({ [`PUT /api/sops/${id}`]: late });
    // the running one is refused as well: it was based on an older version
    puts(server)[0]!.headers["if-match"] = '"v2"';
    waiting.shift()?.();
    const dialog = await screen.findByRole("dialog", { name: "Someone else saved changes" });
    await waitFor(() => expect(dialog.textContent).toContain("Open a b"));
  });
});

describe("the save key", () => {
  it("pressed twice is one save, without a conflict with itself", async () => {
    const { user, server, answer } = slow();
    await user.type(await title(), " a");
    await saveKey(user);
    await saveKey(user);
    await answer();
    await screen.findByText("· version 4");
    expect(puts(server)).toHaveLength(1);
    expect(screen.queryByRole("dialog")).toBeNull();
  });

  it("pressed again after more was typed saves that too, when the first is through", async () => {
    const { user, server, answer } = slow();
    await user.type(await title(), " a");
    await saveKey(user);
    await user.type(await title(), " b");
    await saveKey(user);
    await waitFor(() => expect(puts(server)).toHaveLength(1));
    await answer();
    await answer();
    await screen.findByText("· version 5");
    expect(puts(server).map(({ body, headers }) => [(body as Sop).title, headers["if-match"]])).toEqual([
      ["Open a", '"v3"'],
      ["Open a b", '"v4"'],
    ]);
    await waitFor(() => expect(asksBeforeLeaving()).toBe(false));
  });

  it("does nothing under an open window", async () => {
    const { user, server } = slow({ "POST /api/sops/preview": { content: "<p>One</p>" } });
    await user.type(await title(), " a");
    await chooseAction(user, "Preview");
    await within(await screen.findByRole("dialog", { name: "Preview" })).findByText("One");
    await saveKey(user);
    await user.keyboard("{Escape}");
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    expect(puts(server)).toEqual([]);
  });
});

describe("an answer that got lost", () => {
  it("does not make a second SOP, nor keep what was typed since from being saved", async () => {
    const lost = () => Promise.reject(new TypeError("Failed to fetch"));
    const { user, server, address } = slow({ "POST /api/sops": lost }, "/sop/new");
    await user.type(await title(), "Open");
    await user.type(screen.getByLabelText("Description"), "Every morning.");
    await user.selectOptions(screen.getByLabelText("Category"), "Finance");
    await typeContent(user, "One\n");
    await saveKey(user);
    await screen.findByText(/didn't respond/);
    await user.type(await title(), " it");
    server.reply({
      "POST /api/sops": new FakeRefusal("unprocessable", "This Idempotency-Key was used with another body", { id }),
      [`GET /api/sops/${id}`]: stored({ version: 1, categoryId: "cat-fin", description: "Every morning." }),
      [`PUT /api/sops/${id}`]: ({ body, headers }: RecordedRequest) =>
        headers["if-match"] === '"v1"' ? stored({ ...(body as Partial<Sop>), version: 2 }) : new FakeRefusal("stale"),
    });
    await user.click(screen.getByRole("button", { name: "Save SOP" }));
    await waitFor(() => expect(address()).toBe(`/sop/${id}`));
    const [first, second] = server.requestsFor("POST /api/sops");
    expect(second?.headers["idempotency-key"]).toBe(first?.headers["idempotency-key"]);
    expect(puts(server).map(({ body }) => body)).toMatchObject([{ title: "Open it", markdown: "One\n" }]);
  });

  it("of an update is not held against the user: the next save continues from it", async () => {
    let now = stored();
    let isLost = true;
    const { user, server } = slow({
      [`GET /api/sops/${id}`]: () => now,
      [`PUT /api/sops/${id}`]: ({ body, headers }: RecordedRequest) => {
        if (headers["if-match"] !== `"v${now.version}"`)
          return new FakeRefusal("stale", "Too late", { version: now.version });
        const { changeNote: _note, ...sent } = body as Partial<Sop> & { changeNote: unknown };
        now = stored({ ...sent, version: now.version + 1 });
        if (!isLost) return now;
        isLost = false;
        return Promise.reject(new TypeError("Failed to fetch"));
      },
    });
    await user.type(await title(), " a");
    await saveKey(user);
    await screen.findByText(/didn't respond/);
    await user.type(await title(), " b");
    await saveKey(user);
    await screen.findByText("· version 5");
    expect(screen.queryByRole("dialog")).toBeNull();
    expect(puts(server).map(({ body, headers }) => [(body as Sop).title, headers["if-match"]])).toEqual([
      ["Open a", '"v3"'],
      ["Open a b", '"v3"'],
      ["Open a b", '"v4"'],
    ]);
  });
});

it("keeps a lost category until someone chooses another one", async () => {
  const { user, server } = slow({
    [`GET /api/sops/${id}`]: stored({ categoryId: "cat-lost", category: null }),
    [`PUT /api/sops/${id}`]: ({ body }: RecordedRequest) => stored({ ...(body as Partial<Sop>), version: 4 }),
  });
  await user.type(await title(), " it");
  const category = screen.getByLabelText<HTMLSelectElement>("Category");
  expect(category.selectedOptions[0]?.textContent).toBe("Lost category");
  await saveKey(user);
  await screen.findByText("· version 4");
  expect(puts(server).map(({ body }) => (body as Sop).categoryId)).toEqual(["cat-lost"]);
});

describe("a text that is stored in another form", () => {
  const notes = [
    { code: "list-numbers", line: 2, message: "a new list begins, because the numbers go from 1 to 3" },
    { code: "list-numbers", line: 3, message: "a new list begins, because the numbers go from 3 to 7" },
  ];
  const sent = "1. One\n3. Three\n7. Seven\n";
  const noting = ({ body }: RecordedRequest) => {
    const { changeNote: _note, ...sop } = body as Partial<Sop> & { changeNote: unknown };
    const isNoted = sop.markdown === sent;
    return { ...stored({ ...sop, version: 4 }), ...(isNoted && { notes }) };
  };
  const title = "The saved text differs from what you wrote";
  const notice = () =>
    screen
      .queryAllByRole("alert")
      .find((alert) => within(alert).queryByText(title) && within(alert).queryByRole("list"));
  const openNotice = () => waitFor(() => notice() ?? expect.unreachable("no notice"));

  it("says where, until it is closed, and a save without a difference takes it away", async () => {
    const { user } = slow({ [`PUT /api/sops/${id}`]: noting });
    await typeContent(user, sent);
    await saveKey(user);
    const box = await openNotice();
    expect(
      within(box)
        .getAllByRole("listitem")
        .map((item) => item.textContent),
    ).toEqual(["line 2: a new list begins, because the numbers go from 1 to 3; line 3: 3 to 7"]);
    const scrolled = vi.spyOn(Element.prototype, "scrollIntoView");
    await user.click(screen.getByRole("button", { name: "Show" }));
    await waitFor(() => expect(scrolled.mock.contexts).toEqual([box.parentElement]));
    await user.click(within(box).getByRole("button", { name: "Close" }));
    expect(notice()).toBeUndefined();
    await saveKey(user);
    await openNotice();
    await typeContent(user, "One\n");
    await saveKey(user);
    await waitFor(() => expect(notice()).toBeUndefined());
  });

  it("says so on the page that the save leads to", async () => {
    const { user, address } = slow({ [`PUT /api/sops/${id}`]: noting });
    await typeContent(user, sent);
    await user.click(await screen.findByRole("button", { name: "Save SOP" }));
    await waitFor(() => expect(address()).toBe(`/sop/${id}`));
    const box = await openNotice();
    await user.click(within(box).getByRole("button", { name: "Close" }));
    expect(notice()).toBeUndefined();
  });
});
