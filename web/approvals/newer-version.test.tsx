/**
 * Another user saves while the Submit dialog is open: the dialog says so, and submits another version only by choice.
 */
import { act, screen, waitFor, within } from "@testing-library/react";
import { afterEach, describe, expect, it } from "vitest";
import type { Sop } from "#core/sops/schema.ts";
import { aChoice, anApproval } from "../testing/approval-records.ts";
import { fakeServer, FakeRefusal, signedInReplies, type Replies } from "../testing/fake-server.ts";
import { chooseAction } from "../testing/edit-screen.ts";
import { aControl, aSop } from "../testing/records.ts";
import { FakeStream, resetBrowser, showApp } from "../testing/render-app.tsx";

afterEach(resetBrowser);

const id = "01980000-0000-7000-8000-00000000ffff";
const ask = `POST /api/sops/${id}/request-approval` as const;
const get = `GET /api/sops/${id}` as const;
const stored = (change: Partial<Sop> = {}): Sop => ({
  ...aSop({ id, title: "Open the kitchen", status: "draft", version: 3 }),
  content: "<p>One</p>",
  markdown: "One\n",
  control: aControl(),
  ...change,
});
const newer = (change: Partial<Sop> = {}) =>
  stored({
    version: 4,
    title: "Open the big kitchen",
    content: "<p>Two</p>",
    markdown: "Two\n",
    control: aControl({ changedBy: { name: "Dora Dahl", at: "2026-06-01T08:00:00.000Z" } }),
    ...change,
  });
const cy = { id: "cy", name: "Cy Cole", username: "anyone", initials: "CC", role: "reviewer" as const, eligible: true };
const dora = {
  id: "dora",
  name: "Dora Dahl",
  username: "anyone",
  initials: "DD",
  role: "reviewer" as const,
  eligible: true,
};
const stale = (version = 4) => new FakeRefusal("stale", `Someone else saved version ${version}`, { version });

