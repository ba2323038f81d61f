import { screen, waitFor, within } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  fakeServer,
  FakeRefusal,
  signedInReplies,
  type RecordedRequest,
  type Replies,
} from "../../testing/fake-server.ts";
import { aSop, aUser, facetsOf } from "../../testing/records.ts";
import { chooseCards, resetBrowser, showApp } from "../../testing/render-app.tsx";

afterEach(resetBrowser);

function withSops(reply: Replies["GET /api/sops"]) {
  return fakeServer({ ...signedInReplies(), "GET /api/sops": reply });
}

/** Without those that ask for counts. */
const lists = (server: ReturnType<typeof fakeServer>) =>
  server.requestsFor("GET /api/sops").filter(({ query }) => query["facets"] === undefined);

const tab = (name: string) => within(screen.getByRole("group", { name: "Status" })).getByRole("button", { name });

const card = (title: string) => within(screen.getByRole("link", { name: title }).closest("article") as HTMLElement);

it.each([[[aSop({ title: "Rinse" })]], [[]]])("says how many SOPs can't be read, beside %j", async (data) => {
  showApp(withSops({ data, unreadable: 2 }), "/sops");
  await screen.findByText("2 SOPs can't be read");
  screen.getByText("Ask the person who runs the server.");
});

it("shows usernames beside a name that two people share, and no others", async () => {
  const person = (username: string, hasNamesake: boolean) => ({
    name: "Mei Tanaka",
    initials: "MT",
    username,
    hasNamesake,
  });
  const rows = [
    aSop({ title: "Rinse", author: person("mei.2", true), owner: person("mei.2", true) }),
    aSop({ title: "Oil", author: person("ola", false), owner: person("ola", false) }),
  ];
  for (const cards of [true, false]) {
    if (cards) chooseCards();
    showApp(withSops({ data: rows }), "/sops");
    await screen.findByRole("link", { name: "Rinse" });
    await screen.findByRole("link", { name: "Oil" });
    expect(card("Rinse").getByText("(mei.2)")).toBeTruthy();
    expect(card("Oil").queryByText("(ola)")).toBeNull();
    // the rest is a pointer away
    expect(card("Oil").getByTitle("Mei Tanaka (ola)").textContent).toBe("Mei Tanaka");
    resetBrowser();
  }
});

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
    const server = withSops(new FakeRefusal("internal"));
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

  it("says to readers when SOPs appear, and to authors how to begin", async () => {
    const reader = { user: aUser({ role: "viewer" }) };
    showApp(fakeServer({ ...signedInReplies(), "GET /api/auth/me": reader, "GET /api/sops": { data: [] } }), "/sops");
    await screen.findByText("SOPs appear here once they are published.");
    resetBrowser();
    showApp(withSops({ data: [] }), "/sops");
    await screen.findByText("Write the first one, or begin with a template.");
  });

  it("offers the first SOP where there is none", async () => {
    showApp(withSops({ data: [] }), "/sops");
    await screen.findByText("No SOPs found");
    expect(screen.getByRole("link", { name: "Create your first SOP" }).getAttribute("href")).toBe("/sop/new");
  });

  it("offers to clear the filters where they match nothing", async () => {
    const { user, address } = showApp(withSops({ data: [] }), "/sops?status=archived&time=7d");
    await screen.findByText("No matches. Try other filters.");
    expect(screen.queryByText("Create your first SOP")).toBeNull();
    const region = within(screen.getByRole("region", { name: "Results" }));
    await user.click(region.getByRole("button", { name: "Clear all" }));
    await screen.findByText("Create your first SOP");
    expect(address()).toBe("/sops");
  });
});

