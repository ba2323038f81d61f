/** Document control on the SOP's screen and in its form, over a fake server. */
import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import type { Role } from "#core/permissions/roles.ts";
import type { Sop } from "#core/sops/schema.ts";
import { fakeServer, FakeRefusal, signedInReplies, type Replies } from "../../testing/fake-server.ts";
import { openProperties } from "../../testing/edit-screen.ts";
import { aCategory, aControl, aSop, aTeam, aUser } from "../../testing/records.ts";
import { resetBrowser, showApp } from "../../testing/render-app.tsx";

const id = "01980000-0000-7000-8000-00000000dc01";
const now = "2026-06-01T12:00:00.000Z";

beforeEach(() => {
  vi.useFakeTimers({ now: Date.parse(now), toFake: ["Date"] });
});
afterEach(() => {
  resetBrowser();
  vi.useRealTimers();
});

const published = { version: 2, effectiveAt: "2026-05-01T12:00:00.000Z" };
const stored = (change: Partial<Sop> = {}): Sop => ({
  ...aSop({
    id,
    number: "SOP-0007",
    title: "Boiler check",
    version: 2,
    published,
    reviewBy: "2026-12-01",
  }),
  content: "<p>Look at it.</p>",
  markdown: "Look at it.\n",
  control: aControl({
    owner: { name: "Olga Owner" },
    approvedBy: [{ name: "Ben Baker", at: "2026-04-30T09:00:00.000Z" }],
    changeClass: "minor",
    lastReview: { name: "Mona Manager", at: "2026-05-15T09:00:00.000Z", verdict: "keep" },
  }),
  ...change,
});

interface Opened {
  replies?: Partial<Replies>;
  role?: Role;
  path?: string;
}

function open(sop: Sop, { replies = {}, role = "manager", path = `/sop/${id}` }: Opened = {}) {
  const server = fakeServer({
    ...signedInReplies(),
    "GET /api/auth/me": { user: aUser({ role, id: role === "viewer" ? "someone-else" : aUser().id }) },
    "GET /api/users": [
      { id: "u-olga", name: "Olga Owner" },
      { id: "u-ben", name: "Ben Baker" },
    ],
    [`GET /api/sops/${id}`]: sop,
    [`GET /api/sops/${id}/versions`]: [],
    [`GET /api/sops/${id}/reviews`]: [],
    ...replies,
  } as Replies);
  return { server, ...showApp(server, path) };
}

async function facts(): Promise<Record<string, string>> {
  const block = await screen.findByRole("region", { name: "Document control" });
  const terms = within(block).getAllByRole("term", { hidden: true });
  const definitions = within(block).getAllByRole("definition", { hidden: true });
  return Object.fromEntries(terms.map((term, index) => [term.textContent, definitions[index]?.textContent ?? ""]));
}

describe("the control block", () => {
  it("shows what the document is, who owns it and until when", async () => {
    open(stored());
    expect(await facts()).toEqual({
      "Change class": "Minor",
      Owner: "Olga Owner",
      Category: "HR Procedures",
      Author: "Ann Archer (ann)",
      "Last updated": "May 29, 2026",
      "Written by": "Ann Archer, Jan 1, 2026",
      "Approved by": "Ben Baker, Apr 30, 2026",
      Published: "v2, May 1, 2026",
      "Next review": "Dec 1, 2026",
      "Last review": "Kept, Mona Manager, May 15, 2026",
    });
    await waitFor(() =>
      expect(document.querySelector(".print-frame")?.textContent).toContain("Next review: Dec 1, 2026"),
    );
    expect(screen.queryByText("Review overdue")).toBeNull();
  });

  it("says that no one approved the published version, and says nothing beside a draft", async () => {
    open(stored({ control: aControl() }));
    expect(await facts()).toMatchObject({ "Approved by": "No approval recorded" });
    resetBrowser();
    open(stored({ status: "draft", control: aControl() }));
    expect(await facts()).not.toHaveProperty("Approved by");
  });

  it("names the team whose SOP it is", async () => {
    open(stored({ teamId: "team-kitchen" }), { replies: { "GET /api/teams": [aTeam({ id: "other" }), aTeam()] } });
    await waitFor(async () => expect(await facts()).toMatchObject({ Owner: "Olga Owner", Team: "Kitchen" }));
  });

  it("of a draft says on which day it would take effect, and counts no days to a review", async () => {
    const control = aControl({ effective: "2026-07-01" });
    open(stored({ status: "draft", published: null, effectiveAt: null, control }));
    expect(await facts()).toMatchObject({
      Owner: "No owner",
      "Effective date": "Jul 1, 2026",
      "Next review": "Dec 1, 2026",
    });
  });
});

