import { screen, waitFor, within } from "@testing-library/react";
import { afterEach, describe, expect, it } from "vitest";
import {
  fakeServer,
  FakeRefusal,
  signedInReplies,
  type RecordedRequest,
  type Replies,
} from "../testing/fake-server.ts";
import { aCategory, aSop, aTeam, aUser, facetsOf } from "../testing/records.ts";
import { resetBrowser, showApp } from "../testing/render-app.tsx";

afterEach(resetBrowser);

const main = () => within(screen.getByRole("main"));
const tile = (name: string) =>
  main()
    .getAllByText(name)
    .map((element) => element.closest("dt")?.nextElementSibling)
    .find((element) => element instanceof HTMLElement);

const counted = ({ query }: RecordedRequest) => {
  if (query["facets"]) return { data: [aSop()], facets: facetsOf({ all: 9, published: 5, draft: 3 }) };
  const total = { published: 5, draft: 3, under_review: 1 }[query["status"] ?? ""];
  return query["total"] === "true" ? { data: [], total } : { data: [aSop({ title: "Invoices" })] };
};

describe("category page", () => {
  it("shows name, count, tiles with real counts, and its SOPs", async () => {
    const server = fakeServer({ ...signedInReplies(), "GET /api/sops": counted });
    showApp(server, "/category/cat-fin");
    await screen.findByRole("heading", { level: 1, name: "Finance" });
    expect(main().getByText("9 SOPs")).toBeTruthy();
    expect(main().getByRole("link", { name: "New SOP in Category" }).getAttribute("href")).toBe(
      "/sop/new?category=cat-fin",
    );
    await waitFor(() => expect(tile("Under Review")?.textContent).toBe("1"));
    expect(tile("Total SOPs")?.textContent).toBe("9");
    expect(tile("Published")?.textContent).toBe("5");
    expect(tile("Draft")?.textContent).toBe("3");
    await main().findByRole("link", { name: "Invoices" });
    expect(server.requestsFor("GET /api/sops").find(({ query }) => !query["total"] && !query["facets"])?.query).toEqual(
      {
        category: "cat-fin",
        limit: "24",
      },
    );
  });

  it("says the category only on rows of categories inside it", async () => {
    const inner = aCategory({ id: "cat-pay", name: "Payroll", parentId: "cat-fin" });
    const rows = [
      aSop({ id: "own", title: "Invoices", categoryId: "cat-fin", category: { name: "Finance" } }),
      aSop({ id: "inner", title: "Wages", categoryId: "cat-pay", category: { name: "Payroll" } }),
    ];
    const categories = [aCategory({ id: "cat-fin", name: "Finance" }), inner];
    const replies = { ...signedInReplies(), "GET /api/sops": { data: rows } };
    const rowOf = async (title: string) =>
      (await screen.findByRole("link", { name: title })).closest("article")?.textContent ?? "";
    showApp(fakeServer({ ...replies, "GET /api/categories": categories }), "/category/cat-fin");
    expect(await rowOf("Invoices")).not.toContain("Finance");
    expect(await rowOf("Wages")).toContain("Payroll");
    expect(main().getByRole("button", { name: "Sort by Category" })).toBeTruthy();
    resetBrowser();
    showApp(fakeServer(replies), "/category/cat-fin");
    expect(await rowOf("Invoices")).not.toContain("Finance");
    expect(main().queryByRole("button", { name: "Sort by Category" })).toBeNull();
  });

  it("offers the first SOP of an empty category", async () => {
    showApp(fakeServer(signedInReplies()), "/category/cat-hr");
    await screen.findByText("No SOPs in this category");
    expect(screen.getByRole("link", { name: "Create First SOP" }).getAttribute("href")).toBe(
      "/sop/new?category=cat-hr",
    );
  });

  it("filters within the category", async () => {
    const server = fakeServer({ ...signedInReplies(), "GET /api/sops": counted });
    const { user, address } = showApp(server, "/category/cat-fin");
    const status = within(await screen.findByRole("group", { name: "Status" }));
    await user.click(status.getByRole("button", { name: "Draft" }));
    expect(screen.queryByLabelText("Category")).toBeNull();
    await waitFor(() => expect(address()).toBe("/category/cat-fin?status=draft"));
    const queries = server.requestsFor("GET /api/sops").map(({ query }) => query);
    const asked = { status: "draft", category: "cat-fin" };
    expect(queries).toContainEqual({ ...asked, limit: "24" });
    expect(queries).toContainEqual({ ...asked, facets: "true", limit: "1" });
    // as the status filter of all SOPs does
    await status.findByRole("button", { name: "All Status 9" });
    expect(status.getByRole("button", { name: "Published 5" })).toBeTruthy();
  });

  it("offers no New SOP to users who can't create one", async () => {
    const viewer = { user: aUser({ role: "viewer" }) };
    showApp(fakeServer({ ...signedInReplies(), "GET /api/auth/me": viewer }), "/category/cat-hr");
    await screen.findByText("No SOPs in this category");
    expect(screen.getByText("SOPs appear here once they are published.")).toBeTruthy();
    expect(screen.queryByRole("link", { name: /New SOP|Create First SOP/ })).toBeNull();
  });

  it("says so when there is no such category", async () => {
    showApp(fakeServer(signedInReplies()), "/category/nowhere");
    await screen.findByRole("heading", { level: 1, name: "Category Not Found" });
  });

  it("says when the categories can't be loaded, and tries again", async () => {
    const server = fakeServer({ ...signedInReplies(), "GET /api/categories": new FakeRefusal("busy") });
    const { user } = showApp(server, "/category/cat-hr");
    await screen.findByText("Failed to load the category");
    server.reply(signedInReplies());
    await user.click(screen.getByRole("button", { name: "Try Again" }));
    await screen.findByRole("heading", { level: 1, name: "HR Procedures" });
  });
});

