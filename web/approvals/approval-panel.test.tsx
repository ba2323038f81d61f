import { act, screen, waitFor, within } from "@testing-library/react";
import { afterEach, describe, expect, it } from "vitest";
import type { Role } from "#core/permissions/roles.ts";
import type { Approval, ApproverCandidate } from "#core/approvals/schema.ts";
import type { Sop } from "#core/sops/schema.ts";
import { aChoice, anApproval, anApprover } from "../testing/approval-records.ts";
import { fakeServer, FakeRefusal, signedInReplies, type Replies } from "../testing/fake-server.ts";
import { aControl, aSop, aUser } from "../testing/records.ts";
import { FakeStream, resetBrowser, showApp } from "../testing/render-app.tsx";

afterEach(resetBrowser);

const id = "01980000-0000-7000-8000-00000000eeee";
const me = aUser().id;
const stored = (change: Partial<Sop> = {}): Sop => ({
  ...aSop({ id, title: "Open the kitchen", status: "draft", version: 3 }),
  content: "<p>One</p>",
  markdown: "One\n",
  control: aControl(),
  ...change,
});
const person = (userId: string, name: string, initials: string, role: Role): ApproverCandidate => {
  return { id: userId, name, username: userId, initials, role, eligible: true };
};
const candidates: ApproverCandidate[] = [
  { ...person(me, "Ann Archer", "AA", "manager"), eligible: false, reason: "requester" },
  { ...person("ben", "Ben Baker", "BB", "editor"), eligible: false, reason: "writer" },
  person("cy", "Cy Cole", "CC", "viewer"),
  person("dora", "Dora Dahl", "DD", "reviewer"),
  { ...person("eve", "Eve Evans", "EE", "viewer"), eligible: false, reason: "no_right" },
];

interface Shown {
  sop?: Partial<Sop>;
  requests?: Approval[] | FakeRefusal;
  role?: Role;
  replies?: Partial<Replies>;
}

function open({ sop, requests = [], role = "manager", replies = {} }: Shown = {}) {
  const server = fakeServer({
    ...signedInReplies(),
    "GET /api/auth/me": { user: aUser({ role }) },
    [`GET /api/sops/${id}`]: stored(sop),
    [`GET /api/sops/${id}/versions`]: [],
    [`GET /api/sops/${id}/approvers`]: aChoice(candidates),
    "GET /api/approvals": requests,
    ...replies,
  } as Replies);
  return { server, ...showApp(server, `/sop/${id}`) };
}

const panel = () => screen.findByRole("region", { name: "Approval" });
const mine = (change: Partial<Approval> = {}) =>
  anApproval({
    id: "r1",
    sopId: id,
    mayDecide: true,
    approvers: [anApprover({ userId: me, name: "Ann Archer" })],
    ...change,
  });
const underReview: Partial<Sop> = { status: "under_review", approvers: [me] };

