import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import { afterEach, describe, expect, it } from "vitest";
import { renderHtml } from "#core/markdown/render.ts";
import type { Sop } from "#core/sops/schema.ts";
import {
  fakeServer,
  FakeRefusal,
  signedInReplies,
  type RecordedRequest,
  type Replies,
} from "../../testing/fake-server.ts";
import { aCategory, aControl, aSop, aUser } from "../../testing/records.ts";
import { chooseAction, openProperties, showSource } from "../../testing/edit-screen.ts";
import { resetBrowser, showApp } from "../../testing/render-app.tsx";

afterEach(resetBrowser);

const id = "01980000-0000-7000-8000-00000000abcd";
const stored = (change: Partial<Sop> = {}): Sop => ({
  ...aSop({ id, title: "Open the kitchen", status: "draft", version: 3, number: "SOP-0042" }),
  content: "<p>One</p>",
  markdown: "One\n\nTwo\n\nThree\n",
  control: aControl(),
  ...change,
});

const row = (version: number, change = {}) => ({
  id: `v${version}`,
  sopId: id,
  version,
  title: "Open the kitchen",
  description: "What to do, in order.",
  changedBy: { id: "b", name: "Ben Baker" },
  changeNote: null,
  changeClass: "minor",
  contentHash: "0",
  restores: null,
  approvedBy: [],
  isCurrent: false,
  isInForce: false,
  ai: [],
  commit: null,
  createdAt: "2026-03-01T10:00:00.000Z",
  ...change,
});

function open(replies: Partial<Replies> = {}, path = `/sop/${id}/edit`) {
  const server = fakeServer({
    ...signedInReplies(),
    [`GET /api/sops/${id}`]: stored(),
    [`GET /api/sops/${id}/versions`]: [row(3, { isCurrent: true }), row(2, { changeNote: "Shorter" }), row(1)],
    ...replies,
  } as Replies);
  return { server, ...showApp(server, path) };
}

/** Types into the Markdown source: jsdom has no layout for the rich editor to type in. */
async function typeContent(user: ReturnType<typeof showApp>["user"], markdown: string) {
  await showSource(user);
  fireEvent.change(screen.getByRole("textbox", { name: "Content" }), { target: { value: markdown } });
}

const save = () => screen.findByRole("button", { name: "Save SOP" });