const teams = [aTeam({ id: "team-k", name: "Kitchen" })];
const edited = "PUT /api/categories/cat-hr";

describe("a category's form", () => {
  it("changes name, colour, team and what it decides in place of the company", async () => {
    const labs = { name: "People", color: "accent", parentId: null, teamId: "team-k" } as const;
    const rules = { requiresApproval: true, approvalRule: { kind: "n_of_m", count: 2 }, reviewMonths: 6 } as const;
    const server = fakeServer({
      ...signedInReplies(),
      "GET /api/teams": teams,
      [edited]: aCategory({ ...labs, ...rules }),
    } as Replies);
    const { user } = showApp(server, "/category/cat-hr");
    await user.click(await screen.findByRole("button", { name: "Edit Category" }));
    const form = within(await screen.findByRole("dialog", { name: "Edit Category" }));
    const name = await form.findByLabelText("Category name");
    expect((name as HTMLInputElement).value).toBe("HR Procedures");
    expect(form.getByRole<HTMLInputElement>("radio", { name: "Blue" }).checked).toBe(true);
    expect(form.queryByLabelText("How many")).toBeNull();
    await user.clear(name);
    await user.type(name, "People");
    await user.click(form.getByRole("radio", { name: "Purple" }));
    await form.findByRole("option", { name: "Kitchen" });
    await user.selectOptions(form.getByLabelText("Team"), "Kitchen");
    await user.click(form.getByRole("switch", { name: /^Approval required/ }));
    await user.selectOptions(form.getByLabelText("An SOP is approved when"), "A number of them have approved");
    await user.type(form.getByLabelText("How many"), "2");
    await user.type(form.getByLabelText(/^Months until/), "6");
    // what the server answers from now on
    server.reply({ "GET /api/categories": [aCategory({ ...labs, ...rules })] });
    await user.click(form.getByRole("button", { name: "Update Category" }));
    await screen.findByText("Category updated");
    expect(server.requestsFor(edited)[0]?.body).toEqual({ ...labs, ...rules });
    await screen.findByRole("heading", { level: 1, name: "People" });
    await screen.findByText("Team Kitchen · Approval required · 2 approvals needed · Review every 6 months");
  });

  it("gives back to the company what the category decided", async () => {
    const strict = { requiresApproval: true, approvalRule: { kind: "any", count: null }, reviewMonths: 3 } as const;
    const replies = { "GET /api/categories": [aCategory({ ...strict, teamId: "team-k" })], "GET /api/teams": teams };
    const server = fakeServer({ ...signedInReplies(), ...replies, [edited]: aCategory() } as Replies);
    const { user } = showApp(server, "/category/cat-hr");
    await user.click(await screen.findByRole("button", { name: "Edit Category" }));
    const form = within(await screen.findByRole("dialog", { name: "Edit Category" }));
    await waitFor(() => expect((form.getByLabelText("Team") as HTMLSelectElement).value).toBe("team-k"));
    await user.selectOptions(form.getByLabelText("Team"), "No team");
    await user.click(form.getByRole("switch", { name: /^Approval required/ }));
    await user.selectOptions(form.getByLabelText("An SOP is approved when"), "As in your company's rules");
    await user.clear(form.getByLabelText(/^Months until/));
    await user.click(form.getByRole("button", { name: "Update Category" }));
    await screen.findByText("Category updated");
    expect(server.requestsFor(edited)[0]?.body).toEqual({
      name: "HR Procedures",
      color: "primary",
      parentId: null,
      teamId: null,
      requiresApproval: false,
      approvalRule: null,
      reviewMonths: null,
    });
  });

  it("says what is wrong under the field, and what the server finds", async () => {
    const taken = "This category name is taken";
    const server = fakeServer({
      ...signedInReplies(),
      "GET /api/teams": teams,
      "POST /api/categories": new FakeRefusal("conflict", taken, { name: taken }),
    });
    const { user } = showApp(server, "/");
    await user.click(await screen.findByRole("button", { name: "New Category" }));
    const form = within(await screen.findByRole("dialog", { name: "New Category" }));
    await user.selectOptions(form.getByLabelText("An SOP is approved when"), "A number of them have approved");
    await user.type(form.getByLabelText(/^Months until/), "500");
    await user.click(form.getByRole("button", { name: "Create Category" }));
    await form.findByText("Name is required");
    expect(form.getByText("Enter a number from 1 to 50")).toBeTruthy();
    expect(form.getByText("Review after at most 120 months")).toBeTruthy();
    expect(server.requestsFor("POST /api/categories")).toHaveLength(0);
    await user.type(form.getByLabelText("Category name"), "Finance");
    await user.type(form.getByLabelText("How many"), "1");
    await user.clear(form.getByLabelText(/^Months until/));
    await user.click(form.getByRole("button", { name: "Create Category" }));
    await form.findByText(taken);
  });

  it("makes a new one and goes there at once", async () => {
    const made = aCategory({ id: "cat-new", name: "Labs", count: 0 });
    const { promise, resolve } = Promise.withResolvers<unknown>();
    const server = fakeServer({ ...signedInReplies(), "GET /api/teams": teams, "POST /api/categories": made });
    const { user, address } = showApp(server, "/");
    await user.click(await screen.findByRole("button", { name: "New Category" }));
    const form = within(await screen.findByRole("dialog", { name: "New Category" }));
    await user.type(form.getByLabelText("Category name"), "Labs");
    server.reply({ "GET /api/categories": () => promise });
    await user.click(form.getByRole("button", { name: "Create Category" }));
    await screen.findByRole("heading", { level: 1, name: "Labs" });
    expect(address()).toBe("/category/cat-new");
    expect(server.requestsFor("POST /api/categories")[0]?.body).toMatchObject({ name: "Labs", color: "primary" });
    resolve([made]);
  });

  it("can be inside another one, and says so in the sidebar, on its page and in menus", async () => {
    const outer = aCategory({ id: "cat-outer", name: "Production" });
    const inner = aCategory({ id: "cat-inner", name: "Cleaning", parentId: outer.id });
    const labs = aCategory({ id: "cat-new", name: "Labs", parentId: outer.id });
    const server = fakeServer({
      ...signedInReplies(),
      "GET /api/teams": teams,
      "GET /api/categories": [outer, inner],
      "POST /api/categories": labs,
    });
    const { user } = showApp(server, "/category/cat-inner");
    const trail = within(await screen.findByRole("navigation", { name: "Breadcrumb" }));
    expect(trail.getByRole("link", { name: "Production" }).getAttribute("href")).toBe("/category/cat-outer");
    await user.click(screen.getByRole("button", { name: "New Category" }));
    const form = within(await screen.findByRole("dialog", { name: "New Category" }));
    await user.type(form.getByLabelText("Category name"), "Labs");
    const choice = form.getByLabelText("Inside category");
    expect(
      within(choice)
        .getAllByRole("option")
        .map((option) => option.textContent),
    ).toEqual(["None", "Production"]);
    await user.selectOptions(choice, "Production");
    server.reply({ "GET /api/categories": [outer, inner, labs] });
    await user.click(form.getByRole("button", { name: "Create Category" }));
    await screen.findByRole("heading", { level: 1, name: "Labs" });
    expect(server.requestsFor("POST /api/categories")[0]?.body).toMatchObject({ parentId: outer.id });
    const labels = screen
      .getAllByRole("link", { name: /^(Production|Cleaning|Labs)/ })
      .map(({ textContent }) => textContent);
    expect(labels.slice(0, 3)).toEqual(["Production3", "Cleaning3", "Labs3"]);
  });

  it("is for those who may change categories", async () => {
    const editor = { user: aUser({ role: "editor" }) };
    showApp(fakeServer({ ...signedInReplies(), "GET /api/auth/me": editor }), "/category/cat-hr");
    await screen.findByRole("link", { name: "New SOP in Category" });
    expect(screen.queryByRole("button", { name: /(?:Edit|New) Category$/ })).toBeNull();
  });
});
