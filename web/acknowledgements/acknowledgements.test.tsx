import { screen, waitFor, within } from "@testing-library/react";
import { afterEach, describe, expect, it, vi } from "vitest";
import type { Acknowledgements } from "#core/acknowledgements/schema.ts";
import type { Role } from "#core/permissions/roles.ts";
import { fakeServer, FakeRefusal, signedInReplies, type Replies } from "../testing/fake-server.ts";
import { aControl, anInvitationLink, aSop, aUser } from "../testing/records.ts";
import { resetBrowser, showApp } from "../testing/render-app.tsx";

afterEach(resetBrowser);

const id = "01980000-0000-7000-8000-00000000dcba";
const hash = "a".repeat(64);
const sop = (version = 2) => ({
  ...aSop({
    id,
    title: "Open the kitchen",
    status: "published",
    version,
    published: { version: 2, effectiveAt: null },
  }),
  content: "<p>Text</p>",
  markdown: "Text\n",
  control: aControl(),
});

const nothing = { owes: false, dueBy: null, overdue: false, confirmed: null, counts: false };
function state(change: Partial<Acknowledgements> = {}): Acknowledgements {
  return {
    sopId: id,
    inForce: { version: 2, contentHash: hash },
    mine: nothing,
    mayAsk: false,
    matrix: null,
    ...change,
  };
}
const owing = (change: Partial<Acknowledgements["mine"]> = {}) =>
  state({ mine: { ...nothing, owes: true, dueBy: "2026-06-08", ...change } });

type Matrix = NonNullable<Acknowledgements["matrix"]>;
const person = (name: string, change: Partial<Matrix["people"][number]> = {}): Matrix["people"][number] => ({
  user: { id: `user-${name}`, name, initials: name.slice(0, 2).toUpperCase() },
  state: "open",
  dueBy: null,
  confirmed: null,
  ...change,
});
const managed = (change: Partial<Matrix> = {}) =>
  state({
    mayAsk: true,
    matrix: { ask: null, counts: { asked: 0, confirmed: 0, overdue: 0 }, people: [], ...change },
  });
const requested: Matrix["ask"] = {
  everyone: false,
  userIds: ["u-1"],
  teamIds: ["t-1"],
  dueDays: 7,
  askedBy: { id: "b", name: "Ann" },
  askedAt: "2026-06-01T08:00:00.000Z",
};

const path = `/api/sops/${id}/acknowledgements` as const;

function open(answer: unknown, { role = "viewer", version = 2, replies = {} }: OpenOptions = {}) {
  const server = fakeServer({
    ...signedInReplies(),
    "GET /api/auth/me": { user: aUser({ role, id: role === "viewer" ? "someone-else" : aUser().id }) },
    [`GET /api/sops/${id}`]: sop(version),
    [`GET /api/sops/${id}/versions`]: [],
    [`GET /api/sops/${id}/comments`]: [],
    [`GET ${path}`]: answer,
    ...replies,
  } as Replies);
  return { server, ...showApp(server, `/sop/${id}`) };
}
interface OpenOptions {
  role?: Role;
  version?: number;
  replies?: Partial<Replies>;
}

const long = "This is the plan of the plant, and the office keeps it for the time of the law. ".repeat(5);
const bar = () => screen.findByRole("region", { name: "Your confirmation" });
const hasNoBar = async () => {
  await screen.findByRole("heading", { level: 1, name: "Open the kitchen" });
  expect(screen.queryByRole("button", { name: /I have read/ })).toBeNull();
};