describe("an effective date of the past", () => {
  it("is shown apart from the publication day, on the screen, in the control block and on paper", async () => {
    open(stored({ control: aControl({ effective: "2020-01-01" }) }));
    expect(await facts()).toMatchObject({
      "Effective date": "Jan 1, 2020, before its publication",
      Published: "v2, May 1, 2026",
    });
    expect(screen.getByText("Version 2, effective Jan 1, 2020, before its publication")).toBeTruthy();
    await waitFor(() =>
      expect(document.querySelector(".print-frame")?.textContent).toContain(
        "Effective date: Jan 1, 2020, before its publicationPublished: May 1, 2026",
      ),
    );
  });

  it("of a draft says so before it is approved", async () => {
    const control = aControl({ effective: "2020-01-01", backdated: true });
    open(stored({ status: "draft", published: null, effectiveAt: null, control }));
    expect(await facts()).toMatchObject({ "Effective date": "Jan 1, 2020, before its publication" });
  });

  it("goes without saying where it is the day of publication, and is the draft's alone beside one", async () => {
    open(stored({ control: aControl({ effective: "2026-05-01" }) }));
    expect(await facts()).not.toHaveProperty("Effective date");
    resetBrowser();
    open(stored({ status: "draft", version: 3, control: aControl({ effective: "2020-01-01" }) }));
    expect(await facts()).not.toHaveProperty("Effective date");
  });
});

it("names UTC at each day on which a version starts, for readers in other zones", async () => {
  vi.stubEnv("TZ", "America/Los_Angeles");
  onTestFinished(() => void vi.unstubAllEnvs());
  open(stored());
  expect(await screen.findByText("Version 2, published May 1, 2026 (UTC)")).toBeTruthy();
  expect(await facts()).toMatchObject({ Published: "v2, May 1, 2026 (UTC)", "Next review": "Dec 1, 2026 (UTC)" });
  resetBrowser();
  open(stored({ control: aControl({ effective: "2020-01-01" }) }));
  expect(await screen.findByText("Version 2, effective Jan 1, 2020 (UTC), before its publication")).toBeTruthy();
  resetBrowser();
  const control = aControl({ effective: "2020-01-01", backdated: true });
  open(stored({ status: "draft", published: null, effectiveAt: null, control }));
  expect(await facts()).toMatchObject({ "Effective date": "Jan 1, 2020 (UTC), before its publication" });
});

describe("a draft beyond the published version", () => {
  it("says of which version the date is, on the screen and on paper", async () => {
    open(stored({ status: "draft", version: 3 }));
    await screen.findByRole("heading", { level: 1, name: "Boiler check" });
    expect(await facts()).toMatchObject({ Published: "v2, May 1, 2026" });
    expect(document.querySelector(".print-frame")?.textContent).toContain("Published: v2, May 1, 2026");
  });

  it("is not to be mistaken for it", async () => {
    open(stored());
    await screen.findByRole("heading", { level: 1, name: "Boiler check" });
    await waitFor(() =>
      expect(document.querySelector(".print-frame")?.textContent).toContain("Published: May 1, 2026"),
    );
  });
});

