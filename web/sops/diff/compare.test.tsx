import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import { afterEach, describe, expect, it, vi } from "vitest";
import type { Role } from "#core/permissions/roles.ts";
import type { SopDiff } from "#core/diff/schema.ts";
import type { Sop } from "#core/sops/schema.ts";
import { chooseAction } from "../../testing/edit-screen.ts";
import {
  fakeServer,
  FakeRefusal,
  signedInReplies,
  type RecordedRequest,
  type Replies,
} from "../../testing/fake-server.ts";
import { aControl, aSop, aUser } from "../../testing/records.ts";
import { resetBrowser, showApp } from "../../testing/render-app.tsx";
import { countBlocksByKind, groupBlocks, groupLines } from "./diff-groups.ts";

afterEach(() => {
  resetBrowser();
  vi.restoreAllMocks();
});

const id = "01980000-0000-7000-8000-00000000c0de";
const sop = (change: Partial<Sop> = {}): Sop => ({
  ...aSop({ id, number: "SOP-0042", title: "Open the kitchen", version: 3, status: "draft" }),
  published: { version: 2, effectiveAt: "2026-03-01T10:00:00.000Z" },
  content: "<p>Now</p>",
  markdown: "Now\n",
  control: aControl(),
  ...change,
});
const row = (version: number, change = {}) => ({
  id: `v${version}`,
  sopId: id,
  version,
  title: "Open the kitchen",
  description: "D",
  changedBy: { id: "b", name: "Ben Baker" },
  changeNote: null,
  changeClass: "minor",
  contentHash: "0",
  restores: null,
  approvedBy: [],
  isCurrent: false,
  isInForce: false,
  ai: [],
  commit: null,
  createdAt: `2026-0${version}-01T10:00:00.000Z`,
  ...change,
});
const rows = [
  row(3, { isCurrent: true, changeClass: "major", commit: "0123456789abcdef" }),
  row(2, {
    isInForce: true,
    changeNote: "Shorter",
    approvedBy: [
      { name: "Marek Novák", at: "2026-02-20T10:00:00.000Z" },
      { name: "Ann Archer", at: "2026-02-21T10:00:00.000Z" },
    ],
  }),
  row(1),
];
const periods = [
  { id: "p2", sopId: id, version: 2, title: "T", contentHash: "0", from: "2026-03-01T10:00:00.000Z", until: null },
  {
    id: "p1",
    sopId: id,
    version: 1,
    title: "T",
    contentHash: "0",
    from: "2026-01-05T10:00:00.000Z",
    until: "2026-03-01T10:00:00.000Z",
  },
];
const blocks: SopDiff["blocks"] = [
  ...Array.from({ length: 6 }, (_, n) => ({ kind: "same" as const, html: `<p>Same ${n}</p>` })),
  { kind: "changed", html: "<p>Wait <del>5</del><ins>7</ins> min</p>" },
  { kind: "added", html: '<ol start="2"><li><ins>Lock up</ins></li></ol>' },
  { kind: "added", html: '<ol start="3"><li><ins>Go home</ins></li></ol>' },
  { kind: "moved", place: "to", html: "<p><ins>Wash hands</ins></p>" },
  { kind: "same", html: "<p>Same end</p>" },
  { kind: "moved", place: "from", html: "<p><del>Wash hands</del></p>" },
  { kind: "removed", html: "<p><del>Old</del></p>" },
];
const diff = ({ query }: Pick<RecordedRequest, "query">): SopDiff => ({
  from: Number(query["from"]),
  to: Number(query["to"]),
  facts: [
    { field: "title", from: "Open", to: "Open the kitchen" },
    { field: "tags", from: null, to: "hot, tea" },
    { field: "x-site", from: "North", to: null },
  ],
  blocks,
  markdown: [
    { kind: "same", text: "a\nb\nc\nd\ne\nf\ng\n" },
    { kind: "removed", text: "Wait 5 min\n" },
    { kind: "added", text: "Wait 7 min\nLock up\n" },
  ],
});