describe("creating an SOP", () => {
  it("asks for what is missing in the seed's words, and sends nothing", async () => {
    const { user, server } = open({}, "/sop/new");
    await screen.findByRole("heading", { level: 1, name: "New SOP" });
    await openProperties(user);
    const readTime = screen.getByLabelText("Read time (min)");
    expect((readTime as HTMLInputElement).value).toBe("5");
    await user.clear(readTime);
    await user.click(await save());
    for (const message of [
      "Title is required",
      "Description is required",
      "Content is required",
      "Category is required",
      "Read time must be at least 1 minute",
    ]) {
      expect(await screen.findByText(message)).toBeTruthy();
    }
    expect(server.requestsFor("POST /api/sops")).toEqual([]);
  });

  it("leaves the focus in the text when the category alone is still missing", async () => {
    const { user } = open({}, "/sop/new");
    await user.type(await screen.findByLabelText("Title"), "Open the kitchen");
    await user.click(await save());
    await screen.findByText("Category is required");
    const category = screen.getByLabelText("Category");
    expect(document.activeElement).not.toBe(category);
    await user.type(screen.getByLabelText("Description"), "Every morning.");
    await typeContent(user, "One");
    await waitFor(() => expect(screen.queryByText("Content is required")).toBeNull());
    await waitFor(() => expect(screen.queryByText("Description is required")).toBeNull());
    expect(document.activeElement).not.toBe(category);
    screen.getByText("Category is required");
  });

  it("sends the form, says 'SOP Created' and shows the new SOP", async () => {
    const { user, server, address } = open({ "POST /api/sops": stored({ version: 1 }) }, "/sop/new");
    await user.type(await screen.findByLabelText("Title"), "Open the kitchen");
    await user.type(screen.getByLabelText("Description"), "Every morning.");
    await user.selectOptions(screen.getByLabelText("Category"), "Finance");
    await typeContent(user, "*  Lights on");
    await user.click(await save());
    await screen.findByText("SOP Created");
    await waitFor(() => expect(address()).toBe(`/sop/${id}`));
    const [requested] = server.requestsFor("POST /api/sops");
    expect(requested?.body).toEqual({
      title: "Open the kitchen",
      description: "Every morning.",
      markdown: "- Lights on\n",
      categoryId: "cat-fin",
      status: "draft",
      readTime: 1,
      isTemplate: false,
    });
    expect(requested?.headers["idempotency-key"]).toMatch(/^[0-9a-f-]{36}$/);
  });

  describe("without a chosen category", () => {
    const write = async (title: string, replies: Partial<Replies> = {}) => {
      const shown = open({ "POST /api/sops": stored({ version: 1 }), ...replies }, "/sop/new");
      await shown.user.type(await screen.findByLabelText("Title"), title);
      await shown.user.type(screen.getByLabelText("Description"), "Every morning.");
      await typeContent(shown.user, "One");
      return shown;
    };
    const sent = (server: ReturnType<typeof fakeServer>) =>
      server.requestsFor("POST /api/sops").map(({ body }) => (body as { categoryId: string }).categoryId);

    it("takes the one that fits the title, shown as soon as the title is written", async () => {
      const { user, server } = await write("Check the finance report");
      const category = screen.getByLabelText<HTMLSelectElement>("Category");
      await waitFor(() => expect(category.selectedOptions[0]?.textContent).toBe("Finance"));
      await user.click(await save());
      await screen.findByText("SOP Created");
      expect(sent(server)).toEqual(["cat-fin"]);
    });

    it("keeps the user's choice when the title changes", async () => {
      const { user, server } = await write("Check the report");
      await user.selectOptions(screen.getByLabelText("Category"), "HR Procedures");
      await user.type(screen.getByLabelText("Title"), " of finance");
      await user.click(await save());
      await screen.findByText("SOP Created");
      expect(sent(server)).toEqual(["cat-hr"]);
    });

    it("asks in place where none fits, and goes on with a new one by its name", async () => {
      const { user, server } = await write("Clean the coffee machine", {
        "GET /api/auth/me": { user: aUser({ role: "manager" }) },
        "POST /api/categories": aCategory({ id: "cat-new", name: "Kitchen" }),
      } as Partial<Replies>);
      await user.click(await save());
      const question = within(await screen.findByRole("dialog", { name: "Which category is it in?" }));
      expect(server.requestsFor("POST /api/sops")).toEqual([]);
      await user.type(question.getByLabelText(/^Or a new category/), "Kitchen{Enter}");
      await screen.findByText("SOP Created");
      expect(server.requestsFor("POST /api/categories")[0]?.body).toEqual({ name: "Kitchen" });
      expect(sent(server)).toEqual(["cat-new"]);
    });

    it("lets people who can't create one choose, and goes on where they were", async () => {
      const { user, server } = await write("Clean the coffee machine", {
        "GET /api/auth/me": { user: aUser({ role: "editor" }) },
      } as Partial<Replies>);
      await user.click(await save());
      const question = within(await screen.findByRole("dialog", { name: "Which category is it in?" }));
      expect(question.queryByLabelText(/^Or a new category/)).toBeNull();
      await user.click(question.getByRole("button", { name: "Cancel" }));
      await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
      await user.click(await save());
      await user.selectOptions(within(await screen.findByRole("dialog")).getByLabelText("Category"), "HR Procedures");
      await user.click(await screen.findByRole("button", { name: "Continue" }));
      await screen.findByText("SOP Created");
      expect(sent(server)).toEqual(["cat-hr"]);
    });

    it("stays open and busy until the next window is there", async () => {
      let answer: (value: unknown) => void = () => undefined;
      const { user } = await write("Clean the coffee machine", {
        "POST /api/sops": () => new Promise((resolve) => (answer = resolve)),
        [`GET /api/sops/${id}/versions`]: [],
      } as Partial<Replies>);
      await user.click(await screen.findByRole("button", { name: /^Publish/ }));
      const question = await screen.findByRole("dialog", { name: "Which category is it in?" });
      await user.selectOptions(within(question).getByLabelText("Category"), "Finance");
      await user.click(within(question).getByRole("button", { name: "Continue" }));
      const busy = within(question).getByRole("button", { name: "Continue" });
      await waitFor(() => expect(busy.getAttribute("aria-busy")).toBe("true"));
      await user.keyboard("{Escape}");
      expect(question.isConnected).toBe(true);
      // the first window that is not the question; without one between them
      const windows: (string | null)[] = [];
      const observer = new MutationObserver(() => windows.push(screen.queryByRole("dialog")?.textContent ?? null));
      observer.observe(document.body, { childList: true });
      answer(stored({ version: 1, title: "Clean the coffee machine" }));
      await screen.findByRole("dialog", { name: "Publish version 1" });
      observer.disconnect();
      expect(windows).not.toContain(null);
      expect(question.isConnected).toBe(false);
    });

    it("closes when the SOP couldn't be stored, and isn't asked again", async () => {
      const { user, server } = await write("Clean the coffee machine", {
        "POST /api/sops": new FakeRefusal("limit_reached", "No more SOPs"),
      } as Partial<Replies>);
      await user.click(await save());
      const question = await screen.findByRole("dialog", { name: "Which category is it in?" });
      await user.selectOptions(within(question).getByLabelText("Category"), "Finance");
      await user.click(within(question).getByRole("button", { name: "Continue" }));
      await screen.findByText("No more SOPs");
      await waitFor(() => expect(question.isConnected).toBe(false));
      server.reply({ "POST /api/sops": stored({ version: 1 }) });
      await user.click(await save());
      expect(screen.queryByRole("dialog", { name: "Which category is it in?" })).toBeNull();
      await screen.findByText("SOP Created");
    });

    it("proposes none of those that don't fit, and asks until one is chosen", async () => {
      const { user, server } = await write("Clean the coffee machine");
      await user.click(await save());
      const question = within(await screen.findByRole("dialog", { name: "Which category is it in?" }));
      const category = question.getByLabelText<HTMLSelectElement>("Category");
      expect(category.selectedOptions[0]?.textContent).toBe("Choose a category");
      await user.click(question.getByRole("button", { name: "Continue" }));
      expect(question.getByRole("alert").textContent).toBe("Choose a category");
      expect(document.activeElement).toBe(category);
      expect(sent(server)).toEqual([]);
      await user.selectOptions(category, "Finance");
      expect(question.queryByRole("alert")).toBeNull();
      await user.click(question.getByRole("button", { name: "Continue" }));
      await screen.findByText("SOP Created");
      expect(sent(server)).toEqual(["cat-fin"]);
    });

    it("takes the last answer: a name clears the choice, and a choice the name", async () => {
      const { user } = await write("Clean the coffee machine", {
        "GET /api/auth/me": { user: aUser({ role: "manager" }) },
      } as Partial<Replies>);
      await user.click(await save());
      const question = within(await screen.findByRole("dialog", { name: "Which category is it in?" }));
      const category = question.getByLabelText<HTMLSelectElement>("Category");
      const name = question.getByLabelText<HTMLInputElement>(/^Or a new category/);
      await user.selectOptions(category, "Finance");
      await user.type(name, "Kitchen");
      expect([category.value, name.value]).toEqual(["", "Kitchen"]);
      await user.selectOptions(category, "Finance");
      expect([category.value, name.value]).toEqual(["cat-fin", ""]);
    });
  });

  it("offers other ways to begin until there is text", async () => {
    const { user } = open({}, "/sop/new");
    await user.type(await screen.findByLabelText("Title"), "Open");
    expect(screen.getByRole("button", { name: "From template" })).toBeTruthy();
    await user.click(screen.getByRole("button", { name: "A Word, HTML or Markdown file" }));
    await user.click(within(await screen.findByRole("dialog", { name: "Import documents" })).getByText("Cancel"));
    await user.click(screen.getByRole("button", { name: "Numbered steps with a warning" }));
    await waitFor(() => expect(screen.queryByText("Or begin with")).toBeNull());
    expect(screen.queryByRole("button", { name: "From template" })).toBeNull();
    await showSource(user);
    expect(screen.getByLabelText<HTMLTextAreaElement>("Content").value).toBe("1.\n2.\n");
  });

  it("starts in the category that 'New SOP in Category' names", async () => {
    open({}, "/sop/new?category=cat-fin");
    const category = await screen.findByLabelText<HTMLSelectElement>("Category");
    await waitFor(() => expect(category.selectedOptions[0]?.textContent).toBe("Finance"));
  });

  it("starts with the title that 'Write it' names, and leaving it loses nothing", async () => {
    open({}, "/sop/new?title=Clean+the+ice+machine");
    const title = await screen.findByLabelText<HTMLTextAreaElement>("Title");
    expect(title.value).toBe("Clean the ice machine");
    const leaving = new Event("beforeunload", { cancelable: true });
    window.dispatchEvent(leaving);
    expect(leaving.defaultPrevented).toBe(false);
  });

  it("says 'Failed to create SOP', shows the server's reason and keeps what was typed", async () => {
    const { user } = open(
      { "POST /api/sops": new FakeRefusal("limit_reached", "Your company has 100 of 100 SOPs") },
      "/sop/new",
    );
    await user.type(await screen.findByLabelText("Title"), "Kept");
    await user.type(screen.getByLabelText("Description"), "Kept too.");
    await user.selectOptions(screen.getByLabelText("Category"), "Finance");
    await typeContent(user, "Text");
    await user.click(await save());
    await screen.findByText("Failed to create SOP");
    expect(screen.getByText("Error")).toBeTruthy();
    await screen.findByText("Your company has 100 of 100 SOPs");
    expect((screen.getByLabelText("Title") as HTMLInputElement).value).toBe("Kept");
    expect((screen.getByRole("textbox", { name: "Content" }) as HTMLTextAreaElement).value).toBe("Text");
  });

  it("shows every status, and says of those it can't begin with how it comes to them", async () => {
    const { user } = open({ "GET /api/auth/me": { user: aUser({ role: "editor" }) } }, "/sop/new");
    await openProperties(user);
    const status = await screen.findByLabelText<HTMLSelectElement>("Status");
    expect([...status.options].map(({ text, disabled }) => [text, disabled])).toEqual([
      ["Draft", false],
      ["Under Review: save first, then approval", true],
      ["Published: save first, then approval", true],
      ["Archived", false],
    ]);
  });

  it("names its author once among those who may own it", async () => {
    const { id: mine, name } = aUser();
    const { user } = open(
      {
        "GET /api/users": [
          { id: mine, name },
          { id: "b", name: "Ben Baker" },
        ],
      },
      "/sop/new",
    );
    await openProperties(user);
    const owner = await screen.findByLabelText<HTMLSelectElement>("Owner");
    await waitFor(() => expect([...owner.options].map(({ text }) => text)).toEqual([`${name} (me)`, "Ben Baker"]));
    expect(owner.value).toBe("");
  });

  it("is not for users who can't edit", async () => {
    open({ "GET /api/auth/me": { user: aUser({ role: "viewer" }) } }, "/sop/new");
    await screen.findByRole("heading", { level: 1, name: "Access Denied" });
    expect(screen.getByText("You don't have permission to access this page.")).toBeTruthy();
  });
});

