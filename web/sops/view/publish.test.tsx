/** Saving never publishes. Publishing shows what changes for readers and asks once. */
import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import { afterEach, describe, expect, it, vi } from "vitest";
import type { SopDiff } from "#core/diff/schema.ts";
import { draftKeyPrefix } from "#core/sops/editing.ts";
import { sopFormValuesOf } from "#core/sops/form-values.ts";
import type { Sop } from "#core/sops/schema.ts";
import { aChoice, anApproval } from "../../testing/approval-records.ts";
import { installIndexedDb } from "../../testing/fake-indexed-db.ts";
import {
  fakeServer,
  FakeRefusal,
  signedInReplies,
  type RecordedRequest,
  type Replies,
} from "../../testing/fake-server.ts";
import { aControl, aSop, aUser } from "../../testing/records.ts";
import { openProperties, showSource } from "../../testing/edit-screen.ts";
import { resetBrowser, showApp } from "../../testing/render-app.tsx";

afterEach(() => {
  resetBrowser();
  vi.unstubAllGlobals();
});

const id = "01980000-0000-7000-8000-00000000abcd";
const published = { version: 3, effectiveAt: "2026-03-01T10:00:00.000Z" };
const stored = (change: Partial<Sop> = {}): Sop => ({
  ...aSop({ id, title: "Open", status: "published", version: 3, number: "SOP-0042", published }),
  content: "<p>One</p>",
  markdown: "One\n",
  control: aControl(),
  ...change,
});
const draft = (change: Partial<Sop> = {}) => stored({ status: "draft", version: 4, ...change });
const diff = (from: number, to: number): SopDiff => ({
  from,
  to,
  facts: [{ field: "title", from: "Open", to: "Open it" }],
  blocks: [{ kind: "changed", html: "<p>One <ins>two</ins></p>" }],
  markdown: [{ kind: "added", text: "two\n" }],
});
const put = `PUT /api/sops/${id}` as const;
const publish = `POST /api/sops/${id}/publish` as const;

/** A server that stores each save as the next version. */
function open(sop: Sop, replies: Partial<Replies> = {}, path = `/sop/${id}/edit`) {
  let now = sop;
  const server = fakeServer({
    ...signedInReplies(),
    [`GET /api/sops/${id}`]: () => now,
    [`GET /api/sops/${id}/versions`]: [],
    [`GET /api/sops/${id}/diff`]: ({ query }: RecordedRequest) => diff(Number(query["from"]), Number(query["to"])),
    [put]: ({ body }: RecordedRequest) => {
      now = { ...now, status: "draft", ...(body as Partial<Sop>), version: now.version + 1 };
      return now;
    },
    "POST /api/sops": ({ body }: RecordedRequest) => {
      now = stored({ status: "draft", published: null, ...(body as Partial<Sop>), version: 1 });
      return now;
    },
    [publish]: () => {
      now = { ...now, status: "published", published: { ...published, version: now.version } };
      return now;
    },
    ...replies,
  } as Replies);
  return { server, ...showApp(server, path) };
}

type User = ReturnType<typeof showApp>["user"];
const title = () => screen.findByLabelText<HTMLInputElement>("Title");
const status = async (user: User) => {
  await openProperties(user);
  return screen.getByLabelText<HTMLSelectElement>(/^Status( after saving)?$/);
};
const saveKey = (user: User) => user.keyboard("{Control>}s{/Control}");
const question = (version: number) => screen.findByRole("dialog", { name: `Publish version ${version}` });
const answer = async (dialog: HTMLElement) => {
  const button = within(dialog).getByRole<HTMLButtonElement>("button", { name: "Publish" });
  await waitFor(() => expect(button.disabled).toBe(false));
  return button;
};
const statuses = (server: ReturnType<typeof fakeServer>) =>
  server.requestsFor(put).map(({ body }) => (body as Partial<Sop>).status);

