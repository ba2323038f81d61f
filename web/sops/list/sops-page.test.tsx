import { screen, waitFor, within } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { fakeServer, Refusal, signedInReplies, type RecordedRequest, type Replies } from "../../testing/fake-server.ts";
import { aSop } from "../../testing/records.ts";
import { chooseCards, resetBrowser, showApp } from "../../testing/render-app.tsx";

afterEach(resetBrowser);

function withSops(reply: Replies["GET /api/sops"]) {
  return fakeServer({ ...signedInReplies(), "GET /api/sops": reply });
}

const card = (title: string) => within(screen.getByRole("link", { name: title }).closest("article") as HTMLElement);

describe("the list's states", () => {
  it("holds the place with 6 cards while it loads", async () => {
    showApp(
      withSops(() => new Promise(() => {})),
      "/sops",
    );
    expect(await screen.findAllByTestId("sop-skeleton")).toHaveLength(6);
    expect(screen.getByRole("region", { name: "Results" }).getAttribute("aria-busy")).toBe("true");
  });

  it("says when it failed, and tries again", async () => {
    const server = withSops(new Refusal("internal"));
    const { user } = showApp(server, "/sops");
    await screen.findByText("Failed to load SOPs");
    expect(screen.getByText("Something went wrong on the server")).toBeTruthy();
    expect(screen.queryByText("0 SOPs")).toBeNull();
    server.reply({ "GET /api/sops": () => Promise.reject(new TypeError("Failed to fetch")) });
    await user.click(screen.getByRole("button", { name: "Try Again" }));
    await screen.findByText("Failed to fetch SOPs");
    server.reply({ "GET /api/sops": { data: [aSop({ title: "Back again" })] } });
    await user.click(screen.getByRole("button", { name: "Try Again" }));
    await screen.findByRole("link", { name: "Back again" });
  });

  it("offers the first SOP where there is none", async () => {
    showApp(withSops({ data: [] }), "/sops");
    await screen.findByText("No SOPs found");
    expect(screen.getByRole("link", { name: "Create your first SOP" }).getAttribute("href")).toBe("/sop/new");
  });

  it("offers to clear the filters where they match nothing", async () => {
    const { user, address } = showApp(withSops({ data: [] }), "/sops?status=archived&search=x");
    await screen.findByText("No matches. Try other filters.");
    expect(screen.queryByText("Create your first SOP")).toBeNull();
    const region = within(screen.getByRole("region", { name: "Results" }));
    await user.click(region.getByRole("button", { name: "Clear all" }));
    await screen.findByText("Create your first SOP");
    expect(address()).toBe("/sops");
  });
});

describe("the screen", () => {
  it("has breadcrumb, heading, subtitle, search, New SOP", async () => {
    showApp(withSops({ data: [] }), "/sops");
    await screen.findByRole("heading", { level: 1, name: "Standard Operating Procedures" });
    const trail = within(screen.getByRole("navigation", { name: "Breadcrumb" }));
    expect(trail.getByRole("link", { name: "Dashboard" }).getAttribute("href")).toBe("/");
    expect(trail.getByText("All SOPs").getAttribute("aria-current")).toBe("page");
    expect(screen.getByText("Browse and manage all Standard Operating Procedures")).toBeTruthy();
    expect(screen.getByPlaceholderText("Search SOPs by title, content, or keywords...")).toBeTruthy();
    const main = within(screen.getByRole("main"));
    expect(main.getByRole("link", { name: "New SOP" }).getAttribute("href")).toBe("/sop/new");
  });
});

describe("cards", () => {
  beforeEach(chooseCards);

  it("show title, description, status, category, times, author, and lead to the SOP", async () => {
    const sop = aSop({ title: "Evacuation", description: "Leave by the nearest exit.", readTime: 7, views: 12 });
    showApp(withSops({ data: [sop] }), "/sops");
    const link = await screen.findByRole("link", { name: "Evacuation" });
    expect(link.getAttribute("href")).toBe(`/sop/${sop.id}`);
    const shown = card("Evacuation");
    for (const text of [
      "Leave by the nearest exit.",
      "Published",
      "HR Procedures",
      "7 min read",
      "12 views",
      "Ann Archer",
      "AA",
      "Updated 3 days ago",
    ]) {
      expect(shown.getByText(text)).toBeTruthy();
    }
    expect(shown.getByText("Evacuation").closest("h3")?.className).toContain("line-clamp-2");
    expect(shown.getByText("Leave by the nearest exit.").className).toContain("line-clamp-3");
    expect(shown.queryByText("Template")).toBeNull();
    expect(shown.queryByText("AI Generated")).toBeNull();
  });

  it("fall back where the server knows nothing", async () => {
    const bare = { ...aSop({ title: "Orphan", category: null, categoryId: null, author: null }), updatedAt: null };
    showApp(withSops({ data: [{ ...bare, views: null, status: "mystery" }] }), "/sops");
    await screen.findByRole("link", { name: "Orphan" });
    for (const text of ["Uncategorized", "Unknown", "??", "Never", "0 views", "Draft"]) {
      expect(card("Orphan").getByText(text)).toBeTruthy();
    }
  });

  it("flag templates, drafts in work, and what an AI wrote", async () => {
    const drafted = aSop({ title: "Drafted", status: "draft", isAiGenerated: true, isTemplate: true });
    const inWork = aSop({ title: "In work", status: "draft", published: { version: 1, effectiveAt: null } });
    showApp(withSops({ data: [drafted, inWork] }), "/sops");
    await screen.findByRole("link", { name: "Drafted" });
    expect(card("Drafted").getByText("AI Generated")).toBeTruthy();
    expect(card("Drafted").getByText("Template")).toBeTruthy();
    expect(card("Drafted").getByText("AI Recommendation")).toBeTruthy();
    expect(card("Drafted").getByText("This SOP was generated to help standardize your team's processes.")).toBeTruthy();
    expect(card("In work").getByText("v1 published")).toBeTruthy();
    expect(card("In work").queryByText("AI Recommendation")).toBeNull();
  });

  it("say what an SOP under review waits for", async () => {
    showApp(withSops({ data: [aSop({ title: "Waiting", status: "under_review" })] }), "/sops");
    const link = await screen.findByRole("link", { name: "Waiting" });
    expect(link.closest("article")?.textContent).toContain("Pending Review: Waiting for approval from team lead");
  });
});

