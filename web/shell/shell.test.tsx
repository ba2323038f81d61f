import { act, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { afterEach, describe, expect, it } from "vitest";
import { anApproval } from "../testing/approval-records.ts";
import { fakeServer, FakeRefusal, signedInReplies } from "../testing/fake-server.ts";
import { aSop, aUser } from "../testing/records.ts";
import { FakeStream, resetBrowser, showApp } from "../testing/render-app.tsx";

afterEach(resetBrowser);

const sidebar = () => screen.getByRole("navigation", { name: "Main navigation" });

describe("sidebar", () => {
  it("navigates with counts, lists categories, and says who is signed in", async () => {
    showApp(fakeServer(signedInReplies()));
    await screen.findByRole("link", { name: /^All SOPs ?42$/ });
    expect(within(sidebar()).getByRole("link", { name: "Dashboard" }).getAttribute("aria-current")).toBe("page");
    expect(within(sidebar()).getByRole("link", { name: "New SOP" }).getAttribute("href")).toBe("/sop/new");
    const category = await within(sidebar()).findByRole("link", { name: /^HR Procedures ?3$/ });
    expect(category.getAttribute("href")).toBe("/category/cat-hr");
    expect(within(sidebar()).getByRole("link", { name: /^Finance ?9$/ })).toBeTruthy();
    expect(screen.getByText("AI-Powered SOPs")).toBeTruthy();
    expect(screen.getByText("Ann Archer")).toBeTruthy();
    expect(screen.getByText("Manager")).toBeTruthy();
    expect(screen.getByText("AA")).toBeTruthy();
  });

  it("offers New SOP only to who may create one", async () => {
    const viewer = { user: aUser({ role: "viewer" }) };
    showApp(fakeServer({ ...signedInReplies(), "GET /api/auth/me": viewer }));
    await screen.findByRole("link", { name: /^All SOPs ?42$/ });
    expect(screen.queryByRole("link", { name: "New SOP" })).toBeNull();
    await screen.findByText("No SOPs found");
    expect(screen.queryByRole("link", { name: "Create your first SOP" })).toBeNull();
  });

  it("says how much waits for me, and asks only when something is under review", async () => {
    const waiting = [anApproval({ mayDecide: true }), anApproval({ mayDecide: true })];
    const stats = (pendingApproval: number) => ({ totalSOPs: 42, activeTeams: 2, pendingApproval, aiSuggestions: 0 });
    const server = fakeServer({ ...signedInReplies(), "GET /api/stats": stats(3), "GET /api/approvals": waiting });
    showApp(server);
    await screen.findByRole("link", { name: /^Pending Approval ?2 ?waiting for you$/ });
    expect(server.requestsFor("GET /api/approvals")[0]?.query).toEqual({ status: "pending", mine: "true" });
    // another user approves in another browser
    server.reply({ "GET /api/stats": stats(2), "GET /api/approvals": [waiting[0]] });
    act(() => FakeStream.opened[0]?.emit({ id: "7", resources: ["approvals", "stats"] }));
    await screen.findByRole("link", { name: /^Pending Approval ?1 ?waiting for you$/ });
    resetBrowser();
    const quiet = fakeServer({ ...signedInReplies(), "GET /api/stats": stats(0) });
    showApp(quiet);
    await screen.findByRole("link", { name: /^All SOPs ?42$/ });
    // a zero is no news
    await screen.findByRole("link", { name: /^Pending Approval$/ });
    expect(quiet.requestsFor("GET /api/approvals")).toHaveLength(0);
  });

  it("leads nowhere that is not there", async () => {
    showApp(fakeServer(signedInReplies()));
    await within(await screen.findByRole("navigation", { name: "Main navigation" })).findByText("Finance");
    const addresses = within(sidebar())
      .getAllByRole("link")
      .map((link) => link.getAttribute("href"));
    expect(addresses).toEqual([
      "/sop/new",
      "/",
      "/sops",
      "/favorites",
      "/recent",
      "/pending",
      "/admin/teams",
      "/confirmations",
      "/category/cat-hr",
      "/category/cat-fin",
    ]);
  });

  it("comes from the side on small screens, and goes after a choice", async () => {
    const { user, address } = showApp(fakeServer(signedInReplies()));
    await user.click(await screen.findByRole("button", { name: "Open navigation" }));
    const panel = await screen.findByRole("dialog", { name: "Main navigation" });
    await user.click(within(panel).getByRole("link", { name: /^All SOPs/ }));
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    await waitFor(() => expect(address()).toBe("/sops"));
  });
});

describe("the sidebar's key", () => {
  const aside = () => screen.getByRole("complementary", { name: "Sidebar" });

  it("hides and shows it beside the page, remembers, and leaves the focus where it can be seen", async () => {
    const { user } = showApp(fakeServer(signedInReplies()));
    await screen.findByRole("heading", { level: 1, name: /^Dashboard/ });
    Object.defineProperty(window, "matchMedia", {
      configurable: true,
      value: (query: string) => ({
        matches: query.includes("min-width"),
        addEventListener: () => {},
        removeEventListener: () => {},
      }),
    });
    const toggle = screen.getByRole("button", { name: "Hide the sidebar" });
    expect([toggle.getAttribute("aria-expanded"), aside().className]).toEqual([
      "true",
      expect.stringContaining("lg:block"),
    ]);
    within(aside()).getByRole("link", { name: "Settings" }).focus();
    await user.keyboard("{Control>}.{/Control}");
    expect(aside().className).not.toContain("lg:block");
    expect(localStorage.getItem("sidebar")).toBe("hidden");
    expect(document.activeElement).toBe(screen.getByRole("button", { name: "Show the sidebar" }));
    await user.keyboard("{Enter}");
    expect(aside().className).toContain("lg:block");
    expect(localStorage.getItem("sidebar")).toBe("shown");
  });

  it("opens it over the page where there is no room beside it", async () => {
    const { user } = showApp(fakeServer(signedInReplies()));
    await screen.findByRole("heading", { level: 1, name: /^Dashboard/ });
    const none = { matches: false, addEventListener: () => {}, removeEventListener: () => {} };
    Object.defineProperty(window, "matchMedia", { configurable: true, value: () => none });
    await user.keyboard("{Control>}.{/Control}");
    await screen.findByRole("dialog", { name: "Main navigation" });
    expect(localStorage.getItem("sidebar")).toBeNull();
  });
});

describe("top bar", () => {
  it("points to the palette and to the keys", async () => {
    const { user } = showApp(fakeServer(signedInReplies()));
    await screen.findByText("Ctrl+K", { selector: "kbd" });
    await user.type(screen.getByPlaceholderText("Search SOPs, procedures, or topics..."), "fire");
    expect(screen.queryByText("Ctrl+K", { selector: "kbd" })).toBeNull();
    await user.click(screen.getByRole("button", { name: "Keyboard shortcuts" }));
    await screen.findByRole("dialog", { name: "Keyboard shortcuts" });
  });

  it("searches from anywhere", async () => {
    const { user, address } = showApp(fakeServer(signedInReplies()));
    await user.type(
      await screen.findByPlaceholderText("Search SOPs, procedures, or topics..."),
      " fire & flood {Enter}",
    );
    await screen.findByRole("heading", { level: 1, name: "Results" });
    expect(address()).toBe("/sops?search=fire+%26+flood");
    expect(screen.getByPlaceholderText("Search SOPs by title, content, or keywords...")).toHaveProperty(
      "value",
      "fire & flood",
    );
  });

  it("leads to the first filter by f", async () => {
    const { user } = showApp(fakeServer(signedInReplies()));
    const category = await screen.findByLabelText("Category");
    await user.keyboard("f");
    expect(document.activeElement).toBe(category);
  });

  it("switches between rows and cards, and remembers", async () => {
    const reply = { data: [aSop({ title: "Evacuation", views: 3 })] };
    const { user } = showApp(fakeServer({ ...signedInReplies(), "GET /api/sops": reply }));
    await screen.findByRole("link", { name: "Evacuation" });
    expect(screen.queryByText("3 views")).toBeNull();
    await user.click(screen.getByRole("button", { name: "Grid view" }));
    expect(await screen.findByText("3 views")).toBeTruthy();
    expect(localStorage.getItem("list-view")).toBe("grid");
    await user.click(screen.getByRole("button", { name: "List view" }));
    expect(screen.queryByText("3 views")).toBeNull();
  });

  it("turns the lights off, and back to what the system says", async () => {
    const { user } = showApp(fakeServer(signedInReplies()));
    await user.click(await screen.findByRole("button", { name: "Switch to dark theme" }));
    expect(document.documentElement.className).toBe("dark");
    expect(localStorage.getItem("theme")).toBe("dark");
    await user.click(screen.getByRole("button", { name: "Switch to light theme" }));
    expect(document.documentElement.className).toBe("");
    expect(localStorage.getItem("theme")).toBe("system");
  });

  it("turns the lights off by key where a text is written too, which has no top bar", async () => {
    showApp(fakeServer(signedInReplies()), "/sop/new");
    await screen.findByLabelText("Title");
    expect(screen.queryByRole("button", { name: "Switch to dark theme" })).toBeNull();
    fireEvent.keyDown(document.body, { key: "L", ctrlKey: true, shiftKey: true });
    expect(document.documentElement.className).toBe("dark");
  });
});

describe("moving between screens", () => {
  it("names the tab and takes the focus to the heading, but not on arrival", async () => {
    const { user } = showApp(fakeServer(signedInReplies()));
    await screen.findByRole("heading", { level: 1, name: /^Dashboard/ });
    expect(document.activeElement).toBe(document.body);
    await user.tab();
    expect(document.activeElement?.textContent).toBe("Skip to content");
    await user.click(screen.getByRole("link", { name: /^All SOPs/ }));
    const heading = await screen.findByRole("heading", { level: 1, name: "Standard Operating Procedures" });
    expect(document.activeElement).toBe(heading);
    expect(document.title).toBe("Standard Operating Procedures · Sopwright");
  });
});

describe("live refresh", () => {
  it("fetches again what changed, and only that", async () => {
    const server = fakeServer(signedInReplies());
    showApp(server);
    await screen.findByText("No SOPs found");
    server.reply({ "GET /api/sops": { data: [aSop({ title: "Written by Bob" })] } });
    act(() => FakeStream.opened[0]?.emit({ id: "7", resources: ["sops"], sopId: "x" }));
    await screen.findByText("Written by Bob");
    expect(server.requestsFor("GET /api/sops")).toHaveLength(2);
    expect(server.requestsFor("GET /api/categories")).toHaveLength(1);
  });

  it("fetches everything again after a gap", async () => {
    const server = fakeServer(signedInReplies());
    showApp(server);
    await screen.findByRole("link", { name: /^All SOPs ?42$/ });
    server.reply({ "GET /api/stats": { totalSOPs: 43, activeTeams: 2, pendingApproval: 1, aiSuggestions: 7 } });
    act(() => FakeStream.opened[0]?.reset());
    await screen.findByRole("link", { name: /^All SOPs ?43$/ });
  });

  it("says when the connection is lost, and when it is back", async () => {
    showApp(fakeServer(signedInReplies()));
    await screen.findByRole("heading", { level: 1, name: /^Dashboard/ });
    act(() => FakeStream.opened[0]?.lose(false));
    await screen.findByText(/^Connection lost/);
    act(() => FakeStream.opened[0]?.connect());
    await waitFor(() => expect(screen.queryByText(/^Connection lost/)).toBeNull());
  });

  it("asks who is signed in when the stream is refused", async () => {
    const server = fakeServer(signedInReplies());
    showApp(server);
    await screen.findByRole("heading", { level: 1, name: /^Dashboard/ });
    server.reply({
      "GET /api/auth/check": { authenticated: false, userId: null, registration: "open" },
      "GET /api/auth/me": new FakeRefusal("unauthenticated"),
    });
    act(() => FakeStream.opened[0]?.lose(true));
    await screen.findByRole("heading", { level: 1, name: "Sign in" });
  });
});
