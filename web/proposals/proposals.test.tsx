import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import { afterEach, expect, it } from "vitest";
import type { Proposal } from "#core/proposals/schema.ts";
import { fakeServer, FakeRefusal, signedInReplies, type Replies } from "../testing/fake-server.ts";
import { aUser } from "../testing/records.ts";
import { resetBrowser, showApp } from "../testing/render-app.tsx";

afterEach(resetBrowser);

const aProposal = (change: Partial<Proposal> = {}): Proposal => ({
  id: "01980000-0000-7000-8000-0000000000b1",
  number: 7,
  state: "open",
  kind: "text",
  source: "push",
  sop: { id: "0007", number: "SOP-0007", title: "Rinse the mill", version: 1 },
  isNew: false,
  title: "Rinse the old mill",
  path: "sops/a.md",
  baseVersion: 1,
  comment: "Once was not enough",
  author: { id: "x", name: "Bob" },
  createdAt: "2026-06-01T08:00:00.000Z",
  reason: null,
  decidedBy: null,
  decidedAt: null,
  version: null,
  supersededBy: null,
  mayDecide: true,
  mayDismiss: true,
  base: { version: 1, markdown: "Rinse it.\n\nDry it.\n" },
  current: { version: 1, markdown: "Rinse it.\n\nDry it.\n" },
  proposed: { markdown: "Rinse it twice.\n\nDry it.\n" },
  fields: [
    { key: "title", base: "Rinse the mill", current: "Rinse the mill", proposed: "Rinse the old mill", by: "proposed" },
  ],
  text: "",
  isCurrent: true,
  ...change,
});

function open(proposal: Proposal, replies: Partial<Replies> = {}, path = "/proposals/7") {
  const server = fakeServer({
    ...signedInReplies(),
    "GET /api/proposals/7": proposal,
    "GET /api/proposals": { data: [proposal] },
    ...replies,
  } as Replies);
  showApp(server, path);
  return server;
}
const button = (name: string | RegExp) => screen.findByRole("button", { name });
const pressed = async (name: string | RegExp) => fireEvent.click(await button(name));
const bodiesOf = (server: ReturnType<typeof open>, verb: string) =>
  server.requestsFor(`POST /api/proposals/${aProposal().id}/${verb}`).map(({ body }) => body);
const done = (verb: string): Partial<Replies> => ({
  [`POST /api/proposals/${aProposal().id}/${verb}` as keyof Replies]: aProposal(),
});

it("accepts a proposal as it is, with its changes marked", async () => {
  const server = open(aProposal(), done("accept"));
  expect(await screen.findByText("twice")).not.toBeNull();
  expect(screen.getByText("Once was not enough")).not.toBeNull();
  await pressed("Accept as draft");
  await waitFor(() => expect(bodiesOf(server, "accept")).toHaveLength(1));
});

it("asks to archive an SOP whose file was deleted, with its text and no other choice", async () => {
  const markdown = "Rinse it.\n";
  const archive = aProposal({ kind: "archive", fields: [], base: { version: 1, markdown }, proposed: { markdown } });
  const server = open(archive, done("accept"));
  expect(await screen.findByText(/The file of this SOP was deleted/)).not.toBeNull();
  expect(screen.getByText("Rinse it.")).not.toBeNull();
  await pressed("Archive SOP");
  await waitFor(() => expect(bodiesOf(server, "accept")).toHaveLength(1));
});

it("merges what was chosen, when a part of it is left out", async () => {
  const server = open(aProposal(), done("merge"));
  fireEvent.click(within(await screen.findByRole("group", { name: "Title" })).getByLabelText(/Now/));
  await pressed("Merge");
  await waitFor(() =>
    expect(bodiesOf(server, "merge")).toEqual([{ markdown: "Rinse it twice.\n\nDry it.\n", version: 1, fields: [] }]),
  );
});

it("waits for a choice where both changed the same text, and keeps what was changed since", async () => {
  const current = { version: 3, markdown: "Rinse it well.\n\nDry it with air.\n" };
  const server = open(aProposal({ current, isCurrent: false, fields: [] }), done("merge"));
  expect((await button("Merge")).hasAttribute("disabled")).toBe(true);
  const place = screen.getByRole("group", { name: /Changed in both/ });
  fireEvent.click(within(place).getByRole("button", { name: "Take proposed" }));
  await pressed("Merge");
  await waitFor(() =>
    expect(bodiesOf(server, "merge")).toEqual([
      { markdown: "Rinse it twice.\n\nDry it with air.\n", version: 3, fields: [] },
    ]),
  );
});

it("dismisses with a reason only, and shows a refusal", async () => {
  const server = open(aProposal());
  await pressed("Dismiss");
  const dialog = await screen.findByRole("dialog", { name: "Dismiss this proposal?" });
  const send = within(dialog).getByRole("button", { name: "Dismiss" });
  fireEvent.click(send);
  expect(await within(dialog).findByText("Enter a reason")).not.toBeNull();
  fireEvent.change(within(dialog).getByLabelText("Reason"), { target: { value: "Not now" } });
  server.reply({
    [`POST /api/proposals/${aProposal().id}/dismiss`]: new FakeRefusal("conflict", "This proposal is already closed"),
  } as Replies);
  fireEvent.click(send);
  expect(await within(dialog).findByText("This proposal is already closed")).not.toBeNull();
  expect(bodiesOf(server, "dismiss")).toEqual([{ reason: "Not now" }]);
});

it("offers its author no decision, and says what became of a closed one", async () => {
  const own = { author: { id: aUser().id, name: "Ann Archer" }, mayDecide: false };
  open(aProposal(own));
  await button("Dismiss");
  expect(screen.queryByRole("button", { name: "Accept as draft" })).toBeNull();
  resetBrowser();
  const decidedBy = { id: "y", name: "Ada" };
  open(aProposal({ ...own, mayDismiss: false, state: "dismissed", decidedBy, reason: "It is planned" }));
  expect(await screen.findByText(/Ada dismissed it/)).not.toBeNull();
  expect(screen.getByText("It is planned")).not.toBeNull();
  expect(screen.queryByRole("button", { name: "Dismiss" })).toBeNull();
});

it("lists what waits for me before my own, and has an entry in the menu only while there are any", async () => {
  const own = aProposal({ id: "own", number: 8, title: "Mine", mayDecide: false });
  const stats = { totalSOPs: 42, activeTeams: 2, pendingApproval: 0, aiSuggestions: 0, proposals: 2 };
  const data = [own, aProposal()];
  const server = open(aProposal(), { "GET /api/proposals": { data }, "GET /api/stats": stats }, "/proposals");
  const links = (await screen.findAllByRole("link", { name: /Rinse the old mill|Mine/ })).map(
    (link) => link.textContent,
  );
  expect(links).toEqual(["Rinse the old mill", "Mine"]);
  const menu = within(screen.getByRole("navigation", { name: "Main navigation" }));
  expect(menu.getByRole("link", { name: /Proposals/ }).textContent).toContain("2");
  server.reply({ "GET /api/stats": { ...stats, proposals: 0 } });
});

it("says that a proposal isn't there", async () => {
  open(aProposal(), { "GET /api/proposals/7": new FakeRefusal("not_found") });
  expect(await screen.findByText("Proposal not found")).not.toBeNull();
});