function open(path: string, replies: Partial<Replies> = {}, role: Role = "manager") {
  const server = fakeServer({
    ...signedInReplies(),
    "GET /api/auth/me": { user: aUser({ role }) },
    [`GET /api/sops/${id}`]: (requested: RecordedRequest) => at(requested),
    [`GET /api/sops/${id}/versions`]: rows,
    [`GET /api/sops/${id}/in-force`]: periods,
    [`GET /api/sops/${id}/diff`]: diff,
    ...replies,
  } as Replies);
  return { server, ...showApp(server, path) };
}

/** The version published that day, as the server would answer. */
function at({ query }: RecordedRequest) {
  const day = query["at"];
  if (day === undefined) return sop();
  if (day < "2026-01-05") return new FakeRefusal("not_found");
  const version = day < "2026-03-01" ? 1 : 2;
  return sop({
    version,
    title: "As it was",
    content: "<p>Then</p>",
    published: { version, effectiveAt: periods[2 - version]?.from ?? null },
  });
}

describe("the version dialog", () => {
  const dialogOf = async (user: ReturnType<typeof showApp>["user"]) => {
    await chooseAction(user, "Version history");
    return screen.findByRole("dialog", { name: "Version history" });
  };
  const items = (dialog: HTMLElement) => within(dialog).findAllByRole("listitem");

  it("shows author, note, class, commit and when each version was published", async () => {
    const { user } = open(`/sop/${id}`);
    const dialog = await dialogOf(user);
    await within(dialog).findByText("Published since Mar 1, 2026");
    expect(
      within(dialog)
        .getAllByText(/^Approved by/)
        .map(({ textContent }) => textContent),
    ).toEqual(["Approved by Marek Novák, Ann Archer"]);
    const [third, second, first] = (await items(dialog)).map((item) => item.textContent);
    expect(third).toContain("Major");
    expect(third).toContain("Current");
    expect(third).toContain("01234567");
    expect(second).toContain("Minor");
    expect(second).toContain("Shorter");
    expect(second).toContain("Ben Baker");
    expect(first).toContain("Published Jan 5, 2026 – Mar 1, 2026");
  });

  it("marks the current one, which can't be restored; the others can, and can be compared with it", async () => {
    const { user } = open(`/sop/${id}`);
    const [current, second] = await items(await dialogOf(user));
    expect(within(current as HTMLElement).queryByRole("button")).toBeNull();
    expect(within(current as HTMLElement).queryByRole("link")).toBeNull();
    expect(within(second as HTMLElement).getByRole("button", { name: "Restore version 2" })).toBeTruthy();
    const link = within(second as HTMLElement).getByRole("link", { name: "Compare version 2 with current" });
    expect(link.getAttribute("href")).toBe(`/sop/${id}/compare?from=2&to=3`);
  });

  it("compares any two; a third chosen takes the place of the first", async () => {
    const { user, address } = open(`/sop/${id}`);
    const dialog = within(await dialogOf(user));
    const choose = async (version: number) =>
      user.click(await dialog.findByRole("checkbox", { name: `Choose version ${version} to compare` }));
    expect(await dialog.findByText("Choose two versions to compare them.")).toBeTruthy();
    await choose(2);
    await choose(3);
    expect(dialog.getByRole("link", { name: "Compare versions 2 and 3" })).toBeTruthy();
    await choose(1);
    await user.click(dialog.getByRole("link", { name: "Compare versions 1 and 3" }));
    await screen.findByRole("heading", { level: 1, name: "Compare versions" });
    expect(address()).toBe(`/sop/${id}/compare?from=1&to=3`);
  });

  it("says which version was published on a day, and shows its text", async () => {
    const { user, server } = open(`/sop/${id}`);
    const dialog = within(await dialogOf(user));
    const field = await dialog.findByLabelText("Version published on");
    fireEvent.change(field, { target: { value: "2026-02-14" } });
    await dialog.findByText("Version 1");
    expect(dialog.getByRole("status").textContent).toBe("Version 1, “As it was”, published since Jan 5, 2026");
    expect(server.requestsFor(`GET /api/sops/${id}`).at(-1)?.query).toEqual({ at: "2026-02-14" });
    await user.click(dialog.getByRole("button", { name: "Show text" }));
    expect(dialog.getByText("Then")).toBeTruthy();
    expect(dialog.getByText("Version 1 is superseded.")).toBeTruthy();
    expect(dialog.getByText("Version 2 is published now.")).toBeTruthy();
    fireEvent.change(field, { target: { value: "2026-03-14" } });
    await dialog.findByText("Version 2");
    expect(dialog.queryByText(/is superseded/)).toBeNull();
    fireEvent.change(field, { target: { value: "2025-12-31" } });
    await dialog.findByText("Nothing was published that day.");
    expect(dialog.queryByRole("button", { name: "Show text" })).toBeNull();
  });

  it("says that no version is published anymore", async () => {
    const gone = sop({ status: "draft", published: null });
    const { user } = open(`/sop/${id}`, {
      [`GET /api/sops/${id}`]: (requested: RecordedRequest) =>
        requested.query["at"] === undefined ? gone : at(requested),
    } as Partial<Replies>);
    const dialog = within(await dialogOf(user));
    fireEvent.change(await dialog.findByLabelText("Version published on"), { target: { value: "2026-02-14" } });
    await dialog.findByText("Version 1 is no longer published.");
    expect(dialog.getByText("No version is published.")).toBeTruthy();
  });

  it("says when that could not be looked up", async () => {
    const { user, server } = open(`/sop/${id}`);
    const dialog = within(await dialogOf(user));
    const field = await dialog.findByLabelText("Version published on");
    server.reply({ [`GET /api/sops/${id}`]: new FakeRefusal("internal") });
    fireEvent.change(field, { target: { value: "2026-02-14" } });
    await dialog.findByText("Couldn't look that up. Try again.");
  });

  it("restores with the seed's words, and says so when it failed", async () => {
    const { user, server } = open(`/sop/${id}`, { [`POST /api/sops/${id}/restore/1`]: new FakeRefusal("internal") });
    const restore = async () => {
      const dialog = await dialogOf(user);
      await user.click(await within(dialog).findByRole("button", { name: "Restore version 1" }));
      return dialog;
    };
    const dialog = await restore();
    await screen.findByText("Failed to restore version. Please try again.");
    expect(screen.getByText("Error")).toBeTruthy();
    server.reply({ [`POST /api/sops/${id}/restore/1`]: sop({ version: 4 }) });
    await user.click(within(dialog).getByRole("button", { name: "Restore version 1" }));
    await screen.findByText("Version restored");
    expect(screen.getByText("The SOP has been restored to the selected version.")).toBeTruthy();
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    // based on the version in the list: an unseen save is not overwritten
    const requested = server.requestsFor(`POST /api/sops/${id}/restore/1`);
    expect(requested.map(({ headers }) => headers["if-match"])).toEqual(['"v3"', '"v3"']);
  });

  it("says 'Failed to fetch version history', and can be tried again", async () => {
    const { user, server } = open(`/sop/${id}`, { [`GET /api/sops/${id}/versions`]: new FakeRefusal("internal") });
    const dialog = within(await dialogOf(user));
    await dialog.findByText("Failed to fetch version history");
    server.reply({ [`GET /api/sops/${id}/versions`]: rows });
    await user.click(dialog.getByRole("button", { name: "Try Again" }));
    await dialog.findByText("Shorter");
  });

  it("is not there without version control (501), and its screen says so", async () => {
    const gone = { [`GET /api/sops/${id}/versions`]: new FakeRefusal("unavailable") };
    const { user, server } = open(`/sop/${id}`, gone);
    await screen.findByRole("heading", { level: 1, name: "Open the kitchen" });
    await waitFor(() => expect(server.requestsFor(`GET /api/sops/${id}/versions`)).toHaveLength(1));
    await user.click(await screen.findByRole("button", { name: "More actions" }));
    await screen.findByRole("menuitem", { name: "Print" });
    await waitFor(() => expect(screen.queryByRole("menuitem", { name: "Version history" })).toBeNull());
    resetBrowser();
    open(`/sop/${id}/compare`, gone);
    await screen.findByText("Version control not available");
  });
});

