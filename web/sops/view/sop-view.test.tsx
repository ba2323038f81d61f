import { screen, waitFor, within } from "@testing-library/react";
import { afterEach, describe, expect, it, vi } from "vitest";
import type { Role } from "#core/permissions/roles.ts";
import type { Sop } from "#core/sops/schema.ts";
import { fakeServer, FakeRefusal, signedInReplies, type Replies } from "../../testing/fake-server.ts";
import { dateText } from "../../ui/time.ts";
import { readArticleText } from "../../comments/article-text.ts";
import { aControl, aSop, aUser } from "../../testing/records.ts";
import { resetBrowser, showApp } from "../../testing/render-app.tsx";

afterEach(() => {
  resetBrowser();
  vi.restoreAllMocks();
});

const id = "01980000-0000-7000-8000-00000000dcba";
const content =
  '<h2 id="user-content-purpose">Purpose</h2><p>Why. <a href="/sop/other">Other</a></p>' +
  '<h3 id="user-content-scope">Scope</h3><ul class="contains-task-list"><li class="task-list-item"><input type="checkbox" disabled> Fridge</li></ul>';
const stored = (change: Partial<Sop> = {}): Sop => ({
  ...aSop({
    id,
    number: "SOP-0007",
    title: "Open the kitchen",
    description: "Every morning.",
    status: "published",
    version: 2,
    published: { version: 2, effectiveAt: null },
    readTime: 4,
    views: 31,
    isTemplate: true,
    isAiGenerated: true,
  }),
  content,
  markdown: "",
  control: aControl(),
  ...change,
});

function open(sop: Sop | FakeRefusal, replies: Partial<Replies> = {}, role: Role = "manager") {
  const server = fakeServer({
    ...signedInReplies(),
    "GET /api/auth/me": { user: aUser({ role, id: role === "viewer" ? "someone-else" : aUser().id }) },
    [`GET /api/sops/${id}`]: sop,
    [`GET /api/sops/${id}/versions`]: [],
    ...replies,
  } as Replies);
  return { server, ...showApp(server, `/sop/${id}`) };
}

const heading = () => screen.findByRole("heading", { level: 1, name: "Open the kitchen" });
async function more(user: ReturnType<typeof showApp>["user"]) {
  await user.click(await screen.findByRole("button", { name: "More actions" }));
  return (await screen.findAllByRole("menuitem")).map((item) => item.textContent);
}

const exports = ["Export PDF", "Export Word", "Export HTML", "Export Markdown"];
const all = ["ShareLink, QR code", "Version historyH", "Comments", "Print", ...exports, "Duplicate"];

it.each([
  [null, "de"],
  ["fr", "fr"],
])("title and text have the language of the SOP (%s) or of their words (%s)", async (lang, shown) => {
  open(
    stored({
      lang,
      title: "Open the kitchen",
      markdown: "Die Küche am Morgen öffnen und das Licht für alle einschalten.\n",
    }),
  );
  expect((await heading()).lang).toBe(shown);
  expect(screen.getByRole("article").querySelector<HTMLElement>(".reading")?.lang).toBe(shown);
});

describe("numbers in words from the right", () => {
  const words = "حرارة الخزان 80 °C ثم 5–7 bar";
  const text = `<p>${words} <code>9 mm</code></p><ul><li><p>صمام 12 Nm.</p></li></ul><p>Heat to 80 °C.</p>`;

  it.each(["ar", "en"])(
    "keep their unit, and the text stays as written, in a text of the language %s",
    async (lang) => {
      open(stored({ content: text, lang }));
      await heading();
      const article = screen.getByRole("article");
      await waitFor(() => expect(article.textContent).toContain(`${words} 9 mm`));
      expect([...article.querySelectorAll("bdi[dir=ltr]")].map((one) => one.textContent)).toEqual([
        "80 °C",
        "5–7 bar",
        "12 Nm",
      ]);
    },
  );
});

