import { act, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Approval } from "#core/approvals/schema.ts";
import { anApproval, anApprover } from "../testing/approval-records.ts";
import {
  fakeServer,
  FakeRefusal,
  signedInReplies,
  type RecordedRequest,
  type Replies,
} from "../testing/fake-server.ts";
import { aControl, aSop, aUser } from "../testing/records.ts";
import { FakeStream, chooseCards, resetBrowser, showApp } from "../testing/render-app.tsx";

afterEach(resetBrowser);

const me = aUser().id;
const titled = (sopId: string, title: string, change: Partial<Approval> = {}) =>
  anApproval({
    id: `r-${sopId}`,
    sopId,
    sop: { id: sopId, number: `SOP-${sopId}`, title, version: 3, contentHash: "0" },
    ...change,
  });
const kitchen = () =>
  titled("0007", "Open the kitchen", { mayDecide: true, approvers: [anApprover({ userId: me, name: "Ann Archer" })] });
const flood = () => titled("0008", "Flood", { requestedBy: { id: "x", name: "Cy Cole" } });
const fire = () => titled("0009", "Fire");

/** Answers like the server: by SOP, and by requests that wait for the user. */
const approvals = (all: readonly Approval[]) => (requested: RecordedRequest) =>
  all.filter(
    ({ sopId, status, mayDecide }) =>
      sopId === (requested.query["sopId"] ?? sopId) &&
      status === (requested.query["status"] ?? status) &&
      (mayDecide || requested.query["mine"] === undefined),
  );

const text = (version: number, content = "<p>Light the ovens.</p>") => ({
  ...aSop({ id: "0007", title: "Open the kitchen", version }),
  content,
  markdown: "",
  control: aControl(),
});
/** The answer to comparing two versions that differ in one paragraph. */
const diff = (from: number, to: number) => ({
  from,
  to,
  facts: [],
  blocks: [{ kind: "added", html: "<p>Light the ovens.</p>" }],
  markdown: [{ kind: "added", text: "Light the ovens.\n" }],
});

function open(all: readonly Approval[], path = "/pending", replies: Partial<Replies> = {}) {
  const server = fakeServer({
    ...signedInReplies(),
    "GET /api/approvals": approvals(all),
    "GET /api/sops/0007/in-force": [],
    "GET /api/sops/0007": text(3),
    "GET /api/sops/0007/comments": [],
    ...replies,
  } as Replies);
  return { server, ...showApp(server, path) };
}

const details = () => screen.findByRole("region", { name: "Approval details" });
const rows = (name: string) =>
  within(screen.getByRole("region", { name }))
    .getAllByRole("link")
    .map((link) => link.querySelector("span")?.textContent);