describe("editing an SOP", () => {
  it.each([
    ["before the categories are there", () => new Promise(() => {})],
    ["with a list from before its category", []],
  ])("names its category %s", async (_, categories) => {
    open({ "GET /api/categories": categories, [`GET /api/sops/${id}`]: stored({ categoryId: "cat-new" }) });
    const category = await screen.findByLabelText<HTMLSelectElement>("Category");
    expect([category.value, category.selectedOptions[0]?.textContent]).toEqual(["cat-new", "HR Procedures"]);
  });

  it("keeps its category when the list comes later", async () => {
    let arrive: (all: unknown) => void = () => {};
    const categories = new Promise((resolve) => (arrive = resolve));
    open({ "GET /api/categories": () => categories, [`GET /api/sops/${id}`]: stored({ categoryId: "cat-fin" }) });
    const category = await screen.findByLabelText<HTMLSelectElement>("Category");
    arrive([aCategory(), aCategory({ id: "cat-fin", name: "Finance" })]);
    await screen.findByRole("option", { name: "Finance" });
    expect([category.value, screen.queryAllByRole("option", { name: "HR Procedures" }).length]).toEqual(["cat-fin", 1]);
  });

  it("saves on the version it loaded, and says 'SOP Updated'", async () => {
    const { user, server, address } = open({ [`PUT /api/sops/${id}`]: stored({ version: 4, title: "Open it" }) });
    const title = await screen.findByLabelText("Title");
    await user.clear(title);
    await user.type(title, "Open it");
    await openProperties(user);
    await screen.findByText("Saves version 4 as a draft.");
    await user.click(await save());
    await screen.findByText("SOP Updated");
    await waitFor(() => expect(address()).toBe(`/sop/${id}`));
    const [requested] = server.requestsFor(`PUT /api/sops/${id}`);
    expect(requested?.headers["if-match"]).toBe('"v3"');
    expect(requested?.body).toMatchObject({ title: "Open it", markdown: "One\n\nTwo\n\nThree\n" });
  });

  it("asks before a save archives the SOP; Cancel saves nothing and keeps what is typed", async () => {
    const archived = stored({ version: 4, status: "archived", published: null });
    const { user, server, address } = open({ [`PUT /api/sops/${id}`]: archived });
    const title = await screen.findByLabelText("Title");
    await user.type(title, " now");
    await openProperties(user);
    await user.selectOptions(screen.getByLabelText("Status after saving"), "Archived");
    for (const start of [async () => user.click(await save()), async () => user.keyboard("{Control>}s{/Control}")]) {
      await start();
      const requested = await screen.findByRole("alertdialog", { name: "Archive this SOP?" });
      await user.click(within(requested).getByRole("button", { name: "Cancel" }));
      await waitFor(() => expect(screen.queryByRole("alertdialog")).toBeNull());
    }
    expect(server.requestsFor(`PUT /api/sops/${id}`)).toEqual([]);
    expect(title).toHaveProperty("value", "Open the kitchen now");
    await user.click(await save());
    const question = await screen.findByRole("alertdialog", { name: "Archive this SOP?" });
    await user.click(within(question).getByRole("button", { name: "Archive" }));
    await screen.findByText("SOP Updated");
    expect(server.requestsFor(`PUT /api/sops/${id}`)[0]?.body).toMatchObject({ status: "archived" });
    await waitFor(() => expect(address()).toBe(`/sop/${id}`));
  });

  it("stays with Ctrl+S, and the next save builds on the new version", async () => {
    let version = 3;
    const { user, server, address } = open({
      [`PUT /api/sops/${id}`]: () => stored({ version: (version += 1), title: "Open it" }),
    });
    await user.type(await screen.findByLabelText("Title"), "!");
    await user.keyboard("{Control>}s{/Control}");
    await screen.findByText("· version 4");
    await user.type(screen.getByLabelText("Title"), "!");
    await user.keyboard("{Control>}s{/Control}");
    await screen.findByText("· version 5");
    expect(address()).toBe(`/sop/${id}/edit`);
    expect(server.requestsFor(`PUT /api/sops/${id}`).map(({ headers }) => headers["if-match"])).toEqual([
      '"v3"',
      '"v4"',
    ]);
  });

  it("says before saving what a status will do, and shows the server's refusal beside the form", async () => {
    const { user } = open({
      [`PUT /api/sops/${id}`]: new FakeRefusal("conflict", "Use Submit for Approval to put an SOP under review"),
    });
    await openProperties(user);
    await user.selectOptions(await screen.findByLabelText("Status after saving"), "Published");
    await screen.findByText("Saves version 4, then asks to publish it.");
    await user.selectOptions(screen.getByLabelText("Status after saving"), "Under Review");
    const hint = await screen.findByText("Use Submit for Approval to put an SOP under review");
    expect(hint.closest("[role=alert]")).toBeNull();
    await user.click(await save());
    await screen.findByText("Failed to update SOP");
    await waitFor(() =>
      expect(
        screen
          .getAllByText("Use Submit for Approval to put an SOP under review")
          .some((one) => one.closest("[role=alert]")),
      ).toBe(true),
    );
    expect((screen.getByLabelText("Status after saving") as HTMLSelectElement).value).toBe("under_review");
  });

  it("says 'SOP Not Found' for an unknown id", async () => {
    open({ [`GET /api/sops/${id}`]: new FakeRefusal("not_found") });
    await screen.findByRole("heading", { level: 1, name: "SOP Not Found" });
    expect(screen.getByText("The requested SOP could not be found.")).toBeTruthy();
  });

  it("asks the browser to hold on while something is unsaved", async () => {
    const { user } = open();
    const title = await screen.findByLabelText("Title");
    const leave = () => window.dispatchEvent(new Event("beforeunload", { cancelable: true }));
    expect(leave()).toBe(true);
    await user.type(title, "!");
    await waitFor(() => expect(leave()).toBe(false));
  });

  it("previews what is typed, as the server renders it", async () => {
    const markdown = "## Steps\n\n> [!WARNING]\n> Hot\n";
    const { user, server } = open({
      "POST /api/sops/preview": ({ body }: RecordedRequest) => ({
        content: renderHtml((body as { markdown: string }).markdown),
      }),
    });
    await typeContent(user, markdown);
    await chooseAction(user, "Preview");
    const dialog = await screen.findByRole("dialog", { name: "Preview" });
    await within(dialog).findByRole("heading", { name: "Steps" });
    expect(within(dialog).getByText("Hot").closest(".alert-warning")).toBeTruthy();
    expect(server.requestsFor("POST /api/sops/preview").map(({ body }) => body)).toEqual([{ markdown }]);
  });

  it("says when there is no preview, and tries again", async () => {
    const { user, server } = open({ "POST /api/sops/preview": new FakeRefusal("unprocessable") });
    await typeContent(user, "Text");
    await chooseAction(user, "Preview");
    const dialog = await screen.findByRole("dialog", { name: "Preview" });
    await within(dialog).findByText("Can't preview this text");
    server.reply({ "POST /api/sops/preview": { content: "<p>There it is</p>" } });
    await user.click(within(dialog).getByRole("button", { name: "Try Again" }));
    await within(dialog).findByText("There it is");
  });
});