/** With the dialog open and Cy chosen. */
async function open(replies: Partial<Replies> = {}, path = `/sop/${id}`) {
  const server = fakeServer({
    ...signedInReplies(),
    [get]: stored(),
    [`GET /api/sops/${id}/versions`]: [],
    [`GET /api/sops/${id}/approvers`]: aChoice([cy, dora]),
    [`GET /api/sops/${id}/diff`]: {
      from: 3,
      to: 4,
      facts: [],
      blocks: [{ kind: "added", html: "<p>Two</p>" }],
      markdown: [],
    },
    "GET /api/approvals": [],
    [ask]: stale(),
    ...replies,
  } as Replies);
  const shown = showApp(server, path);
  // who may publish, too, finds it in the menu
  if (path.endsWith("/edit")) await chooseAction(shown.user, "Submit for Approval");
  else await shown.user.click(await screen.findByRole("button", { name: "Submit for Approval" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Submit for Approval" }));
  await shown.user.click(await dialog.findByRole("checkbox", { name: "Cy Cole" }));
  const submit = () => shown.user.click(dialog.getByRole("button", { name: "Submit for Approval" }));
  const requested = () => server.requestsFor(ask).map(({ headers, body }) => [headers["if-match"], body]);
  return { ...shown, server, dialog, submit, requested };
}
const say = () => act(() => FakeStream.opened[0]?.emit({ id: "7", resources: ["sops"], sopId: id }));

describe("a version that was saved under the Submit dialog", () => {
  it.each([
    ["an SOP's page", `/sop/${id}`],
    ["the edit screen", `/sop/${id}/edit`],
  ])("is shown in place once the server refuses the older one, and submitted by choice: %s", async (_where, path) => {
    const { user, server, dialog, submit, requested, address } = await open({}, path);
    await user.type(dialog.getByLabelText(/^Request note/), "Shorter");
    server.reply({ [get]: newer() });
    await submit();
    await dialog.findByText("Dora Dahl saved version 4");
    expect(
      dialog.getByText("Not submitted. There's a newer version than 3, and approvers decide on the newest."),
    ).toBeTruthy();
    // no advice that would not help
    expect(screen.queryByText("Failed to request approval. Please try again.")).toBeNull();
    expect(document.activeElement?.textContent).toContain("Dora Dahl saved version 4");
    expect(dialog.getByText("Open the kitchen, version 3")).toBeTruthy();

    await user.click(dialog.getByRole("button", { name: "See what changed" }));
    await waitFor(() => expect(dialog.getAllByText("Two").length).toBeGreaterThan(1));
    expect(server.requestsFor(`GET /api/sops/${id}/diff`)[0]?.query).toEqual({ from: "3", to: "4" });
    expect(requested()).toHaveLength(1);

    server.reply({ [ask]: anApproval({ sopId: id, version: 4 }) });
    await user.click(dialog.getByRole("button", { name: "Submit version 4 instead" }));
    await screen.findByText("Approval requested");
    const body = { requestNote: "Shorter", approverIds: ["cy"] };
    expect(requested()).toEqual([
      ['"v3"', body],
      ['"v4"', body],
    ]);
    await waitFor(() => expect(address()).toBe(`/sop/${id}`));
  });

  it("is shown as soon as it is known, and the earlier button never submits it", async () => {
    const { user, server, dialog, submit, requested } = await open();
    server.reply({ [get]: newer() });
    say();
    await dialog.findByText("Dora Dahl saved version 4");
    // the focus stays where the user works
    expect(document.activeElement?.textContent ?? "").not.toContain("Dora Dahl saved");
    await submit();
    expect(requested()).toEqual([]);
    expect(document.activeElement?.textContent).toContain("Dora Dahl saved version 4");
    server.reply({ [ask]: anApproval({ sopId: id, version: 4 }) });
    await user.click(dialog.getByRole("button", { name: "Submit version 4 instead" }));
    await screen.findByText("Approval requested");
    expect(requested()).toEqual([['"v4"', { approverIds: ["cy"] }]]);
  });

  it("may be followed by another one, and asks again", async () => {
    const { user, server, dialog, submit, requested } = await open();
    server.reply({ [get]: newer() });
    await submit();
    await dialog.findByText("Dora Dahl saved version 4");
    server.reply({ [ask]: stale(5), [get]: newer({ version: 5 }) });
    await user.click(dialog.getByRole("button", { name: "Submit version 4 instead" }));
    await dialog.findByText("Dora Dahl saved version 5");
    expect(requested().map(([version]) => version)).toEqual(['"v3"', '"v4"']);
    expect(dialog.queryByRole("button", { name: "Submit version 4 instead" })).toBeNull();
  });

  it("takes its writer from those who decide", async () => {
    const { user, server, dialog, submit, requested } = await open();
    await user.click(dialog.getByRole("checkbox", { name: "Dora Dahl" }));
    await dialog.findByText("2 selected");
    server.reply({
      [get]: newer(),
      [`GET /api/sops/${id}/approvers`]: aChoice([cy, { ...dora, eligible: false, reason: "writer" as const }]),
    });
    await submit();
    await dialog.findByText("Wrote part of this draft");
    await dialog.findByText("1 selected");
    server.reply({ [ask]: anApproval({ sopId: id, version: 4 }) });
    await user.click(dialog.getByRole("button", { name: "Submit version 4 instead" }));
    await screen.findByText("Approval requested");
    expect(requested()[1]).toEqual(['"v4"', { approverIds: ["cy"] }]);
  });

  it.each([
    ["published" as const, "Version 4 is published, so there's nothing to submit."],
    ["archived" as const, "Version 4 is archived, so there's nothing to submit."],
    ["under_review" as const, "Version 4 is under review, so there's nothing to submit."],
  ])("is not offered where it is %s", async (status, text) => {
    const { server, dialog, submit } = await open();
    server.reply({ [get]: newer({ status }) });
    await submit();
    await dialog.findByText("Dora Dahl saved version 4");
    expect(dialog.getByText(text)).toBeTruthy();
    expect(dialog.queryByRole("button", { name: /instead$/ })).toBeNull();
  });

  it("shows the server's words when it can't be read", async () => {
    const { server, dialog, submit, requested } = await open();
    server.reply({ [get]: new FakeRefusal("internal") });
    await submit();
    await dialog.findByText("Someone else saved version 4");
    expect(dialog.queryByRole("button", { name: /instead$/ })).toBeNull();
    server.reply({ [get]: newer() });
    await submit();
    await dialog.findByText("Dora Dahl saved version 4");
    expect(dialog.queryByText("Someone else saved version 4")).toBeNull();
    expect(requested()).toHaveLength(2);
  });
});

describe("the Submit dialog", () => {
  it("reads who can approve each time it opens", async () => {
    const { user, server, dialog } = await open();
    await user.click(dialog.getByRole("button", { name: "Cancel" }));
    server.reply({
      [`GET /api/sops/${id}/approvers`]: aChoice([cy, { ...dora, eligible: false, reason: "writer" as const }]),
    });
    await user.click(await screen.findByRole("button", { name: "Submit for Approval" }));
    await screen.findByText("Wrote part of this draft");
  });

  it("stays, with what was written, when the SOP is published under it", async () => {
    const { user, server, dialog } = await open();
    await user.type(dialog.getByLabelText(/^Request note/), "Shorter");
    server.reply({ [get]: stored({ status: "published", published: { version: 3, effectiveAt: null } }) });
    say();
    await dialog.findByText("Version 3 is published, so there's nothing to submit.");
    expect(dialog.getByLabelText<HTMLTextAreaElement>(/^Request note/).value).toBe("Shorter");
    expect(dialog.getByRole<HTMLButtonElement>("button", { name: "Submit for Approval" }).disabled).toBe(true);
  });
});
