/** Choosing SOPs in a list, and changing all of them. */
import { screen, waitFor, within } from "@testing-library/react";
import { afterEach, describe, expect, it } from "vitest";
import { fakeServer, FakeRefusal, signedInReplies, type Replies } from "../../testing/fake-server.ts";
import { aSop, aUser } from "../../testing/records.ts";
import { resetBrowser, showApp } from "../../testing/render-app.tsx";

afterEach(resetBrowser);

const sops = ["Roast", "Grind", "Brew", "Clean"].map((title, at) =>
  aSop({ id: `s-${at}`, title, version: at + 1, status: at === 3 ? "under_review" : "draft", tags: ["café"] }),
);

async function openList(replies: Replies = {}, role: "manager" | "viewer" = "manager") {
  const server = fakeServer({
    ...signedInReplies(),
    "GET /api/auth/me": { user: aUser({ role }) },
    "GET /api/sops": { data: sops },
    "GET /api/users": [{ id: "u-9", name: "Cleo Crane", username: "cleo" }],
    ...replies,
  });
  const shown = showApp(server, "/sops");
  await screen.findByRole("link", { name: "Roast" });
  return { server, ...shown };
}

const bar = () => within(screen.getByRole("group", { name: "Selected SOPs" }));
const chosen = () =>
  screen.getAllByRole("checkbox", { checked: true }).map((box) => box.getAttribute("aria-label")?.slice(7));

describe("choosing", () => {
  it("works by x on the row the user is on, and Escape clears", async () => {
    const { user } = await openList();
    expect(screen.queryByRole("checkbox")).toBeNull();
    await user.keyboard("jxjjx");
    expect(chosen()).toEqual(["Roast", "Brew"]);
    await screen.findByText("2 selected");
    await user.keyboard("x");
    expect(chosen()).toEqual(["Roast"]);
    await user.keyboard("{Escape}");
    expect(screen.queryByRole("checkbox")).toBeNull();
    expect(document.activeElement?.textContent).toBe("Brew");
  });

  it("works by Shift+click, which takes all between, then by plain clicks", async () => {
    const { user, address } = await openList();
    await user.keyboard("{Shift>}");
    await user.click(screen.getByRole("link", { name: "Grind" }));
    await user.click(screen.getByRole("link", { name: "Clean" }));
    await user.keyboard("{/Shift}");
    expect(chosen()).toEqual(["Grind", "Brew", "Clean"]);
    await user.click(screen.getByRole("link", { name: "Brew" }));
    expect(chosen()).toEqual(["Grind", "Clean"]);
    expect(address()).toBe("/sops");
  });

  it("begins with a button, for fingers", async () => {
    const { user } = await openList();
    await user.click(await screen.findByRole("button", { name: "Select SOPs" }));
    await user.click(screen.getByRole("checkbox", { name: "Select Brew" }));
    await screen.findByText("1 selected");
    await user.click(bar().getByRole("button", { name: "Clear selection" }));
    expect(screen.queryByRole("checkbox")).toBeNull();
  });

  it("is not for readers, who can change nothing", async () => {
    const { user } = await openList({}, "viewer");
    await user.keyboard("jx");
    expect(screen.queryByRole("checkbox")).toBeNull();
    expect(screen.queryByRole("button", { name: "Select SOPs" })).toBeNull();
  });
});

describe("changing the chosen ones", () => {
  it("adds and removes tags, one request for each, without those under review", async () => {
    const { server, user } = await openList({ "PUT /api/sops/s-2": aSop(), "PUT /api/sops/s-1": aSop() });
    await user.keyboard("jjxjxjx");
    await screen.findByText("3 selected");
    await user.keyboard("t");
    const dialog = within(await screen.findByRole("dialog", { name: "Change tags of 2 SOPs" }));
    expect(dialog.getByText("1 SOP left out")).toBeTruthy();
    expect(dialog.getByRole("listitem").textContent).toBe("Clean: under review");
    await user.click(dialog.getByRole("button", { name: "Change 2 SOPs" }));
    await dialog.findByText("Choose a tag to add or remove");
    await user.type(dialog.getByLabelText("Add tags"), "bar, night");
    await user.click(dialog.getByRole("checkbox", { name: "café" }));
    await user.click(dialog.getByRole("button", { name: "Change 2 SOPs" }));
    await screen.findByText("Tags of 2 SOPs changed");
    const sent = ["s-1", "s-2"].flatMap((id) => server.requestsFor(`PUT /api/sops/${id}`));
    expect(sent.map(({ body, headers }) => [body, headers["if-match"]])).toEqual([
      [{ tags: ["bar", "night"] }, '"v2"'],
      [{ tags: ["bar", "night"] }, '"v3"'],
    ]);
    expect(screen.queryByRole("checkbox")).toBeNull();
  });

  it("gives them another owner", async () => {
    const { server, user } = await openList({ "PUT /api/sops/s-0": aSop() });
    await user.keyboard("jxo");
    const dialog = within(await screen.findByRole("dialog", { name: "Change owner of 1 SOP" }));
    await user.click(dialog.getByRole("button", { name: "Change 1 SOP" }));
    expect(await dialog.findAllByText("Choose an owner")).toHaveLength(2);
    expect(server.requestsFor("PUT /api/sops/s-0")).toEqual([]);
    await user.selectOptions(await dialog.findByLabelText("Owner"), "Cleo Crane (cleo)");
    await user.click(dialog.getByRole("button", { name: "Change 1 SOP" }));
    await screen.findByText("Owner of 1 SOP changed");
    expect(server.requestsFor("PUT /api/sops/s-0")[0]?.body).toEqual({ ownerId: "u-9" });
  });

  it("archives, names what other SOPs link to, lists failures by title and keeps them chosen", async () => {
    const link = { id: "other", number: "SOP-0009", title: "Open up", status: "draft", draftOnly: false };
    const { user } = await openList({
      "GET /api/sops/s-0/links": { data: [link], total: 1 },
      "GET /api/sops/s-1/links": { data: [{ ...link, id: "s-0" }], total: 1 },
      "POST /api/sops/s-0/archive": aSop(),
      "POST /api/sops/s-1/archive": new FakeRefusal("conflict", "It changed meanwhile"),
    });
    await user.keyboard("jxjxa");
    const dialog = within(await screen.findByRole("dialog", { name: "Archive 2 SOPs?" }));
    await dialog.findByText("Other SOPs link to these:");
    expect(dialog.getAllByRole("listitem").map(({ textContent }) => textContent)).toEqual(["Roast"]);
    await user.click(dialog.getByRole("button", { name: "Archive 2 SOPs" }));
    const failed = within(await screen.findByRole("dialog", { name: "Couldn't change 1 SOP" }));
    expect(failed.getByRole("listitem").textContent).toBe("Grind: It changed meanwhile");
    await screen.findByText("1 SOP archived");
    await user.click(failed.getAllByRole("button", { name: "Close" })[0] as HTMLElement);
    await waitFor(() => expect(chosen()).toEqual(["Grind"]));
  });
});
