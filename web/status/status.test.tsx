import { screen, waitFor, within } from "@testing-library/react";
import { afterEach, expect, it } from "vitest";
import type { ServerStatus } from "#core/status/schema.ts";
import { fakeServer, FakeRefusal, signedInReplies, type Replies } from "../testing/fake-server.ts";
import { aUser } from "../testing/records.ts";
import { resetBrowser, showApp } from "../testing/render-app.tsx";

afterEach(resetBrowser);

const outbox = { pending: 0, oldestSeconds: null, failed: 0 };
const healthy: ServerStatus = {
  version: "1.2.3",
  engine: "sqlite",
  at: "2026-06-09T10:00:00.000Z",
  uptimeSeconds: 9_000,
  memoryBytes: 210_000_000,
  parts: [
    { part: "database", state: "ok", text: "the database answers" },
    { part: "backups", state: "off", text: "this server makes none, and none is known" },
  ],
  damage: [],
  mirrors: [],
  queues: [{ queue: "print", running: 0, waiting: 0 }],
  database: { running: 0, waiting: 0 },
  jobs: [{ job: "repositories", secondsAgo: 3, isLate: false }],
  emails: outbox,
  work: outbox,
  repositories: { pending: 0, oldestSeconds: null },
  search: { open: 1, behind: 0 },
  backup: null,
  diskFree: 0.42,
  companies: 2,
  users: 34,
  sops: 1_234,
  assetBytes: 5_000_000,
};

function open(status: ServerStatus | FakeRefusal, role: "system_admin" | "company_admin" = "system_admin") {
  const server = fakeServer({
    ...signedInReplies(),
    "GET /api/auth/me": { user: aUser({ role }) },
    "GET /api/admin/status": status,
  } as Replies);
  return { server, ...showApp(server, "/admin/server") };
}

const valueOf = (name: string) => screen.getByText(name, { selector: "dt" }).nextElementSibling?.textContent;

it("is not for administrators of a company", async () => {
  const { server } = open(healthy, "company_admin");
  await screen.findByRole("heading", { level: 1, name: "Access Denied" });
  expect(server.requestsFor("GET /api/admin/status")).toEqual([]);
});

it("says that everything works, with the server's figures and no work that rests", async () => {
  open(healthy);
  await screen.findByRole("heading", { level: 1, name: "Server" });
  expect(screen.getByText(/^Everything works/)).toBeTruthy();
  expect(valueOf("Running for")).toBe("3 hours");
  expect(valueOf("Free on disk")).toBe("42 %");
  expect(valueOf("SOPs")).toBe("1,234");
  expect(screen.queryByText("Last backup")).toBeNull();
  expect(screen.queryByRole("region", { name: "Work" })).toBeNull();
});

it("names the part that needs attention, and what waits or is late", async () => {
  const { user, server } = open({
    ...healthy,
    parts: [{ part: "emails", state: "warning", text: "an email has waited for 90 minutes" }],
    queues: [{ queue: "print", running: 2, waiting: 5 }],
    jobs: [{ job: "deadlines", secondsAgo: 7_200, isLate: true }],
    emails: { pending: 4, oldestSeconds: 5_400, failed: 1 },
  });
  await screen.findByText(/^1 part needs attention/);
  const parts = within(screen.getByRole("region", { name: "Parts" }));
  expect(parts.getByRole("listitem").textContent).toBe("EmailsWarningan email has waited for 90 minutes");
  expect(valueOf("print")).toBe("2 running, 5 waiting");
  expect(valueOf("Emails")).toBe("4 waiting, 1 given up");
  expect(valueOf("deadlines")).toBe("last ran 2 hours ago");
  server.reply({ "GET /api/admin/status": healthy } as Replies);
  await user.click(screen.getByRole("button", { name: "Check again" }));
  await screen.findByText(/^Everything works/);
});

it("names what is damaged", async () => {
  open({ ...healthy, damage: ["document 7 of sops: it can't be read"] });
  const damage = within(await screen.findByRole("region", { name: "Damaged data" }));
  expect(damage.getByRole("listitem").textContent).toBe("document 7 of sops: it can't be read");
});

it("says when the state can't be loaded, and tries again", async () => {
  const { user, server } = open(new FakeRefusal("internal"));
  await screen.findByText("The server's state can't be loaded");
  server.reply({ "GET /api/admin/status": healthy } as Replies);
  await user.click(screen.getByRole("button", { name: "Try Again" }));
  await waitFor(() => expect(screen.getByText(/^Everything works/)).toBeTruthy());
});

it("says unknown for what can't be counted, names mirrors, and a backup from the future", async () => {
  const backup = { bytes: 5_000_000, seconds: 1, hasKeys: true, damaged: 0 };
  open({
    ...healthy,
    parts: [{ part: "emails", state: "unknown", text: "unknown while the database does not answer" }],
    mirrors: [{ company: "brewery", state: "failing", problem: "The remote refuses the token" }],
    backup: { ...backup, at: "2031-01-05T12:00:00.000Z", ageSeconds: -1_000_000 },
    companies: 0,
    users: 0,
    sops: 0,
  });
  await screen.findByText("fails: The remote refuses the token");
  const fact = (name: string) => screen.getByText(name, { selector: "dt" }).nextElementSibling?.textContent;
  expect(["Companies", "Users", "SOPs"].map(fact)).toEqual(["Unknown", "Unknown", "Unknown"]);
  expect(fact("Last backup")).toMatch(/2031.*, in the future, 5 MB$/);
});
