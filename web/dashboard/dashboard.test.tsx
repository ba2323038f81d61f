import { act, screen, waitFor, within } from "@testing-library/react";
import { afterEach, describe, expect, it, onTestFinished } from "vitest";
import type { Needs } from "#core/stats/schemas.ts";
import { anApproval } from "../testing/approval-records.ts";
import { fakeServer, noNeeds, FakeRefusal, signedInReplies } from "../testing/fake-server.ts";
import { aSop, aUser } from "../testing/records.ts";
import { storeTicks } from "../sops/steps/run-state.ts";
import { FakeStream, resetBrowser, showApp } from "../testing/render-app.tsx";

afterEach(resetBrowser);

const value = (name: string) =>
  within(screen.getByRole("main")).getByText(name).closest("dt")?.nextElementSibling as HTMLElement;

describe("dashboard", () => {
  it("shows the four numbers, with placeholders until they are there", async () => {
    const { promise: requested, resolve: answer } = Promise.withResolvers<unknown>();
    showApp(fakeServer({ ...signedInReplies(), "GET /api/stats": () => requested }));
    await screen.findByRole("heading", { level: 1, name: /^Dashboard/ });
    for (const name of ["Total SOPs", "Active Teams", "Pending Approval", "AI Suggestions"]) {
      expect(value(name).getAttribute("aria-busy")).toBe("true");
      expect(value(name).textContent).toBe("");
    }
    answer({ totalSOPs: 42, activeTeams: 2, pendingApproval: 3, aiSuggestions: 7 });
    await waitFor(() => expect(value("Total SOPs").textContent).toBe("42"));
    expect(value("Active Teams").textContent).toBe("2");
    expect(value("Pending Approval").textContent).toBe("3");
    expect(value("AI Suggestions").textContent).toBe("7");
  });

  it("leaves out numbers that are zero", async () => {
    const few = { totalSOPs: 3, activeTeams: 0, pendingApproval: 0, aiSuggestions: 0 };
    showApp(fakeServer({ ...signedInReplies(), "GET /api/stats": few }));
    await screen.findByRole("heading", { level: 1, name: /^Dashboard/ });
    await waitFor(() => expect(value("Total SOPs").textContent).toBe("3"));
    const main = within(screen.getByRole("main"));
    for (const name of ["Active Teams", "Pending Approval", "AI Suggestions"])
      expect(main.queryByText(name)).toBeNull();
  });

  it("shows what to do next in place of numbers and filters without SOPs", async () => {
    const none = { totalSOPs: 0, activeTeams: 0, pendingApproval: 0, aiSuggestions: 0 };
    showApp(fakeServer({ ...signedInReplies(), "GET /api/stats": none }));
    const main = within(await screen.findByRole("main"));
    expect(await main.findByRole("link", { name: "Create your first SOP" })).toBeTruthy();
    await waitFor(() => expect(main.queryByText("Total SOPs")).toBeNull());
    expect(main.queryByText("Recently Updated")).toBeNull();
  });

  it("shows what is below only when nothing above it can grow, and loads it before", async () => {
    const { promise: requested, resolve: answer } = Promise.withResolvers<unknown>();
    const server = fakeServer({ ...signedInReplies(), "GET /api/stats/needs": () => requested });
    showApp(server);
    await screen.findByRole("heading", { level: 1, name: /^Dashboard/ });
    await waitFor(() => expect(server.requestsFor("GET /api/sops")).not.toEqual([]));
    expect(screen.queryByRole("heading", { name: "Recently Updated" })).toBeNull();
    answer(noNeeds);
    await screen.findByRole("heading", { name: "Recently Updated" });
  });

  it("says when the numbers can't be loaded, and tries again", async () => {
    const server = fakeServer({ ...signedInReplies(), "GET /api/stats": new FakeRefusal("internal") });
    const { user } = showApp(server);
    await screen.findByText("Failed to load the numbers");
    server.reply(signedInReplies());
    await user.click(screen.getByRole("button", { name: "Try Again" }));
    await waitFor(() => expect(value("Total SOPs").textContent).toBe("42"));
  });

  it("shows published versions per week as bars, and as one sentence", async () => {
    const weeks = [
      { from: "2026-05-18", inForce: 0 },
      { from: "2026-05-25", inForce: 3 },
    ];
    const overview = { byStatus: { published: 1234, under_review: 1, draft: 0 }, weeks };
    showApp(fakeServer({ ...signedInReplies(), "GET /api/stats/overview": overview }));
    await screen.findByText("Published per week: 0, 3");
    expect(screen.getByText("Published, last 2 weeks: 3")).toBeTruthy();
  });

  it("lists what changed last, and filters it", async () => {
    const server = fakeServer({ ...signedInReplies(), "GET /api/sops": { data: [aSop({ title: "Changed" })] } });
    const { user, address } = showApp(server);
    await screen.findByRole("link", { name: "Changed" });
    expect(screen.getByRole("heading", { level: 2, name: "Recently Updated" })).toBeTruthy();
    expect(server.requestsFor("GET /api/sops")[0]?.query).toEqual({ limit: "12" });
    await screen.findByRole("option", { name: "Finance" });
    await user.selectOptions(screen.getByLabelText("Category"), "Finance");
    await screen.findByRole("heading", { level: 2, name: "Matching SOPs" });
    expect(address()).toBe("/?category=cat-fin");
    expect(server.requestsFor("GET /api/sops").at(-1)?.query).toEqual({ category: "cat-fin", limit: "12" });
  });

  const of = (n: number) => ({ id: `sop-${n}`, number: `SOP-000${n}`, title: `SOP ${n}` });
  const needs = (change: Partial<Needs> = {}) => ({ ...noNeeds, ...change });
  const section = async (name: RegExp) => within(await screen.findByRole("region", { name }));
  const hrefs = (within: { getAllByRole(role: "link", options?: object): HTMLElement[] }) =>
    within.getAllByRole("link", { hidden: true }).map((link) => link.getAttribute("href"));

  it("tells administrators of SOPs that can't be read, and whom to ask", async () => {
    const server = fakeServer({ ...signedInReplies(), "GET /api/stats/needs": needs({ unreadable: 2 }) });
    showApp(server);
    await screen.findByText("2 SOPs can't be read");
    expect(screen.getByText("Ask the person who runs the server.")).toBeTruthy();
  });

  it("tells administrators of lost settings, and leads to them", async () => {
    const server = fakeServer({ ...signedInReplies(), "GET /api/stats/needs": needs({ settingsLost: true }) });
    showApp(server);
    const link = await screen.findByRole("link", { name: "Check the company settings" });
    expect(link.getAttribute("href")).toBe("/admin/company");
    expect(screen.getByText("Company settings were lost")).toBeTruthy();
  });

  it("says how much waits for me, oldest first, each with what to do", async () => {
    const request = anApproval({
      mayDecide: true,
      requestedBy: { id: "b", name: "Ben Baker" },
      createdAt: "2026-06-03T00:00:00.000Z",
    });
    const server = fakeServer({
      ...signedInReplies(),
      "GET /api/approvals": [request],
      "GET /api/stats/needs": needs({
        returned: [
          {
            sop: of(1),
            version: 2,
            outcome: "changes_requested",
            by: "Cy Cole",
            comment: "Name it",
            at: "2026-06-01T00:00:00.000Z",
          },
        ],
        replies: [
          { sop: of(2), commentId: "c-1", by: "Di Drew", comment: "Which one?", at: "2026-06-02T00:00:00.000Z" },
        ],
        toRead: [{ sop: of(3), version: 4, since: "2026-05-01T00:00:00.000Z", dueBy: "2026-05-08", overdue: true }],
        reviews: [{ sop: of(7), reviewBy: "2099-06-09", overdue: false }],
      }),
    });
    showApp(server);
    await screen.findByRole("heading", { level: 1, name: /5 things wait for you$/ });
    const waiting = await section(/5 things wait for you/);
    await waitFor(() =>
      expect(hrefs(waiting)).toEqual([
        "/sop/sop-3",
        "/sop/sop-1",
        "/sop/sop-2#comment-c-1",
        `/pending?sop=${request.sopId}`,
        "/sop/sop-7",
      ]),
    );
    const rows = waiting.getAllByRole("listitem").map(({ textContent }) => textContent);
    expect(rows[0]).toMatch(/^SOP 3.*Version 4was due May 8.*Read$/);
    expect(rows[1]).toMatch(/Cy Cole requested changes: “Name it”.*Open$/);
    expect(rows[2]).toMatch(/Di Drew: “Which one\?”.*Reply$/);
    expect(rows[3]).toMatch(/Ben Baker asks for approval.*Review$/);
    expect(rows[4]).toMatch(/due Jun 9, 2099Confirm$/);
  });

  it("names the zone of due days in other zones", async () => {
    const before = process.env["TZ"];
    process.env["TZ"] = "America/Los_Angeles";
    onTestFinished(() => {
      if (before === undefined) delete process.env["TZ"];
      else process.env["TZ"] = before;
    });
    const late = { sop: of(3), version: 4, since: "2026-05-01T00:00:00.000Z", dueBy: "2026-05-08", overdue: true };
    const server = fakeServer({
      ...signedInReplies(),
      "GET /api/stats/needs": needs({
        toRead: [late],
        reviews: [{ sop: of(7), reviewBy: "2099-06-09", overdue: false }],
      }),
    });
    showApp(server);
    const waiting = await section(/2 things wait for you/);
    const rows = waiting.getAllByRole("listitem").map(({ textContent }) => textContent);
    expect(rows[0]).toMatch(/was due May 8(?:, 2026)? \(UTC\)/);
    expect(rows[1]).toMatch(/due Jun 9, 2099 \(UTC\)/);
  });

  it("shows managers what is late and what is missing", async () => {
    const change = {
      late: {
        readings: { people: 6, count: 7, most: of(1) },
        reviews: [{ sop: of(2), reviewBy: "2026-01-05", owner: "Priya Nair" }],
      },
      gaps: {
        searches: [
          { words: "oat milk", people: 3, askedBy: [] },
          { words: "ice", people: 1, askedBy: ["Ada Ames"] },
          { words: "rust", people: 2, askedBy: ["Ada Ames", "Bo Bell"] },
        ],
        ownerless: [{ sop: of(3), was: "Jonas Weber" }],
      },
    };
    showApp(fakeServer({ ...signedInReplies(), "GET /api/stats/needs": needs(change) }));
    const late = await section(/^Late$/);
    expect(hrefs(late)).toEqual(["/confirmations", "/sop/sop-2"]);
    expect(late.getByText("7 read confirmations are overdue")).toBeTruthy();
    expect(late.getByText("6 people. Most: SOP 1")).toBeTruthy();
    expect(late.getByText(/^Review was due .* · Priya Nair$/)).toBeTruthy();
    const gaps = await section(/^Gaps$/);
    expect(gaps.getByText("3 people searched, nothing found")).toBeTruthy();
    expect(gaps.getByText("Ada Ames asks for it")).toBeTruthy();
    expect(gaps.getByText("Ada Ames and 1 other ask for it")).toBeTruthy();
    expect(gaps.getByText("No owner since Jonas Weber left")).toBeTruthy();
    expect(hrefs(gaps)).toEqual([
      "/sop/new?title=oat+milk",
      "/sop/new?title=ice",
      "/sop/new?title=rust",
      "/sop/sop-3/edit",
    ]);
  });

  it("moves through its rows with j and k, opens with Enter, and r leads to reminding", async () => {
    const change = {
      toRead: [{ sop: of(3), version: 4, since: "2026-05-01T00:00:00.000Z", dueBy: null, overdue: false }],
      late: { readings: { people: 6, count: 7, most: of(1) }, reviews: [] },
    };
    const server = fakeServer({
      ...signedInReplies(),
      "GET /api/stats/needs": needs(change),
      "GET /api/sops": { data: [aSop({ title: "Changed" })] },
    });
    const { user, address } = showApp(server);
    await screen.findByRole("link", { name: "Changed" });
    await section(/^Late$/);
    const at = () => document.activeElement?.textContent;
    for (const row of ["SOP 3", "7 read confirmations are overdue"]) {
      await user.keyboard("j");
      expect(at()).toBe(row);
    }
    await user.keyboard("j");
    expect(at()).toContain("Changed");
    await user.keyboard("kk");
    expect(at()).toBe("SOP 3");
    await user.keyboard("r");
    await waitFor(() => expect(address()).toBe("/confirmations"));
  });

  it("shows readers what to read, favorites and recent SOPs, and no sections without content", async () => {
    const reader = { user: aUser({ role: "viewer" }) };
    const toRead = [{ sop: of(1), version: 1, since: "2026-05-01T00:00:00.000Z", dueBy: null, overdue: false }];
    const server = fakeServer({
      ...signedInReplies(),
      "GET /api/auth/me": reader,
      "GET /api/stats/needs": needs({ toRead }),
      "GET /api/sops": ({ query }: { query: Record<string, string> }) => ({
        data: query["favorite"] ? [aSop({ title: "Starred" })] : [],
      }),
    });
    showApp(server);
    await screen.findByRole("heading", { level: 1, name: /1 SOP to read$/ });
    const favorites = await section(/^Favorites$/);
    expect(favorites.getByRole("link", { name: "Starred" })).toBeTruthy();
    for (const name of ["Recent", "Late", "Gaps", "Your drafts"])
      expect(screen.queryByRole("region", { name })).toBeNull();
    expect(server.requestsFor("GET /api/stats/overview")).toHaveLength(0);
  });

  it("leads back to the step where one was last", async () => {
    const run = { version: 1, ticks: ["a", "b"] };
    const { id: me } = aUser();
    storeTicks(me, "sop-9", run, 5);
    storeTicks(me, "sop-8", { ...run, ticks: ["a"] }, 5);
    const key = `sop-steps:${me}:sop-8`;
    const ended = { ...JSON.parse(localStorage.getItem(key) ?? ""), at: "2026-01-01T00:00:00.000Z" };
    localStorage.setItem(key, JSON.stringify(ended));
    const server = fakeServer({
      ...signedInReplies(),
      "GET /api/sops": ({ query }: { query: Record<string, string> }) => ({
        data: query["recent"] ? [aSop({ id: "sop-9", title: "Close the café" })] : [],
      }),
    });
    showApp(server);
    const where = await section(/^Where you were$/);
    expect(hrefs(where)).toEqual(["/sop/sop-9/steps"]);
    expect(where.getByText("Step 3 of 5, just now")).toBeTruthy();
    // reading the SOP itself would count as a view
    expect(server.requestsFor("GET /api/sops/sop-9")).toEqual([]);
  });

  it("has no place where one was in an SOP that can't be read any longer", async () => {
    storeTicks(aUser().id, "sop-9", { version: 1, ticks: ["a"] }, 5);
    showApp(fakeServer({ ...signedInReplies(), "GET /api/sops": { data: [aSop({ id: "sop-8", title: "Another" })] } }));
    await screen.findByRole("heading", { name: "Recently Updated" });
    expect(screen.queryByRole("region", { name: "Where you were" })).toBeNull();
  });

  it("leads no user back to a step of another user of the browser", async () => {
    storeTicks("01980000-0000-7000-8000-0000000000b2", "sop-9", { version: 1, ticks: ["a"] }, 5);
    showApp(fakeServer({ ...signedInReplies(), "GET /api/sops": { data: [aSop({ id: "sop-9", title: "Café" })] } }));
    await screen.findByRole("heading", { name: "Recently Updated" });
    expect(screen.queryByRole("region", { name: "Where you were" })).toBeNull();
  });

  it("shows writers their drafts", async () => {
    const drafts = [{ sop: of(1), updatedAt: "2026-06-01T00:00:00.000Z" }];
    showApp(fakeServer({ ...signedInReplies(), "GET /api/stats/needs": needs({ drafts }) }));
    expect(hrefs(await section(/^Your drafts$/))).toEqual(["/sop/sop-1/edit"]);
  });

  it("says when nothing waits for me, and follows what others do", async () => {
    const server = fakeServer(signedInReplies());
    showApp(server);
    await screen.findByRole("heading", { level: 1, name: /Nothing waits for you$/ });
    await screen.findByText("No SOPs found");
    server.reply({
      "GET /api/stats/needs": needs({
        toRead: [{ sop: of(1), version: 1, since: "2026-05-01T00:00:00.000Z", dueBy: null, overdue: false }],
      }),
    });
    act(() => FakeStream.opened[0]?.emit({ id: "7", resources: ["acknowledgements"] }));
    await screen.findByRole("heading", { level: 1, name: /1 SOP to read$/ });
  });

  it("says when what waits can't be loaded, alone, and tries again", async () => {
    const server = fakeServer({ ...signedInReplies(), "GET /api/stats/needs": new FakeRefusal("internal") });
    const { user } = showApp(server);
    await screen.findByText("Couldn't load what waits for you.");
    expect(screen.getByRole("heading", { level: 1, name: "Dashboard" })).toBeTruthy();
    await waitFor(() => expect(value("Total SOPs").textContent).toBe("42"));
    server.reply(signedInReplies());
    await user.click(screen.getByRole("button", { name: "Try Again" }));
    await screen.findByRole("heading", { level: 1, name: /Nothing waits for you$/ });
  });

  it("needs at most 9 calls", async () => {
    const server = fakeServer(signedInReplies());
    showApp(server);
    await screen.findByText("No SOPs found");
    await waitFor(() => expect(value("Total SOPs").textContent).toBe("42"));
    await screen.findByRole("option", { name: "Finance" });
    await waitFor(() => expect(server.requestsFor("GET /api/notifications/count")).toHaveLength(1));
    await waitFor(() => expect(server.requestsFor("GET /api/stats/needs")).toHaveLength(1));
    expect(server.requests.map(({ path }) => path).toSorted()).toEqual([
      "/api/approvals",
      "/api/auth/check",
      "/api/auth/me",
      "/api/categories",
      "/api/notifications/count",
      "/api/sops",
      "/api/stats",
      "/api/stats/needs",
      "/api/stats/overview",
    ]);
  });
});