describe("a manager who edits what is published", () => {
  it("saves drafts by the save key, each time, and readers keep their version", async () => {
    const { user, server } = open(stored());
    await user.type(await title(), " it");
    expect((await status(user)).value).toBe("draft");
    expect(screen.getByText("Readers keep version 3. Saving creates version 4 as a draft.")).toBeTruthy();
    await saveKey(user);
    await screen.findByText("· version 4");
    expect((await status(user)).value).toBe("draft");
    await user.type(await title(), " now");
    await saveKey(user);
    await screen.findByText("· version 5");
    expect(statuses(server).includes("published")).toBe(false);
    expect(server.requestsFor(publish)).toEqual([]);
    expect(screen.queryByRole("dialog")).toBeNull();
  });

  it("saves nothing by a save without a change", async () => {
    const { user, server } = open(stored(), { [put]: stored() });
    await title();
    await saveKey(user);
    await screen.findByText("No changes, so no new version was created.");
    expect(server.requestsFor(put)[0]?.body).not.toHaveProperty("status");
  });

  it("who picks Published and saves is shown what changes for readers, and asked", async () => {
    const { user, server, address } = open(stored());
    await user.type(await title(), " it");
    await user.selectOptions(await status(user), "Published");
    await saveKey(user);
    const dialog = await question(4);
    expect(statuses(server).includes("published")).toBe(false);
    const changes = within(dialog).getByRole("region", { name: "What changes for readers" });
    for (const change of ["Title changed", "Text changed"]) await within(changes).findByText(change);
    expect(server.requestsFor(publish)).toEqual([]);
    await user.click(await answer(dialog));
    await screen.findByText("SOP published");
    expect(server.requestsFor(publish).map(({ headers }) => headers["if-match"])).toEqual(['"v4"']);
    expect([address(), (await status(user)).value]).toEqual([`/sop/${id}/edit`, "draft"]);
  });

  it("who says no keeps the draft on the screen", async () => {
    const { user, server, address } = open(stored());
    await user.type(await title(), " it");
    await user.selectOptions(await status(user), "Published");
    await user.click(screen.getByRole("button", { name: "Save SOP" }));
    await user.click(within(await question(4)).getByRole("button", { name: "Cancel" }));
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    expect(server.requestsFor(publish)).toEqual([]);
    expect([address(), (await status(user)).value, (await title()).value]).toEqual([
      `/sop/${id}/edit`,
      "draft",
      "Open it",
    ]);
    await saveKey(user);
    await waitFor(() => expect(server.requestsFor(put)).toHaveLength(2));
    expect(screen.queryByRole("dialog")).toBeNull();
  });

  it("has a button that saves the text first, then asks, and leads to the SOP", async () => {
    const { user, server, address } = open(stored());
    await title();
    expect((await screen.findByRole<HTMLButtonElement>("button", { name: "Publish or submit…" })).disabled).toBe(true);
    await user.type(await title(), " it");
    await user.click(await screen.findByRole("button", { name: "Publish or submit…" }));
    const dialog = await question(4);
    expect(server.requestsFor(put)[0]?.body).toMatchObject({ title: "Open it" });
    await user.click(await answer(dialog));
    await waitFor(() => expect(address()).toBe(`/sop/${id}`));
    expect(server.requestsFor(publish)).toHaveLength(1);
  });

  it("is asked by the button about a stored draft without another save", async () => {
    const { user, server } = open(draft());
    await user.click(await screen.findByRole("button", { name: "Publish or submit…" }));
    await question(4);
    expect(server.requestsFor(put)).toEqual([]);
  });

  it("keeps the pick when more was typed while it was being saved, and asks with the next save", async () => {
    let release = (): void => {};
    const waits = new Promise<void>((resolve) => (release = resolve));
    const { user, server } = open(stored(), {
      [put]: async ({ body }: RecordedRequest) => {
        await waits;
        return draft({ ...(body as Partial<Sop>), version: server.requestsFor(put).length + 3 });
      },
    });
    await user.type(await title(), " it");
    await user.selectOptions(await status(user), "Published");
    await saveKey(user);
    await waitFor(() => expect(server.requestsFor(put)).toHaveLength(1));
    await user.type(await title(), " now");
    release();
    await screen.findByText("Your latest edits aren't saved yet.");
    expect(screen.queryByRole("dialog")).toBeNull();
    expect((await status(user)).value).toBe("published");
    await saveKey(user);
    await question(5);
  });
});