describe("asking for approval", () => {
  const rule = { kind: "n_of_m", count: 2 } as const;

  it("shows the category's rule first, and submits once enough people are chosen", async () => {
    const choice = aChoice(candidates, { rule, category: "Safety Protocols", approversNeeded: 2 });
    const { user } = open({ replies: { [`GET /api/sops/${id}/approvers`]: choice } });
    await user.click(await within(await panel()).findByRole("button", { name: "Submit for Approval" }));
    const dialog = within(await screen.findByRole("dialog", { name: "Submit for Approval" }));
    await dialog.findByText("Rule of Safety Protocols: 2 approvals are needed.");
    const submit = dialog.getByRole<HTMLButtonElement>("button", { name: "Submit for Approval" });
    await user.click(dialog.getByRole("checkbox", { name: "Cy Cole" }));
    expect(dialog.getByText("1 selected. The rule needs 2 approvers. Name 1 more.")).toBeTruthy();
    expect(submit.disabled).toBe(true);
    await user.click(dialog.getByRole("checkbox", { name: "Dora Dahl" }));
    expect(dialog.getByText("2 selected")).toBeTruthy();
    expect(submit.disabled).toBe(false);
  });

  it("says who can change the rule where the company has too few people for it", async () => {
    const one = candidates.filter(({ name }) => name !== "Dora Dahl");
    const choice = aChoice(one, { rule, category: "Safety Protocols", approversNeeded: 2 });
    const { user } = open({ replies: { [`GET /api/sops/${id}/approvers`]: choice } });
    await user.click(await within(await panel()).findByRole("button", { name: "Submit for Approval" }));
    const dialog = within(await screen.findByRole("dialog", { name: "Submit for Approval" }));
    const only = "The rule needs 2 approvers, but only 1 person can approve this SOP.";
    expect(
      await dialog.findByText(new RegExp(`^${only} A manager can change the rule of Safety Protocols`)),
    ).toBeTruthy();
    expect(dialog.getByText(/Administrators can invite people\.$/)).toBeTruthy();
    expect(dialog.queryByRole("button", { name: "Invite people" })).toBeNull();
  });

  const filled = () =>
    screen
      .getAllByRole("button")
      .filter(({ className }) => / bg-primary /.test(` ${className} `))
      .map(({ textContent }) => textContent);

  it.each([
    ["someone can approve", aChoice(candidates), ["Submit for Approval"]],
    ["no one can approve", aChoice([]), ["Publish…"]],
    ["too few can approve", aChoice(candidates, { approversNeeded: 3 }), ["Publish…"]],
    ["there is no approval", new FakeRefusal("unavailable"), ["Publish…"]],
  ])("has one filled button for those who may also publish, where %s", async (_, choice, shown) => {
    open({ replies: { [`GET /api/sops/${id}/approvers`]: choice } });
    await screen.findByRole("button", { name: "Publish…" });
    await within(await panel()).findByRole("button", { name: "Submit for Approval" });
    await waitFor(() => expect(filled()).toEqual(shown));
  });

  it.each([
    ["editors", "editor", "flexible"],
    ["managers of a strict company", "manager", "strict"],
  ] as const)("is the filled button for %s", async (_, role, documentControl) => {
    const user = aUser({ role });
    const replies = { "GET /api/auth/me": { user: { ...user, company: { ...user.company, documentControl } } } };
    open({ replies: replies as Partial<Replies> });
    await within(await panel()).findByRole("button", { name: "Submit for Approval" });
    expect(filled()).toEqual(["Submit for Approval"]);
    expect(screen.queryByRole("button", { name: "Publish…" })).toBeNull();
  });

  it("lets administrators without approvers invite one in place, and goes on where they were", async () => {
    const alone = candidates.filter(({ name }) => name === "Ann Archer");
    const link = {
      id: "i1",
      role: "reviewer",
      email: null,
      link: "/invite/secret",
      invitedBy: me,
      invitedByName: "Ann Archer",
      createdAt: "2026-01-05T10:00:00.000Z",
      expiresAt: "2026-01-12T10:00:00.000Z",
      usedAt: null,
      usedBy: null,
      usedByName: null,
      revokedAt: null,
      state: "pending",
    };
    const { user, address, server } = open({
      role: "company_admin",
      replies: { [`GET /api/sops/${id}/approvers`]: aChoice(alone), "POST /api/company/invitations": link },
    });
    await user.click(await within(await panel()).findByRole("button", { name: "Submit for Approval" }));
    const dialog = within(await screen.findByRole("dialog", { name: "Submit for Approval" }));
    await dialog.findByText("No one else can approve this SOP.");
    expect(dialog.getByRole("link", { name: "Approval settings" }).getAttribute("href")).toBe(
      "/admin/company/publishing",
    );
    await user.type(dialog.getByLabelText(/^Request note/), "Please look");
    const invite = async () => {
      await user.click(dialog.getByRole("button", { name: "Invite people", hidden: true }));
      const asked = within(await screen.findByRole("dialog", { name: "Invite people" }));
      expect(asked.getByLabelText<HTMLSelectElement>("Role").value).toBe("reviewer");
      expect(asked.getByText("Reads SOPs under review, and approves.")).toBeTruthy();
      server.reply({ "GET /api/company/invitations": { data: [link], nextCursor: null } } as Partial<Replies>);
      await user.click(asked.getByRole("button", { name: "Create Link" }));
      return screen.findByRole("dialog", { name: "Invitation link" });
    };
    const done = async (links: HTMLElement) => {
      await user.click(within(links).getByRole("button", { name: "Done" }));
      await waitFor(() => expect(links.isConnected).toBe(false));
    };
    await done(await invite());
    expect(await dialog.findByText("1 invited person can approve once they have joined.")).toBeTruthy();
    expect(dialog.queryByText(/^No one else can approve/)).toBeNull();
    const links = await invite();
    // the first one joined
    server.reply({ [`GET /api/sops/${id}/approvers`]: aChoice(candidates) });
    await done(links);
    expect(await dialog.findByRole("checkbox", { name: "Dora Dahl" })).toBeTruthy();
    expect(dialog.queryByText(/once they have joined/)).toBeNull();
    expect(address()).toBe(`/sop/${id}`);
    expect(dialog.getByLabelText<HTMLTextAreaElement>(/^Request note/).value).toBe("Please look");
  });

  it("names who was invited as an approver, and no one invited to read", async () => {
    const invited = (email: string, role: Role, state = "pending") => ({ id: email, email, role, state });
    open({
      role: "admin",
      replies: {
        [`GET /api/sops/${id}/approvers`]: aChoice([]),
        "GET /api/company/invitations": {
          data: [
            invited("late@acme.test", "reviewer", "expired"),
            invited("reader@acme.test", "viewer"),
            invited("jo@acme.test", "reviewer"),
            invited("kim@acme.test", "manager"),
          ],
          nextCursor: null,
        },
      } as Partial<Replies>,
    });
    (await within(await panel()).findByRole("button", { name: "Submit for Approval" })).click();
    const dialog = within(await screen.findByRole("dialog", { name: "Submit for Approval" }));
    await dialog.findByText("jo@acme.test and 1 invited person can approve once they have joined.");
    // only company admins change them
    expect(dialog.queryByRole("link", { name: "Approval settings" })).toBeNull();
  });

  it("has chosen the only person who can approve", async () => {
    const one = candidates.filter(({ name }) => name !== "Cy Cole");
    const { user } = open({ replies: { [`GET /api/sops/${id}/approvers`]: aChoice(one) } });
    await user.click(await within(await panel()).findByRole("button", { name: "Submit for Approval" }));
    const dialog = within(await screen.findByRole("dialog", { name: "Submit for Approval" }));
    const dora = await dialog.findByRole<HTMLInputElement>("checkbox", { name: "Dora Dahl" });
    expect(dora.checked).toBe(true);
    expect(dialog.getByRole<HTMLButtonElement>("button", { name: "Submit for Approval" }).disabled).toBe(false);
    await user.click(dora);
    expect(dora.checked).toBe(false);
  });

  it.each([
    ["the server tells of a new user", () => void FakeStream.opened[0]?.emit({ id: "4", resources: ["users"] })],
    ["the page is shown again", () => void window.dispatchEvent(new Event("visibilitychange"))],
  ])("offers new people to choose when %s", async (_, happens) => {
    const { user, server } = open({ replies: { [`GET /api/sops/${id}/approvers`]: aChoice([]) } });
    await user.click(await within(await panel()).findByRole("button", { name: "Submit for Approval" }));
    const dialog = within(await screen.findByRole("dialog", { name: "Submit for Approval" }));
    await dialog.findByText(/^No one else can approve/);
    server.reply({ [`GET /api/sops/${id}/approvers`]: aChoice(candidates) });
    act(happens);
    await dialog.findByRole("checkbox", { name: "Dora Dahl" });
    expect(dialog.queryByText(/^No one else can approve/)).toBeNull();
  });

  it("offers the people who can approve, says why authors can't, and sends note and approvers", async () => {
    const { user, server } = open({
      replies: { [`POST /api/sops/${id}/request-approval`]: anApproval({ sopId: id }) },
    });
    await user.click(await within(await panel()).findByRole("button", { name: "Submit for Approval" }));
    const dialog = await screen.findByRole("dialog", { name: "Submit for Approval" });
    const cy = await within(dialog).findByRole<HTMLInputElement>("checkbox", { name: "Cy Cole" });
    const disabled = (name: string) => within(dialog).getByRole<HTMLInputElement>("checkbox", { name }).disabled;
    expect(["Ann Archer", "Ben Baker", "Dora Dahl"].map(disabled)).toEqual([true, true, false]);
    for (const text of ["Asks for approval", "Wrote part of this draft"])
      expect(within(dialog).getByText(text)).toBeTruthy();
    expect(within(dialog).queryByText("Eve Evans")).toBeNull();
    expect(within(dialog).getByText("Company rule: everyone you choose must approve.")).toBeTruthy();
    const submit = within(dialog).getByRole<HTMLButtonElement>("button", { name: "Submit for Approval" });
    expect(submit.disabled).toBe(true);
    expect(within(dialog).getByText("Select at least one approver.")).toBeTruthy();
    await user.click(cy);
    expect(submit.disabled).toBe(false);
    await user.click(cy);
    expect(submit.disabled).toBe(true);
    await user.click(cy);
    await user.click(within(dialog).getByRole("checkbox", { name: "Dora Dahl" }));
    await user.type(within(dialog).getByLabelText(/^Request note/), " Shorter now ");
    server.reply({
      [`GET /api/sops/${id}`]: stored({ status: "under_review" }),
      "GET /api/approvals": [anApproval({ sopId: id, requestNote: "Shorter now" })],
    });
    await user.click(submit);
    await screen.findByText("Approval requested");
    expect(screen.getByText("The SOP has been submitted for approval.")).toBeTruthy();
    const [requested] = server.requestsFor(`POST /api/sops/${id}/request-approval`);
    expect(requested?.body).toEqual({ requestNote: "Shorter now", approverIds: ["cy", "dora"] });
    expect(requested?.headers["if-match"]).toBe('"v3"');
    const approval = within(await panel());
    await approval.findByText("One approval is needed");
    // the page's heading says it
    expect(approval.queryByText("Under Review")).toBeNull();
    expect(screen.getAllByText("Under Review").length).toBeGreaterThan(0);
    expect(within(await panel()).queryByRole("button", { name: "Submit for Approval" })).toBeNull();
  });

  it("says what the checks find in the version, and what stops it, without waiting for it; of a clean text nothing", async () => {
    const at = { line: 1, column: 1, endLine: 1, endColumn: 4, message: "Say what to open" };
    const found = [
      { ...at, rule: "text/placeholder", severity: "error", stops: true },
      { ...at, rule: "struct/sections", severity: "error", stops: false },
      { ...at, rule: "step/vague", severity: "warning", stops: false },
    ];
    let answer = (): void => {};
    const waits = new Promise<void>((resolve) => (answer = resolve));
    const check = async () => {
      await waits;
      return { findings: found, more: 0 };
    };
    const { user, server, address } = open({
      sop: { description: "How it opens.", reviewBy: "2027-01-01" },
      replies: { "POST /api/sops/check": check } as Partial<Replies>,
    });
    const ask = async () => {
      await user.click(await within(await panel()).findByRole("button", { name: "Submit for Approval" }));
      return within(await screen.findByRole("dialog", { name: "Submit for Approval" }));
    };
    const dialog = await ask();
    await user.click(await dialog.findByRole("checkbox", { name: "Cy Cole" }));
    expect(dialog.getByRole<HTMLButtonElement>("button", { name: "Submit for Approval" }).disabled).toBe(false);
    expect(dialog.queryByText(/blocks publishing/)).toBeNull();
    answer();
    await dialog.findByText(/blocks? publishing/);
    dialog.getByText("1 issue blocks publishing");
    expect(server.requestsFor("POST /api/sops/check")[0]?.body).toMatchObject({
      markdown: "One\n",
      title: "Open the kitchen",
      description: "How it opens.",
      reviewBy: "2027-01-01",
    });
    expect(dialog.getByRole<HTMLButtonElement>("button", { name: "Submit for Approval" }).disabled).toBe(false);
    await user.click(dialog.getByRole("link"));
    await waitFor(() => expect(address()).toBe(`/sop/${id}/edit`));
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  });

  it.each([
    ["finds nothing", { findings: [], more: 0 }],
    ["fails", new FakeRefusal("internal", "No")],
  ])("says nothing of a check that %s", async (_how, check) => {
    const { user, server } = open({ replies: { "POST /api/sops/check": check } as Partial<Replies> });
    await user.click(await within(await panel()).findByRole("button", { name: "Submit for Approval" }));
    const dialog = await screen.findByRole("dialog", { name: "Submit for Approval" });
    await within(dialog).findByRole("checkbox", { name: "Cy Cole" });
    await waitFor(() => expect(server.requestsFor("POST /api/sops/check")).not.toEqual([]));
    expect(within(dialog).queryByText(/blocks? publishing/)).toBeNull();
  });

  it("says that it failed, why, and keeps what was chosen", async () => {
    const refusal = new FakeRefusal("invalid_input", "Some of the approvers can't approve this SOP");
    const { user } = open({ replies: { [`POST /api/sops/${id}/request-approval`]: refusal } });
    await user.click(await within(await panel()).findByRole("button", { name: "Submit for Approval" }));
    const dialog = await screen.findByRole("dialog");
    await user.click(await within(dialog).findByRole("checkbox", { name: "Cy Cole" }));
    await user.click(within(dialog).getByRole("button", { name: "Submit for Approval" }));
    await screen.findByText("Failed to request approval. Please try again.");
    expect(screen.getByText("Error")).toBeTruthy();
    await within(dialog).findByText("Some of the approvers can't approve this SOP");
    expect(within(dialog).getByRole<HTMLInputElement>("checkbox", { name: "Cy Cole" }).checked).toBe(true);
  });

  it("offers those who usually approve first, finds a name without its accents, and keeps the chosen in sight", async () => {
    const many = Array.from({ length: 8 }, (_, index) => ({
      id: `v${index}`,
      name: `Viewer ${index}`,
      username: `viewer${index}`,
      initials: "VV",
      role: "viewer" as const,
      eligible: true,
    }));
    const ines = person("ines", "Inês Carvalho", "IC", "manager");
    const { user } = open({ replies: { [`GET /api/sops/${id}/approvers`]: aChoice([...many, ines, ...candidates]) } });
    await user.click(await within(await panel()).findByRole("button", { name: "Submit for Approval" }));
    const dialog = await screen.findByRole("dialog", { name: "Submit for Approval" });
    const all = await within(dialog).findAllByRole("checkbox");
    expect(all.slice(0, 3).map((box) => box.getAttribute("aria-label"))).toEqual([
      "Inês Carvalho",
      "Dora Dahl",
      "Viewer 0",
    ]);
    expect(all.at(-1)?.getAttribute("aria-label")).toBe("Ben Baker");
    const group = within(dialog).getByRole("group", { name: "Managers, reviewers and administrators" });
    expect(within(group).getByText("Manager")).toBeTruthy();
    expect(within(dialog).getByText("The people you choose can read this draft.")).toBeTruthy();
    await user.click(within(dialog).getByRole("checkbox", { name: "Viewer 3" }));
    const search = within(dialog).getByRole("searchbox", { name: "Search people" });
    await user.type(search, "ines");
    expect(within(dialog).getAllByRole("checkbox")).toHaveLength(1);
    await user.click(within(dialog).getByRole("checkbox", { name: "Inês Carvalho" }));
    expect(within(dialog).getByText("2 selected")).toBeTruthy();
    const chips = within(dialog).getByRole("list", { name: "Selected approvers" });
    expect(
      within(chips)
        .getAllByRole("button")
        .map((chip) => chip.textContent),
    ).toEqual(["Viewer 3", "Inês Carvalho"]);
    await user.click(within(chips).getByRole("button", { name: "Remove Viewer 3" }));
    expect(within(dialog).getByText("1 selected")).toBeTruthy();
    await user.type(search, "x");
    expect(within(dialog).getByText("No one found.")).toBeTruthy();
    expect(within(dialog).getByRole("button", { name: "Remove Inês Carvalho" })).toBeTruthy();
  });

  it("begins with whom the last request named, as far as they can decide, and with what the version says of itself", async () => {
    const before = anApproval({
      sopId: id,
      version: 2,
      status: "rejected",
      outcome: "changes_requested",
      approvers: [
        anApprover({ userId: "dora", name: "Dora Dahl" }),
        anApprover({ userId: "ben", name: "Ben Baker" }),
        anApprover({ userId: "cy", name: "Cy Cole", replacedAt: "2026-06-01T08:30:00.000Z" }),
      ],
    });
    const { user, server } = open({
      requests: [before],
      replies: {
        [`GET /api/sops/${id}/versions`]: [
          { version: 3, changeNote: "The limit is in step 4" },
          { version: 2, changeNote: "Older" },
        ],
        [`POST /api/sops/${id}/request-approval`]: anApproval({ sopId: id }),
      },
    });
    await user.click(await within(await panel()).findByRole("button", { name: "Submit for Approval" }));
    const dialog = await screen.findByRole("dialog", { name: "Submit for Approval" });
    await within(dialog).findByText("1 selected, as in the last request");
    const note = within(dialog).getByLabelText<HTMLTextAreaElement>(/^Request note/);
    await waitFor(() => expect(note.value).toBe("The limit is in step 4"));
    await user.click(within(dialog).getByRole("checkbox", { name: "Cy Cole" }));
    expect(within(dialog).getByText("2 selected")).toBeTruthy();
    await user.type(note, "!");
    await user.click(within(dialog).getByRole("button", { name: "Submit for Approval" }));
    await screen.findByText("Approval requested");
    expect(server.requestsFor(`POST /api/sops/${id}/request-approval`)[0]?.body).toEqual({
      requestNote: "The limit is in step 4!",
      approverIds: ["dora", "cy"],
    });
  });

  it("can't be done a second time while a request is pending", async () => {
    const { user, server } = open();
    await user.click(await within(await panel()).findByRole("button", { name: "Submit for Approval" }));
    const dialog = await screen.findByRole("dialog");
    await user.click(await within(dialog).findByRole("checkbox", { name: "Cy Cole" }));
    server.reply({ "GET /api/approvals": [anApproval({ sopId: id })] });
    act(() => FakeStream.opened[0]?.emit({ id: "7", resources: ["approvals"], sopId: id }));
    await within(dialog).findByText("Someone else already submitted it.");
    const submit = within(dialog).getByRole<HTMLButtonElement>("button", { name: "Submit for Approval" });
    expect(submit.disabled).toBe(true);
  });

  it("starts from an empty list when the people can't be loaded", async () => {
    const { user } = open({ replies: { [`GET /api/sops/${id}/approvers`]: new FakeRefusal("internal") } });
    await user.click(await within(await panel()).findByRole("button", { name: "Submit for Approval" }));
    const dialog = await screen.findByRole("dialog");
    await within(dialog).findByText("Couldn't load people.");
    expect(within(dialog).getByRole<HTMLButtonElement>("button", { name: "Submit for Approval" }).disabled).toBe(true);
  });

  it.each([
    [
      "of who may not edit",
      { role: "reviewer" as Role, sop: { authorId: "x", ownerId: null, teamId: null, approvers: [me] } },
    ],
    ["of what is published", { sop: { status: "published" as const, published: { version: 3, effectiveAt: null } } }],
    ["of what is archived", { sop: { status: "archived" as const } }],
  ])("is no matter %s", async (_, shown) => {
    const { server } = open(shown);
    await screen.findByRole("heading", { level: 1, name: "Open the kitchen" });
    await waitFor(() =>
      expect(server.requestsFor("GET /api/approvals").some(({ query }) => query["sopId"] === id)).toBe(true),
    );
    await waitFor(() => expect(screen.queryByText("Loading the approval…")).toBeNull());
    expect(screen.queryByRole("button", { name: "Submit for Approval" })).toBeNull();
  });
});