describe("pending approval", () => {
  it("lists what waits for me first, then what else is under review", async () => {
    open([kitchen(), flood(), fire()]);
    await screen.findByRole("heading", { level: 1, name: "Pending Approval" });
    await screen.findByText("Action Required");
    expect(
      screen.getByText("There are SOPs waiting for your review. Please review and approve or provide feedback."),
    ).toBeTruthy();
    expect(rows("Waiting for you")).toEqual(["Open the kitchen"]);
    expect(rows("Waiting for others")).toEqual(["Flood", "Fire"]);
    expect(within(await details()).getByText("Select an SOP to view approval details")).toBeTruthy();
  });

  it("lists what waits longest first", async () => {
    const asked = (request: Approval, day: string) => ({ ...request, createdAt: `${day}T08:00:00.000Z` });
    const cellar = titled("0010", "Cellar", { mayDecide: true });
    open([
      asked(kitchen(), "2026-01-03"),
      asked(cellar, "2026-01-02"),
      asked(flood(), "2026-01-05"),
      asked(fire(), "2026-01-04"),
    ]);
    await screen.findByText("Action Required");
    expect(rows("Waiting for you")).toEqual(["Cellar", "Open the kitchen"]);
    expect(rows("Waiting for others")).toEqual(["Fire", "Flood"]);
  });

  it("shows the line and the list in a new part, so that nothing on the screen moves", async () => {
    const { promise: requested, resolve: answer } = Promise.withResolvers<unknown>();
    open([], "/pending", { "GET /api/approvals": () => requested });
    const header = (await screen.findByRole("heading", { level: 1, name: "Pending Approval" })).parentElement;
    const before = header?.nextElementSibling;
    expect(before?.textContent).toContain("Loading");
    answer([kitchen(), flood()]);
    const line = await screen.findByText("Action Required");
    expect(before?.isConnected).toBe(false);
    expect(header?.nextElementSibling?.contains(line)).toBe(true);
    expect(header?.nextElementSibling?.contains(screen.getByRole("region", { name: "Waiting for you" }))).toBe(true);
  });

  it("can be searched from the top bar before its list is there, and what is typed stays", async () => {
    const { promise: requested, resolve: answer } = Promise.withResolvers<unknown>();
    const { user } = open([], "/favorites", { "GET /api/approvals": () => requested });
    await user.click(await screen.findByRole("link", { name: /^Pending/ }));
    const heading = await screen.findByRole("heading", { level: 1, name: "Pending Approval" });
    await waitFor(() => expect(document.activeElement).toBe(heading));
    await user.keyboard("/");
    const search = screen.getByRole("searchbox", { name: "Search pending approvals…" });
    expect(document.activeElement).toBe(search);
    await user.keyboard("flo");
    answer([kitchen(), flood(), fire()]);
    await waitFor(() => expect(rows("Waiting for others")).toEqual(["Flood"]));
    expect(document.activeElement).toBe(search);
  });

  it("asks no action of users with nothing to approve", async () => {
    open([flood()]);
    await screen.findByRole("region", { name: "Waiting for others" });
    expect(screen.queryByText("Action Required")).toBeNull();
    expect(screen.queryByRole("region", { name: /^Waiting for you/ })).toBeNull();
  });

  it("is empty when nothing is pending", async () => {
    open([]);
    await screen.findByText("No pending approvals");
    expect(screen.queryByText("Action Required")).toBeNull();
  });

  it("can be tried again when the server failed", async () => {
    const { user, server } = open([], "/pending", { "GET /api/approvals": new FakeRefusal("internal") });
    await screen.findByText("Failed to load SOPs");
    server.reply({ "GET /api/approvals": approvals([flood()]) });
    await user.click(screen.getByRole("button", { name: "Try Again" }));
    await screen.findByText("Flood");
  });

  it("shows the details of the one that is selected, and keeps the selection in the address", async () => {
    const { user, address } = open([kitchen(), flood()]);
    await user.click(await screen.findByRole("link", { name: /Open the kitchen/ }));
    await within(await details()).findByRole("heading", { level: 2, name: "Open the kitchen" });
    expect(address()).toBe("/pending?sop=0007");
    const panel = within(await details());
    expect(panel.getByText("One approval is needed")).toBeTruthy();
    for (const name of ["Approve", "Reject", "Request changes"])
      expect(await panel.findByRole("button", { name })).toBeTruthy();
    expect(panel.getByRole("link", { name: "Open the kitchen" }).getAttribute("href")).toBe("/sop/0007");
    await panel.findByText("No published version to compare with.");
    const [row] = within(screen.getByRole("region", { name: "Waiting for you" })).getAllByRole("link");
    expect(row?.getAttribute("aria-current")).toBe("true");
    await user.click(screen.getByRole("link", { name: /Flood/ }));
    await within(await details()).findByRole("heading", { level: 2, name: "Flood" });
    expect(within(await details()).queryByRole("button", { name: "Approve" })).toBeNull();
    await user.click(screen.getByRole("link", { name: "All pending approvals" }));
    await waitFor(() => expect(address()).toBe("/pending"));
  });

  it("compares with what readers have now", async () => {
    const { server } = open([{ ...kitchen(), publishedVersion: 2 }], "/pending?sop=0007");
    await within(await details()).findByRole("tab", { name: /^Changes/ });
    await waitFor(() =>
      expect(server.requestsFor("GET /api/sops/0007/diff")[0]?.query).toEqual({ from: "2", to: "3" }),
    );
  });

  it("compares with the version that was published last, and says when none ever was", async () => {
    const unpublished = [
      {
        id: "p2",
        sopId: "0007",
        version: 2,
        title: "T",
        contentHash: "0",
        from: "2026-03-01T10:00:00.000Z",
        until: "2026-04-01T10:00:00.000Z",
      },
      {
        id: "p1",
        sopId: "0007",
        version: 1,
        title: "T",
        contentHash: "0",
        from: "2026-01-05T10:00:00.000Z",
        until: "2026-03-01T10:00:00.000Z",
      },
    ];
    const { user, server } = open([kitchen(), flood()], "/pending?sop=0007", {
      "GET /api/sops/0007/in-force": unpublished,
      "GET /api/sops/0008/in-force": [],
    });
    await within(await details()).findByRole("tab", { name: /^Changes/ });
    await waitFor(() =>
      expect(server.requestsFor("GET /api/sops/0007/diff")[0]?.query).toEqual({ from: "2", to: "3" }),
    );
    await user.click(screen.getByRole("link", { name: /Flood/ }));
    await within(await details()).findByText("No published version to compare with.");
    expect(server.requestsFor("GET /api/sops/0008/diff")).toEqual([]);
  });

  it("shows the whole text of a first version, so that approvers see what they approve", async () => {
    open([kitchen()], "/pending?sop=0007");
    await within(await details()).findByText("Light the ovens.");
  });

  it.each([
    ["the whole text", null],
    ["the changes", 2],
  ])("shows no part folded: %s", async (_, publishedVersion) => {
    const words = "The names in the plan are those of the office, and it is for them that this list was made. ".repeat(
      4,
    );
    const fold = `<details><summary>More</summary><p>${words}</p></details>`;
    open([{ ...kitchen(), publishedVersion }], "/pending?sop=0007", {
      "GET /api/sops/0007": text(3, fold),
      "GET /api/sops/0007/diff": { ...diff(2, 3), blocks: [{ kind: "added", html: fold }] },
    });
    const folded = (await within(await details()).findByText("More")).closest("details");
    await waitFor(() => expect(folded?.open).toBe(true));
  });

  const decisions = () =>
    ["Approve", "Reject", "Request changes"].flatMap((name) => screen.queryAllByRole("button", { name }));

  it("shows no other text than that of the request's version, and says so", async () => {
    const { user, server } = open([kitchen()], "/pending?sop=0007", { "GET /api/sops/0007": text(2, "<p>Old</p>") });
    const changes = within(await within(await details()).findByRole("tabpanel", { name: "Whole text" }));
    await changes.findByText("Couldn't load version 3.");
    expect(screen.queryByText("Old")).toBeNull();
    expect(decisions()).toEqual([]);
    server.reply({ "GET /api/sops/0007": text(3, "<p>New</p>") });
    await user.click(changes.getByRole("button", { name: "Try Again" }));
    await changes.findByText("New");
    await within(await details()).findByRole("button", { name: "Approve" });
  });

  it.each([
    ["a first version", null, "GET /api/sops/0007", text(3)],
    ["what readers have", 2, "GET /api/sops/0007/diff", diff(2, 3)],
    ["what was in force before", null, "GET /api/sops/0007/in-force", []],
  ] as const)(
    "offers a decision with the text beside it, not before and not without: %s",
    async (_of, publishedVersion, row, there) => {
      const waits: ((value: unknown) => void)[] = [];
      const requested = () => new Promise((resolve) => void waits.push(resolve));
      const answer = (value: unknown) => act(async () => waits.splice(0).forEach((resolve) => resolve(value)));
      const { user } = open([{ ...kitchen(), publishedVersion }], "/pending?sop=0007", { [row]: requested });
      const panel = within(await details());
      await panel.findByText("Loading version 3…");
      await waitFor(() => expect(waits).toHaveLength(1));
      expect(decisions()).toEqual([]);
      await answer(new FakeRefusal("internal"));
      const why = await panel.findByText("Couldn't load version 3. You can decide once you can read it.");
      expect(decisions()).toEqual([]);
      await user.click(within(why).getByRole("button", { name: "Try Again" }));
      await panel.findByText("Loading version 3…");
      await answer(there);
      await panel.findByText("Light the ovens.");
      await waitFor(() => expect(decisions()).toHaveLength(3));
      expect(screen.queryByText(/^(Loading|Couldn't load) version 3/)).toBeNull();
    },
  );

  it("counts the changes, and goes on offering it with the whole text and with the comments", async () => {
    const request = { ...kitchen(), publishedVersion: 2, requestNote: "New ovens" };
    const { user } = open([request], "/pending?sop=0007", { "GET /api/sops/0007/diff": diff(2, 3) });
    const panel = within(await details());
    await panel.findByRole("tab", { name: "Changes 1" });
    expect(panel.getByText("“New ovens”")).toBeTruthy();
    await panel.findByText("Light the ovens.");
    expect(decisions()).toHaveLength(3);
    await user.click(panel.getByRole("tab", { name: "Whole text" }));
    await panel.findByText("Light the ovens.");
    await waitFor(() => expect(decisions()).toHaveLength(3));
    await user.click(panel.getByRole("tab", { name: "Comments" }));
    await panel.findByText("No comments yet");
    expect(decisions()).toHaveLength(3);
  });

  it("says when the approved version takes effect", async () => {
    open([{ ...kitchen(), effectiveAt: "2099-02-03" }], "/pending?sop=0007");
    await within(await details()).findByText("Takes effect Feb 3, 2099");
  });

  it("opens an address with a selection; one that is not to be seen selects nothing", async () => {
    open([flood()], "/pending?sop=0404", {
      "GET /api/approvals": (requested: RecordedRequest) =>
        requested.query["sopId"] ? new FakeRefusal("not_found") : [flood()],
    });
    await within(await details()).findByText("Select an SOP to view approval details");
  });

  it("searches titles, numbers and people", async () => {
    const { user, address } = open([kitchen(), flood(), fire()]);
    const search = await screen.findByRole("searchbox", { name: "Search pending approvals…" });
    await user.type(search, "çy flo");
    await waitFor(() => expect(screen.queryByText("Fire")).toBeNull());
    // no section comes before it
    expect(rows("Waiting for others")).toEqual(["Flood"]);
    expect(address()).toBe("/pending?search=%C3%A7y+flo");
    await user.type(search, "xyz");
    await screen.findByText("No SOPs found");
    // requests that wait for the user are still shown
    expect(screen.getByText("Action Required")).toBeTruthy();
  });

  it("is walked through with j and k, but not while the user types", async () => {
    const { address } = open([kitchen(), flood()]);
    await screen.findByText("Flood");
    fireEvent.keyDown(document.body, { key: "j" });
    await waitFor(() => expect(address()).toBe("/pending?sop=0007"));
    fireEvent.keyDown(document.body, { key: "j" });
    await waitFor(() => expect(address()).toBe("/pending?sop=0008"));
    expect(document.activeElement?.textContent).toContain("Flood");
    fireEvent.keyDown(document.body, { key: "j" });
    fireEvent.keyDown(screen.getByRole("searchbox", { name: "Search pending approvals…" }), { key: "k" });
    expect(address()).toBe("/pending?sop=0008");
    fireEvent.keyDown(document.body, { key: "k" });
    await waitFor(() => expect(address()).toBe("/pending?sop=0007"));
    // with Ctrl, it opens the palette and does not move
    fireEvent.keyDown(document.body, { key: "j" });
    await waitFor(() => expect(address()).toBe("/pending?sop=0008"));
    fireEvent.keyDown(document.body, { key: "k", ctrlKey: true });
    await screen.findByRole("dialog");
    expect(address()).toBe("/pending?sop=0008");
  });

  const approved = {
    status: "approved",
    outcome: "approved",
    mayDecide: false,
    resolvedAt: "2026-06-02T08:00:00.000Z",
  } as const;

  it("is decided by a key and Enter, about the version shown, and the next case opens", async () => {
    const oven = () =>
      titled("0010", "Clean the oven", {
        mayDecide: true,
        approvers: [anApprover({ userId: me, name: "Ann Archer" })],
      });
    const { user, server, address } = open([kitchen(), oven()], "/pending?sop=0007", {
      "GET /api/sops/0010/in-force": [],
      "GET /api/sops/0010": { ...text(3, "<p>Cold first.</p>"), id: "0010", title: "Clean the oven" },
      "POST /api/approvals/r-0007/approve": { ...kitchen(), ...approved },
    });
    await within(await details()).findByText("Light the ovens.");
    await user.keyboard("a");
    const confirm = await screen.findByRole("button", { name: "Approve version 3" });
    expect(document.activeElement).toBe(confirm);
    expect(screen.getByText(/You approve version 3 as shown\. Yours is the last approval/)).toBeTruthy();
    await user.keyboard("{Escape}");
    await waitFor(() => expect(document.activeElement).toBe(screen.getByRole("button", { name: "Approve" })));
    expect(server.requestsFor("POST /api/approvals/r-0007/approve")).toEqual([]);
    await user.keyboard("a");
    await screen.findByRole("button", { name: "Approve version 3" });
    server.reply({ "GET /api/approvals": approvals([{ ...kitchen(), ...approved }, oven()]) });
    await user.keyboard("{Enter}");
    await screen.findByText("You have approved this SOP.");
    expect(server.requestsFor("POST /api/approvals/r-0007/approve")[0]?.headers["if-match"]).toBe('"v3"');
    await waitFor(() => expect(address()).toBe("/pending?sop=0010"));
    await within(await details()).findByText("Cold first.");
    // the same key pressed on asks about the next one, and sends nothing
    expect(server.requestsFor("POST /api/approvals/r-0010/approve" as keyof Replies)).toEqual([]);
  });

  it("takes the second click of a double click for no answer", async () => {
    const { user, server } = open([kitchen()], "/pending?sop=0007");
    await user.dblClick(await within(await details()).findByRole("button", { name: "Approve" }));
    const confirm = await screen.findByRole("button", { name: "Approve version 3" });
    await user.dblClick(screen.getByRole("button", { name: "Cancel" }));
    expect(confirm.isConnected).toBe(false);
    expect(server.requestsFor("POST /api/approvals/r-0007/approve" as keyof Replies)).toEqual([]);
  });

  it("asks for changes only with words, keeps them while another case is read, and rejects mutely only on purpose", async () => {
    const { user, server } = open([kitchen(), flood()], "/pending?sop=0007", {
      "POST /api/approvals/r-0007/request-changes": { ...kitchen(), ...approved, outcome: "changes_requested" },
    });
    await within(await details()).findByText("Light the ovens.");
    await user.keyboard("r");
    await screen.findByText("Without a reason, the author won't know what to fix.");
    await screen.findByRole("button", { name: "Reject without a reason" });
    await user.keyboard("{Escape}q");
    const field = screen.getByRole<HTMLTextAreaElement>("textbox", { name: "Comment" });
    expect(document.activeElement).toBe(field);
    expect((await screen.findByRole("alert")).textContent).toBe("Say what has to change");
    // keys are letters here
    await user.keyboard("Name the oven");
    await user.click(screen.getByRole("link", { name: /Flood/ }));
    await within(await details()).findByRole("heading", { level: 2, name: "Flood" });
    expect(screen.queryByRole("textbox", { name: "Comment" })).toBeNull();
    await user.click(screen.getByRole("link", { name: /Open the kitchen/ }));
    await within(await details()).findByText("Light the ovens.");
    expect(screen.getByRole<HTMLTextAreaElement>("textbox", { name: "Comment" }).value).toBe("Name the oven");
    await user.click(screen.getByRole("button", { name: "Request changes" }));
    await user.click(await screen.findByRole("button", { name: "Request changes to version 3" }));
    await waitFor(() =>
      expect(server.requestsFor("POST /api/approvals/r-0007/request-changes")[0]?.body).toEqual({
        comment: "Name the oven",
      }),
    );
  });

  it("keeps showing what was just decided where no other case waits", async () => {
    const { user, server } = open([kitchen(), flood()], "/pending?sop=0007", {
      "POST /api/approvals/r-0007/approve": { ...kitchen(), ...approved },
    });
    await user.click(await within(await details()).findByRole("button", { name: "Approve" }));
    server.reply({ "GET /api/approvals": approvals([{ ...kitchen(), ...approved }, flood()]) });
    await user.click(await screen.findByRole("button", { name: "Approve version 3" }));
    await screen.findByText("You have approved this SOP.");
    await waitFor(() => expect(screen.queryByRole("region", { name: "Waiting for you" })).toBeNull());
    expect(screen.queryByText("Action Required")).toBeNull();
    expect(within(await details()).getByText(/^This request has ended\. Approved/)).toBeTruthy();
  });

  it("leads approvers to what they published, even if the request is out of their sight now", async () => {
    const { user, server } = open([kitchen()], "/pending?sop=0007", {
      "POST /api/approvals/r-0007/approve": { ...kitchen(), ...approved },
    });
    await user.click(await within(await details()).findByRole("button", { name: "Approve" }));
    server.reply({ "GET /api/approvals": [] });
    await user.click(await screen.findByRole("button", { name: "Approve version 3" }));
    await within(await details()).findByText("It is published.");
    expect(
      within(await details())
        .getByRole("link", { name: "Read it" })
        .getAttribute("href"),
    ).toBe("/sop/0007");
    expect(screen.queryByText(/draft again/)).toBeNull();
  });

  it("goes from change to change with n, from the last to the first", async () => {
    const blocks = [
      { kind: "added", html: "<p>First</p>" },
      { kind: "same", html: "<p>Between</p>" },
      { kind: "removed", html: "<p>Second</p>" },
    ];
    const { user } = open([{ ...kitchen(), publishedVersion: 2 }], "/pending?sop=0007", {
      "GET /api/sops/0007/diff": { ...diff(2, 3), blocks },
    });
    await within(await details()).findByText("First");
    for (const there of ["First", "Second", "First"]) {
      await user.keyboard("n");
      expect(document.activeElement?.textContent).toContain(there);
    }
  });

  const sentBack = (base: Approval): Approval => ({
    ...base,
    status: "rejected",
    outcome: "changes_requested",
    resolvedAt: "2026-06-02T08:00:00.000Z",
    approvers: [
      anApprover({
        name: "Inês Carvalho",
        status: "rejected",
        comment: "Step 2",
        respondedAt: "2026-06-02T08:00:00.000Z",
      }),
    ],
  });
  const endedMeanwhile = () =>
    act(() => FakeStream.opened[0]?.emit({ id: "7", resources: ["approvals", "sops", "stats"], sopId: "0008" }));

  it("shows how another person ended a request", async () => {
    const { server } = open([flood()], "/pending?sop=0008");
    await within(await details()).findByText("Flood");
    server.reply({ "GET /api/approvals": approvals([sentBack(flood())]) });
    endedMeanwhile();
    await within(await details()).findByText("This request has ended. Changes requested by Inês Carvalho.");
    expect(within(await details()).getByText("“Step 2”")).toBeTruthy();
    expect(
      within(await details())
        .getByRole("link", { name: "Flood" })
        .getAttribute("href"),
    ).toBe("/sop/0008");
  });

  it("says that it ended to whom it is out of sight now, and asks for nothing that would fail", async () => {
    const inForce = { ...flood(), publishedVersion: 2 };
    const { server } = open([inForce], "/pending?sop=0008", { "GET /api/sops/0008/diff": diff(2, 3) });
    await within(await details()).findByRole("tab", { name: /^Changes/ });
    await waitFor(() => expect(server.requestsFor("GET /api/sops/0008/diff")).toHaveLength(1));
    server.reply({
      "GET /api/approvals": (requested: RecordedRequest) => {
        if (requested.query["sopId"] !== undefined) throw new FakeRefusal("not_found");
        return [];
      },
      "GET /api/sops/0008/diff": new FakeRefusal("not_found"),
    });
    endedMeanwhile();
    await within(await details()).findByText("This request has ended");
    expect(within(await details()).getByText("Flood")).toBeTruthy();
    expect(within(await details()).getByRole("link", { name: "Flood" })).toBeTruthy();
    expect(screen.queryByText("Select an SOP to view approval details")).toBeNull();
    expect(server.requestsFor("GET /api/sops/0008/diff")).toHaveLength(1);
    expect(server.requestsFor("GET /api/approvals").filter(({ query }) => "sopId" in query)).toEqual([]);
  });

  it("shows a request that is submitted while the page is open", async () => {
    const { server } = open([]);
    await screen.findByText("No pending approvals");
    expect(screen.queryByText("Select an SOP to view approval details")).toBeNull();
    server.reply({ "GET /api/approvals": approvals([kitchen()]) });
    act(() => FakeStream.opened[0]?.emit({ id: "7", resources: ["approvals", "sops", "stats"], sopId: "0007" }));
    await screen.findByRole("link", { name: /Open the kitchen/ });
  });
});

describe("the sidebar", () => {
  const link = (name: RegExp) => screen.findByRole("link", { name });

  it("counts what waits for me, and nothing that waits for others", async () => {
    const stats = { totalSOPs: 42, activeTeams: 2, pendingApproval: 3, aiSuggestions: 0 };
    open([kitchen(), flood(), fire()], "/sops", { "GET /api/stats": stats });
    const pending = await link(/^Pending Approval ?1 ?waiting for you$/);
    expect(pending.getAttribute("href")).toBe("/pending");
    // looks like the items around it
    expect(pending.className).toBe((await link(/^Favorites/)).className);
  });

  it("asks no further when nothing is under review", async () => {
    const stats = { totalSOPs: 42, activeTeams: 2, pendingApproval: 0, aiSuggestions: 0 };
    const { server } = open([], "/sops", { "GET /api/stats": stats });
    await link(/^All SOPs ?42$/);
    await link(/^Pending Approval$/);
    expect(server.requestsFor("GET /api/approvals")).toEqual([]);
  });
});

describe("a card under review", () => {
  beforeEach(chooseCards);

  const card = (waitsForMe: boolean) => ({
    data: [aSop({ id: "0007", title: "Open the kitchen", status: "under_review", version: 3, waitsForMe })],
  });

  it("says what it waits for, and is approved by a pending approver after a question that shows the changes", async () => {
    const { user, server } = open([{ ...kitchen(), publishedVersion: 2 }], "/sops", {
      "GET /api/sops/0007/diff": {
        from: 2,
        to: 3,
        facts: [],
        blocks: [{ kind: "added", html: "<p>Check the fridge</p>" }],
        markdown: [{ kind: "added", text: "Check the fridge\n" }],
      },
      "GET /api/sops": card(true),
      "POST /api/approvals/r-0007/approve": { ...kitchen(), status: "approved", outcome: "approved" },
    });
    await screen.findByText("Pending Review:");
    expect(screen.getByText(/Waiting for approval from team lead/)).toBeTruthy();
    await user.click(screen.getByRole("button", { name: "Approve Open the kitchen" }));
    const dialog = await screen.findByRole("alertdialog", { name: "Approve this SOP?" });
    await within(dialog).findByText(/You approve version 3 as shown/);
    const changes = within(dialog).getByRole("region", { name: "What changes for readers" });
    await within(changes).findByText("Check the fridge");
    expect(server.requestsFor("POST /api/approvals/r-0007/approve")).toEqual([]);
    await user.click(within(dialog).getByRole("button", { name: "Approve" }));
    await screen.findByText("You have approved this SOP.");
    expect(server.requestsFor("POST /api/approvals/r-0007/approve")[0]?.headers["if-match"]).toBe('"v3"');
    await waitFor(() => expect(screen.queryByRole("alertdialog")).toBeNull());
  });

  it("is not approved unseen: without the changes there is no answer but no", async () => {
    const { user, server } = open([{ ...kitchen(), publishedVersion: 2 }], "/sops", {
      "GET /api/sops": card(true),
      "GET /api/sops/0007/diff": new FakeRefusal("internal"),
    });
    await user.click(await screen.findByRole("button", { name: "Approve Open the kitchen" }));
    const dialog = await screen.findByRole("alertdialog");
    await within(dialog).findByText("Couldn't compare the versions.");
    await user.click(within(dialog).getByRole("button", { name: "Approve" }));
    expect(server.requestsFor("POST /api/approvals/r-0007/approve")).toEqual([]);
  });

  it("says so when it waits for me no longer", async () => {
    const { user } = open([], "/sops", { "GET /api/sops": card(true) });
    await user.click(await screen.findByRole("button", { name: "Approve Open the kitchen" }));
    const dialog = await screen.findByRole("alertdialog");
    await within(dialog).findByText("This SOP no longer needs your decision.");
  });

  it("approves nothing where the request is about another version than the card's", async () => {
    const { user, server } = open([{ ...kitchen(), version: 4 }], "/sops", { "GET /api/sops": card(true) });
    await user.click(await screen.findByRole("button", { name: "Approve Open the kitchen" }));
    const dialog = await screen.findByRole("alertdialog");
    await within(dialog).findByText("This card showed version 3. The request is for version 4.");
    expect(within(dialog).queryByText(/You approve version/)).toBeNull();
    await user.click(within(dialog).getByRole("button", { name: "Approve" }));
    expect(server.requestsFor("POST /api/approvals/r-0007/approve")).toEqual([]);
  });

  it("offers approving to approvers only, and its comments to everyone", async () => {
    open([], "/sops", { "GET /api/sops": card(false) });
    const comments = await screen.findByRole("link", { name: "Comment on Open the kitchen" });
    expect(comments.getAttribute("href")).toBe("/sop/0007#comments");
    expect(screen.queryByRole("button", { name: /^Approve/ })).toBeNull();
  });
});