describe("a save that can't lead to publishing", () => {
  const me = aUser();

  it("of a company that publishes through approval says so and sends nothing", async () => {
    const strict = { user: { ...me, company: { ...me.company, documentControl: "strict" } } };
    const { user, server } = open(draft({ published: null }), { "GET /api/auth/me": strict });
    await user.selectOptions(await status(user), "Published");
    expect(screen.queryByRole("button", { name: /^Publish/ })).toBeNull();
    await saveKey(user);
    await screen.findByText("Failed to update SOP");
    expect(screen.getAllByText(/publishes through approval only/).some((one) => one.closest("[role=alert]"))).toBe(
      true,
    );
    expect([...server.requestsFor(put), ...server.requestsFor(publish)]).toEqual([]);
  });

  it("of an editor, who picks Published of what is published, makes a draft", async () => {
    const { user, server } = open(stored(), { "GET /api/auth/me": { user: aUser({ role: "editor" }) } });
    await user.type(await title(), " it");
    await user.selectOptions(await status(user), "Published");
    await saveKey(user);
    await screen.findByText("· version 4");
    expect(statuses(server)).toEqual([undefined]);
    expect(screen.queryByRole("dialog")).toBeNull();
  });
});

describe("a new SOP", () => {
  async function write(user: User) {
    await user.type(await title(), "Open");
    await user.type(screen.getByLabelText("Description"), "Every morning.");
    await user.selectOptions(screen.getByLabelText("Category"), "Finance");
    await showSource(user);
    fireEvent.change(screen.getByRole("textbox", { name: "Content" }), { target: { value: "One" } });
  }

  it("starts as a draft; picked as Published it is stored as one and shown whole before readers see it", async () => {
    const { user, server, address } = open(draft(), {}, "/sop/new");
    expect((await status(user)).value).toBe("draft");
    await write(user);
    await user.selectOptions(await status(user), "Published");
    await user.click(screen.getByRole("button", { name: "Save SOP" }));
    const dialog = await question(1);
    expect(server.requestsFor("POST /api/sops").map(({ body }) => (body as Sop).status)).toEqual(["draft"]);
    expect(within(dialog).getByText("Readers see this SOP for the first time.")).toBeTruthy();
    expect(within(dialog).getByText("One", { selector: ".reading *" })).toBeTruthy();
    await user.click(await answer(dialog));
    await waitFor(() => expect(address()).toBe(`/sop/${id}`));
    expect(server.requestsFor(publish)).toHaveLength(1);
  });

  it("stays a draft, and its writer goes on in it, for a no", async () => {
    const { user, server, address } = open(draft(), {}, "/sop/new");
    await write(user);
    await user.click(screen.getByRole("button", { name: "Publish or submit…" }));
    await user.click(within(await question(1)).getByRole("button", { name: "Cancel" }));
    await waitFor(() => expect(address()).toBe(`/sop/${id}/edit`));
    expect([server.requestsFor("POST /api/sops").length, server.requestsFor(publish)]).toEqual([1, []]);
  });
});

describe("what else leads to a save", () => {
  it("a draft of an older release, kept with the status Published, is restored as a draft", async () => {
    const kept = installIndexedDb();
    const values = { ...sopFormValuesOf(stored()), title: "Open half a sent", status: "published" as const };
    const savedAt = new Date().toISOString();
    kept.set(`${draftKeyPrefix(aUser().id, id)}/earlier`, { values, baseVersion: 3, savedAt });
    const { user, server } = open(stored());
    await user.click(await screen.findByRole("button", { name: "Restore them" }));
    await waitFor(async () => expect((await title()).value).toBe("Open half a sent"));
    expect((await status(user)).value).toBe("draft");
    await saveKey(user);
    await screen.findByText("· version 4");
    expect(statuses(server)).toEqual([undefined]);
    expect(screen.queryByRole("dialog")).toBeNull();
  });

  it("a merge with a version saved in between asks as well, and about the merged version", async () => {
    const { user, server } = open(stored(), {
      [`GET /api/sops/${id}/versions/3`]: { ...stored(), content: "" },
    });
    await user.type(await title(), " it");
    await user.selectOptions(await status(user), "Published");
    server.reply({
      [`GET /api/sops/${id}`]: draft({ description: "Theirs." }),
      [put]: new FakeRefusal("stale", "Someone else saved version 4", { version: 4 }),
    } as Replies);
    await saveKey(user);
    const merge = await screen.findByRole("dialog", { name: "Someone else saved changes" });
    server.reply({ [put]: ({ body }: RecordedRequest) => draft({ ...(body as Partial<Sop>), version: 5 }) } as Replies);
    await user.click(await within(merge).findByRole("button", { name: "Save merged text" }));
    const dialog = await question(5);
    expect(statuses(server).includes("published")).toBe(false);
    await within(dialog).findByRole("link", { name: "Compare with version 3" });
    expect(server.requestsFor(publish)).toEqual([]);
  });
});

