import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createAnchorText } from "#core/comments/anchor.ts";
import { blocksOfHtml } from "#core/comments/blocks.ts";
import type { Comment } from "#core/comments/schema.ts";
import type { Sop } from "#core/sops/schema.ts";
import {
  fakeServer,
  FakeRefusal,
  signedInReplies,
  type RecordedRequest,
  type Replies,
} from "../testing/fake-server.ts";
import { aControl, aSop, aUser } from "../testing/records.ts";
import { FakeStream, resetBrowser, showApp } from "../testing/render-app.tsx";

beforeEach(() => {
  Element.prototype.scrollIntoView = vi.fn();
});
afterEach(() => {
  resetBrowser();
  vi.restoreAllMocks();
});

const id = "01980000-0000-7000-8000-00000000dcba";
const content = "<h2>Purpose</h2><p>Press the <em>green</em> button twice.</p>";
const sop: Sop = {
  ...aSop({ id, title: "Start the press", version: 2, published: { version: 2, effectiveAt: null } }),
  content,
  markdown: "",
  control: aControl(),
};
const block = createAnchorText(blocksOfHtml(content)).blocks[1]?.key ?? "";
let made = 0;
function aComment(change: Partial<Comment> = {}): Comment {
  made += 1;
  return {
    id: `01990000-0000-7000-8000-${String(made).padStart(12, "0")}`,
    sopId: id,
    parentId: null,
    version: 2,
    audience: "readers",
    anchor: null,
    content: "Why twice?",
    mentions: [],
    author: { id: "someone", name: "Vera Viewer", initials: "VV" },
    userId: "someone",
    isResolved: false,
    createdAt: new Date(Date.now() - 7_200_000).toISOString(),
    updatedAt: new Date(Date.now() - 7_200_000).toISOString(),
    editedAt: null,
    removedAt: null,
    resolvedAt: null,
    resolvedBy: null,
    mayEdit: false,
    mayResolve: true,
    mayRemove: true,
    ...change,
  };
}
const anchor = { block, quote: "green button", start: 10, end: 22, orphaned: false };

function open(comments: Comment[] | FakeRefusal, replies: Partial<Replies> = {}, address = "#comments") {
  const server = fakeServer({
    ...signedInReplies(),
    [`GET /api/sops/${id}`]: sop,
    [`GET /api/sops/${id}/versions`]: [],
    [`GET /api/sops/${id}/comments`]: comments,
    [`GET /api/sops/${id}/comments/people`]: [
      { id: "u1", name: "Ben Baker", username: "ben.baker", initials: "BB" },
      { id: "u2", name: "Bella Brown", username: "bella", initials: "BB" },
      { id: "u3", name: "Carl Cook", username: "carl", initials: "CC" },
    ],
    ...replies,
  } as Replies);
  return { server, ...showApp(server, `/sop/${id}${address}`) };
}
const panel = () => screen.findByRole("region", { name: "Comments" });
const threads = async () => within(await panel()).getAllByRole("listitem");
const newComment = () => screen.findByRole("textbox", { name: "New comment" });
const created = (requested: RecordedRequest) => aComment({ content: (requested.body as { content: string }).content });