describe("what is not there", () => {
  it("is the panel where there is no approval (501)", async () => {
    const { server } = open({ requests: new FakeRefusal("unavailable") });
    await screen.findByRole("heading", { level: 1, name: "Open the kitchen" });
    await waitFor(() =>
      expect(server.requestsFor("GET /api/approvals").some(({ query }) => query["sopId"] === id)).toBe(true),
    );
    await waitFor(() => expect(screen.queryByRole("region", { name: "Approval" })).toBeNull());
  });

  it("is neither the panel nor the question for a reader", async () => {
    const published = { status: "published", published: { version: 3, effectiveAt: null }, authorId: "x" } as const;
    const { server } = open({ role: "viewer", sop: published });
    await screen.findByRole("heading", { level: 1, name: "Open the kitchen" });
    expect(screen.queryByRole("region", { name: "Approval" })).toBeNull();
    expect(server.requestsFor("GET /api/approvals").filter(({ query }) => "sopId" in query)).toEqual([]);
  });

  it("can be tried again when the server failed", async () => {
    const { user, server } = open({ sop: underReview, requests: new FakeRefusal("internal") });
    await within(await panel()).findByText("Failed to fetch approval status");
    server.reply({ "GET /api/approvals": [mine()] });
    await user.click(within(await panel()).getByRole("button", { name: "Try Again" }));
    await within(await panel()).findByText("One approval is needed");
  });
});

