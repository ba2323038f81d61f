import { act, screen, waitFor, within } from "@testing-library/react";
import { afterEach, expect, it } from "vitest";
import type { Notification } from "#core/notifications/schema.ts";
import { fakeServer, FakeRefusal, signedInReplies, type Replies } from "../testing/fake-server.ts";
import { FakeStream, resetBrowser, showApp } from "../testing/render-app.tsx";

afterEach(resetBrowser);

let made = 0;
function aNotification(change: Partial<Notification> = {}): Notification {
  made += 1;
  const id = `01980000-0000-7000-8000-${String(made).padStart(12, "0")}`;
  return {
    id,
    kind: "mention",
    text: `Ada mentioned you in a comment on SOP-0001 Number ${made}`,
    sentence: { id: "core.notifications.mention", values: { who: "Ada", what: `SOP-0001 Number ${made}` } },
    sop: { id: "sop-1", number: "SOP-0001", title: `Number ${made}` },
    actor: { name: "Ada" },
    link: "/sop/sop-1",
    createdAt: new Date(Date.now() - 3 * 60_000).toISOString(),
    readAt: null,
    ...change,
  };
}

function serverWith(rows: Notification[], more: Replies = {}) {
  const unread = () => rows.filter(({ readAt }) => readAt === null);
  const server = fakeServer({
    ...signedInReplies(),
    "GET /api/notifications/count": () => ({ unread: unread().length }),
    "GET /api/notifications": ({ query }: { query: Record<string, string> }) => ({
      data: query["unread"] === "true" ? unread() : rows,
    }),
    "POST /api/notifications/read-all": () => {
      rows.splice(0, rows.length, ...rows.map((row) => ({ ...row, readAt: row.createdAt })));
      return { ok: true };
    },
    ...more,
  });
  for (const { id } of rows) {
    server.reply({
      [`POST /api/notifications/${id}/read`]: () => {
        rows.splice(0, rows.length, ...rows.map((row) => (row.id === id ? { ...row, readAt: row.createdAt } : row)));
        return { ok: true };
      },
    });
  }
  return server;
}

const bell = (name: string) => screen.findByRole("button", { name });
const panel = () => screen.findByRole("dialog", { name: "Notifications" });

it("says how many are unread, and asks for the list when it is opened, not before", async () => {
  const server = serverWith([aNotification(), aNotification(), aNotification({ readAt: "2026-01-01T00:00:00.000Z" })]);
  const { user } = showApp(server);
  const button = await bell("Notifications, 2 unread");
  expect(button.getAttribute("aria-haspopup")).toBe("dialog");
  expect(server.requestsFor("GET /api/notifications")).toEqual([]);
  await user.click(button);
  const links = await within(await panel()).findAllByRole("link", { name: /SOP-0001/ });
  expect(links.map((link) => link.textContent?.startsWith("Unread: "))).toEqual([true, true, false]);
  expect(within(await panel()).getAllByText("3 min ago")).toHaveLength(3);
  expect((await bell("Notifications, 2 unread")).getAttribute("aria-expanded")).toBe("true");
  await user.keyboard("{Escape}");
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  expect(document.activeElement).toBe(await bell("Notifications, 2 unread"));
});

it("shows no number for none, and 99+ for very many", async () => {
  const server = serverWith([]);
  showApp(server);
  expect((await bell("Notifications")).textContent).toBe("");
  server.reply({ "GET /api/notifications/count": { unread: 100 } });
  act(() => FakeStream.opened.at(-1)?.emit({ id: "2", resources: ["notifications"] }));
  expect((await bell("Notifications, 99+ unread")).textContent).toBe("99+");
});

it("a row leads to its SOP, marks itself read and closes the list", async () => {
  const server = serverWith([aNotification({ link: "/sops?search=lockout" }), aNotification()]);
  const { user, address } = showApp(server);
  await user.click(await bell("Notifications, 2 unread"));
  const [first] = await within(await panel()).findAllByRole("link", { name: /SOP-0001/ });
  await user.click(first as HTMLElement);
  await waitFor(() => expect(address()).toBe("/sops?search=lockout"));
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  const button = await bell("Notifications, 1 unread");
  // its tooltip would lie over the page
  expect(document.activeElement).not.toBe(button);
  expect(screen.queryByRole("tooltip")).toBeNull();
});