describe("banners", () => {
  it("say when a version takes effect and what readers see until then", async () => {
    open(stored({ version: 3, scheduled: { version: 3, effectiveAt: "2026-07-01T00:00:00.000Z" } }));
    await screen.findByText("Version 3 takes effect on Jul 1, 2026.");
    expect(screen.getByText("Until then readers see version 2.")).toBeTruthy();
    expect(await facts()).toMatchObject({ "Takes effect": "v3, Jul 1, 2026" });
    expect(screen.queryByText("v2 published")).toBeNull();
  });

  it("say that readers can't see the SOP before its first day", async () => {
    const scheduled = { version: 2, effectiveAt: "2026-07-01T00:00:00.000Z" };
    open(stored({ published: null, effectiveAt: null, scheduled }));
    expect(await screen.findByText("Until then readers don't see this SOP.")).toBeTruthy();
  });

  it("say that an SOP is archived, and which version was published last", async () => {
    open(stored({ status: "archived", published: null, control: aControl({ lastInForce: 2 }) }));
    await screen.findByText("This SOP is archived.");
    expect(screen.getByText(/Version 2 was the last one published\./)).toBeTruthy();
  });

  it("say to everyone that a review is overdue, and let permitted users review it", async () => {
    open(stored({ reviewBy: "2026-05-29" }), { role: "viewer" });
    await screen.findByText("Review overdue");
    expect(
      screen.getByText("The review date is May 29, 2026, overdue by 3 days. Its owner is Olga Owner."),
    ).toBeTruthy();
    expect(screen.queryByRole("button", { name: "Review" })).toBeNull();
  });

  it.each([
    ["2026-06-01", "due today"],
    ["2026-06-02", "due in 1 day"],
    ["2026-07-01", "due in 30 days"],
  ])("tell who reviews it that it is due soon: %s is %s", async (reviewBy, due) => {
    open(stored({ reviewBy }));
    await screen.findByText("Review due soon");
    expect(screen.getByText(new RegExp(`, ${due}\\.`))).toBeTruthy();
    expect(screen.getByRole("button", { name: "Review" })).toBeTruthy();
  });

  it("don't bother readers with what is due soon", async () => {
    open(stored({ reviewBy: "2026-06-02" }), { role: "viewer" });
    await facts();
    expect(screen.queryByText("Review due soon")).toBeNull();
  });
});