describe("the screen", () => {
  it("has heading, search and New SOP, and the sidebar says what it is for", async () => {
    const { user } = showApp(withSops({ data: [] }), "/sops");
    await screen.findByRole("heading", { level: 1, name: "Standard Operating Procedures" });
    const sidebar = within(screen.getByRole("navigation", { name: "Main navigation" }));
    expect(sidebar.getByRole("link", { name: /^All SOPs/ }).getAttribute("aria-current")).toBe("page");
    await user.hover(sidebar.getByRole("link", { name: /^All SOPs/ }));
    const hint = await screen.findByRole("tooltip");
    expect(hint.textContent).toBe("Browse and manage all Standard Operating Procedures");
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
    showApp(server, "/sops?category=cat-fin&status=draft&time=30d");
    await screen.findByText("No matches. Try other filters.");
    const asked = { category: "cat-fin", status: "draft", time: "30d" };
    expect(lists(server)[0]?.query).toEqual({ ...asked, limit: "24" });
    expect(tab("Draft").getAttribute("aria-pressed")).toBe("true");
    expect(screen.getByLabelText("Last Updated")).toHaveProperty("value", "30d");
    await waitFor(() => expect(screen.getByLabelText("Category")).toHaveProperty("value", "cat-fin"));
  });

  it("leave out what filters nothing, and ignore what they don't know", async () => {
    const server = withSops({ data: [] });
    showApp(server, "/sops?status=nonsense&time=yesterday&category=all");
    await screen.findByText("Create your first SOP");
    expect(lists(server)[0]?.query).toEqual({ limit: "24" });
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
    const tabs = within(screen.getByRole("group", { name: "Status" })).getAllByRole("button");
    expect(tabs.map((one) => one.textContent.trim())).toEqual([
      "All Status",
      "Published",
      "Draft",
      "Under Review",
      "Archived",
    ]);
    expect(choices("Last Updated")).toEqual(["Anytime", "Last 7 days", "Last 30 days", "Last 3 months"]);
  });

  it("go into the address when chosen, and out of it by Clear all", async () => {
    const server = withSops({ data: [aSop()] });
    const { user, address } = showApp(server, "/sops");
    await screen.findByRole("group", { name: "Status" });
    await user.click(tab("Under Review"));
    await user.selectOptions(screen.getByLabelText("Last Updated"), "Last 7 days");
    await waitFor(() => expect(address()).toBe("/sops?status=under_review&time=7d"));
    expect(lists(server).at(-1)?.query).toEqual({ status: "under_review", time: "7d", limit: "24" });
    await user.click(screen.getByRole("button", { name: "Clear all" }));
    expect(address()).toBe("/sops");
    // the unfiltered list is still cached: no request
    expect(lists(server).filter(({ query }) => query["status"] === undefined)).toHaveLength(1);
  });

  it("count each status, and offer the owners, tags and teams of the list", async () => {
    const facets = {
      category: [],
      status: [
        { value: "all", label: "all", count: 12 },
        { value: "published", label: "published", count: 9 },
      ],
      owner: [{ value: "user-mei", label: "Mei Tanaka", count: 4 }],
      tag: [],
      team: [{ value: "team-kitchen", label: "Kitchen", count: 2 }],
      lang: [
        { value: "en", label: "English", count: 9 },
        { value: "de", label: "German", count: 3 },
      ],
    };
    const server = withSops({ data: [aSop()], facets });
    const { user, address } = showApp(server, "/sops");
    await screen.findByRole("button", { name: "All Status 12" });
    expect(tab("Published 9")).toBeTruthy();
    // none is no news
    expect(tab("Draft").textContent).toBe("Draft");
    expect(screen.queryByLabelText("Tag")).toBeNull();
    await user.selectOptions(screen.getByLabelText("Owner"), "Mei Tanaka (4)");
    await user.selectOptions(screen.getByLabelText("Team"), "Kitchen (2)");
    await user.selectOptions(screen.getByLabelText("Language"), "German (3)");
    await waitFor(() => expect(address()).toBe("/sops?owner=user-mei&team=team-kitchen&lang=de"));
    await waitFor(() =>
      expect(lists(server).at(-1)?.query).toEqual({ owner: "user-mei", team: "team-kitchen", lang: "de", limit: "24" }),
    );
  });

  it("offer no language while all SOPs have the same", async () => {
    const facets = { ...facetsOf({ all: 2 }), lang: [{ value: "en", label: "English", count: 2 }] };
    showApp(withSops({ data: [aSop()], facets }), "/sops");
    await screen.findByRole("button", { name: "All Status 2" });
    expect(screen.queryByLabelText("Language")).toBeNull();
  });

  it("that leave nothing are offered to go one by one", async () => {
    const facets = {
      category: [
        { value: "cat-hr", label: "HR Procedures", count: 3 },
        { value: "cat-fin", label: "Finance", count: 0 },
      ],
      status: [{ value: "draft", label: "draft", count: 0 }],
      owner: [],
      tag: [],
      team: [],
      lang: [],
    };
    const { user, address } = showApp(withSops({ data: [], facets }), "/sops?category=cat-fin&status=draft");
    await user.click(await screen.findByRole("button", { name: "Without Finance" }));
    expect(screen.queryByRole("button", { name: "Without Status" })).toBeNull();
    expect(address()).toBe("/sops?status=draft");
  });

  it("that another screen set are shown, and go", async () => {
    const { user, address } = showApp(withSops({ data: [aSop()] }), "/sops?review=due&mine=true");
    await user.click(await screen.findByRole("button", { name: "Remove the filter My SOPs" }));
    await waitFor(() => expect(address()).toBe("/sops?review=due"));
    await user.click(screen.getByRole("button", { name: "Clear all" }));
    await waitFor(() => expect(address()).toBe("/sops"));
  });

  it("search after a pause in typing", async () => {
    const server = withSops({ data: [aSop()] });
    const { user, address } = showApp(server, "/sops");
    await user.type(await screen.findByPlaceholderText("Search SOPs by title, content, or keywords..."), "evacuate");
    await waitFor(() => expect(address()).toBe("/sops?search=evacuate"));
    await waitFor(() => expect(lists(server).at(-1)?.query["search"]).toBe("evacuate"));
  });
});