describe("deciding", () => {
  it.each([
    ["Approve", "approve", "Approve this SOP?", "Approved", "You have approved this SOP."],
    ["Reject", "reject", "Reject this SOP?", "Rejected", "You have rejected this SOP."],
    [
      "Request changes",
      "request-changes",
      "Request changes to this SOP?",
      "Changes requested",
      "You requested changes to this SOP.",
    ],
  ])("%s asks first, takes a comment along, and says that it was done", async (button, verb, question, title, text) => {
    const outcome = ({ approve: "approved", reject: "rejected", "request-changes": "changes_requested" } as const)[
      verb
    ];
    const resolved = mine({
      mayDecide: false,
      status: outcome === "approved" ? "approved" : "rejected",
      outcome: outcome ?? null,
    });
    const { user, server } = open({
      sop: underReview,
      requests: [mine()],
      replies: { [`POST /api/approvals/r1/${verb}`]: resolved },
    });
    await user.click(await screen.findByRole("button", { name: button }));
    const dialog = await screen.findByRole("alertdialog", { name: question });
    await user.type(within(dialog).getByLabelText(/^Comment/), " Well done ");
    server.reply({ "GET /api/approvals": [resolved] });
    await user.click(within(dialog).getByRole("button", { name: button }));
    await screen.findByText(text);
    expect(screen.getAllByText(title).length).toBeGreaterThan(0);
    const [requested] = server.requestsFor(`POST /api/approvals/r1/${verb}` as keyof Replies);
    expect(requested?.body).toEqual({ comment: "Well done" });
    expect(requested?.headers["if-match"]).toBe('"v3"');
    await waitFor(() => expect(screen.queryByRole("button", { name: button })).toBeNull());
    expect(server.requestsFor(`GET /api/sops/${id}`)).toHaveLength(2);
  });

  it("sends no comment where none was written, and both buttons rest while it is under way", async () => {
    let answer: (value: unknown) => void = () => {};
    const { user, server } = open({
      sop: underReview,
      requests: [mine()],
      replies: { "POST /api/approvals/r1/approve": () => new Promise((resolve) => (answer = resolve)) },
    });
    await user.click(await screen.findByRole("button", { name: "Approve" }));
    const dialog = await screen.findByRole("alertdialog");
    await user.click(within(dialog).getByRole("button", { name: "Approve" }));
    await waitFor(() => expect(server.requestsFor("POST /api/approvals/r1/approve")[0]?.body).toEqual({}));
    const inPanel = within(await screen.findByRole("region", { name: "Approval", hidden: true }));
    for (const name of ["Approve", "Reject", "Request changes"]) {
      expect(inPanel.getByRole<HTMLButtonElement>("button", { name, hidden: true }).disabled, name).toBe(true);
    }
    await act(async () => answer(mine({ status: "approved", outcome: "approved", mayDecide: false })));
    await screen.findByText("You have approved this SOP.");
  });

  it("asks for changes only with words, and rejects without a reason only when that is meant", async () => {
    const resolved = mine({ mayDecide: false, status: "rejected", outcome: "rejected" });
    const { user, server } = open({
      sop: underReview,
      requests: [mine()],
      replies: { "POST /api/approvals/r1/reject": resolved },
    });
    await user.click(await screen.findByRole("button", { name: "Request changes" }));
    let dialog = within(await screen.findByRole("alertdialog"));
    expect(dialog.getByText("Ben Baker will see this comment.")).toBeTruthy();
    expect(dialog.getByLabelText<HTMLTextAreaElement>(/^Comment/).required).toBe(true);
    await user.type(dialog.getByLabelText(/^Comment/), "  ");
    await user.click(dialog.getByRole("button", { name: "Request changes" }));
    expect((await dialog.findByRole("alert")).textContent).toBe("Say what has to change");
    await user.click(dialog.getByRole("button", { name: "Request changes" }));
    expect(server.requestsFor("POST /api/approvals/r1/request-changes" as keyof Replies)).toEqual([]);
    await user.type(dialog.getByLabelText(/^Comment/), "Step 2");
    expect(dialog.queryByRole("alert")).toBeNull();
    await user.clear(dialog.getByLabelText(/^Comment/));
    await user.click(dialog.getByRole("button", { name: "Cancel" }));

    await user.click(await screen.findByRole("button", { name: "Reject" }));
    dialog = within(await screen.findByRole("alertdialog"));
    await user.click(dialog.getByRole("button", { name: "Reject" }));
    await dialog.findByText("Without a reason, the author won't know what to fix.");
    expect(server.requestsFor("POST /api/approvals/r1/reject" as keyof Replies)).toEqual([]);
    await user.type(dialog.getByLabelText(/^Comment/), "No");
    expect(dialog.getByRole("button", { name: "Reject" })).toBeTruthy();
    await user.clear(dialog.getByLabelText(/^Comment/));
    server.reply({ "GET /api/approvals": [resolved] });
    await user.click(dialog.getByRole("button", { name: "Reject without a reason" }));
    await screen.findByText("You have rejected this SOP.");
    expect(server.requestsFor("POST /api/approvals/r1/reject" as keyof Replies)[0]?.body).toEqual({});
  });

  it.each([
    ["Approve", "approve", "Failed to approve"],
    ["Reject", "reject", "Failed to reject"],
  ])("%s that fails says so in the question, without a toast", async (button, verb, text) => {
    const { user } = open({
      sop: underReview,
      requests: [mine()],
      replies: {
        [`POST /api/approvals/r1/${verb}`]: new FakeRefusal("conflict", "This approval request is closed"),
      },
    });
    await user.click(await screen.findByRole("button", { name: button }));
    const dialog = await screen.findByRole("alertdialog");
    await user.type(within(dialog).getByLabelText(/^Comment/), "Because");
    await user.click(within(dialog).getByRole("button", { name: button }));
    await within(dialog).findByText(text);
    expect(within(dialog).getByText("This approval request is closed")).toBeTruthy();
    expect(screen.getAllByText(text)).toHaveLength(1);
  });

  const resubmitted = () => mine({ id: "r2", version: 4 });
  const newText = () => stored({ ...underReview, version: 4, content: "<p>Two</p>" });
  const buttons = () =>
    ["Approve", "Reject", "Request changes"].flatMap((name) => screen.queryAllByRole("button", { name }));

  it("is not offered about another version than the one that is shown, until that one is there", async () => {
    const { user, server } = open({ sop: underReview, requests: [mine()] });
    await screen.findByRole("button", { name: "Approve" });
    let answer: (value: unknown) => void = () => {};
    server.reply({
      "GET /api/approvals": [resubmitted()],
      [`GET /api/sops/${id}`]: () => new Promise((resolve) => (answer = resolve)),
    });
    act(() => FakeStream.opened[0]?.emit({ id: "7", resources: ["approvals", "sops"], sopId: id }));
    await within(await panel()).findByText("Loading version 4…");
    expect(screen.getByText("One")).toBeTruthy();
    expect(buttons()).toEqual([]);
    await act(async () => answer(new FakeRefusal("internal")));
    await within(await panel()).findByText("You see version 3. The request is for version 4.");
    expect(buttons()).toEqual([]);
    server.reply({ [`GET /api/sops/${id}`]: newText() });
    await user.click(within(await panel()).getByRole("button", { name: "Try Again" }));
    await screen.findByText("Two");
    await screen.findByRole("button", { name: "Approve" });
    expect(buttons()).toHaveLength(3);
  });

  it("waits for the request where the text is the newer of the two", async () => {
    const { user, server } = open({ sop: underReview, requests: [mine()] });
    await screen.findByRole("button", { name: "Approve" });
    server.reply({ "GET /api/approvals": new FakeRefusal("internal"), [`GET /api/sops/${id}`]: newText() });
    act(() => FakeStream.opened[0]?.emit({ id: "7", resources: ["approvals", "sops"], sopId: id }));
    await within(await panel()).findByText("You see version 4. The request is for version 3.");
    expect(buttons()).toEqual([]);
    server.reply({ "GET /api/approvals": [resubmitted()] });
    await user.click(within(await panel()).getByRole("button", { name: "Try Again" }));
    await screen.findByRole("button", { name: "Approve" });
  });

  it("is for pending approvers only", async () => {
    open({ sop: { status: "under_review" }, requests: [anApproval({ sopId: id })] });
    await within(await panel()).findByText("One approval is needed");
    for (const name of ["Approve", "Reject", "Request changes", "Withdraw request"]) {
      expect(screen.queryByRole("button", { name }), name).toBeNull();
    }
  });
});