describe("the comparison", () => {
  const page = async (address = `/sop/${id}/compare?from=1&to=3`, replies: Partial<Replies> = {}) => {
    const shown = open(address, replies);
    await screen.findByRole("heading", { level: 1, name: "Compare versions" });
    await screen.findByRole("region", { name: "Differences in the text" });
    return shown;
  };
  const group = (kind: string) =>
    [...document.querySelectorAll(`[data-change="${kind}"]`)].map((element) => element.textContent);

  it("shows facts and text with words, not colour alone, for what came and went", async () => {
    await page();
    const facts = screen.getByRole("region", { name: "Changed details" });
    expect(facts.textContent).toContain("Title[removed: Open]  [added: Open the kitchen] ");
    expect(facts.textContent).toContain("Tags[removed: none]  [added: hot, tea] ");
    expect(facts.textContent).toContain("site[removed: North]  [added: none] ");
    expect(group("changed")).toEqual(["ChangedWait [removed: 5] [added: 7]  min"]);
    expect(group("added")).toEqual(["AddedLock upGo home"]);
    expect(group("moved-to")).toEqual(["Moved hereWash hands"]);
    expect(group("moved-from")).toEqual(["Moved from hereWash hands"]);
    expect(group("removed")).toEqual(["RemovedOld"]);
    expect(
      screen.getByText("From version 1 to version 3: 1 block changed, 2 added, 1 removed, 1 moved; 3 facts changed."),
    ).toBeTruthy();
  });

  it("folds what did not change, and unfolds it", async () => {
    const { user } = await page();
    expect(screen.queryByText("Same 0")).toBeNull();
    expect(screen.getByText("Same 5")).toBeTruthy();
    await user.click(screen.getByRole("button", { name: "Show 4 unchanged blocks" }));
    expect(screen.getByText("Same 0")).toBeTruthy();
  });

  it("goes from change to change by buttons and by j and k", async () => {
    const scrolled = vi.fn();
    Element.prototype.scrollIntoView = scrolled;
    const { user } = await page();
    const here = () => document.activeElement?.getAttribute("data-change");
    await user.click(screen.getByRole("button", { name: "Next change" }));
    expect(here()).toBe("changed");
    await user.keyboard("j");
    expect(here()).toBe("added");
    await user.keyboard("jjjjj");
    expect(here()).toBe("removed");
    await user.keyboard("k");
    expect(here()).toBe("moved-from");
    await user.click(screen.getByRole("button", { name: "Previous change" }));
    expect(here()).toBe("removed");
    expect(scrolled).toHaveBeenCalled();
  });

  it("shows the Markdown line by line", async () => {
    const { user } = await page();
    await user.click(screen.getByRole("tab", { name: "Markdown" }));
    const panel = await screen.findByRole("tabpanel", { name: "Markdown" });
    expect(panel.textContent).toContain("−Removed: Wait 5 min+Added: Wait 7 min+Added: Lock up");
    expect(panel.textContent).not.toContain("a b");
    await user.click(within(panel).getByRole("button", { name: "Show 5 unchanged lines" }));
    expect(panel.textContent).toContain("a b c d e f g");
  });

  it("takes the versions from the address, or compares the published version with the latest", async () => {
    const { server } = await page(`/sop/${id}/compare?from=9&to=x`);
    expect(server.requestsFor(`GET /api/sops/${id}/diff`).map(({ query }) => query)).toEqual([{ from: "2", to: "3" }]);
  });

  it("lets both be chosen and swapped, in the address", async () => {
    const { user, address, server } = await page();
    await user.selectOptions(screen.getByRole("combobox", { name: "From version" }), "2");
    expect(address()).toBe(`/sop/${id}/compare?from=2&to=3`);
    await user.click(screen.getByRole("button", { name: "Swap versions" }));
    expect(address()).toBe(`/sop/${id}/compare?from=3&to=2`);
    await user.selectOptions(screen.getByRole("combobox", { name: "To version" }), "1");
    await screen.findByText(/^From version 3 to version 1/);
    expect(server.requestsFor(`GET /api/sops/${id}/diff`).at(-1)?.query).toEqual({ from: "3", to: "1" });
    const from = screen.getByRole("region", { name: "Version 3" });
    expect(within(from).getByText("Major")).toBeTruthy();
  });

  it("changes nothing, and prints", async () => {
    const print = vi.spyOn(window, "print").mockImplementation(() => {});
    const { user, server } = await page();
    await user.click(screen.getByRole("button", { name: "Print" }));
    expect(print).toHaveBeenCalledOnce();
    expect(server.requests.filter(({ method }) => method !== "GET")).toEqual([]);
  });

  it("says when nothing differs, when there is one version only, and when it does not exist", async () => {
    const none = { facts: [], blocks: [{ kind: "same", html: "<p>A</p>" }], markdown: [{ kind: "same", text: "A\n" }] };
    open(`/sop/${id}/compare?from=1&to=3`, { [`GET /api/sops/${id}/diff`]: { from: 1, to: 3, ...none } });
    await screen.findByText("The text is the same in both versions.");
    resetBrowser();
    open(`/sop/${id}/compare`, { [`GET /api/sops/${id}/versions`]: [row(1, { isCurrent: true })] }, "viewer");
    await screen.findByText("Nothing to compare yet");
    resetBrowser();
    open(`/sop/${id}/compare`, { [`GET /api/sops/${id}`]: new FakeRefusal("not_found") });
    await screen.findByRole("heading", { level: 1, name: "SOP Not Found" });
  });

  it("says when comparing failed, and can be tried again", async () => {
    const { user, server } = open(`/sop/${id}/compare`, { [`GET /api/sops/${id}/diff`]: new FakeRefusal("internal") });
    await screen.findByText("Couldn't compare the versions.");
    server.reply({ [`GET /api/sops/${id}/diff`]: diff });
    await user.click(screen.getByRole("button", { name: "Try Again" }));
    await screen.findByRole("region", { name: "Differences in the text" });
    resetBrowser();
    open(`/sop/${id}/compare`, { [`GET /api/sops/${id}/diff`]: new FakeRefusal("not_found") });
    await screen.findByText("One version doesn't exist, or you can't read it.");
  });
});

describe("groups of differences", () => {
  it("hold every block and line once, in order, and fold only what is worth it", () => {
    const groups = groupBlocks(blocks);
    expect(groups.map(({ html }) => html).join("")).toBe(blocks.map(({ html }) => html).join(""));
    expect(groups.filter(({ folded }) => folded).map(({ size }) => size)).toEqual([4]);
    expect(countBlocksByKind(blocks)).toEqual({ changed: 1, added: 2, removed: 1, moved: 1 });
    const few = Array.from({ length: 4 }, () => ({ kind: "same" as const, html: "<p></p>" }));
    const change = { kind: "added" as const, html: "<p></p>" };
    expect(groupBlocks([change, ...few, change]).some(({ folded }) => folded)).toBe(false);
    expect(groupLines([{ kind: "same", text: "a\n\nb" }])).toEqual([
      { kind: "same", lines: ["a", "", "b"], folded: false },
    ]);
  });
});
