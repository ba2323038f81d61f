import { act, screen, waitFor, within } from "@testing-library/react";
import { afterEach, describe, expect, it } from "vitest";
import {
  fakeServer,
  FakeRefusal,
  signedInReplies,
  type RecordedRequest,
  type FakeServer,
  type Replies,
} from "../testing/fake-server.ts";
import { aControl, aSop, facetsOf } from "../testing/records.ts";
import { FakeStream, resetBrowser, showApp } from "../testing/render-app.tsx";

afterEach(resetBrowser);

const withSops = (reply: Replies["GET /api/sops"], more: Replies = {}) =>
  fakeServer({ ...signedInReplies(), "GET /api/sops": reply, ...more });
/** Without those that ask for counts. */
const queries = (server: FakeServer) =>
  server.requestsFor("GET /api/sops").flatMap(({ query }) => (query["facets"] === undefined ? [query] : []));
const lastQuery = (server: FakeServer) => queries(server).at(-1);
const star = (title: string) => screen.findByRole("button", { name: `Favorite ${title}` });
const pressed = (button: HTMLElement) => button.getAttribute("aria-pressed");
/** A page of the list that updates with changed favorites. */
function starring(sops: ReturnType<typeof aSop>[]) {
  const server = withSops(({ query }: RecordedRequest) => ({
    data: query["favorite"] ? sops.filter(({ favorite }) => favorite) : sops,
  }));
  for (const sop of sops) {
    const set = (favorite: boolean) => () => Object.assign(sop, { favorite }) && { favorite };
    server.reply({
      [`PUT /api/sops/${sop.id}/favorite`]: set(true),
      [`DELETE /api/sops/${sop.id}/favorite`]: set(false),
    });
  }
  return server;
}

describe("Favorites", () => {
  it("has heading, search and filters, and asks for what is starred alone", async () => {
    const server = withSops({ data: [aSop({ title: "Evacuation", favorite: true })] });
    const { user } = showApp(server, "/favorites");
    await screen.findByRole("heading", { level: 1, name: "Favorites" });
    await screen.findByRole("link", { name: "Evacuation" });
    expect(document.title).toContain("Favorites");
    expect(queries(server)).toEqual([{ favorite: "true", limit: "24" }]);
    await user.type(screen.getByPlaceholderText("Search your favorite SOPs..."), "evac");
    await waitFor(() => expect(lastQuery(server)).toMatchObject({ favorite: "true", search: "evac" }));
    await user.click(screen.getByRole("button", { name: "Published" }));
    await waitFor(() => expect(lastQuery(server)).toMatchObject({ favorite: "true", status: "published" }));
  });

  it("counts each status among the favorites", async () => {
    const server = withSops(({ query }: RecordedRequest) => ({
      data: [aSop({ favorite: true })],
      ...(query["facets"] && query["favorite"] && { facets: facetsOf({ all: 3, published: 2 }) }),
    }));
    showApp(server, "/favorites");
    await screen.findByRole("button", { name: "All Status 3" });
    screen.getByRole("button", { name: "Published 2" });
  });

  it("says how to get some where there are none, and that filters match nothing", async () => {
    const { user } = showApp(withSops({ data: [] }), "/favorites");
    await screen.findByText("No favorites yet");
    expect(screen.getByText("Star SOPs to add them to your favorites for quick access")).toBeTruthy();
    expect(within(screen.getByRole("main")).getAllByRole("link", { name: "All SOPs" })).toHaveLength(1);
    expect(screen.queryByText("No SOPs found")).toBeNull();
    await user.type(screen.getByPlaceholderText("Search your favorite SOPs..."), "x");
    await screen.findByText("No matches. Try other filters.");
  });

  it("loads behind 6 cards, says when it failed, and brings more by cursor", async () => {
    showApp(
      withSops(() => new Promise(() => {})),
      "/favorites",
    );
    expect(await screen.findAllByTestId("sop-skeleton")).toHaveLength(6);
    resetBrowser();
    const server = withSops(new FakeRefusal("internal"));
    const { user } = showApp(server, "/favorites");
    await screen.findByText("Failed to load SOPs");
    const [first, second] = [aSop({ title: "First" }), aSop({ title: "Second" })];
    server.reply({
      "GET /api/sops": ({ query }: RecordedRequest) =>
        query["cursor"] ? { data: [second] } : { data: [first], nextCursor: "next" },
    });
    await user.click(screen.getByRole("button", { name: "Try Again" }));
    await user.click(await screen.findByRole("button", { name: "Load More SOPs" }));
    await screen.findByRole("link", { name: "Second" });
    expect(lastQuery(server)).toEqual({ favorite: "true", limit: "48", cursor: "next" });
  });

  it("loses the card with its star, keeps the keyboard's place, and brings it back", async () => {
    const sops = [aSop({ title: "One", favorite: true }), aSop({ title: "Two", favorite: true })];
    const { user } = showApp(starring(sops), "/favorites");
    await user.click(await star("One"));
    await waitFor(() => expect(screen.queryByRole("link", { name: "One" })).toBeNull());
    await screen.findByText("Removed from favorites");
    await waitFor(() => expect(document.activeElement).not.toBe(document.body));
    expect(document.activeElement?.contains(screen.getByRole("link", { name: "Two" }))).toBe(true);
    await user.click(screen.getByRole("button", { name: "Undo" }));
    await screen.findByRole("link", { name: "One" });
    await screen.findByText("Added to favorites");
  });
});