describe("a request that is over", () => {
  const done = () =>
    anApproval({
      id: "r1",
      sopId: id,
      status: "approved",
      outcome: "approved",
      resolvedAt: "2026-11-22T12:00:00.000Z",
      approvers: [
        anApprover({
          name: "Inês Carvalho",
          status: "approved",
          comment: "Good",
          respondedAt: "2026-11-22T12:00:00.000Z",
        }),
      ],
    });

  it("takes one line when it was approved, and tells all when asked", async () => {
    const { user } = open({ requests: [done()] });
    await within(await panel()).findByText("Approved by Inês Carvalho, Nov 22, 2026");
    expect(within(await panel()).queryByRole("list", { name: "Approval timeline" })).toBeNull();
    const show = within(await panel()).getByRole("button", { name: "Show how it was approved" });
    expect(show.getAttribute("aria-expanded")).toBe("false");
    await user.click(show);
    expect(await within(await panel()).findByText("“Good”")).toBeTruthy();
    await user.click(within(await panel()).getByRole("button", { name: "Hide how it was approved" }));
    expect(within(await panel()).queryByText("“Good”")).toBeNull();
  });

  it("stays open when it was sent back", async () => {
    open({ requests: [{ ...done(), status: "rejected", outcome: "rejected" }] });
    await within(await panel()).findByRole("list", { name: "Approval timeline" });
  });
});

