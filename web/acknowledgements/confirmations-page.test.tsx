import { screen, waitFor, within } from "@testing-library/react";
import { afterEach, expect, it } from "vitest";
import type { AcknowledgementOverview, OverviewPerson } from "#core/acknowledgements/overview-schema.ts";
import { fakeServer, signedInReplies, type Replies } from "../testing/fake-server.ts";
import { aUser } from "../testing/records.ts";
import { resetBrowser, showApp } from "../testing/render-app.tsx";

afterEach(resetBrowser);

const [ovenId, pressId] = ["01980000-0000-7000-8000-00000000000a", "01980000-0000-7000-8000-00000000000b"];
const team = { id: "01980000-0000-7000-8000-00000000000c", name: "Bakery" };
const person = (name: string, change: Partial<OverviewPerson> = {}): OverviewPerson => ({
  user: { id: `user-${name}`, name, initials: name.slice(0, 2).toUpperCase() },
  team,
  late: 0,
  due: 0,
  reminded: false,
  readings: [],
  ...change,
});
const rita = person("Rita Reader", {
  late: 1,
  readings: [
    { sopId: ovenId, state: "overdue", dueBy: "2026-06-03", confirmed: { version: 1, at: "2026-01-02T12:00:00.000Z" } },
    { sopId: pressId, state: "confirmed", dueBy: null, confirmed: { version: 2, at: "2026-05-02T12:00:00.000Z" } },
  ],
});
const otto = person("Otto Other", {
  due: 1,
  readings: [{ sopId: pressId, state: "open", dueBy: "2026-12-06", confirmed: null }],
});
const overview = (change: Partial<AcknowledgementOverview> = {}): AcknowledgementOverview => ({
  counts: { late: 1, due: 1, dueBy: "2026-12-06", toRemind: 1 },
  sops: [
    { id: ovenId, number: "SOP-0002", title: "Oven", version: 3 },
    { id: pressId, number: "SOP-0001", title: "Press", version: 2 },
  ],
  moreSops: 0,
  people: [rita, otto],
  ...change,
});

function openPage(more: Replies = {}) {
  const server = fakeServer({
    ...signedInReplies(),
    "GET /api/auth/me": { user: aUser({ role: "manager" }) },
    "GET /api/acknowledgements/overview": overview(),
    "GET /api/teams": [],
    "POST /api/acknowledgements/remind": { reminded: 1, already: 0 },
    ...more,
  });
  return { server, ...showApp(server, "/confirmations") };
}
const table = () => screen.findByRole("table", { name: "People and the SOPs they must confirm" });
const cell = async (name: string) => within(await table()).getByRole("button", { name });

it("says how many are overdue, and reminds the late people at once", async () => {
  const { user, server } = openPage();
  await screen.findByRole("heading", { level: 1, name: "1 confirmation is overdue" });
  screen.getByText("1 more due by Dec 6");
  server.reply({
    "GET /api/acknowledgements/overview": overview({ counts: { late: 1, due: 1, dueBy: "2026-12-06", toRemind: 0 } }),
  });
  await user.click(screen.getByRole("button", { name: "Remind 1 person" }));
  await screen.findByText("1 person reminded");
  expect(server.requestsFor("POST /api/acknowledgements/remind").map(({ body }) => body)).toEqual([{}]);
  await waitFor(() => expect(screen.queryByRole("button", { name: "Remind 1 person" })).toBeNull());
});

it("shows each person's row under the team; arrows move between cells, and Enter opens one", async () => {
  const { user, server } = openPage();
  const rows = within(await table()).getAllByRole("row");
  expect(rows.map((row) => row.textContent)).toEqual([
    "PersonOpenOvenPress",
    "Bakery",
    expect.stringContaining("Rita Reader1 overdueOverdue"),
    expect.stringContaining("Otto Other1 dueNot asked"),
  ]);
  (await cell("Overdue, Rita Reader, Oven")).focus();
  await user.keyboard("{ArrowRight}");
  expect(document.activeElement).toBe(await cell("read, Rita Reader, Press"));
  await user.keyboard("{ArrowDown}{ArrowLeft}{ArrowLeft}");
  expect(document.activeElement).toBe(await cell("Not asked, Otto Other, Oven"));
  await user.keyboard("{ArrowUp}{Enter}");
  const dialog = within(await screen.findByRole("dialog", { name: "Rita Reader" }));
  dialog.getByText("Overdue. It was due Jun 3, 2026.");
  dialog.getByText("Confirmed an earlier version (1) on Jan 2, 2026.");
  await user.click(dialog.getByRole("button", { name: "Remind" }));
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  expect(server.requestsFor("POST /api/acknowledgements/remind")[0]?.body).toEqual({
    userIds: ["user-Rita Reader"],
    sopId: ovenId,
  });
});

it("filters by the address, and the file has the same filters", async () => {
  const { user, server, address } = openPage();
  await table();
  await user.click(within(screen.getByRole("group", { name: "Show" })).getByRole("button", { name: /^Overdue/ }));
  await waitFor(() => expect(address()).toContain("show=late"));
  expect(screen.getByRole("link", { name: "Export CSV" }).getAttribute("href")).toBe(
    "/api/acknowledgements/overview/export?show=late",
  );
  expect(server.requestsFor("GET /api/acknowledgements/overview").at(-1)?.query).toMatchObject({ show: "late" });
});

it("searches people and SOPs from the top bar, and reminds only those found", async () => {
  const { user, server, address } = openPage();
  await table();
  await user.type(screen.getByRole("searchbox", { name: "Search people or SOPs…" }), "rita");
  await waitFor(() => expect(address()).toBe("/confirmations?search=rita"));
  await waitFor(() =>
    expect(server.requestsFor("GET /api/acknowledgements/overview").at(-1)?.query).toMatchObject({ search: "rita" }),
  );
  await user.click(screen.getByRole("button", { name: "Remind 1 person" }));
  await screen.findByText("1 person reminded");
  expect(server.requestsFor("POST /api/acknowledgements/remind").map(({ body }) => body)).toEqual([{ search: "rita" }]);
});

it("lists people with open confirmations for phones, each with a reminder", async () => {
  openPage({
    "GET /api/acknowledgements/overview": overview({ people: [rita, { ...otto, reminded: true }, person("Done Dan")] }),
  });
  const section = within(await screen.findByRole("region", { name: "Still to read" }));
  expect(section.getAllByRole("listitem")).toHaveLength(2);
  section.getByRole("button", { name: "Remind Rita Reader" });
  section.getByText("Reminded today");
});

it("names what is overdue first, for phones", async () => {
  const readings = [
    { sopId: pressId, state: "open", dueBy: "2026-12-06", confirmed: null },
    { sopId: ovenId, state: "overdue", dueBy: "2026-06-03", confirmed: null },
  ] as const;
  openPage({
    "GET /api/acknowledgements/overview": overview({
      people: [person("Rita Reader", { late: 1, due: 1, readings: [...readings] })],
    }),
  });
  const section = within(await screen.findByRole("region", { name: "Still to read" }));
  expect(section.getByRole("listitem").textContent).toContain("Oven overdue, Press Dec 6");
});

it("offers to ask when no one has to confirm", async () => {
  openPage({
    "GET /api/acknowledgements/overview": overview({
      people: [],
      sops: [],
      counts: { late: 0, due: 0, dueBy: null, toRemind: 0 },
    }),
  });
  await screen.findByText("No one has to confirm an SOP yet");
  screen.getByRole("button", { name: "Ask to read" });
});