describe("filters", () => {
  it("come from the address and are asked of the server", async () => {
    const server = withSops({ data: [] });
    showApp(server, "/sops?category=cat-fin&status=draft&time=30d&search=invoice");
    await screen.findByText("No matches. Try other filters.");
    expect(server.requestsFor("GET /api/sops")[0]?.query).toEqual({
      category: "cat-fin",
      status: "draft",
      time: "30d",
      search: "invoice",
      limit: "24",
    });
    expect(screen.getByLabelText("Status")).toHaveProperty("value", "draft");
    expect(screen.getByLabelText("Last Updated")).toHaveProperty("value", "30d");
    await waitFor(() => expect(screen.getByLabelText("Category")).toHaveProperty("value", "cat-fin"));
  });

  it("leave out what filters nothing, and ignore what they don't know", async () => {
    const server = withSops({ data: [] });
    showApp(server, "/sops?status=nonsense&time=yesterday&category=all");
    await screen.findByText("Create your first SOP");
    expect(server.requestsFor("GET /api/sops")[0]?.query).toEqual({ limit: "24" });
    expect(screen.getByLabelText<HTMLSelectElement>("Last Updated").selectedOptions[0]?.text).toBe("Anytime");
  });

  it("offer the seed's choices", async () => {
    showApp(withSops({ data: [] }), "/sops");
    await screen.findByRole("option", { name: "Finance" });
    const choices = (label: string) =>
      within(screen.getByLabelText(label))
        .getAllByRole("option")
        .map((option) => option.textContent);
    expect(choices("Category")).toEqual(["All Categories", "HR Procedures", "Finance"]);
    expect(choices("Status")).toEqual(["All Status", "Published", "Draft", "Under Review", "Archived"]);
    expect(choices("Last Updated")).toEqual(["Anytime", "Last 7 days", "Last 30 days", "Last 3 months"]);
  });

  it("go into the address when chosen, and out of it by Clear all", async () => {
    const server = withSops({ data: [aSop()] });
    const { user, address } = showApp(server, "/sops");
    await user.selectOptions(await screen.findByLabelText("Status"), "Under Review");
    await user.selectOptions(screen.getByLabelText("Last Updated"), "Last 7 days");
    await waitFor(() => expect(address()).toBe("/sops?status=under_review&time=7d"));
    expect(server.requestsFor("GET /api/sops").at(-1)?.query).toEqual({
      status: "under_review",
      time: "7d",
      limit: "24",
    });
    await user.click(screen.getByRole("button", { name: "Clear all" }));
    expect(address()).toBe("/sops");
    // the unfiltered list is still cached: no request
    expect(server.requestsFor("GET /api/sops").filter(({ query }) => query["status"] === undefined)).toHaveLength(1);
  });

  it("search after a pause in typing", async () => {
    const server = withSops({ data: [aSop()] });
    const { user, address } = showApp(server, "/sops");
    await user.type(await screen.findByPlaceholderText("Search SOPs by title, content, or keywords..."), "evacuate");
    await waitFor(() => expect(address()).toBe("/sops?search=evacuate"));
    await waitFor(() => expect(server.requestsFor("GET /api/sops").at(-1)?.query["search"]).toBe("evacuate"));
  });
});

describe("Load More SOPs", () => {
  const pages = ({ query }: RecordedRequest) =>
    query["cursor"] === "after-1"
      ? { data: [aSop({ title: "Second" })] }
      : { data: [aSop({ title: "First" })], nextCursor: "after-1" };

  it("appends the next page by cursor, and goes when there is no more", async () => {
    const server = withSops(pages);
    const { user } = showApp(server, "/sops");
    await screen.findByRole("link", { name: "First" });
    expect(screen.getByText("First 1 SOP")).toBeTruthy();
    await user.click(screen.getByRole("button", { name: "Load More SOPs" }));
    await screen.findByRole("link", { name: "Second" });
    expect(screen.getByText("2 SOPs")).toBeTruthy();
    expect(screen.getByRole("link", { name: "First" })).toBeTruthy();
    expect(screen.queryByRole("button", { name: "Load More SOPs" })).toBeNull();
    expect(server.requestsFor("GET /api/sops").map(({ query }) => query["cursor"])).toEqual([undefined, "after-1"]);
  });

  it("keeps what is there when the next page fails", async () => {
    const server = withSops(pages);
    const { user } = showApp(server, "/sops");
    await screen.findByRole("link", { name: "First" });
    server.reply({ "GET /api/sops": new Refusal("busy") });
    await user.click(screen.getByRole("button", { name: "Load More SOPs" }));
    await screen.findByText("Couldn't load more SOPs.");
    expect(screen.getByRole("link", { name: "First" })).toBeTruthy();
    server.reply({ "GET /api/sops": pages });
    await user.click(screen.getByRole("button", { name: "Load More SOPs" }));
    await screen.findByRole("link", { name: "Second" });
  });
});
