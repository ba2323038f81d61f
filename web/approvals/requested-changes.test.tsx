import { screen, waitFor, within } from "@testing-library/react";
import { afterEach, expect, it } from "vitest";
import type { Role } from "#core/permissions/roles.ts";
import type { Approval } from "#core/approvals/schema.ts";
import { anApproval, anApprover } from "../testing/approval-records.ts";
import { fakeServer, signedInReplies, type Replies } from "../testing/fake-server.ts";
import { aControl, aSop, aUser } from "../testing/records.ts";
import { resetBrowser, showApp } from "../testing/render-app.tsx";

afterEach(resetBrowser);

const id = "01980000-0000-7000-8000-00000000eeee";
const respondedAt = "2026-06-02T08:00:00.000Z";
const wish = (change: Partial<Approval> = {}): Approval =>
  anApproval({
    sopId: id,
    status: "rejected",
    outcome: "changes_requested",
    resolvedAt: respondedAt,
    approvers: [anApprover({ name: "Inês Carvalho", status: "rejected", comment: "Name the valve", respondedAt })],
    ...change,
  });

function edit(requests: Approval[], role: Role = "manager", path = "/edit") {
  const sop = { ...aSop({ id, status: "draft", version: 3 }), content: "", markdown: "One\n", control: aControl() };
  const server = fakeServer({
    ...signedInReplies(),
    "GET /api/auth/me": { user: aUser({ role }) },
    [`GET /api/sops/${id}`]: sop,
    "GET /api/approvals": requests,
    "GET /api/categories": [],
    "GET /api/users": [],
    "GET /api/teams": [],
  } as Replies);
  return { server, ...showApp(server, `/sop/${id}${path}`) };
}

it("shows the requested changes above a returned draft", async () => {
  edit([wish()]);
  const summary = await screen.findByText("Inês Carvalho requested changes");
  const box = summary.closest("details") as HTMLDetailsElement;
  expect(box.open).toBe(true);
  expect(within(box).getByText("“Name the valve”")).toBeTruthy();
  expect(
    within(box)
      .getByText(/^Version 3,/)
      .querySelector("time")?.dateTime,
  ).toBe(respondedAt);
});

it("shows the requested changes above the text too, to people who can edit it", async () => {
  edit([wish()], "manager", "");
  const words = await screen.findByText("“Name the valve”", { selector: "details blockquote" });
  const panel = await screen.findByRole("heading", { name: "Approval" });
  expect(words.compareDocumentPosition(panel) & Node.DOCUMENT_POSITION_FOLLOWING).toBeTruthy();
});

it("who reads along sees the wish in the timeline alone", async () => {
  edit([wish()], "reviewer", "");
  await screen.findByText("Inês Carvalho requested changes");
  expect(screen.queryByText("“Name the valve”", { selector: "details blockquote" })).toBeNull();
});

it.each([
  ["what was approved since", [wish({ status: "approved", outcome: "approved" }), wish()]],
  [
    "a rejection without words",
    [wish({ outcome: "rejected", approvers: [anApprover({ name: "Inês", status: "rejected", respondedAt })] })],
  ],
])("shows nothing there of %s", async (_, requests) => {
  const { server } = edit(requests);
  await screen.findByLabelText(/^Title/);
  await waitFor(() => expect(server.requestsFor("GET /api/approvals").length).toBeGreaterThan(0));
  await screen.findByRole("button", { name: "Publish or submit…" });
  expect(screen.queryByText(/requested changes|rejected/)).toBeNull();
});