describe("rows", () => {
  it("say what readers see, and by a mark that the next version is not published yet", async () => {
    const published = { version: 1, effectiveAt: null };
    const sops = [
      aSop({ title: "In work", status: "draft", published }),
      aSop({ title: "New", status: "under_review", published: null }),
    ];
    showApp(withSops({ data: sops }), "/sops");
    await screen.findByRole("link", { name: "In work" });
    expect(card("In work").getByText("Published")).toBeTruthy();
    expect(card("In work").getByText("Next version: Draft").parentElement?.title).toBe("Next version: Draft");
    expect(card("New").getByText("Under Review")).toBeTruthy();
    expect(card("New").queryByText("Published")).toBeNull();
  });

  it("are sorted by the heads of their columns and by the menu", async () => {
    const server = withSops({ data: [aSop()] });
    const { user, address } = showApp(server, "/sops");
    const head = (column: string) => screen.getByRole("button", { name: `Sort by ${column}` });
    const menu = await screen.findByLabelText<HTMLSelectElement>("Sort");
    await screen.findByRole("article");
    expect(menu.selectedOptions[0]?.text).toBe("Updated, newest first");
    expect(head("Updated").getAttribute("aria-pressed")).toBe("true");
    await user.click(head("Title"));
    await waitFor(() => expect(address()).toBe("/sops?sort=title"));
    await user.click(head("Title"));
    await waitFor(() => expect(address()).toBe("/sops?sort=-title"));
    expect(menu.selectedOptions[0]?.text).toBe("Title, Z to A");
    await waitFor(() => expect(lists(server).at(-1)?.query).toEqual({ sort: "-title", limit: "24" }));
    expect(screen.queryByRole("button", { name: "Clear all" })).toBeNull();
    await user.selectOptions(menu, "Updated, newest first");
    await waitFor(() => expect(address()).toBe("/sops"));
    expect(within(menu).queryByRole("option", { name: "Best match" })).toBeNull();
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
    expect(lists(server).map(({ query }) => query["cursor"])).toEqual([undefined, "after-1"]);
  });

  it("keeps what is there when the next page fails", async () => {
    const server = withSops(pages);
    const { user } = showApp(server, "/sops");
    await screen.findByRole("link", { name: "First" });
    server.reply({ "GET /api/sops": new FakeRefusal("busy") });
    await user.click(screen.getByRole("button", { name: "Load More SOPs" }));
    await screen.findByText("Couldn't load more SOPs.");
    expect(screen.getByRole("link", { name: "First" })).toBeTruthy();
    server.reply({ "GET /api/sops": pages });
    await user.click(screen.getByRole("button", { name: "Load More SOPs" }));
    await screen.findByRole("link", { name: "Second" });
  });
});