describe("a star", () => {
  it("shows at once, on cards and in rows, and is sent to the server", async () => {
    const sop = aSop({ title: "Evacuation" });
    const answer = Promise.withResolvers<unknown>();
    const server = withSops({ data: [sop] }, { [`PUT /api/sops/${sop.id}/favorite`]: () => answer.promise });
    const { user } = showApp(server, "/sops");
    expect(pressed(await star("Evacuation"))).toBe("false");
    await user.click(await star("Evacuation"));
    expect(pressed(await star("Evacuation"))).toBe("true");
    await user.click(screen.getByRole("button", { name: "Grid view" }));
    expect(pressed(await star("Evacuation"))).toBe("true");
    server.reply({ "GET /api/sops": { data: [{ ...sop, favorite: true }] } });
    answer.resolve({ favorite: true });
    await screen.findByText("Added to favorites");
    expect(pressed(await star("Evacuation"))).toBe("true");
    expect(server.requestsFor(`PUT /api/sops/${sop.id}/favorite`)).toHaveLength(1);
  });

  it("is taken back when the server refuses", async () => {
    const sop = aSop({ title: "Evacuation" });
    const refused = { [`PUT /api/sops/${sop.id}/favorite`]: new FakeRefusal("not_found", "") } as Replies;
    const { user } = showApp(withSops({ data: [sop] }, refused), "/sops");
    await user.click(await star("Evacuation"));
    await screen.findByText("Couldn't update favorites. Try again.");
    expect(pressed(await star("Evacuation"))).toBe("false");
  });

  it("is on the SOP's own screen too", async () => {
    const sop = { ...aSop({ title: "Evacuation" }), content: "<p>Go.</p>", markdown: "Go.", control: aControl() };
    const server = withSops({ data: [] }, { [`GET /api/sops/${sop.id}`]: sop });
    server.reply({
      [`PUT /api/sops/${sop.id}/favorite`]: () => Object.assign(sop, { favorite: true }) && { favorite: true },
      [`DELETE /api/sops/${sop.id}/favorite`]: () => Object.assign(sop, { favorite: false }) && { favorite: false },
    });
    const { user } = showApp(server, `/sop/${sop.id}`);
    const button = await screen.findByRole("button", { name: "Favorite" });
    expect(pressed(button)).toBe("false");
    await user.click(button);
    await screen.findByText("Added to favorites");
    expect(pressed(button)).toBe("true");
    await user.click(button);
    await screen.findByText("Removed from favorites");
    expect(pressed(button)).toBe("false");
  });

  it("set in another tab shows here", async () => {
    const sop = aSop({ title: "Evacuation" });
    const server = withSops({ data: [sop] });
    showApp(server, "/sops");
    await star("Evacuation");
    server.reply({ "GET /api/sops": { data: [{ ...sop, favorite: true }] } });
    act(() => FakeStream.opened[0]?.emit({ resources: ["sops"] }));
    await waitFor(async () => expect(pressed(await star("Evacuation"))).toBe("true"));
  });
});

describe("Recent", () => {
  it("has heading, search and a time range, which the server is asked for", async () => {
    const server = withSops({ data: [aSop({ title: "Evacuation" })] });
    const { user, address } = showApp(server, "/recent");
    await screen.findByRole("heading", { level: 1, name: "Recent" });
    await screen.findByRole("link", { name: "Evacuation" });
    const range = screen.getByRole<HTMLSelectElement>("combobox", { name: "Time range" });
    expect([...range.options].map(({ text }) => text)).toEqual([
      "Today",
      "Past Week",
      "Past Month",
      "Past Quarter",
      "All Time",
    ]);
    expect(range.selectedOptions[0]?.text).toBe("Past Week");
    expect(lastQuery(server)).toEqual({ recent: "week", limit: "24" });
    for (const [label, value] of [
      ["Today", "today"],
      ["Past Month", "month"],
      ["Past Quarter", "quarter"],
      ["All Time", "all"],
    ] as const) {
      await user.selectOptions(range, label);
      await waitFor(() => expect(lastQuery(server)).toEqual({ recent: value, limit: "24" }));
      expect(address()).toBe(`/recent?range=${value}`);
    }
    await user.selectOptions(range, "Past Week");
    expect(address()).toBe("/recent");
    await user.type(screen.getByPlaceholderText("Search your recent SOPs…"), "evac");
    await waitFor(() => expect(lastQuery(server)).toMatchObject({ recent: "week", search: "evac" }));
    expect(screen.queryByLabelText("Last Updated")).toBeNull();
  });

  it("takes the range from the address, and a nonsense one as the default", async () => {
    const server = withSops({ data: [] });
    showApp(server, "/recent?range=quarter");
    await screen.findByText("No recent activity");
    expect(lastQuery(server)).toMatchObject({ recent: "quarter" });
    resetBrowser();
    const other = withSops({ data: [] });
    showApp(other, "/recent?range=decade");
    await screen.findByText("No recent activity");
    expect(lastQuery(other)).toMatchObject({ recent: "week" });
  });

  it("is loaded again after an SOP was opened", async () => {
    const [one, two] = [aSop({ title: "One" }), aSop({ title: "Two" })];
    const open = { ...two, content: "<p>Go.</p>", markdown: "Go.", control: aControl() };
    const server = withSops({ data: [one, two] }, { [`GET /api/sops/${two.id}`]: open });
    const { user } = showApp(server, "/recent");
    await user.click(await screen.findByRole("link", { name: "Two" }));
    await screen.findByRole("heading", { level: 1, name: "Two" });
    server.reply({ "GET /api/sops": { data: [two, one] } });
    await user.click(
      within(screen.getByRole("navigation", { name: "Main navigation" })).getByRole("link", { name: "Recent" }),
    );
    await waitFor(() => {
      const titles = screen.getAllByRole("heading", { level: 3 }).map(({ textContent }) => textContent);
      expect(titles).toEqual(["Two", "One"]);
    });
  });
});