describe("the comments of an SOP", () => {
  it("open by a button that counts the open threads, and close again", async () => {
    const { user } = open([aComment(), aComment({ resolvedAt: sop.updatedAt })], {}, "");
    const button = await screen.findByRole("button", { name: "Comments 1 open" });
    expect(button.getAttribute("aria-expanded")).toBe("false");
    await user.click(button);
    const heading = within(await panel()).getByRole("heading", { name: "Comments" });
    await waitFor(() => expect(document.activeElement).toBe(heading));
    expect(button.getAttribute("aria-expanded")).toBe("true");
    await user.click(screen.getByRole("button", { name: "Close comments" }));
    expect(screen.queryByRole("region", { name: "Comments" })).toBeNull();
    expect(document.activeElement).toBe(button);
  });

  it("say when there are none, and when they can't be loaded", async () => {
    const { server, user } = open(new FakeRefusal("internal"));
    await screen.findByText("Couldn't load the comments.");
    server.reply({ [`GET /api/sops/${id}/comments`]: [] });
    await user.click(screen.getByRole("button", { name: "Try Again" }));
    await screen.findByText("No comments yet");
    expect(screen.getByText("Everyone who can read this SOP sees it.")).toBeTruthy();
  });

  it("can't be written without permission", async () => {
    const denied = { "GET /api/auth/me": { user: aUser({ deny: ["sop.comment"] }) } };
    open([aComment({ mayResolve: false, mayRemove: false })], denied);
    await screen.findByText("Why twice?");
    expect(screen.queryByRole("textbox")).toBeNull();
    expect(within(await panel()).queryByRole("button", { name: /Reply/ })).toBeNull();
  });

  it("show threads by their place in the text, the text as text, and addresses as safe links", async () => {
    const later = aComment({ content: "General", createdAt: sop.createdAt });
    const first = aComment({ anchor, content: "<b>See</b>\nhttps://example.org/x." });
    open([later, first, aComment({ parentId: first.id, content: "It sticks." })]);
    await screen.findByText("General");
    const shown = await threads();
    expect(shown[0]?.textContent).toContain("<b>See</b>\nhttps://example.org/x.");
    expect(within(shown[0] as HTMLElement).getByText("It sticks.")).toBeTruthy();
    const link = screen.getByRole("link", { name: "https://example.org/x" });
    expect([link.getAttribute("href"), link.getAttribute("rel")]).toEqual([
      "https://example.org/x",
      "noopener noreferrer nofollow",
    ]);
  });

  it("colour their words; a click on them chooses the thread, a click there shows the words", async () => {
    const { user } = open([aComment({ anchor })], {}, "");
    await waitFor(() => expect(document.querySelectorAll("mark[data-thread]")).toHaveLength(2));
    expect(screen.getByText("green").closest("mark")).toBeTruthy();
    await user.click(screen.getByText("green"));
    const comment = (await screen.findByText("Why twice?")).closest("[id^=comment-]");
    await waitFor(() => expect(document.activeElement).toBe(comment));
    await waitFor(() => expect(document.querySelectorAll("mark[data-active]")).toHaveLength(2));
    vi.mocked(Element.prototype.scrollIntoView).mockClear();
    await user.click(screen.getByRole("button", { name: "Show in the text: green button" }));
    const shown = vi.mocked(Element.prototype.scrollIntoView).mock.instances as unknown as Element[];
    expect(shown.map(({ textContent }) => textContent)).toContain("green");
  });

  it("are chosen by an address, also when they come later", async () => {
    const [thread, late] = [aComment({ resolvedAt: sop.updatedAt }), aComment({ parentId: "x", content: "Late" })];
    const { server } = open([], {}, `#comment-${late.id}`);
    await screen.findByRole("button", { name: "Comments" });
    server.reply({ [`GET /api/sops/${id}/comments`]: [thread, { ...late, parentId: thread.id }] });
    FakeStream.opened[0]?.connect();
    FakeStream.opened[0]?.emit({ id: 1, resources: ["comments"], sopId: id });
    const shown = await screen.findByText("Late");
    await waitFor(() => expect(document.activeElement).toBe(shown.closest(`#comment-${late.id}`)));
    expect(screen.getByRole("button", { name: "Resolved (1)" }).getAttribute("aria-pressed")).toBe("true");
  });

  it("keep the quote of an orphan, and tell a draft's threads apart", async () => {
    open([
      aComment({ anchor: { ...anchor, quote: "the red lever", orphaned: true } }),
      aComment({ audience: "head", version: 1 }),
    ]);
    await screen.findByText("The text was removed");
    expect(screen.getByText("the red lever")).toBeTruthy();
    expect(document.querySelector("mark")).toBeNull();
    expect(screen.getByText("Draft only")).toBeTruthy();
    expect(screen.getByText("On v1")).toBeTruthy();
  });

  it("are filtered by whether they are resolved, and resolved with an undo", async () => {
    const thread = aComment();
    const done = aComment({ content: "Old", resolvedAt: sop.updatedAt, resolvedBy: { id: "u", name: "Edda Editor" } });
    const { user, server } = open([thread, done], {
      [`POST /api/sops/${id}/comments/${thread.id}/resolve`]: ({ body }: RecordedRequest) => ({
        ...thread,
        resolvedAt: (body as { resolved: boolean }).resolved ? sop.updatedAt : null,
      }),
    });
    await screen.findByText("Why twice?");
    expect(screen.queryByText("Old")).toBeNull();
    await user.click(screen.getByRole("button", { name: "Resolved (1)" }));
    expect(await screen.findByText("Resolved by Edda Editor")).toBeTruthy();
    expect(screen.getByRole("button", { name: "Reopen the thread of Vera Viewer" })).toBeTruthy();
    await user.click(screen.getByRole("button", { name: "Open (1)" }));
    await user.click(await screen.findByRole("button", { name: "Resolve the thread of Vera Viewer" }));
    await user.click(await screen.findByRole("button", { name: "Undo" }));
    await screen.findByText("Thread reopened");
    const row = server.requestsFor(`POST /api/sops/${id}/comments/${thread.id}/resolve`);
    expect(row.map(({ body }) => body)).toEqual([{ resolved: true }, { resolved: false }]);
  });

  it("are answered, changed and, after a question, removed", async () => {
    const own = aComment({ mayEdit: true, author: { id: aUser().id, name: "Ann Archer", initials: "AA" } });
    const path = `/api/sops/${id}/comments/${own.id}` as const;
    const { user, server } = open([own], {
      [`POST /api/sops/${id}/comments`]: created,
      [`PUT ${path}`]: ({ body }: RecordedRequest) => ({ ...own, ...(body as object) }),
      [`DELETE ${path}`]: { ok: true },
    });
    await user.click(await screen.findByRole("button", { name: "Reply to Ann Archer" }));
    await user.type(screen.getByRole("textbox", { name: "Reply" }), "Because.{Control>}{Enter}{/Control}");
    await waitFor(() =>
      expect(server.requestsFor(`POST /api/sops/${id}/comments`)[0]?.body).toEqual({
        content: "Because.",
        parentId: own.id,
        version: 2,
      }),
    );
    await user.click(await screen.findByRole("button", { name: /^Edit your comment/ }));
    const field = screen.getByRole("textbox", { name: "Edit the comment" });
    await user.clear(field);
    expect((field as HTMLTextAreaElement).value).toBe("");
    await user.type(field, "Why at all?");
    await user.click(screen.getByRole("button", { name: "Save" }));
    await waitFor(() => expect(server.requestsFor(`PUT ${path}`)[0]?.body).toEqual({ content: "Why at all?" }));
    await user.click(await screen.findByRole("button", { name: /^Remove your comment/ }));
    await user.click(within(await screen.findByRole("alertdialog")).getByRole("button", { name: "Remove" }));
    await screen.findByText("Comment removed");
    expect(server.requestsFor(`DELETE ${path}`)).toHaveLength(1);
  });

  it("keep what was typed when the server refuses it", async () => {
    const { user } = open([], { [`POST /api/sops/${id}/comments`]: new FakeRefusal("conflict", "No room") });
    await user.type(await newComment(), "Hello");
    await user.click(screen.getByRole("button", { name: "Comment" }));
    await screen.findByText("No room");
    expect(((await newComment()) as HTMLTextAreaElement).value).toBe("Hello");
  });
});

