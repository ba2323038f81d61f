import { screen, waitFor, within } from "@testing-library/react";
import { afterEach, describe, expect, it } from "vitest";
import type { SearchHit } from "#core/search/schema.ts";
import {
  fakeServer,
  FakeRefusal,
  signedInReplies,
  type RecordedRequest,
  type Replies,
} from "../testing/fake-server.ts";
import { aSop } from "../testing/records.ts";
import { resetBrowser, showApp } from "../testing/render-app.tsx";

afterEach(resetBrowser);

function aHit(change: Partial<SearchHit> = {}): SearchHit {
  return {
    sop: aSop({ title: "Clean the mill" }),
    title: { text: "Clean the mill", ranges: [[10, 14]] },
    snippet: { text: "Rinse the mill.", ranges: [[10, 14]] },
    step: { anchor: "user-content-cleaning", heading: "Cleaning", number: "7", text: "Rinse the mill." },
    missing: [],
    ...change,
  };
}

async function open(more: Replies = {}, path = "/settings") {
  const server = fakeServer({ ...signedInReplies(), ...more });
  const shown = showApp(server, path);
  const field = await screen.findByRole("combobox", { name: "Search SOPs, procedures, or topics..." });
  return { server, field, ...shown };
}

describe("search in the top bar", () => {
  it("lists hits with the step that answers, and opens the SOP there", async () => {
    const draft = aHit({ sop: aSop({ title: "Mill", status: "draft" }), step: null, missing: ["rinse"] });
    const { user, field, server, address } = await open({ "GET /api/search": { data: [aHit(), draft] } });
    expect(field.getAttribute("aria-expanded")).toBe("false");
    await user.type(field, "mill");
    const list = await screen.findByRole("listbox", { name: "Search results" });
    await within(list).findByRole("option", { name: /Step 7/ });
    const options = within(list).getAllByRole("option");
    expect(field.getAttribute("aria-controls")).toBe(list.id);
    expect(options[0]?.textContent).toMatch(/^Clean the millSOP-\d+Step 7 · Under Cleaning: Rinse the mill\.$/);
    expect([...(options[0]?.querySelectorAll("mark") ?? [])].map((mark) => mark.textContent)).toEqual(["mill", "mill"]);
    expect(options[1]?.textContent).toMatch(/Draft.*Missing: rinse$/);
    expect(options[2]?.textContent).toBe("Show all results for “mill”");
    // one request, after the pause
    expect(server.requestsFor("GET /api/search").map(({ query }) => query)).toEqual([{ q: "mill", limit: "8" }]);
    expect(options.some((option) => option.getAttribute("aria-selected") === "true")).toBe(false);
    await user.keyboard("{ArrowUp}{ArrowDown}{ArrowDown}");
    expect(field.getAttribute("aria-activedescendant")).toBe(options[0]?.id);
    await user.keyboard("{Enter}");
    await waitFor(() => expect(address()).toMatch(/^\/sop\/[^?]+\?step=7&at=Rinse\+the\+mill\.$/));
    expect(field).toHaveProperty("value", "");
  });

  it("says when a slip was corrected, when nothing is found, and when it did not work", async () => {
    const find = ({ query: { q } }: RecordedRequest) => {
      if (q === "mlil") return { data: [aHit()], showingFor: "mill" };
      return q === "bad" ? new FakeRefusal("busy") : { data: [] };
    };
    const { user, field, server } = await open({ "GET /api/search": find });
    await user.type(field, "mlil");
    expect((await screen.findByText("“mill”")).parentElement?.textContent).toBe("Showing results for “mill”");
    await user.clear(field);
    await user.type(field, "zzz");
    await screen.findByText("Nothing found for “zzz”");
    await user.clear(field);
    await user.type(field, "bad");
    const failed = (await screen.findByText("Search didn't respond.")).closest<HTMLElement>("[role=alert]");
    server.reply({ "GET /api/search": { data: [aHit()] } });
    await user.click(within(failed as HTMLElement).getByRole("button", { name: "Try Again" }));
    await screen.findByRole("option", { name: /^Clean the mill/ });
  });

  it("never shows the answer to what was typed before as the answer to what is typed now", async () => {
    let answerFirst = () => {};
    const first = new Promise<void>((resolve) => (answerFirst = resolve));
    const find = async ({ query: { q } }: RecordedRequest) => {
      if (q === "mi") await first;
      return { data: [aHit({ title: { text: `For ${q}`, ranges: [] } })] };
    };
    const { user, field } = await open({ "GET /api/search": find });
    await user.type(field, "mi");
    await screen.findByText("Searching…");
    await user.type(field, "ll");
    await screen.findByText("For mill");
    answerFirst();
    await user.type(field, "s");
    await screen.findByText("For mills");
    expect(screen.queryByText("For mi")).toBeNull();
  });

  it("goes on to the list by Enter, closes by Escape, and is reached by /", async () => {
    const { user, field, address } = await open({ "GET /api/search": { data: [aHit()] } });
    await user.keyboard("/");
    expect(document.activeElement).toBe(field);
    await user.keyboard("mill");
    await screen.findByRole("listbox");
    await user.keyboard("{Escape}");
    expect(screen.queryByRole("listbox")).toBeNull();
    expect(field).toHaveProperty("value", "mill");
    await user.keyboard("{ArrowDown}");
    await screen.findByRole("listbox");
    await user.keyboard("{Enter}");
    await waitFor(() => expect(address()).toBe("/sops?search=mill"));
    expect(screen.queryByRole("listbox")).toBeNull();
  });
});

