/** The dialog is open, and another user ends the request: the typed comment is not lost silently. */
import { act, screen, waitFor, within } from "@testing-library/react";
import { afterEach, describe, expect, it } from "vitest";
import type { Approval } from "#core/approvals/schema.ts";
import type { Sop } from "#core/sops/schema.ts";
import { anApproval, anApprover } from "../testing/approval-records.ts";
import {
  fakeServer,
  FakeRefusal,
  signedInReplies,
  type RecordedRequest,
  type Replies,
} from "../testing/fake-server.ts";
import { aControl, aSop, aUser } from "../testing/records.ts";
import { FakeStream, resetBrowser, showApp } from "../testing/render-app.tsx";

afterEach(resetBrowser);

const id = "01980000-0000-7000-8000-00000000dddd";
const me = aUser();
const stored = (change: Partial<Sop> = {}): Sop => ({
  ...aSop({ id, title: "Open the kitchen", status: "under_review", version: 3, approvers: [me.id] }),
  content: "<p>One</p>",
  markdown: "One\n",
  control: aControl(),
  ...change,
});
const mine = (change: Partial<Approval> = {}): Approval =>
  anApproval({
    id: "r1",
    sopId: id,
    sop: { id, number: "SOP-0007", title: "Open the kitchen", version: 3, contentHash: "0" },
    mayDecide: true,
    approvers: [anApprover({ userId: me.id, name: me.name })],
    ...change,
  });
const resolvedAt = "2026-06-02T08:00:00.000Z";
const withdrawn = (): Approval =>
  mine({
    status: "rejected",
    outcome: "withdrawn",
    mayDecide: false,
    resolvedAt,
    endedBy: { id: "ben", name: "Ben Baker", comment: null },
  });
const decidedBy = (status: "approved" | "rejected", name = me.name): Approval =>
  mine({
    status,
    outcome: status,
    mayDecide: false,
    resolvedAt,
    approvers: [anApprover({ userId: name === me.name ? me.id : "cy", name, status, respondedAt: resolvedAt })],
  });

function open(path: string, replies: Partial<Replies> = {}) {
  const server = fakeServer({
    ...signedInReplies(),
    [`GET /api/sops/${id}`]: stored(),
    [`GET /api/sops/${id}/in-force`]: [],
    [`GET /api/sops/${id}/versions`]: [],
    "GET /api/approvals": [mine()],
    ...replies,
  } as Replies);
  return { server, ...showApp(server, path) };
}
const say = () =>
  act(() => FakeStream.opened[0]?.emit({ id: "7", resources: ["approvals", "sops", "stats"], sopId: id }));
/** As the list answers once the request is no longer pending. */
const ended = (request: Approval) => (requested: RecordedRequest) =>
  requested.query["status"] === "pending" ? [] : [request];

async function ask(user: ReturnType<typeof open>["user"], button: string, comment: string) {
  await user.click(await screen.findByRole("button", { name: button }));
  const dialog = within(await screen.findByRole("alertdialog"));
  await user.type(dialog.getByLabelText(/^Comment/), comment);
  return dialog;
}

describe("a question that is open on an SOP's page", () => {
  const path = `/sop/${id}`;
  it.each([
    ["withdrawn", withdrawn(), "This request has ended. Ben Baker withdrew it."],
    ["given by another", decidedBy("approved", "Cy Cole"), "This request has ended. Approved by Cy Cole."],
  ])("says how the request ended, keeps what was written, and sends nothing: %s", async (_how, request, text) => {
    const { user, server } = open(path);
    const dialog = await ask(user, "Request changes", "Name the valve in step 1");
    server.reply({ "GET /api/approvals": ended(request), [`GET /api/sops/${id}`]: stored({ status: "draft" }) });
    say();
    await dialog.findByText(text);
    expect(dialog.getByLabelText<HTMLTextAreaElement>(/^Comment/).value).toBe("Name the valve in step 1");
    expect(dialog.getByText("Not sent. Your comment is still here.")).toBeTruthy();
    const confirm = dialog.getByRole("button", { name: "Request changes" });
    expect(confirm.getAttribute("aria-disabled")).toBe("true");
    await user.click(confirm);
    await user.keyboard("{Control>}{Enter}{/Control}");
    expect(server.requestsFor("POST /api/approvals/r1/request-changes")).toEqual([]);
    await user.click(dialog.getByRole("button", { name: "Cancel" }));
    await waitFor(() => expect(screen.queryByRole("alertdialog")).toBeNull());
    expect(screen.queryByRole("button", { name: "Request changes" })).toBeNull();
  });

  it("closes as done where the same answer was stored, and only its own answer got lost", async () => {
    const lost = () => Promise.reject(new TypeError("Failed to fetch"));
    const { user, server } = open(path, { "POST /api/approvals/r1/approve": lost });
    const dialog = await ask(user, "Approve", "Clear");
    await user.click(dialog.getByRole("button", { name: "Approve" }));
    await dialog.findByText("The server didn't respond. Try again.");
    server.reply({
      "GET /api/approvals": ended(decidedBy("approved")),
      "POST /api/approvals/r1/approve": new FakeRefusal("conflict", "You already decided on this request"),
    });
    await user.click(dialog.getByRole("button", { name: "Approve" }));
    await screen.findByText("You have approved this SOP.");
    await waitFor(() => expect(screen.queryByRole("alertdialog")).toBeNull());
  });
});