describe("an SOP", () => {
  it("shows everything there is to know, and its text", async () => {
    open(stored());
    await heading();
    const article = screen.getByRole("article");
    for (const text of [
      "Published",
      "Template",
      "AI Generated",
      "Every morning.",
      "Ann Archer (ann)",
      "4 min",
      "Version 2",
      "31 views",
    ]) {
      expect(within(article).getAllByText(text).length, text).toBeGreaterThan(0);
    }
    expect(within(article).getAllByText("SOP-0007").length).toBeGreaterThan(0);
    expect(within(article).getAllByText("HR Procedures").length).toBeGreaterThan(0);
    expect((await screen.findByText("Last updated")).nextElementSibling?.textContent).toBe(dateText(aSop().updatedAt));
    expect(screen.getByRole("heading", { level: 2, name: "Purpose" })).toBeTruthy();
    expect(screen.getByRole("checkbox", { name: "Fridge" })).toBeTruthy();
    expect(document.title).toContain("Open the kitchen");
  });

  it("lists its contents, and follows its own links without leaving the application", async () => {
    const { user, address } = open(stored(), { "GET /api/sops/other": new FakeRefusal("not_found") });
    await heading();
    const contents = within(await screen.findByRole("navigation", { name: "Contents", hidden: true }));
    expect(contents.getAllByRole("link", { hidden: true }).map((link) => link.getAttribute("href"))).toEqual([
      "#user-content-purpose",
      "#user-content-scope",
      "#document-control",
    ]);
    await user.click(screen.getByRole("link", { name: "Other" }));
    await screen.findByRole("heading", { level: 1, name: "SOP Not Found" });
    expect(address()).toBe("/sop/other");
  });

  it("opens an author's folds around what protects", async () => {
    const fold = (text: string) => `<details><summary>More</summary><p>${text}</p></details>`;
    open(
      stored({
        content: `${fold("Never enter.")}${fold("The names in the plan are those of the office, and it is for them that this list was made. ".repeat(4))}`,
      }),
    );
    await heading();
    const isOpen = () => [...document.querySelectorAll(".reading details")].map((one) => one.hasAttribute("open"));
    await waitFor(() => expect(isOpen()).toEqual([true, false]));
  });

  it.each([
    ["published", ["before-steps", ""], [false, false]],
    ["under_review", [""], [true]],
  ] as const)("folds no part of a text to approve, on a phone: %s", async (status, classes, isOpen) => {
    const long = "The names in the plan are those of the office, and it is for them that this list was made. ".repeat(
      4,
    );
    const content = `<h2>Scope</h2><p>${long}</p><h2>Procedure</h2><ol><li>Open it.</li></ol><details><summary>More</summary><p>${long}</p></details>`;
    const isPhone = (query: string) =>
      ({ matches: query.includes("max-width"), addEventListener: () => {}, removeEventListener: () => {} }) as never;
    open(stored({ content, status }));
    const match = vi.spyOn(window, "matchMedia").mockImplementation(isPhone);
    try {
      await heading();
      await screen.findByText("Open it.");
      const folds = () => [...document.querySelectorAll<HTMLDetailsElement>(".reading details")];
      await waitFor(() => expect(folds().map(({ open: is }) => is)).toEqual(isOpen));
      expect(folds().map(({ className }) => className)).toEqual(classes);
    } finally {
      match.mockRestore();
    }
  });

  it("opens folds in a text whose code has buttons and whose diagrams are drawn", async () => {
    const drawn = '<svg class="alert-note" viewBox="0 0 1 1"><path d="M0 0"></path></svg>';
    const fold = "<details><summary>More</summary><p>Never enter.</p><pre><code>cmd</code></pre></details>";
    open(stored({ content: `${fold}<h2>Procedure</h2><ol><li>Open it.</li></ol>${drawn}<pre><code>cmd</code></pre>` }));
    expect(await screen.findAllByRole("button", { name: "Copy code" })).toHaveLength(2);
    await waitFor(() => expect(document.querySelector(".reading details")?.hasAttribute("open")).toBe(true));
  });

  it("opens by its number, at its own address", async () => {
    const { user, address, server } = open(stored(), {
      "GET /api/sops/other": { ...stored({ content: '<p><a href="/sop/SOP-0007#scope">Back</a></p>' }), id: "other" },
      "GET /api/sops/SOP-0007": stored(),
    });
    await heading();
    await user.click(screen.getByRole("link", { name: "Other" }));
    await user.click(await screen.findByRole("link", { name: "Back" }));
    await screen.findByRole("link", { name: "Other" });
    expect(address()).toBe(`/sop/${id}`);
    expect(server.requestsFor("GET /api/sops/SOP-0007")).toHaveLength(1);
  });

  it("copies its code, and keeps its words for comments", async () => {
    const code = '<pre><code class="language-bash">echo "a &#x26; b"\n</code></pre>';
    const { user } = open(stored({ content: `<ol><li>Run:${code}</li></ol>${code}` }));
    const copies = await screen.findAllByRole("button", { name: "Copy code" });
    expect(copies).toHaveLength(2);
    await user.click(copies[0]!);
    await screen.findByText("Copied");
    expect(await navigator.clipboard.readText()).toBe('echo "a & b"\n');
    const article = document.querySelector<HTMLElement>(".reading");
    expect(article && readArticleText(article).text).toBe('Run: echo "a & b" echo "a & b"');
  });

  it("lists the SOPs that link to it, and warns of them before it is archived", async () => {
    const row = { id: "from", number: "SOP-0002", title: "Close the kitchen", status: "published", draftOnly: false };
    const draft = { ...row, id: "draft", number: "SOP-0003", title: "Clean the kitchen", draftOnly: true };
    const links = { data: [row, draft], total: 7 };
    const { user } = open(stored(), { [`GET /api/sops/${id}/links`]: links });
    await heading();
    await user.click(await screen.findByText("7 SOPs"));
    const link = screen.getByRole("link", { name: "Close the kitchen" });
    expect(link.getAttribute("href")).toBe("/sop/from");
    expect(screen.getByText("in a draft")).toBeTruthy();
    expect(screen.getByText("and 5 more")).toBeTruthy();
    await more(user);
    await user.click(screen.getByRole("menuitem", { name: "Archive" }));
    const dialog = within(await screen.findByRole("alertdialog"));
    expect(await dialog.findByText("7 SOPs link to it:")).toBeTruthy();
    expect(dialog.getByText("Clean the kitchen")).toBeTruthy();
  });

  it("says which version readers see while a draft is in work", async () => {
    open(stored({ status: "draft", version: 3 }));
    expect(await screen.findByText("You see version 3, a draft. Readers see version 2.")).toBeTruthy();
  });

  it("says 'SOP Not Found' for an unknown one", async () => {
    open(new FakeRefusal("not_found"));
    await screen.findByRole("heading", { level: 1, name: "SOP Not Found" });
    expect(screen.getByText("The requested SOP could not be found.")).toBeTruthy();
  });

  it("can be tried again when the server failed", async () => {
    const { user, server } = open(new FakeRefusal("internal"));
    const again = await screen.findByRole("button", { name: "Try Again" });
    server.reply({ [`GET /api/sops/${id}`]: stored() });
    await user.click(again);
    await heading();
  });
});