describe("a save that came too late", () => {
  const theirs = stored({ version: 4, markdown: "One\n\nTwo\n\nThree changed\n", title: "Their title" });

  async function conflict(mine: string, more: Partial<Replies> = {}) {
    let refused = false;
    const shown = open({
      [`PUT /api/sops/${id}`]: ({ headers }: { headers: Record<string, string> }) => {
        if (headers["if-match"] === '"v3"') {
          refused = true;
          return new FakeRefusal("stale", "Someone else saved version 4", { version: 4 });
        }
        return stored({ version: 5 });
      },
      [`GET /api/sops/${id}`]: () => (refused ? theirs : stored()),
      [`GET /api/sops/${id}/versions/3`]: { ...row(3), content: "", markdown: stored().markdown },
      [`GET /api/sops/${id}/versions`]: () => [row(4, { isCurrent: true }), row(3)],
      ...more,
    });
    await typeContent(shown.user, mine);
    await shown.user.click(await save());
    const dialog = await screen.findByRole("dialog", { name: "Someone else saved changes" });
    await within(dialog).findByRole("region", { name: "Changes" });
    return { ...shown, dialog };
  }
  const content = () => (screen.getByRole("textbox", { name: "Content" }) as HTMLTextAreaElement).value;

  const change = (dialog: HTMLElement, name: string) => within(dialog).getByRole("group", { name: new RegExp(name) });
  const lastSent = (server: ReturnType<typeof fakeServer>) => server.requestsFor(`PUT /api/sops/${id}`).at(-1);

  it("shows who saved, and merges what only one of both changed", async () => {
    const { user, dialog, server } = await conflict("One mine\n\nTwo\n\nThree\n");
    expect(dialog.textContent).toContain("Ben Baker saved version 4");
    expect(change(dialog, "Changed by you").textContent).toContain("mine");
    expect(change(dialog, "Changed by them").textContent).toContain("changed");
    expect(dialog.textContent).toContain("All decided · 2 merged");
    await user.click(within(dialog).getByRole("button", { name: "Save merged text" }));
    await screen.findByText("SOP Updated");
    expect(lastSent(server)?.headers["if-match"]).toBe('"v4"');
    expect(lastSent(server)?.body).toMatchObject({
      title: "Their title",
      markdown: "One mine\n\nTwo\n\nThree changed\n",
    });
  });

  it("saves mine as a new version on top of theirs", async () => {
    const { user, dialog, server } = await conflict("One mine\n\nTwo\n\nThree\n");
    await user.click(within(dialog).getByRole("button", { name: "All mine" }));
    await user.click(within(dialog).getByRole("button", { name: "Save merged text" }));
    await screen.findByText("SOP Updated");
    expect(lastSent(server)?.headers["if-match"]).toBe('"v4"');
    expect(lastSent(server)?.body).toMatchObject({
      title: "Open the kitchen",
      markdown: "One mine\n\nTwo\n\nThree\n",
    });
  });

  it("takes theirs, and can bring mine back", async () => {
    const { user, dialog } = await conflict("One mine\n\nTwo\n\nThree\n");
    await user.click(within(dialog).getByRole("button", { name: "All theirs" }));
    await user.click(within(dialog).getByRole("button", { name: "Use theirs" }));
    await screen.findByDisplayValue("Their title");
    await user.click(await screen.findByRole("button", { name: "Use my text" }));
    await showSource(user);
    expect(content()).toBe("One mine\n\nTwo\n\nThree\n");
  });

  it("lets a detail be chosen by itself, and leaves the saving to the writer who wants to look over the text", async () => {
    const { user, dialog, server } = await conflict("One mine\n\nTwo\n\nThree\n");
    await user.click(within(dialog).getByRole("radio", { name: /^Open the kitchen/ }));
    await user.click(within(dialog).getByRole("button", { name: "Edit the merged text" }));
    await screen.findByDisplayValue("Open the kitchen");
    await showSource(user);
    expect(content()).toBe("One mine\n\nTwo\n\nThree changed\n");
    expect(server.requestsFor(`PUT /api/sops/${id}`)).toHaveLength(1);
    await user.click(await save());
    await screen.findByText("SOP Updated");
    expect(lastSent(server)?.headers["if-match"]).toBe('"v4"');
  });

  it("does not save before every place that both changed is decided; both can stand", async () => {
    const { user, dialog, server } = await conflict("One\n\nTwo\n\nThree otherwise\n");
    const saving = within(dialog).getByRole<HTMLButtonElement>("button", { name: "Save merged text" });
    expect(dialog.textContent).toContain("1 place to decide");
    expect(saving.disabled).toBe(true);
    const both = change(dialog, "Changed by both");
    expect(within(both).getByRole("region", { name: "Your text" }).textContent).toContain("otherwise");
    expect(within(both).getByRole("region", { name: "Version 4 on the server" }).textContent).toContain("changed");
    await user.click(within(both).getByRole("button", { name: "Take both" }));
    await user.click(saving);
    await screen.findByText("SOP Updated");
    expect(lastSent(server)?.body).toMatchObject({ markdown: "One\n\nTwo\n\nThree otherwise\n\nThree changed\n" });
  });

  it("is decided by keys alone", async () => {
    const { user, dialog, server } = await conflict("One mine\n\nTwo\n\nThree otherwise\n");
    expect(document.activeElement).toBe(change(dialog, "Change 1 of 2"));
    await user.keyboard("t");
    expect(document.activeElement).toBe(change(dialog, "Change 2 of 2"));
    await user.keyboard("kj");
    await user.keyboard("m");
    await user.click(within(dialog).getByRole("button", { name: "Save merged text" }));
    await screen.findByText("SOP Updated");
    expect(lastSent(server)?.body).toMatchObject({ markdown: "One\n\nTwo\n\nThree otherwise\n" });
  });

  it("goes on editing with everything in place", async () => {
    const { user, dialog } = await conflict("One mine\n");
    await user.click(within(dialog).getByRole("button", { name: "Keep editing" }));
    expect(content()).toBe("One mine\n");
  });
});