describe("the verdict of a review", () => {
  async function dialogOf(user: ReturnType<typeof showApp>["user"]) {
    await user.click(await screen.findByRole("button", { name: "Review" }));
    return within(await screen.findByRole("dialog", { name: "Review this SOP" }));
  }
  const overdue = () => stored({ reviewBy: "2026-05-29" });

  it("keeps it until the day asked for, and shows earlier verdicts", async () => {
    const { user, server } = open(overdue(), {
      replies: {
        [`POST /api/sops/${id}/review`]: () => {
          const kept = stored({ reviewBy: "2027-01-15" });
          server.reply({ [`GET /api/sops/${id}`]: kept });
          return kept;
        },
        [`GET /api/sops/${id}/reviews`]: [
          {
            id: "r1",
            sopId: id,
            version: 1,
            verdict: "revise",
            note: "Mind the valve",
            due: null,
            reviewBy: null,
            reviewedBy: { id: "m", name: "Mona Manager" },
            createdAt: "2025-05-15T09:00:00.000Z",
          },
        ],
      },
    });
    const dialog = await dialogOf(user);
    expect((dialog.getByRole("radio", { name: "Keep" }) as HTMLInputElement).checked).toBe(true);
    expect(await dialog.findByText("Mind the valve")).toBeTruthy();
    fireEvent.change(dialog.getByLabelText("Next review(optional)"), { target: { value: "2027-01-15" } });
    await user.type(dialog.getByLabelText("Note(optional)"), "Checked");
    await user.click(dialog.getByRole("button", { name: "Record review" }));
    await screen.findByText("The next review is on Jan 15, 2027.");
    const [requested] = server.requestsFor(`POST /api/sops/${id}/review`);
    expect([requested?.body, requested?.headers["if-match"]]).toEqual([
      { verdict: "keep", note: "Checked", reviewBy: "2027-01-15" },
      '"v2"',
    ]);
    await waitFor(() => expect(screen.queryByText("Review overdue")).toBeNull());
    expect(screen.queryByRole("dialog")).toBeNull();
  });

  it("leads to the form when it needs a change", async () => {
    const { user, server, address } = open(overdue(), { replies: { [`POST /api/sops/${id}/review`]: overdue() } });
    const dialog = await dialogOf(user);
    await user.click(dialog.getByRole("radio", { name: "Revise" }));
    expect(dialog.queryByLabelText("Next review(optional)")).toBeNull();
    await user.click(dialog.getByRole("button", { name: "Record review" }));
    await waitFor(() => expect(address()).toBe(`/sop/${id}/edit`));
    expect(server.requestsFor(`POST /api/sops/${id}/review`)[0]?.body).toEqual({ verdict: "revise", note: null });
  });

  it("asks before it archives; Cancel records nothing", async () => {
    const path = `POST /api/sops/${id}/review` as const;
    const { user, server } = open(overdue(), { replies: { [path]: stored({ status: "archived", published: null }) } });
    const dialog = await dialogOf(user);
    await user.click(dialog.getByRole("radio", { name: "Archive" }));
    await user.click(dialog.getByRole("button", { name: "Record review" }));
    const question = () => screen.findByRole("alertdialog", { name: "Archive this SOP?" });
    await user.click(within(await question()).getByRole("button", { name: "Cancel" }));
    await waitFor(() => expect(screen.queryByRole("alertdialog")).toBeNull());
    expect(server.requestsFor(path)).toEqual([]);
    await user.click(dialog.getByRole("button", { name: "Record review" }));
    await user.click(within(await question()).getByRole("button", { name: "Archive" }));
    await screen.findByText("Review recorded");
    expect(server.requestsFor(path)[0]?.body).toMatchObject({ verdict: "archive" });
  });

  it("shows the server's refusal under the date, and any other above the form", async () => {
    const message = "Choose a future date for the next review";
    const { user, server } = open(overdue(), {
      replies: { [`POST /api/sops/${id}/review`]: new FakeRefusal("invalid_input", message, { reviewBy: message }) },
    });
    const dialog = await dialogOf(user);
    await user.click(dialog.getByRole("button", { name: "Record review" }));
    const field = dialog.getByLabelText("Next review(optional)");
    await waitFor(() => expect(field.getAttribute("aria-invalid")).toBe("true"));
    server.reply({ [`POST /api/sops/${id}/review`]: new FakeRefusal("conflict", "This SOP has no published version") });
    await user.click(dialog.getByRole("button", { name: "Record review" }));
    expect(await dialog.findByText("This SOP has no published version")).toBeTruthy();
  });
});

