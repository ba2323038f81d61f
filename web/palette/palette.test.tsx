import { screen, waitFor, within } from "@testing-library/react";
import { afterEach, describe, expect, it } from "vitest";
import { fakeServer, signedInReplies, type RecordedRequest, type Replies } from "../testing/fake-server.ts";
import { aControl, aSop, aUser } from "../testing/records.ts";
import { resetBrowser, showApp } from "../testing/render-app.tsx";
import { matchesQuery } from "./entries.ts";

afterEach(resetBrowser);

const sop = aSop({ title: "Clean the mill" });
const hit = {
  sop,
  title: { text: "Clean the mill", ranges: [] },
  snippet: { text: "Rinse it.", ranges: [] },
  step: { anchor: null, heading: null, number: "7", text: "Rinse it." },
  missing: [],
};
const list = ({ query }: RecordedRequest) => ({ data: query["recent"] === undefined ? [] : [sop] });

async function open(more: Replies = {}, path = "/favorites") {
  const server = fakeServer({
    ...signedInReplies(),
    "GET /api/sops": list,
    "GET /api/search": { data: [hit] },
    ...more,
  });
  const shown = showApp(server, path);
  await screen.findByRole("heading", { level: 1 });
  return { server, ...shown };
}
const palette = () => screen.findByRole("dialog", { name: "Search and commands" });
const options = (window: HTMLElement) =>
  within(window)
    .getAllByRole("option")
    .map((option) => option.textContent);

describe("the palette", () => {
  it("opens by Ctrl+K with recent SOPs, commands and screens, and goes where Enter says", async () => {
    const { user, address } = await open();
    await screen.findByRole("group", { name: "Status" });
    await user.keyboard("{Control>}k{/Control}");
    const window = await palette();
    await within(window).findByRole("option", { name: "Clean the mill" });
    expect(options(window)).toEqual([
      "Clean the mill",
      "Cards or rowsV",
      "Filter the listF",
      "New SOPN",
      "AI AssistantCtrl+J",
      "Show or hide the sidebarCtrl+.",
      "Switch between light and darkCtrl+Shift+L",
      "Keyboard shortcuts?",
      "Sign out",
      "DashboardG then D",
      "All SOPsG then A",
      "FavoritesG then F",
      "RecentG then R",
      "Pending ApprovalG then P",
      "SettingsG then S",
      "Teams",
      "Read confirmations",
    ]);
    const field = within(window).getByRole("combobox");
    expect(document.activeElement).toBe(field);
    await user.keyboard("pend{Enter}");
    await waitFor(() => expect(address()).toBe("/pending"));
    expect(screen.queryByRole("dialog")).toBeNull();
    await waitFor(() => expect(document.activeElement?.tagName).toBe("H1"));
  });

  it("takes what is typed before it is there for its own, not for shortcuts", async () => {
    const { user, address } = await open();
    await user.keyboard("{Control>}k{/Control}nfin");
    expect(within(await palette()).getByRole("combobox")).toHaveProperty("value", "nfin");
    expect(address()).toBe("/favorites");
  });

  it("finds SOPs by their steps, and categories; arrows go round", async () => {
    const { user, address } = await open();
    await user.keyboard("{Control>}k{/Control}");
    const window = await palette();
    await user.keyboard("fin");
    await within(window).findByRole("option", { name: /Step 7: Rinse it\./ });
    expect(options(window)[0]).toBe("Finance");
    await user.keyboard("{ArrowUp}{Enter}");
    await waitFor(() => expect(address()).toBe(`/sop/${sop.id}?step=7&at=Rinse+it.`));
  });

  it("runs what the page can do, and nothing without permission", async () => {
    const viewer = { user: aUser({ role: "viewer" }) };
    const { user } = await open({ "GET /api/auth/me": viewer });
    await user.keyboard("{Control>}k{/Control}");
    expect(options(await palette())).not.toContain("New SOPN");
    await user.keyboard("light{Enter}");
    await waitFor(() => expect(document.documentElement.classList.contains("dark")).toBe(true));
    expect(screen.queryByRole("dialog")).toBeNull();
  });

  it("has what can be done with the SOP on screen", async () => {
    const shown = { ...sop, content: "<p>Text</p>", markdown: "Text", control: aControl() };
    const { user, address } = await open({ [`GET /api/sops/${sop.id}` as "GET /"]: shown }, `/sop/${sop.id}`);
    await screen.findByRole("heading", { level: 1, name: "Clean the mill" });
    await user.keyboard("{Control>}k{/Control}");
    expect(options(await palette()).slice(0, 3)).toEqual([
      "Edit this SOPE",
      "Add or remove a favoriteS",
      "Versions of this SOPH",
    ]);
    await user.keyboard("{Escape}e");
    await waitFor(() => expect(address()).toBe(`/sop/${sop.id}/edit`));
  });

  it("matches beginnings of words, with or without accents", () => {
    expect(matchesQuery({ text: "Café Rules", section: "Go to" }, "rul cafe")).toBe(true);
    expect(matchesQuery({ text: "Dashboard", section: "Go to" }, "go dash")).toBe(true);
    expect(matchesQuery({ text: "Dashboard", section: "Go to" }, "board")).toBe(false);
  });
});

describe("shortcuts", () => {
  it("go to screens, rest in fields, and are listed by ?", async () => {
    const { user, address } = await open();
    await user.keyboard("ga");
    await waitFor(() => expect(address()).toBe("/sops"));
    await user.click(screen.getByRole("searchbox", { name: /^Search SOPs by title/ }));
    await user.keyboard("gd?n");
    // the field took the keys: the list is searched for them
    await waitFor(() => expect(address()).toBe("/sops?search=gd%3Fn"));
    expect(screen.queryByRole("dialog")).toBeNull();
    await user.keyboard("{Control>}k{/Control}");
    await palette();
    await user.keyboard("{Escape}");
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    (document.activeElement as HTMLElement).blur();
    await user.keyboard("?");
    const sheet = await screen.findByRole("dialog", { name: "Keyboard shortcuts" });
    expect(within(within(sheet).getByRole("region", { name: "Go to" })).getByText("G then D")).toBeTruthy();
    expect(within(sheet).getByText("Ctrl+K", { selector: "section[aria-label=Anywhere] *" })).toBeTruthy();
    await user.click(within(sheet).getByRole("switch"));
    await user.keyboard("{Escape}");
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    await user.keyboard("gf");
    expect(address()).toBe("/sops?search=gd%3Fn");
    await user.keyboard("{Control>}k{/Control}");
    await palette();
  });

  it("with a key beside them that no text needs work while writing, too", async () => {
    const { user } = await open();
    const text = document.createElement("textarea");
    document.body.append(text);
    text.focus();
    await user.keyboard("{Control>}k{/Control}");
    expect(screen.queryByRole("dialog")).toBeNull();
    await user.keyboard("{Control>}{Shift>}l{/Shift}{/Control}");
    expect(document.documentElement.classList.contains("dark")).toBe(true);
    text.remove();
  });

  it("walk through a list by j and k", async () => {
    const sops = [aSop({ title: "One" }), aSop({ title: "Two" })];
    const { user } = await open({ "GET /api/sops": { data: sops } }, "/sops");
    await screen.findByRole("link", { name: "One" });
    await user.keyboard("j");
    expect(document.activeElement?.textContent).toBe("One");
    await user.keyboard("jk");
    expect(document.activeElement?.textContent).toBe("One");
    await user.keyboard("j");
    expect(document.activeElement?.textContent).toBe("Two");
  });
});