describe("a reader", () => {
  it("asks who still has to confirm, with the due day, and keeps the answer on the screen", async () => {
    const { server, user } = open(owing());
    expect((await bar()).textContent).toContain("Read this by Jun 8, 2026.");
    const confirmed = { version: 2, at: "2026-06-05T10:00:00.000Z" };
    const done = state({ mine: { ...nothing, confirmed, counts: true } });
    server.reply({ [`POST ${path}`]: done, [`GET ${path}`]: done });
    await user.click(screen.getByRole("button", { name: "I have read this version" }));
    const answer = await screen.findByText("You confirmed version 2 on Jun 5, 2026.");
    await waitFor(() => expect(document.activeElement).toBe(answer));
    expect(server.requestsFor(`POST ${path}`)[0]?.body).toEqual({ version: 2, contentHash: hash });
    expect(screen.queryByRole("button", { name: /I have read/ })).toBeNull();
  });

  it("can't confirm a text while a fold of it was never opened", async () => {
    const content = `<details><summary>More</summary><p>${long}</p></details>`;
    open(owing(), { replies: { [`GET /api/sops/${id}`]: { ...sop(2), content } } as Partial<Replies> });
    const confirm = () => screen.findByRole("button", { name: "I have read this version" });
    expect((await confirm()).hasAttribute("disabled")).toBe(true);
    expect((await bar()).textContent).toContain("Some text is folded.");
    const fold = document.querySelector("details") as HTMLDetailsElement;
    fold.dispatchEvent(new Event("toggle"));
    await waitFor(async () => expect((await confirm()).hasAttribute("disabled")).toBe(false));
  });

  it("can't confirm a text on a phone while its background was never opened", async () => {
    const isPhone = (query: string) =>
      ({ matches: query.includes("max-width"), addEventListener: () => {}, removeEventListener: () => {} }) as never;
    const content = `<h2>Purpose</h2><p>${long}</p><h2>Procedure</h2><ol><li>Open it.</li></ol>`;
    open(owing(), { replies: { [`GET /api/sops/${id}`]: { ...sop(2), content } } as Partial<Replies> });
    vi.spyOn(window, "matchMedia").mockImplementation(isPhone);
    const confirm = () => screen.findByRole("button", { name: "I have read this version" });
    await screen.findByText("Open it.");
    await waitFor(async () => expect((await bar()).textContent).toContain("Some text is folded."));
    expect((await confirm()).hasAttribute("disabled")).toBe(true);
    (document.querySelector(".before-steps") as HTMLDetailsElement).dispatchEvent(new Event("toggle"));
    await waitFor(async () => expect((await confirm()).hasAttribute("disabled")).toBe(false));
  });

  it("confirms after one button opened all folds, which the focus follows", async () => {
    const fold = (words: string) => `<details><summary>${words}</summary><p>${long}</p></details>`;
    const content = fold("One") + fold("Two");
    const { user } = open(owing(), {
      replies: { [`GET /api/sops/${id}`]: { ...sop(2), content } } as Partial<Replies>,
    });
    const confirm = await screen.findByRole("button", { name: "I have read this version" });
    await waitFor(() => expect(confirm.getAttribute("aria-describedby")).toBeTruthy());
    expect(document.getElementById(confirm.getAttribute("aria-describedby") ?? "")?.textContent).toBe(
      "Some text is folded.",
    );
    await user.click(screen.getByRole("button", { name: "Show the whole text" }));
    await waitFor(() => expect(confirm.hasAttribute("disabled")).toBe(false));
    const folds = [...document.querySelectorAll<HTMLDetailsElement>(".reading details")];
    expect(folds.map((one) => one.open)).toEqual([true, true]);
    expect(document.activeElement).toBe(folds[0]?.querySelector("summary"));
    expect(screen.queryByText("Some text is folded.")).toBeNull();
  });

  it("shows that it is overdue, and what the reader confirmed before the change", async () => {
    open(owing({ overdue: true, confirmed: { version: 1, at: "2026-05-02T10:00:00.000Z" } }));
    const { textContent } = await bar();
    expect(textContent).toContain("Overdue");
    expect(textContent).toContain("It was due on Jun 8, 2026.");
    expect(textContent).toContain("You confirmed version 1 on May 2, 2026. It has changed since.");
  });

  it("names the published version to a late reader, and asks about that one", async () => {
    const { server, user } = open(owing());
    server.reply({
      [`POST ${path}`]: new FakeRefusal("conflict", "Version 3 is published now. Read that version", { version: 3 }),
      [`GET ${path}`]: owing(),
    });
    await user.click(await screen.findByRole("button", { name: "I have read this version" }));
    await screen.findByText("Version 3 is published now. Read that version");
    await waitFor(() => expect(server.requestsFor(`GET /api/sops/${id}`).length).toBe(2));
    await waitFor(() => expect(server.requestsFor(`GET ${path}`).length).toBe(2));
  });

  it("who is not asked, and one whose server knows nothing of it, is left in peace", async () => {
    open(state());
    await hasNoBar();
    resetBrowser();
    open(new FakeRefusal("not_found"));
    await hasNoBar();
  });

  it("lets users who see a draft confirm the published version where its text is", async () => {
    const folded = "<details><summary>More</summary><p>The old valve</p></details>";
    const published = { ...sop(2), description: "The old lead", content: `<p>The old text</p>${folded}` };
    const { server, user } = open(owing(), {
      role: "editor",
      version: 3,
      replies: {
        [`GET /api/sops/${id}`]: ({ query }: { query: Record<string, string> }) =>
          query["view"] === "published" ? published : sop(3),
      } as Partial<Replies>,
    });
    expect((await bar()).textContent).toContain("You see version 3 here.");
    const compare = screen.getByRole("link", { name: "See what differs" });
    expect(compare.getAttribute("href")).toBe(`/sop/${id}/compare?from=2&to=3`);
    expect(compare.closest("[class*=sr-only]")).toBeNull();
    expect(screen.queryByRole("button", { name: /I have read/ })).toBeNull();
    const open2 = screen.getByRole("button", { name: "Read version 2" });
    expect(open2.closest("[class*=sr-only]")).toBeNull();
    await user.click(open2);
    const dialog = within(await screen.findByRole("dialog", { name: "Open the kitchen" }));
    for (const words of ["Version 2", "The old lead", "The old text"]) await dialog.findByText(words);
    expect((await dialog.findByText("The old valve")).closest("details")?.open).toBe(true);
    const done = state({
      mine: { ...nothing, confirmed: { version: 2, at: "2026-06-05T10:00:00.000Z" }, counts: true },
    });
    server.reply({ [`POST ${path}`]: done, [`GET ${path}`]: done });
    await user.click(dialog.getByRole("button", { name: "I have read version 2" }));
    await screen.findByText("You confirmed version 2 on Jun 5, 2026.");
    expect(server.requestsFor(`POST ${path}`)[0]?.body).toEqual({ version: 2, contentHash: hash });
  });

  it.each([
    ["heading", "#user-content-purpose", "user-content-purpose"],
    ["heading in two folds", "#user-content-deep", "user-content-deep"],
    ["footnote", "#user-content-fn-1", "user-content-fn-1"],
    ["reference to a footnote", "#user-content-fnref-1", "user-content-fnref-1"],
    ["step", `/sop/${id}?step=1&at=Open%20it.#user-content-step.1kx`, "user-content-step.1kx"],
    ["heading that only the draft has", "#user-content-draft", null],
  ])("follows a link to a %s inside the dialog of the published version", async (_, href, target) => {
    const text = `<p><a href="${href}">Go there</a></p><h2 id="user-content-purpose">Purpose</h2>
      <details><summary>One</summary><details><summary>Two</summary><h3 id="user-content-deep">Deep</h3></details></details>
      <ol><li id="user-content-step.1kx">Open it.</li></ol><section><ol><li id="user-content-fn-1">Note</li><li><a id="user-content-fnref-1" href="#user-content-fn-1">1</a></li></ol></section>`;
    const { user, address } = open(owing(), {
      role: "editor",
      version: 3,
      replies: {
        [`GET /api/sops/${id}`]: ({ query }: { query: Record<string, string> }) =>
          query["view"] === "published"
            ? { ...sop(2), content: text }
            : { ...sop(3), content: `${text}<h2 id="user-content-draft">Draft</h2>` },
      } as Partial<Replies>,
    });
    await user.click(await screen.findByRole("button", { name: "Read version 2" }));
    const dialog = await screen.findByRole("dialog");
    const link = await within(dialog).findByRole("link", { name: "Go there" });
    for (const fold of dialog.querySelectorAll("details")) fold.open = false;
    await user.click(link);
    const { activeElement } = document;
    expect(activeElement).toBe(target === null ? link : dialog.querySelector(`[id="${target}"]`));
    expect(activeElement?.closest("details:not([open])")).toBeNull();
    expect(dialog.querySelector("a[tabindex]")).toBeNull();
    expect(address()).toBe(`/sop/${id}`);
    expect(window.location.hash).toBe("");
  });

  it.each([
    ["another version came in between", () => sop(4)],
    ["its text doesn't load", () => new FakeRefusal("internal")],
  ])("can't confirm the published version from a draft while %s", async (_, answer) => {
    const { user } = open(owing(), {
      role: "editor",
      version: 3,
      replies: {
        [`GET /api/sops/${id}`]: ({ query }: { query: Record<string, string> }) =>
          query["view"] === "published" ? answer() : sop(3),
      } as Partial<Replies>,
    });
    await user.click(await screen.findByRole("button", { name: "Read version 2" }));
    const dialog = within(await screen.findByRole("dialog"));
    await dialog.findByText(/^Text$|^Couldn't load the version\.$/);
    expect(dialog.getByRole("button", { name: "I have read version 2" }).hasAttribute("disabled")).toBe(true);
  });
});

describe("who may ask", () => {
  const lists = {
    "GET /api/users": [
      { ...aUser({ id: "u-1", name: "Rita Reader" }), category: null },
      { ...aUser({ id: "u-2", name: "Otto Other" }), category: null },
    ],
    "GET /api/teams": [{ id: "t-1", name: "Night shift" }],
  } as Partial<Replies>;

  it("asks everyone, or people and teams, with or without a day", async () => {
    const { server, user } = open(managed(), { role: "manager", replies: lists });
    await user.click(await screen.findByRole("button", { name: "Ask to read" }));
    const dialog = within(await screen.findByRole("dialog", { name: "Ask to read" }));
    expect(dialog.getByRole<HTMLInputElement>("checkbox", { name: /^Everyone/ }).checked).toBe(false);
    expect(dialog.getByRole<HTMLButtonElement>("button", { name: "Ask to read" }).disabled).toBe(true);
    await user.click(await dialog.findByRole("checkbox", { name: "Night shift" }));
    await user.type(dialog.getByRole("searchbox"), "öttO");
    expect(dialog.queryByRole("checkbox", { name: "Rita Reader (ann)" })).toBeNull();
    await user.click(dialog.getByRole("checkbox", { name: "Otto Other (ann)" }));
    const days = dialog.getByLabelText(/^Days to confirm/);
    await user.clear(days);
    await user.type(days, "0");
    await user.click(dialog.getByRole("button", { name: "Ask to read" }));
    await dialog.findByText("Enter a whole number of days, 1 to 365.");
    expect(server.requestsFor(`PUT ${path}`)).toEqual([]);
    await user.clear(days);
    const after = managed({ ask: requested, counts: { asked: 3, confirmed: 1, overdue: 0 } });
    server.reply({ [`PUT ${path}`]: after, [`GET ${path}`]: after });
    await user.click(dialog.getByRole("button", { name: "Ask to read" }));
    await screen.findByText("1 of 3 confirmed");
    expect(server.requestsFor(`PUT ${path}`)[0]?.body).toEqual({ userIds: ["u-2"], teamIds: ["t-1"], dueDays: null });
  });

  it.each([
    [14, "14"],
    [30, "30"],
    [null, ""],
  ])("begins with the company's days to confirm: %s", async (readingDays, shown) => {
    const me = aUser({ role: "manager" });
    const { user } = open(managed(), {
      replies: { ...lists, "GET /api/auth/me": { user: { ...me, company: { ...me.company, readingDays } } } },
    });
    await user.click(await screen.findByRole("button", { name: "Ask to read" }));
    const dialog = within(await screen.findByRole("dialog", { name: "Ask to read" }));
    expect(dialog.getByLabelText<HTMLInputElement>(/^Days to confirm/).value).toBe(shown);
  });

  it("lets administrators invite a reader in place, and asks no one by that", async () => {
    const { server, user } = open(managed(), {
      role: "company_admin",
      replies: { ...lists, "POST /api/company/invitations": anInvitationLink() } as Partial<Replies>,
    });
    await user.click(await screen.findByRole("button", { name: "Ask to read" }));
    const dialog = within(await screen.findByRole("dialog", { name: "Ask to read" }));
    await user.click(await dialog.findByRole("checkbox", { name: "Otto Other (ann)" }));
    await user.click(await dialog.findByRole("button", { name: "Invite people" }));
    const asked = within(await screen.findByRole("dialog", { name: "Invite people" }));
    expect(asked.getByLabelText<HTMLSelectElement>("Role").value).toBe("viewer");
    await user.click(asked.getByRole("button", { name: "Create Link" }));
    const link = within(await screen.findByRole("dialog", { name: "Invitation link" }));
    server.reply({
      "GET /api/users": [aUser({ id: "u-2", name: "Otto Other" }), aUser({ id: "u-3", name: "Nora New" })],
    });
    await user.click(link.getByRole("button", { name: "Done" }));
    await dialog.findByRole("checkbox", { name: "Nora New (ann)" });
    expect(dialog.getByRole<HTMLInputElement>("checkbox", { name: "Otto Other (ann)" }).checked).toBe(true);
    expect(server.requestsFor(`PUT ${path}`)).toEqual([]);
  });

  it("changes it, or stops it, and shows a refusal in the dialog", async () => {
    const before = managed({ ask: requested, counts: { asked: 2, confirmed: 0, overdue: 1 } });
    const { server, user } = open(before, { role: "manager", replies: lists });
    await user.click(await screen.findByRole("button", { name: "Change" }));
    const dialog = within(await screen.findByRole("dialog"));
    expect((await dialog.findByRole<HTMLInputElement>("checkbox", { name: "Rita Reader (ann)" })).checked).toBe(true);
    expect(dialog.getByRole<HTMLInputElement>("checkbox", { name: "Night shift" }).checked).toBe(true);
    expect(dialog.getByLabelText<HTMLInputElement>(/^Days to confirm/).value).toBe("7");
    server.reply({ [`PUT ${path}`]: new FakeRefusal("invalid_input", "Not every team chosen is known") });
    await user.click(dialog.getByRole("button", { name: "Save" }));
    await dialog.findByText("Not every team chosen is known");
    server.reply({ [`PUT ${path}`]: managed(), [`GET ${path}`]: managed() });
    await user.click(dialog.getByRole("button", { name: "Stop asking" }));
    await screen.findByText("No one has to confirm reading this SOP.");
    expect(server.requestsFor(`PUT ${path}`).at(-1)?.body).toEqual({});
  });

  it("lists everyone, overdue first, filters, loads more, and exports", async () => {
    const people = [
      person("Olga", { state: "overdue", dueBy: "2026-06-08" }),
      person("Carl", { state: "confirmed", confirmed: { version: 2, at: "2026-06-05T10:00:00.000Z" } }),
    ];
    const first = managed({
      ask: requested,
      counts: { asked: 3, confirmed: 1, overdue: 1 },
      people,
      nextCursor: "next",
    });
    const answer = ({ query }: { query: Record<string, string> }) => {
      const { matrix } = first;
      if (!matrix) return first;
      if (query["cursor"] === "next") return managed({ ...matrix, people: [person("Zoe")], nextCursor: undefined });
      if (query["state"] === "overdue")
        return managed({ ...matrix, people: people.slice(0, 1), nextCursor: undefined });
      return first;
    };
    const { user } = open(answer, { role: "manager" });
    await user.click(await screen.findByRole("button", { name: "Who has confirmed" }));
    const dialog = within(await screen.findByRole("dialog", { name: "Who has confirmed" }));
    const shown = async () => (await dialog.findAllByRole("listitem")).map(({ textContent }) => textContent);
    expect((await shown())[0]).toBe("Olgadue Jun 8, 2026Overdue");
    expect((await shown())[1]).toMatch(/^Carlversion 2 on Jun 5, 2026.*Confirmed$/);
    expect(dialog.getByText("1 of 3 confirmed")).toBeTruthy();
    await user.click(dialog.getByRole("button", { name: "Load more" }));
    await dialog.findByText("Zoe");
    await user.selectOptions(dialog.getByLabelText("State"), "Overdue");
    await waitFor(() => expect(dialog.queryByText("Carl")).toBeNull());
    expect(await shown()).toHaveLength(1);
    expect(dialog.getByRole("link", { name: "Export CSV" }).getAttribute("href")).toBe(`${path}/export`);
  });
});