describe("the question", () => {
  const view = `/sop/${id}`;
  const ask = async (user: User) => user.click(await screen.findByRole("button", { name: /^Publish( or submit)?…$/ }));

  it("comes before publishing from the SOP's page, and the button goes", async () => {
    const { user, server } = open(draft(), {}, view);
    await ask(user);
    const dialog = await question(4);
    expect(within(dialog).getByText("Readers see it right away.")).toBeTruthy();
    await user.click(await answer(dialog));
    await screen.findByText("SOP published");
    await waitFor(() => expect(screen.queryByRole("button", { name: "Publish…" })).toBeNull());
    expect(server.requestsFor(publish).map(({ headers }) => headers["if-match"])).toEqual(['"v4"']);
  });

  it.each([
    ["a new SOP", null, 34, 12, "34 people see it right away. 12 are asked to confirm.", null],
    ["a new SOP for one person", null, 1, 1, "1 person sees it right away. 1 is asked to confirm.", null],
    ["a change", published, 34, 12, "34 people see it right away.", "12 people are asked to confirm."],
    [
      "a change no one has to read",
      published,
      2,
      0,
      "2 people see it right away.",
      "No one has to confirm reading so far.",
    ],
  ])("says how many people see it, and how many are asked to read it: %s", async (...row) => {
    const [, before, count, asked, line, again] = row;
    const acknowledgements = {
      sopId: id,
      inForce: null,
      mine: { owes: false, dueBy: null, overdue: false, confirmed: null, counts: false },
      mayAsk: true,
      matrix: null,
      readers: { count, asked },
    };
    const replies = { [`GET /api/sops/${id}/acknowledgements`]: acknowledgements };
    const { user, server } = open(draft({ published: before }), replies, view);
    await ask(user);
    const dialog = await question(4);
    await within(dialog).findByText(line);
    if (again !== null) expect(within(dialog).getByText(again)).toBeTruthy();
    const reads = server.requestsFor(`GET /api/sops/${id}/acknowledgements`).map(({ query }) => query);
    expect(reads).toContainEqual({ mine: "true", readers: "true" });
  });

  it("says no number when only the publisher can read it", async () => {
    const acknowledgements = {
      sopId: id,
      inForce: null,
      mine: { owes: false, dueBy: null, overdue: false, confirmed: null, counts: false },
      mayAsk: true,
      matrix: null,
      readers: { count: 1, asked: 0 },
    };
    const { user } = open(draft(), { [`GET /api/sops/${id}/acknowledgements`]: acknowledgements }, view);
    await ask(user);
    const dialog = await question(4);
    await waitFor(() => expect(within(dialog).queryByText(/right away/)).toBeNull());
  });

  it("can't be answered before the changes are on the screen", async () => {
    const { user } = open(draft(), { [`GET /api/sops/${id}/diff`]: new FakeRefusal("internal") }, view);
    await ask(user);
    const dialog = await question(4);
    await within(dialog).findByText("Couldn't compare the versions.");
    expect(within(dialog).getByRole<HTMLButtonElement>("button", { name: "Publish" }).disabled).toBe(true);
  });

  it("names the day of a version that takes effect later", async () => {
    const control = aControl({ effective: "2999-01-02" });
    const effectiveAt = "2999-01-02";
    const scheduled = { version: 4, effectiveAt: "2999-01-02T00:00:00.000Z" };
    const { user } = open(
      draft({ control, effectiveAt }),
      { [publish]: draft({ status: "published", scheduled }) },
      view,
    );
    await ask(user);
    const dialog = await question(4);
    expect(within(dialog).getByText("Readers see it from Jan 2, 2999 on.")).toBeTruthy();
    await user.click(await answer(dialog));
    await screen.findByText("SOP scheduled for Jan 2, 2999");
  });

  it("compares with what readers had last when they have nothing now", async () => {
    const control = aControl({ lastInForce: 2 });
    const { user } = open(draft({ published: null, control }), {}, view);
    await ask(user);
    const dialog = await question(4);
    await within(dialog).findByText("Readers see this SOP again. They last saw version 2.");
    await within(dialog).findByRole("link", { name: "Compare with version 2" });
  });

  it("shows the server's refusal and stays", async () => {
    const reason = "2 checks block publishing";
    const { user } = open(draft(), { [publish]: new FakeRefusal("conflict", reason) }, view);
    await ask(user);
    const dialog = await question(4);
    await user.click(await answer(dialog));
    expect((await within(dialog).findByText(reason)).closest("[role=alert]")).toBeTruthy();
  });

  it("says once what the rules found, and leads to it after a refusal", async () => {
    const finding = {
      rule: "text/blank",
      severity: "error",
      line: 1,
      column: 1,
      message: "Fill in the blank",
      stops: true,
    };
    const { user } = open(
      draft(),
      {
        "POST /api/sops/check": { findings: [finding], more: 0 },
        [publish]: new FakeRefusal("unprocessable", "The text does not keep your company's rules yet.", {
          findings: [finding],
        }),
      },
      view,
    );
    await ask(user);
    const dialog = await question(4);
    const issue = await within(dialog).findByRole("link", { name: "Fill in the blank" });
    await user.click(await answer(dialog));
    await waitFor(() => expect(document.activeElement).toBe(issue));
    expect(within(dialog).getAllByRole("alert")).toHaveLength(1);
  });

  it.each([
    ["the SOP's page", view],
    ["the edit screen", `${view}/edit`],
  ])("leads on %s to asking for approval of the same version", async (_, path) => {
    const { user, server } = open(draft(), { [`GET /api/sops/${id}/approvers`]: aChoice([]) } as Replies, path);
    await ask(user);
    await user.click(await within(await question(4)).findByRole("button", { name: "Submit for Approval" }));
    const request = await screen.findByRole("dialog", { name: "Submit for Approval" });
    within(request).getByText("Open, version 4");
    expect(screen.getAllByRole("dialog")).toHaveLength(1);
    expect([...server.requestsFor(put), ...server.requestsFor(publish)]).toEqual([]);
  });

  it("offers no approval while a request waits, nor where there is none", async () => {
    for (const approvals of [[anApproval({ sopId: id, status: "pending" })], new FakeRefusal("unavailable")]) {
      const { user, server } = open(draft(), { "GET /api/approvals": approvals }, view);
      await ask(user);
      const dialog = await question(4);
      await answer(dialog);
      await waitFor(() => expect(server.requestsFor("GET /api/approvals").length).toBeGreaterThan(0));
      expect(within(dialog).queryByRole("button", { name: "Submit for Approval" })).toBeNull();
      resetBrowser();
    }
  });

  it("takes effect now, unless another day is asked for", async () => {
    const { user, server } = open(draft(), {}, view);
    await ask(user);
    const dialog = await question(4);
    await user.click(within(dialog).getByRole("button", { name: "Effective date: Now" }));
    const day = within(dialog).getByLabelText("Effective date");
    expect(document.activeElement).toBe(day);
    fireEvent.change(day, { target: { value: "2999-01-02" } });
    await within(dialog).findByText("Readers see it from Jan 2, 2999 on.");
    await user.click(await answer(dialog));
    await waitFor(() => expect(server.requestsFor(publish)[0]?.body).toMatchObject({ effectiveAt: "2999-01-02" }));
  });

  it("about a version that another one followed shows the newer one first", async () => {
    const newer = draft({
      version: 5,
      control: aControl({ changedBy: { name: "Ben Baker", at: published.effectiveAt } }),
    });
    const { user, server } = open(draft(), {}, view);
    await ask(user);
    const dialog = await question(4);
    const button = await answer(dialog);
    server.reply({
      [`GET /api/sops/${id}`]: newer,
      [publish]: new FakeRefusal("stale", "Someone else saved version 5", { version: 5 }),
    } as Replies);
    await user.click(button);
    await within(dialog).findByText("Ben Baker saved version 5");
    expect(button.disabled).toBe(true);
    server.reply({ [publish]: { ...newer, status: "published" } } as Replies);
    await user.click(within(dialog).getByRole("button", { name: "Show version 5" }));
    const next = await question(5);
    await within(next).findByText("Text changed");
    await user.click(await answer(next));
    await screen.findByText("SOP published");
    expect(server.requestsFor(publish).map(({ headers }) => headers["if-match"])).toEqual(['"v4"', '"v5"']);
  });
});