describe("what can be done with it", () => {
  it("is little for a reader", async () => {
    const { user } = open(stored(), {}, "viewer");
    await heading();
    expect(screen.queryByRole("link", { name: "Edit" })).toBeNull();
    for (const name of ["Publish…", "Ask to read"]) expect(screen.queryByRole("button", { name }), name).toBeNull();
    expect(await more(user)).toEqual(["Share", "Comments", "Print", ...exports]);
  });

  it("is a PDF, or why there is none", async () => {
    const message =
      "No font has \u65e5 (U+65E5) in line 3. Ask an administrator of the server to run: sop fonts add japanese";
    const body = JSON.stringify({ code: "font_missing", message });
    const headers = { "content-disposition": 'attachment; filename="sop-0007-open.pdf"' };
    const answers = [new Response(body, { status: 422 }), new Response("%PDF-1.7", { headers })];
    const asked = vi.spyOn(globalThis, "fetch").mockImplementation(() => Promise.resolve(answers.shift() as Response));
    const saved = vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(() => {});
    vi.stubGlobal("URL", Object.assign(URL, { createObjectURL: () => "blob:1", revokeObjectURL: () => {} }));
    const { user } = open(stored(), {}, "viewer");
    await heading();
    const exportPdf = async () => {
      await more(user);
      await user.click(screen.getByRole("menuitem", { name: "Export PDF" }));
    };
    await exportPdf();
    expect(await screen.findByText(message)).toBeTruthy();
    expect([asked.mock.calls[0]?.[0], saved.mock.calls]).toEqual([`/api/sops/${id}/export?format=pdf`, []]);
    await exportPdf();
    await waitFor(() => expect(saved.mock.contexts).toMatchObject([{ download: "sop-0007-open.pdf" }]));
    const warnings = ["the paper differs from the view, missing words: “85” is missing"];
    answers.push(
      new Response("PK", { headers: { "x-export-warnings": encodeURIComponent(JSON.stringify(warnings)) } }),
    );
    await more(user);
    await user.click(screen.getByRole("menuitem", { name: "Export Word" }));
    expect(await screen.findByText(warnings[0] ?? "")).toBeTruthy();
    expect(asked.mock.calls[2]?.[0]).toBe(`/api/sops/${id}/export?format=docx`);
  });

  it("is no direct publishing where documents are controlled strictly", async () => {
    const me = aUser();
    open(stored({ status: "draft", published: null }), {
      "GET /api/auth/me": { user: { ...me, company: { ...me.company, documentControl: "strict" } } },
    });
    await heading();
    expect(screen.queryByRole("button", { name: /^Publish/ })).toBeNull();
  });

  it("is unpublishing, archiving and deleting behind a question", async () => {
    const { user, server } = open(stored(), {
      [`POST /api/sops/${id}/unpublish`]: stored({ status: "draft", published: null }),
    });
    expect(await more(user)).toEqual([...all, "Record periodic review…", "Unpublish", "Archive", "Delete"]);
    await user.click(screen.getByRole("menuitem", { name: "Unpublish" }));
    const question = await screen.findByRole("alertdialog", { name: "Unpublish this SOP?" });
    expect(server.requestsFor(`POST /api/sops/${id}/unpublish`)).toEqual([]);
    await user.click(within(question).getByRole("button", { name: "Unpublish" }));
    await screen.findByText("SOP unpublished");
  });

  it("is unarchiving for an archived one", async () => {
    const { user, server } = open(stored({ status: "archived", published: null }), {
      [`POST /api/sops/${id}/unarchive`]: stored({ status: "draft", published: null }),
    });
    expect(await more(user)).toEqual([...all, "Unarchive", "Delete"]);
    await user.click(screen.getByRole("menuitem", { name: "Unarchive" }));
    await screen.findByText("SOP unarchived as a draft");
    server.reply({ [`POST /api/sops/${id}/archive`]: stored({ status: "archived", published: null }) });
    await user.click(screen.getByRole("button", { name: "Undo" }));
    await screen.findByText("SOP archived");
  });

  it("shows the server's reason for a refusal", async () => {
    const { user } = open(stored({ status: "archived", published: null }), {
      [`POST /api/sops/${id}/unarchive`]: new FakeRefusal("stale", "Someone else saved version 4"),
    });
    await more(user);
    await user.click(screen.getByRole("menuitem", { name: "Unarchive" }));
    await screen.findByText("Someone else saved version 4");
  });

  it("can be deleted, which can be undone", async () => {
    const { user, server, address } = open(stored(), {
      [`DELETE /api/sops/${id}`]: { ok: true },
      [`POST /api/sops/${id}/undelete`]: stored({ status: "draft" }),
    });
    await more(user);
    await user.click(screen.getByRole("menuitem", { name: "Delete" }));
    const question = await screen.findByRole("alertdialog", {
      name: "Are you sure you want to delete Open the kitchen?",
    });
    await user.click(within(question).getByRole("button", { name: "Delete" }));
    await screen.findByText("SOP deleted");
    await waitFor(() => expect(address()).toBe("/sops"));
    await user.click(screen.getByRole("button", { name: "Undo" }));
    await screen.findByText("SOP restored");
    expect(server.requestsFor(`POST /api/sops/${id}/undelete`)).toHaveLength(1);
    await waitFor(() => expect(address()).toBe(`/sop/${id}`));
  });

  it("can be duplicated: a draft with the same text opens", async () => {
    const copy = "01980000-0000-7000-8000-00000000abcd";
    const { user, server, address } = open(stored({ markdown: "## Purpose\n" }), {
      "POST /api/sops": stored({ id: copy }),
    });
    await more(user);
    await user.click(screen.getByRole("menuitem", { name: "Duplicate" }));
    await waitFor(() => expect(address()).toBe(`/sop/${copy}/edit`));
    expect(server.requestsFor("POST /api/sops")[0]?.body).toMatchObject({
      title: "Copy of Open the kitchen",
      markdown: "## Purpose\n",
    });
  });

  it("can be shared by its link and printed", async () => {
    const { user } = open(stored());
    await heading();
    const copied = vi.spyOn(navigator.clipboard, "writeText");
    await more(user);
    await user.click(screen.getByRole("menuitem", { name: "Share" }));
    await user.click(await screen.findByRole("button", { name: "Copy" }));
    await screen.findByText("Link copied");
    expect(copied).toHaveBeenCalledWith(`${window.location.origin}/sop/${id}`);
    await user.click(screen.getByRole("button", { name: "Done" }));
    const print = vi.spyOn(window, "print").mockImplementation(() => {});
    await more(user);
    await user.click(screen.getByRole("menuitem", { name: "Print" }));
    expect(print).toHaveBeenCalledOnce();
    expect(screen.getByText("Published", { selector: "strong" })).toBeTruthy();
  });
});
