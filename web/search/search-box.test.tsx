import { screen, waitFor, within } from "@testing-library/react";
import { afterEach, describe, expect, it } from "vitest";
import type { SearchHit } from "#core/search/schema.ts";
import { fakeServer, Refusal, signedInReplies, type RecordedRequest, type Replies } from "../testing/fake-server.ts";
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

async function open(more: Replies = {}, path = "/pending") {
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
      return q === "bad" ? new Refusal("busy") : { data: [] };
    };
    const { user, field, server } = await open({ "GET /api/search": find });
    await user.type(field, "mlil");
    expect((await screen.findByText("“mill”")).parentElement?.textContent).toBe("Showing results for “mill”");
    await user.clear(field);
    await user.type(field, "zzz");
    await screen.findByText("Nothing found for “zzz”");
    await user.clear(field);
    await user.type(field, "bad");
    await screen.findByText("Search didn't respond.");
    server.reply({ "GET /api/search": { data: [aHit()] } });
    await user.click(screen.getByRole("button", { name: "Try Again" }));
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

describe("a list that was searched", () => {
  /** The top bar has one search field: there it is the list's. */
  async function openList(more: Replies, path: string) {
    showApp(fakeServer({ ...signedInReplies(), ...more }), path);
    await screen.findByRole("searchbox", { name: /^Search SOPs by title/ });
    expect(screen.queryByRole("combobox", { name: "Search SOPs, procedures, or topics..." })).toBeNull();
  }

  it("says when no SOP has all of the words", async () => {
    const reply = { data: [aSop({ title: "Clean the mill" })], mostWords: true };
    await openList({ "GET /api/sops": reply }, "/sops?search=clean+the+zeppelin");
    await screen.findByRole("link", { name: "Clean the mill" });
    screen.getByText("No SOP has all these words. These have most.");
  });

  it("says when a slip was corrected", async () => {
    const reply = { data: [aSop({ title: "Clean the mill" })], showingFor: "mill" };
    await openList({ "GET /api/sops": reply }, "/sops?search=mlil");
    await screen.findByRole("link", { name: "Clean the mill" });
    expect(screen.getByText("“mill”").parentElement?.textContent).toBe("Showing results for “mill”");
  });
});