describe("the form", () => {
  const path = `/sop/${id}/edit`;
  const update = `PUT /api/sops/${id}` as const;

  it("sends the properties that were touched", async () => {
    const sop = stored({
      ownerId: "u-olga",
      control: aControl({ owner: { name: "Olga Owner" }, effective: "2026-05-01" }),
    });
    const { user, server } = open(sop, { path, replies: { [update]: stored({ version: 3 }) } });
    await openProperties(user);
    const owner = await screen.findByLabelText<HTMLSelectElement>("Owner");
    await waitFor(() =>
      expect([...owner.options].map(({ text }) => text)).toEqual(["No owner", "Olga Owner", "Ben Baker"]),
    );
    expect(owner.value).toBe("u-olga");
    await user.selectOptions(owner, "Ben Baker");
    await user.type(screen.getByLabelText("Tags"), "cleaning, closing ,");
    await user.type(screen.getByLabelText("Language"), "de-AT");
    fireEvent.change(screen.getByLabelText("Review date"), { target: { value: "2027-02-01" } });
    await user.click(screen.getByRole("button", { name: "Save SOP" }));
    await screen.findByText("SOP Updated");
    expect(server.requestsFor(update)[0]?.body).toMatchObject({
      ownerId: "u-ben",
      reviewBy: "2027-02-01",
      tags: ["cleaning", "closing"],
      lang: "de-AT",
    });
  });

  it("leaves out untouched fields, and keeps an owner who left", async () => {
    const { user, server } = open(stored({ ownerId: "u-gone", control: aControl({ owner: { name: "Gone Long" } }) }), {
      path,
      replies: { [update]: stored({ version: 3 }) },
    });
    await openProperties(user);
    const owner = await screen.findByLabelText<HTMLSelectElement>("Owner");
    await waitFor(() => expect(owner.selectedOptions[0]?.text).toBe("Gone Long"));
    await user.type(screen.getByLabelText("Title"), " again");
    await user.click(screen.getByRole("button", { name: "Save SOP" }));
    await screen.findByText("SOP Updated");
    const body = server.requestsFor(update)[0]?.body as Record<string, unknown>;
    for (const field of ["ownerId", "effectiveAt", "reviewBy", "tags", "lang", "teamId"])
      expect(body).not.toHaveProperty(field);
  });

  it("gives the SOP to a team, and removes it; the team is fixed for users who can't share it", async () => {
    const teams = [aTeam(), aTeam({ id: "team-lab", name: "Lab" })];
    const replies = { "GET /api/teams": teams, [update]: stored({ version: 3, teamId: "team-lab" }) } as Replies;
    const { user, server } = open(stored({ teamId: "team-kitchen" }), { path, replies });
    await openProperties(user);
    const team = await screen.findByLabelText<HTMLSelectElement>("Team");
    expect([...team.options].map(({ text }) => text)).toEqual(["No team", "Kitchen", "Lab"]);
    expect(team.value).toBe("team-kitchen");
    await user.selectOptions(team, "Lab");
    await user.click(screen.getByRole("button", { name: "Save SOP" }));
    await screen.findByText("SOP Updated");
    expect(server.requestsFor(update)[0]?.body).toMatchObject({ teamId: "team-lab" });
    resetBrowser();
    const again = open(stored({ teamId: "team-lab" }), { path, replies });
    await openProperties(again.user);
    await again.user.selectOptions(await screen.findByLabelText("Team"), "No team");
    await again.user.click(screen.getByRole("button", { name: "Save SOP" }));
    await screen.findByText("SOP Updated");
    expect(again.server.requestsFor(update)[0]?.body).toMatchObject({ teamId: null });
    resetBrowser();
    const last = open(stored({ authorId: "another-user" }), { path, role: "editor", replies });
    await openProperties(last.user);
    expect((await screen.findByLabelText<HTMLSelectElement>("Team")).disabled).toBe(true);
  });

  it("of a new SOP names the team it takes from its category", async () => {
    const categories = [aCategory({ teamId: "team-kitchen" }), aCategory({ id: "cat-fin", name: "Finance" })];
    const replies = { "GET /api/teams": [aTeam()], "GET /api/categories": categories, "GET /api/templates": [] };
    const { user } = open(stored(), { path: "/sop/new?category=cat-hr", replies: replies as Replies });
    await openProperties(user);
    const team = await screen.findByLabelText<HTMLSelectElement>("Team");
    await waitFor(() => expect(team.selectedOptions[0]?.text).toBe("Kitchen, as its category"));
    await user.selectOptions(screen.getByLabelText("Category"), "Finance");
    expect(team.selectedOptions[0]?.text).toBe("No team");
  });

  it("fixes the owner for users who can't share the SOP, and shows the server's words under a date", async () => {
    const message = "Write the date as YYYY-MM-DD, from 1900 to 2999";
    const { user } = open(stored({ authorId: "another-user" }), {
      path,
      role: "editor",
      replies: { [update]: new FakeRefusal("invalid_input", message, { reviewBy: message }) },
    });
    await openProperties(user);
    expect((await screen.findByLabelText<HTMLSelectElement>("Owner")).disabled).toBe(true);
    await user.click(screen.getByRole("button", { name: "Close" }));
    await user.click(screen.getByRole("button", { name: "Save SOP" }));
    expect(await screen.findByText(message)).toBeTruthy();
  });
});