describe("a selection", () => {
  async function select() {
    await screen.findByText("Purpose");
    const paragraph = screen.getByText(/button twice/);
    const range = document.createRange();
    range.setStart(screen.getByText("green").firstChild as Text, 0);
    range.setEnd(paragraph.lastChild as Text, " button".length);
    document.getSelection()?.removeAllRanges();
    document.getSelection()?.addRange(range);
    fireEvent(document, new Event("selectionchange"));
  }

  it("is commented on by the button beside it", async () => {
    const { user, server } = open([], { [`POST /api/sops/${id}/comments`]: created }, "");
    await screen.findByRole("button", { name: "Comments" });
    await waitFor(async () => {
      await select();
      expect(await screen.findByRole("button", { name: "Comment" }, { timeout: 1_000 })).toBeTruthy();
    });
    await user.click(screen.getByRole("button", { name: "Comment" }));
    const field = await newComment();
    await waitFor(() => expect(document.activeElement).toBe(field));
    expect(document.querySelectorAll("mark[data-active]")).toHaveLength(2);
    await user.type(field, "Why green?");
    await user.click(within(await panel()).getByRole("button", { name: "Comment" }));
    await waitFor(() =>
      expect(server.requestsFor(`POST /api/sops/${id}/comments`)[0]?.body).toEqual({
        content: "Why green?",
        version: 2,
        anchor: { block, quote: "green button", start: 10 },
      }),
    );
    await waitFor(() => expect(document.querySelector("mark")).toBeNull());
  });

  it("is commented on from the panel too, and let go again", async () => {
    const { user } = open([]);
    await newComment();
    const button = screen.getByRole("button", { name: "Comment on selection" });
    expect((button as HTMLButtonElement).disabled).toBe(true);
    await select();
    await waitFor(() => expect((button as HTMLButtonElement).disabled).toBe(false));
    await user.click(button);
    expect((await panel()).textContent).toContain("About: green button");
    await user.click(screen.getByRole("button", { name: "Comment on the whole SOP instead" }));
    expect((await panel()).textContent).not.toContain("About:");
  });
});