describe("a request", () => {
  const two = [
    anApprover({ name: "Cy Cole", status: "approved", comment: "Clear.", respondedAt: "2026-06-01T09:00:00.000Z" }),
    anApprover({ name: "Dora Dahl", userId: "d" }),
    anApprover({ name: "Ed East", replacedAt: "2026-06-01T08:30:00.000Z" }),
  ];

  it("says the rule, how far it is, and tells itself in order", async () => {
    const request = anApproval({
      sopId: id,
      approvers: two,
      needed: 2,
      rule: { kind: "n_of_m", count: 2 },
      requestNote: "Please look at step 2",
    });
    open({ sop: { status: "under_review" }, requests: [request] });
    await within(await panel()).findByText("2 of 2 must approve");
    expect(within(await panel()).getByText(/1 of 2 approved/)).toBeTruthy();
    const items = within(screen.getByRole("list", { name: "Approval timeline" })).getAllByRole("listitem");
    const told = items.map((item) => item.textContent);
    expect(told).toHaveLength(4);
    expect(told[0]).toContain("Ben Baker requested approval");
    expect(told[0]).toContain("Please look at step 2");
    expect(told[1]).toContain("Ed East was replaced");
    expect(told[2]).toContain("Cy Cole approved");
    expect(told[2]).toContain("Clear.");
    expect(told[2]).toMatch(/Jun 1, 2026, \d+:00/);
    expect(told[3]).toContain("Waiting for Dora Dahl");
  });

  it("is withdrawn by who may, after a question", async () => {
    const request = anApproval({ id: "r1", sopId: id, mayWithdraw: true });
    const { user, server } = open({
      sop: { status: "under_review" },
      requests: [request],
      replies: { "POST /api/approvals/r1/withdraw": { ...request, status: "rejected", outcome: "withdrawn" } },
    });
    await user.click(await screen.findByRole("button", { name: "Withdraw request" }));
    const dialog = await screen.findByRole("alertdialog", { name: "Withdraw this request?" });
    await user.click(within(dialog).getByRole("button", { name: "Withdraw request" }));
    await screen.findByText("Request withdrawn");
    expect(server.requestsFor("POST /api/approvals/r1/withdraw")).toHaveLength(1);
  });

  it("gets another approver in the place of one who has not decided", async () => {
    const request = anApproval({ id: "r1", sopId: id, mayReplace: true, approvers: two });
    const { user, server } = open({
      sop: { status: "under_review" },
      requests: [request],
      replies: { "POST /api/approvals/r1/approvers": request },
    });
    await screen.findByRole("button", { name: "Replace Dora Dahl" });
    expect(screen.queryByRole("button", { name: "Replace Cy Cole" })).toBeNull();
    await user.click(screen.getByRole("button", { name: "Replace Dora Dahl" }));
    let dialog = await screen.findByRole("dialog", { name: "Replace an approver" });
    await within(dialog).findByRole("option", { name: "Cy Cole (cy)" });
    expect(within(dialog).queryByRole("option", { name: /Ben Baker/ })).toBeNull();
    // possible approvers are loaded each time
    await user.click(within(dialog).getByRole("button", { name: "Cancel" }));
    const cy = candidates.filter(({ id: userId }) => userId === "cy");
    server.reply({ [`GET /api/sops/${id}/approvers`]: aChoice(cy) });
    await user.click(screen.getByRole("button", { name: "Replace Dora Dahl" }));
    dialog = await screen.findByRole("dialog", { name: "Replace an approver" });
    await waitFor(() => expect(server.requestsFor(`GET /api/sops/${id}/approvers`)).toHaveLength(2));
    await user.selectOptions(within(dialog).getByLabelText("New approver"), "Cy Cole (cy)");
    await user.click(within(dialog).getByRole("button", { name: "Replace" }));
    await screen.findByText("Approver replaced");
    expect(server.requestsFor("POST /api/approvals/r1/approvers")[0]?.body).toEqual({ replace: "d", with: "cy" });
  });

  it("says who can't approve anymore, and how to ask another person", async () => {
    const approvers = [anApprover({ name: "Cy Cole" }), anApprover({ name: "Lea Leaving", active: false })];
    const request = anApproval({ id: "r1", sopId: id, mayReplace: true, approvers });
    const { server } = open({ sop: { status: "under_review" }, requests: [request] });
    const shown = within(await panel());
    await shown.findByText("To ask someone else, use Replace in the timeline, or withdraw the request.");
    expect(shown.getAllByText("Lea Leaving can't approve anymore")).toHaveLength(2);
    expect(shown.getByText("Waiting for Cy Cole")).toBeTruthy();
    expect(shown.getByRole("button", { name: "Replace Lea Leaving" })).toBeTruthy();
    server.reply({ "GET /api/approvals": [{ ...request, mayReplace: false }] });
    act(() => FakeStream.opened[0]?.emit({ id: "7", resources: ["approvals"], sopId: id }));
    await shown.findByText("Ben Baker or a manager can ask someone else.");
    expect(shown.queryByRole("button", { name: /Replace/ })).toBeNull();
  });

  it.each([
    ["approved", "Approved, Jun 2, 2026"],
    ["rejected", "Rejected"],
    ["changes_requested", "Changes requested"],
    ["withdrawn", "Request withdrawn"],
    ["voided", "Canceled because the SOP was edited"],
  ] as const)("that is %s shows it, and it can be submitted again", async (outcome, text) => {
    const status = outcome === "approved" ? "approved" : "rejected";
    const resolvedAt = "2026-06-02T08:00:00.000Z";
    const earlier = anApproval({ sopId: id, version: 1, status: "rejected", outcome: "withdrawn", resolvedAt });
    open({ requests: [anApproval({ sopId: id, status, outcome, resolvedAt }), earlier] });
    // a successful end takes one line
    expect(await within(await panel()).findAllByText(text)).toHaveLength(outcome === "approved" ? 1 : 2);
    expect(within(await panel()).getByRole("button", { name: "Submit for Approval" })).toBeTruthy();
    expect(within(await panel()).getByText("Earlier requests (1)")).toBeTruthy();
    expect(within(await panel()).getByText("Version 1: Request withdrawn")).toBeTruthy();
  });

  it("that another browser decides changes here without a reload", async () => {
    const { server } = open({ sop: { status: "under_review" }, requests: [anApproval({ id: "r1", sopId: id })] });
    await within(await panel()).findByText("One approval is needed");
    const resolvedAt = "2026-06-02T08:00:00.000Z";
    server.reply({
      [`GET /api/sops/${id}`]: stored({ status: "published", published: { version: 3, effectiveAt: null } }),
      "GET /api/approvals": [anApproval({ id: "r1", sopId: id, status: "approved", outcome: "approved", resolvedAt })],
    });
    act(() => FakeStream.opened[0]?.emit({ id: "7", resources: ["approvals", "sops"], sopId: id }));
    await waitFor(async () => expect(within(await panel()).queryByText("One approval is needed")).toBeNull());
    // it takes one line, as for readers who come later
    const timeline = { name: "Approval timeline" };
    expect(within(await panel()).getByText("Approved, Jun 2, 2026")).toBeTruthy();
    expect(within(await panel()).queryByRole("list", timeline)).toBeNull();
    expect(within(await panel()).getByRole("button", { name: "Show how it was approved" })).toBeTruthy();
  });
});