describe("version history", () => {
  const history = async (user: ReturnType<typeof showApp>["user"]) => {
    await chooseAction(user, "Version history");
    return screen.findByRole("dialog", { name: "Version history" });
  };

  it("marks the current version, which can't be restored; the others can", async () => {
    const { user } = open();
    const dialog = await history(user);
    const [current, second] = await within(dialog).findAllByRole("listitem");
    expect(within(current as HTMLElement).getByText("Current")).toBeTruthy();
    expect(within(current as HTMLElement).queryByRole("button")).toBeNull();
    expect(within(second as HTMLElement).getByRole("button", { name: "Restore version 2" })).toBeTruthy();
    expect(second?.textContent).toContain("Shorter");
    expect(second?.textContent).toContain("Ben Baker");
  });

  it("shows the versions of one hour's pauses as one row that opens, and a commit only when asked", async () => {
    const at = (minute: string) => ({ automatic: true, createdAt: `2026-03-01T10:${minute}:00.000Z` });
    const rows = [
      row(6, { isCurrent: true, commit: "0123456789abcdef" }),
      row(5, at("50")),
      row(4, at("30")),
      row(3, { ...at("20"), isInForce: true }),
      row(2, { automatic: true, createdAt: "2026-03-01T09:10:00.000Z" }),
      row(1, { createdAt: "2026-03-01T09:00:00.000Z" }),
    ];
    const { user } = open({ [`GET /api/sops/${id}/versions`]: rows });
    const dialog = await history(user);
    const more = await within(dialog).findByText("1 more of this hour");
    const folded = more.closest("details");
    expect(folded?.open).toBe(false);
    expect(folded?.textContent).toContain("v4");
    expect(folded?.closest("li")?.textContent).toContain("v5");
    expect(within(dialog).getAllByText(/saved after a pause/)).toHaveLength(4);
    const commit = within(dialog).getByText("0123456789abcdef").closest("details");
    expect(commit?.open).toBe(false);
    await user.click(within(dialog).getByText("Details"));
    expect(commit?.open).toBe(true);
  });

  it("restores: a new version, its text in the form, and the seed's words", async () => {
    const { user, server } = open({ [`POST /api/sops/${id}/restore/2`]: stored({ version: 4, title: "As it was" }) });
    await user.click(within(await history(user)).getByRole("button", { name: "Restore version 2" }));
    await screen.findByText("Version restored");
    await screen.findByText("The SOP has been restored to the selected version.");
    await screen.findByDisplayValue("As it was");
    await screen.findByText("· version 4");
    expect(server.requestsFor(`POST /api/sops/${id}/restore/2`)).toHaveLength(1);
  });

  it("offers Undo: the version from before comes back, and what was typed since stays", async () => {
    const { user, server } = open({
      [`POST /api/sops/${id}/restore/2`]: stored({ version: 4, title: "As it was" }),
      [`POST /api/sops/${id}/restore/3`]: stored({ version: 5 }),
    });
    await user.click(within(await history(user)).getByRole("button", { name: "Restore version 2" }));
    await screen.findByText("· version 4");
    // found by its text: on a slow machine, a search by role takes longer than the toast stays
    await user.click(await screen.findByText("Undo", { selector: "button" }));
    await screen.findByText("· version 5");
    expect(server.requestsFor(`POST /api/sops/${id}/restore/3`)[0]?.headers["if-match"]).toBe('"v4"');
    await user.click(within(await history(user)).getByRole("button", { name: "Restore version 2" }));
    // a toast under the pointer stays
    const undo = await screen.findByText("Undo", { selector: "button" });
    await user.hover(undo);
    fireEvent.change(await screen.findByDisplayValue("As it was"), { target: { value: "As it was!" } });
    await user.click(undo);
    await screen.findByText("Version 3 restored");
    expect(screen.getByDisplayValue("As it was!")).toBeTruthy();
  });

  it("asks before it replaces unsaved changes", async () => {
    const { user, server } = open({ [`POST /api/sops/${id}/restore/2`]: stored({ version: 4 }) });
    await user.type(await screen.findByLabelText("Title"), "!");
    await user.click(within(await history(user)).getByRole("button", { name: "Restore version 2" }));
    const question = await screen.findByRole("alertdialog", { name: "Restore this version?" });
    expect(server.requestsFor(`POST /api/sops/${id}/restore/2`)).toEqual([]);
    await user.click(within(question).getByRole("button", { name: "Restore" }));
    await screen.findByText("Version restored");
  });

  it("says when restoring failed", async () => {
    const { user } = open({ [`POST /api/sops/${id}/restore/2`]: new FakeRefusal("internal") });
    await user.click(within(await history(user)).getByRole("button", { name: "Restore version 2" }));
    await screen.findByText("Failed to restore version. Please try again.");
  });

  it("is not there without version control (501)", async () => {
    const { user, server } = open({ [`GET /api/sops/${id}/versions`]: new FakeRefusal("unavailable") });
    await screen.findByLabelText("Title");
    await waitFor(() => expect(server.requestsFor(`GET /api/sops/${id}/versions`)).toHaveLength(1));
    await user.click(screen.getByRole("button", { name: "More actions" }));
    await screen.findByRole("menuitem", { name: "Preview" });
    await waitFor(() => expect(screen.queryByRole("menuitem", { name: "Version history" })).toBeNull());
  });
});