it("gives the focus back to the bell when it is closed", async () => {
  const { user } = showApp(serverWith([aNotification()]));
  await user.click(await bell("Notifications, 1 unread"));
  await panel();
  await user.keyboard("{Escape}");
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  expect(document.activeElement).toBe(await bell("Notifications, 1 unread"));
});

it("what is out of sight leads nowhere, and can be marked as read", async () => {
  const server = serverWith([aNotification({ text: "Ada published an SOP", sop: null, link: null })]);
  const { user } = showApp(server);
  await user.click(await bell("Notifications, 1 unread"));
  await within(await panel()).findByText("Ada published an SOP");
  expect(within(await panel()).queryByRole("link", { name: /published/ })).toBeNull();
  await user.click(within(await panel()).getByRole("button", { name: "Mark as read" }));
  await bell("Notifications");
  expect(document.activeElement).toBe(await panel());
});

it("marks all as read, or says why not", async () => {
  const server = serverWith([aNotification(), aNotification()]);
  server.reply({ "POST /api/notifications/read-all": new FakeRefusal("internal", "") });
  const { user } = showApp(server);
  await user.click(await bell("Notifications, 2 unread"));
  const all = await within(await panel()).findByRole("button", { name: "Mark all as read" });
  await user.click(all);
  await screen.findByText("Couldn't mark your notifications as read. Try again.");
  server.reply({ "POST /api/notifications/read-all": { ok: true }, "GET /api/notifications/count": { unread: 0 } });
  await user.click(all);
  await bell("Notifications");
  await waitFor(() => expect(all.getAttribute("aria-disabled")).toBe("true"));
  await user.click(all);
  expect(server.requestsFor("POST /api/notifications/read-all")).toHaveLength(2);
});

it("says that there is nothing, or nothing unread", async () => {
  const { user } = showApp(serverWith([]));
  await user.click(await bell("Notifications"));
  await within(await panel()).findByText("Nothing here yet");
  await user.click(within(await panel()).getByRole("switch", { name: "Unread only" }));
  await within(await panel()).findByText("You're all caught up");
});

it("loads further pages, and tries again what failed", async () => {
  const page = (query: Record<string, string>) =>
    query["cursor"] === undefined
      ? { data: [aNotification({ text: "The first" })], nextCursor: "c1" }
      : { data: [aNotification({ text: "The second" })] };
  const server = serverWith([], { "GET /api/notifications": new FakeRefusal("internal") });
  const { user } = showApp(server);
  await user.click(await bell("Notifications"));
  await within(await panel()).findByText("Failed to load your notifications");
  server.reply({ "GET /api/notifications": ({ query }: { query: Record<string, string> }) => page(query) });
  await user.click(within(await panel()).getByRole("button", { name: "Try Again" }));
  await within(await panel()).findByText("The first");
  await user.click(within(await panel()).getByRole("button", { name: "Load more" }));
  await within(await panel()).findByText("The second");
  expect(server.requestsFor("GET /api/notifications").at(-1)?.query).toEqual({ limit: "20", cursor: "c1" });
});

it("shows what comes in while it is open, and asks again when it is opened again", async () => {
  const rows = [aNotification({ text: "An old one" })];
  const server = serverWith(rows);
  const { user } = showApp(server);
  await user.click(await bell("Notifications, 1 unread"));
  await within(await panel()).findByText("An old one");
  rows.unshift(aNotification({ text: "A new one" }));
  act(() => FakeStream.opened.at(-1)?.emit({ id: "2", resources: ["notifications"] }));
  await within(await panel()).findByText("A new one");
  await bell("Notifications, 2 unread");
  await user.keyboard("{Escape}");
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  const requested = server.requestsFor("GET /api/notifications").length;
  // the title changed without a notification about it
  rows.splice(0, 2, aNotification({ text: "Another title" }));
  await user.click(await bell("Notifications, 2 unread"));
  await within(await panel()).findByText("Another title");
  expect(server.requestsFor("GET /api/notifications")).toHaveLength(requested + 1);
});