describe("a question that is open on Pending Approval", () => {
  const path = `/pending?sop=${id}`;
  const bar = () => within(screen.getByRole("group", { name: "Your decision" }));
  async function askThere(user: ReturnType<typeof open>["user"], button: string, comment: string) {
    await user.type(await screen.findByRole("textbox", { name: "Comment" }), comment);
    await user.click(screen.getByRole("button", { name: button }));
    return screen.findByRole("button", { name: `${button}${button === "Request changes" ? " to" : ""} version 3` });
  }

  it.each([
    ["withdrawn", withdrawn(), "This request has ended. Ben Baker withdrew it."],
    ["given by another", decidedBy("approved", "Cy Cole"), "This request has ended. Approved by Cy Cole."],
  ])("says how the request ended, keeps what was written, and sends nothing: %s", async (_how, request, text) => {
    const { user, server } = open(path);
    await askThere(user, "Request changes", "Name the valve in step 1");
    server.reply({ "GET /api/approvals": ended(request), [`GET /api/sops/${id}`]: stored({ status: "draft" }) });
    say();
    await bar().findByText(text);
    expect(bar().getByText("Not sent. Your comment is still here.")).toBeTruthy();
    expect(bar().getByRole<HTMLTextAreaElement>("textbox").value).toBe("Name the valve in step 1");
    await user.keyboard("{Control>}{Enter}{/Control}{Enter}");
    expect(bar().queryByRole("button", { name: /version 3/ })).toBeNull();
    expect(server.requestsFor("POST /api/approvals/r1/request-changes")).toEqual([]);
    await user.click(bar().getByRole("button", { name: "Close" }));
    await waitFor(() => expect(screen.queryByRole("group", { name: "Your decision" })).toBeNull());
  });

  it("closes as done where the same answer was stored, and only its own answer got lost", async () => {
    const lost = () => Promise.reject(new TypeError("Failed to fetch"));
    const { user, server } = open(path, { "POST /api/approvals/r1/approve": lost });
    await user.click(await askThere(user, "Approve", "Clear"));
    await bar().findByText("The server didn't respond. Try again.");
    server.reply({
      "GET /api/approvals": ended(decidedBy("approved")),
      "POST /api/approvals/r1/approve": new FakeRefusal("conflict", "You already decided on this request"),
    });
    await user.click(bar().getByRole("button", { name: "Approve version 3" }));
    await screen.findByText("You have approved this SOP.");
    await waitFor(() => expect(screen.queryByRole("group", { name: "Your decision" })).toBeNull());
  });

  it("shows what was written where its SOP goes out of sight with it", async () => {
    const { user, server } = open(path);
    await askThere(user, "Reject", "Step 1 is missing");
    server.reply({ "GET /api/approvals": [], [`GET /api/sops/${id}`]: new FakeRefusal("not_found") });
    say();
    await screen.findByText("Your comment was not sent");
    expect(screen.getByText("Step 1 is missing")).toBeTruthy();
  });
});

describe("a question", () => {
  it("says so where its SOP goes out of sight with it", async () => {
    const { user, server } = open(`/sop/${id}`);
    await ask(user, "Reject", "Step 1 is missing");
    server.reply({
      "GET /api/approvals": new FakeRefusal("not_found"),
      [`GET /api/sops/${id}`]: new FakeRefusal("not_found"),
    });
    say();
    await screen.findByText("SOP Not Found");
    await screen.findByText("Nothing was sent");
    expect(screen.getByText("The request for Open the kitchen ended before you answered.")).toBeTruthy();
  });

  it("takes the second click of a double click for no second answer", async () => {
    const { user, server } = open(`/sop/${id}`, { "POST /api/approvals/r1/reject": decidedBy("rejected") });
    await user.click(await screen.findByRole("button", { name: "Reject" }));
    const dialog = within(await screen.findByRole("alertdialog"));
    await user.dblClick(dialog.getByRole("button", { name: "Reject" }));
    await dialog.findByText("Without a reason, the author won't know what to fix.");
    expect(server.requestsFor("POST /api/approvals/r1/reject")).toEqual([]);
    await user.click(dialog.getByRole("button", { name: "Reject without a reason" }));
    await screen.findByText("You have rejected this SOP.");
    expect(server.requestsFor("POST /api/approvals/r1/reject")).toHaveLength(1);
  });
});

describe("an approver who sees a draft only because of a request", () => {
  const viewer = { "GET /api/auth/me": { user: { ...me, role: "viewer" } } };
  const gone = { "GET /api/approvals": [], [`GET /api/sops/${id}`]: new FakeRefusal("not_found") };

  it("sees on Pending Approval what they did, not a hint to look up who did it", async () => {
    const { user, server } = open(`/pending?sop=${id}`, {
      ...viewer,
      "POST /api/approvals/r1/reject": decidedBy("rejected"),
    });
    await user.type(await screen.findByRole("textbox", { name: "Comment" }), "Step 1 is missing");
    await user.click(screen.getByRole("button", { name: "Reject" }));
    const confirm = await screen.findByRole("button", { name: "Reject version 3" });
    server.reply(gone as Partial<Replies> as Replies);
    await user.click(confirm);
    const details = within(await screen.findByRole("region", { name: "Approval details" }));
    await details.findByText("You have rejected this SOP.");
    expect(screen.queryByText("This request has ended")).toBeNull();
    expect(screen.queryByText("Nothing was sent")).toBeNull();
  });
});
