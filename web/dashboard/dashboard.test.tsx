import { act, screen, waitFor, within } from "@testing-library/react";
import { afterEach, describe, expect, it } from "vitest";
import type { Needs } from "#core/stats/schemas.ts";
import { anApproval } from "../testing/approval-records.ts";
import { fakeServer, Refusal, signedInReplies } from "../testing/fake-server.ts";
import { aSop } from "../testing/records.ts";
import { FakeStream, resetBrowser, showApp } from "../testing/render-app.tsx";

afterEach(resetBrowser);

const value = (name: string) =>
  within(screen.getByRole("main")).getByText(name).closest("dt")?.nextElementSibling as HTMLElement;

describe("dashboard", () => {
  it("shows the four numbers, with placeholders until they are there", async () => {
    const { promise: requested, resolve: answer } = Promise.withResolvers<unknown>();
    showApp(fakeServer({ ...signedInReplies(), "GET /api/stats": () => requested }));
    await screen.findByRole("heading", { level: 1, name: "Dashboard" });
    expect(value("Total SOPs").getAttribute("aria-busy")).toBe("true");
    expect(value("Total SOPs").textContent).toBe("");
    answer({ totalSOPs: 42, activeTeams: 2, pendingApproval: 0, aiSuggestions: 7 });
    await waitFor(() => expect(value("Total SOPs").textContent).toBe("42"));
    expect(value("Active Teams").textContent).toBe("2");
    expect(value("Pending Approval").textContent).toBe("0");
    expect(value("AI Suggestions").textContent).toBe("7");
  });

  it("says when the numbers can't be loaded, and tries again", async () => {
    const server = fakeServer({ ...signedInReplies(), "GET /api/stats": new Refusal("internal") });
    const { user } = showApp(server);
    await screen.findByText("Failed to load the numbers");
    server.reply(signedInReplies());
    await user.click(screen.getByRole("button", { name: "Try Again" }));
    await waitFor(() => expect(value("Total SOPs").textContent).toBe("42"));
  });

  it("pictures how the SOPs stand and what came into force, in words too", async () => {
    const weeks = [
      { from: "2026-05-18", inForce: 0 },
      { from: "2026-05-25", inForce: 3 },
    ];
    const overview = { byStatus: { published: 1234, under_review: 1, draft: 0 }, weeks };
    showApp(fakeServer({ ...signedInReplies(), "GET /api/stats/overview": overview }));
    const standing = await kind(/^By Status/);
    await standing.findByRole("link", { name: "Published" });
    expect(hrefs(standing)).toEqual(["published", "under_review", "draft"].map((status) => `/sops?status=${status}`));
    expect(standing.getAllByRole("listitem").map(({ textContent }) => textContent)).toEqual([
      "Published1,234",
      "Under Review1",
      "Draft0",
    ]);
    const lately = await kind(/^Published/);
    expect(lately.getByText("3 versions in the last 12 weeks")).toBeTruthy();
    expect(lately.getAllByRole("listitem").map(({ textContent }) => textContent)).toEqual([
      "Week of May 18, 2026: 0",
      "Week of May 25, 2026: 3",
    ]);
  });

  it.each([
    [{ published: 39, under_review: 1, draft: 2 }, null],
    [{ published: 39, under_review: 1, draft: 3 }, "1 is counted twice: published, with a new draft."],
    [{ published: 40, under_review: 2, draft: 3 }, "3 are counted twice: published, with new drafts."],
  ])("says why %j is more than the 42 there are: %s", async (byStatus, said) => {
    showApp(fakeServer({ ...signedInReplies(), "GET /api/stats/overview": { byStatus, weeks: [] } }));
    const standing = await kind(/^By Status/);
    await standing.findByRole("link", { name: "Published" });
    await waitFor(() => expect(value("Total SOPs").textContent).toBe("42"));
    expect(standing.queryByText(/twice/)?.textContent ?? null).toBe(said);
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
  const needs = (change: Partial<Needs> = {}) => ({ returned: [], toRead: [], reviews: [], ...change });
  const kind = async (name: RegExp) => within(await screen.findByRole("region", { name }));
  const hrefs = (within: { getAllByRole(role: "link", options?: object): HTMLElement[] }) =>
    within.getAllByRole("link", { hidden: true }).map((link) => link.getAttribute("href"));

  it("says what needs me, each kind with its list", async () => {
    const request = anApproval({ mayDecide: true, requestedBy: { id: "b", name: "Ben Baker" } });
    const returned = { version: 2, outcome: "changes_requested", by: "Cy Cole", comment: "Name it", at: "2026-06-01" };
    const server = fakeServer({
      ...signedInReplies(),
      "GET /api/approvals": [request],
      "GET /api/stats/needs": needs({
        returned: [{ ...returned, sop: of(1), outcome: "changes_requested" }],
        toRead: [1, 2, 3, 4, 5].map((n) => ({ sop: of(n), version: n, dueBy: "2026-06-08", overdue: n === 1 })),
        reviews: [{ sop: of(7), reviewBy: "2026-06-09", overdue: false }],
      }),
    });
    const { user, address } = showApp(server);
    const [approve, back] = [await kind(/^To approve ?1/), await kind(/^Sent back to you ?1/)];
    expect(hrefs(approve)).toEqual([`/pending?sop=${request.sopId}`, "/pending"]);
    expect(approve.getByText(/^Version 3, submitted by Ben Baker /)).toBeTruthy();
    expect(hrefs(back)).toEqual(["/sop/sop-1", "/sops?status=draft&mine=true"]);
    expect(back.getByText("Cy Cole requested changes: “Name it”")).toBeTruthy();
    const read = await kind(/^To read ?5/);
    expect(hrefs(read)).toEqual([1, 2, 3, 4, 5].map((n) => `/sop/sop-${n}`));
    expect(read.getAllByRole("listitem", { hidden: true })[0]?.textContent).toBe(
      "SOP-0001SOP 1OverdueVersion 1, due Jun 8, 2026",
    );
    expect(read.getByText("2 more")).toBeTruthy();
    const review = await kind(/^To review ?1/);
    expect(review.getByText("Review by Jun 9, 2026")).toBeTruthy();
    await user.click(review.getByRole("link", { name: "See all: To review" }));
    await waitFor(() => expect(address()).toBe("/sops?review=due&mine=true"));
    await waitFor(() =>
      expect(server.requestsFor("GET /api/sops").at(-1)?.query).toEqual({ review: "due", mine: "true", limit: "24" }),
    );
    // hidden filters don't show their fields, but the chosen filters still show
    await user.click(screen.getByRole("button", { name: /filters/i }));
    expect(screen.queryByLabelText("Status")).toBeNull();
    await user.click(screen.getByRole("button", { name: "Remove the filter My SOPs" }));
    await user.click(screen.getByRole("button", { name: /filters/i }));
    await waitFor(() => expect(address()).toBe("/sops?review=due"));
    await user.click(screen.getAllByRole("button", { name: "Clear all" })[0] as HTMLElement);
    await waitFor(() => expect(address()).toBe("/sops"));
  });

  it("says nothing of what needs me when nothing does, and follows what others do", async () => {
    const server = fakeServer({ ...signedInReplies(), "GET /api/stats/needs": needs() });
    showApp(server);
    await waitFor(() => expect(server.requestsFor("GET /api/stats/needs")).toHaveLength(1));
    await screen.findByText("No SOPs found");
    expect(screen.queryByRole("region", { name: "Needs You" })).toBeNull();
    server.reply({
      "GET /api/stats/needs": needs({ toRead: [{ sop: of(1), version: 1, dueBy: null, overdue: false }] }),
    });
    act(() => FakeStream.opened[0]?.emit({ id: "7", resources: ["acknowledgements"] }));
    expect((await kind(/^To read ?1/)).getByText("Version 1")).toBeTruthy();
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