describe("the search page", () => {
  /** The top bar has one search field: there it is the list's. */
  async function openPage(reply: unknown, path: string) {
    const server = fakeServer({ ...signedInReplies(), "GET /api/sops": reply });
    const shown = showApp(server, path);
    const field = await screen.findByRole("searchbox", { name: /^Search SOPs by title/ });
    expect(screen.queryByRole("combobox", { name: "Search SOPs, procedures, or topics..." })).toBeNull();
    return { server, field, ...shown };
  }

  const found = (title: string, { sop, ...match }: SearchHit) => ({ ...sop, title, match: { ...match } });
  const links = () => within(screen.getByRole("region", { name: "Results" })).getAllByRole("link");

  it("says when no SOP has all of the words", async () => {
    const reply = { data: [aSop({ title: "Clean the mill" })], mostWords: true, total: 1 };
    await openPage(reply, "/sops?search=clean+the+zeppelin");
    await screen.findByRole("link", { name: "Clean the mill" });
    await screen.findByText("No SOP has all these words. These have most.");
  });

  it("says when a slip was corrected", async () => {
    const reply = { data: [aSop({ title: "Clean the mill" })], showingFor: "mill", total: 1 };
    await openPage(reply, "/sops?search=mlil");
    await screen.findByRole("link", { name: "Clean the mill" });
    await screen.findByText(/^Showing results for/);
    expect(screen.getAllByText("“mill”")[0]?.parentElement?.textContent).toBe("Showing results for “mill”");
  });

  it("counts hits, links their steps, and draws a line where words are missing", async () => {
    const reply = {
      data: [
        found("Clean the mill", aHit()),
        found("Stop the mill", aHit({ step: null, title: { text: "Stop the mill", ranges: [] }, missing: ["clean"] })),
      ],
      total: 2,
      alsoCalled: ["grinder"],
    };
    const { field, user } = await openPage(reply, "/sops?search=clean+mill");
    await screen.findByRole("heading", { level: 1, name: "2 results" });
    expect(document.title).toContain("2 results");
    const step = await screen.findByRole("link", { name: /^Step 7/ });
    expect(step.getAttribute("href")).toMatch(/\?step=7&at=/);
    const [first, second] = screen
      .getAllByRole("listitem")
      .filter((item) => item.ariaPosInSet !== null || item.hasAttribute("aria-posinset"));
    expect(first?.textContent).not.toContain("Not all of your words");
    expect(second?.textContent).toMatch(/^Not all of your words.*Missing: clean$/);
    expect(screen.getByRole("link", { name: "grinder" }).getAttribute("href")).toBe("/sops?search=grinder");
    // the arrows go from the field through titles and steps, and back
    await user.click(field);
    await user.keyboard("{ArrowDown}");
    expect(document.activeElement).toBe(links()[0]);
    await user.keyboard("{ArrowDown}");
    expect(document.activeElement).toBe(step);
    await user.keyboard("{ArrowDown}");
    expect(document.activeElement?.textContent).toBe("Stop the mill");
    await user.keyboard("{ArrowUp}{ArrowUp}{ArrowUp}");
    expect(document.activeElement).toBe(field);
  });

  it("filters by facets, and sorts by best match first until another order is chosen", async () => {
    const owner = [1, 2, 3, 4, 5, 6].map((n) => ({ value: `user-${n}`, label: `Person ${n}`, count: 7 - n }));
    const facets = {
      category: [],
      status: [{ value: "draft", label: "draft", count: 2 }],
      owner,
      tag: [],
      team: [],
      lang: [],
    };
    const { server, user, address } = await openPage({ data: [aSop()], total: 1, facets }, "/sops?search=mill");
    const filters = within(await screen.findByRole("complementary", { name: "Filters" }));
    await user.click(await filters.findByRole("button", { name: "Draft 2" }));
    await waitFor(() => expect(address()).toBe("/sops?search=mill&status=draft"));
    expect(filters.queryByRole("button", { name: /^Person 6/ })).toBeNull();
    await user.click(filters.getByRole("button", { name: "All 6 owners" }));
    await user.click(filters.getByRole("button", { name: "Person 6 1" }));
    await waitFor(() => expect(address()).toBe("/sops?search=mill&status=draft&owner=user-6"));
    await user.click(filters.getByRole("button", { name: "Draft 2" }));
    await waitFor(() => expect(address()).toBe("/sops?search=mill&owner=user-6"));
    const sort = screen.getByLabelText<HTMLSelectElement>("Sort");
    expect(sort.selectedOptions[0]?.text).toBe("Best match");
    await user.selectOptions(sort, "Title, A to Z");
    await waitFor(() =>
      expect(server.requestsFor("GET /api/sops").at(-1)?.query).toEqual({
        search: "mill",
        owner: "user-6",
        sort: "title",
        total: "true",
        limit: "24",
      }),
    );
    await user.click(filters.getByRole("button", { name: "Clear filters" }));
    await waitFor(() => expect(address()).toBe("/sops?search=mill&sort=title"));
  });

  it("names titles like the words where nothing is found, and the way to write the SOP", async () => {
    const near = aSop({ title: "Clean the mill" });
    const reply = { data: [], total: 0, nearTitles: [{ id: near.id, title: near.title }] };
    const { server, user } = await openPage(reply, "/sops?search=millet");
    await screen.findByRole("heading", { level: 1, name: "No results" });
    await screen.findByText("Try fewer or different words.");
    expect(screen.getByText("Managers see searches without results.")).toBeTruthy();
    expect(screen.getByRole("link", { name: "Clean the mill" }).getAttribute("href")).toBe(`/sop/${near.id}`);
    expect(screen.getByRole("link", { name: "Write this SOP" }).getAttribute("href")).toBe("/sop/new?title=millet");
    server.reply({ "POST /api/search/ask": new FakeRefusal("invalid_input", "Use words of at least 3 letters") });
    await user.click(screen.getByRole("button", { name: "Ask for this SOP" }));
    await screen.findByText("Use words of at least 3 letters");
    server.reply({ "POST /api/search/ask": { ok: true } });
    await user.click(screen.getByRole("button", { name: "Ask for this SOP" }));
    await screen.findByText("Managers see your request.");
    expect(server.requestsFor("POST /api/search/ask").at(-1)?.body).toEqual({ q: "millet" });
  });
});