describe("a name", () => {
  it("is completed by keyboard", async () => {
    const { user, server } = open([]);
    const field = (await newComment()) as HTMLTextAreaElement;
    await user.type(field, "Ask @b");
    const options = await screen.findAllByRole("option");
    expect(options.map((option) => option.textContent)).toEqual(["BBBen Baker@ben.baker", "BBBella Brown@bella"]);
    expect(field.getAttribute("aria-activedescendant")).toBe(options[0]?.id);
    await user.keyboard("{ArrowDown}");
    expect(field.getAttribute("aria-activedescendant")).toBe(options[1]?.id);
    await user.keyboard("{Enter}today");
    expect(field.value).toBe("Ask @bella today");
    await user.keyboard(" @zz");
    expect(screen.queryByRole("listbox")).toBeNull();
    await user.keyboard("{Backspace}{Backspace}BÉL");
    expect(await screen.findByRole("option", { name: /Bella/ })).toBeTruthy();
    await user.keyboard("{Backspace}{Backspace}{Backspace}c{Escape}");
    expect(screen.queryByRole("listbox")).toBeNull();
    expect(field.value).toBe("Ask @bella today @c");
    expect(server.requestsFor(`GET /api/sops/${id}/comments/people`)).toHaveLength(1);
  });

  it("is chosen by mouse, and is not looked for in a mail address", async () => {
    const { user } = open([]);
    const field = (await newComment()) as HTMLTextAreaElement;
    await user.type(field, "me@b");
    expect(screen.queryByRole("listbox")).toBeNull();
    await user.type(field, " @baker");
    await user.click(await screen.findByRole("option"));
    expect(field.value).toBe("me@b @ben.baker ");
    expect(document.activeElement).toBe(field);
  });
});

describe("news from others", () => {
  it("leave what is being typed alone, even when its thread goes", async () => {
    const thread = aComment();
    const { user, server } = open([thread]);
    await user.type(await newComment(), "Mine");
    await user.click(screen.getByRole("button", { name: "Reply to Vera Viewer" }));
    await user.type(screen.getByRole("textbox", { name: "Reply" }), "An answer");
    const stream = FakeStream.opened[0];
    stream?.connect();
    server.reply({ [`GET /api/sops/${id}/comments`]: [aComment({ content: "Another" }), thread] });
    stream?.emit({ id: 1, resources: ["comments"], sopId: id });
    await screen.findByText("Another");
    expect((screen.getByRole("textbox", { name: "Reply" }) as HTMLTextAreaElement).value).toBe("An answer");
    server.reply({ [`GET /api/sops/${id}/comments`]: [] });
    stream?.emit({ id: 2, resources: ["comments"], sopId: id }, "2");
    await screen.findByText("That thread was removed. Your text is in the new comment.");
    expect(((await newComment()) as HTMLTextAreaElement).value).toBe("Mine\n\nAn answer");
  });

  it("fetch the places again when the text is another", async () => {
    const { server } = open([aComment({ anchor })]);
    await waitFor(() => expect(document.querySelectorAll("mark")).toHaveLength(2));
    const next = "<p>New first.</p><p>Then press the <em>green</em> button.</p>";
    const key = createAnchorText(blocksOfHtml(next)).blocks[1]?.key ?? "";
    server.reply({
      [`GET /api/sops/${id}`]: { ...sop, version: 3, contentHash: "1".repeat(64), content: next },
      [`GET /api/sops/${id}/comments`]: [aComment({ anchor: { ...anchor, block: key, start: 15, end: 27 } })],
    });
    const stream = FakeStream.opened[0];
    stream?.connect();
    stream?.emit({ id: 1, resources: ["sops"], sopId: id });
    await screen.findByText("New first.");
    await waitFor(() =>
      expect([...document.querySelectorAll("mark")].map((mark) => mark.textContent)).toEqual(["green", " button"]),
    );
  });
});
