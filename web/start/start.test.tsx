/** The first day of a company: its name, its first drafts, its people. */
import { screen, waitFor, within } from "@testing-library/react";
import { afterEach, describe, expect, it } from "vitest";
import { templatesByTrade, tradeLabels, trades } from "#core/templates/trades.ts";
import {
  fakeServer,
  noMailServer,
  noNeeds,
  FakeRefusal,
  signedInReplies,
  type Replies,
} from "../testing/fake-server.ts";
import { aSop, aUser } from "../testing/records.ts";
import { resetBrowser, showApp } from "../testing/render-app.tsx";

afterEach(resetBrowser);

const library = [...new Set(trades.flatMap((trade) => templatesByTrade[trade]))].map((id) => ({
  id,
  title: `Template ${id}`,
  description: "What it is for",
  tags: [],
  readTime: 4,
  steps: 9,
}));

/** As registration names a company. */
const unnamed = { ...aUser().company, id: "c-1", name: "Ann Archer's company", slug: "ann" };

function show(path: string, more: Replies = {}) {
  const server = fakeServer({
    ...signedInReplies(),
    "GET /api/auth/me": { user: aUser({ role: "company_admin", company: unnamed }) },
    "GET /api/company": { name: "Ann Archer's company", industry: tradeLabels.laboratory },
    "GET /api/templates": library,
    ...more,
  });
  return { server, ...showApp(server, path) };
}

describe("the first day", () => {
  it("asks for name and trade, and stores them", async () => {
    const { server, user, address } = show("/start", { "PUT /api/company": {} });
    await user.type(await screen.findByLabelText("Company name"), "Harbor Lane");
    await user.click(screen.getByRole("radio", { name: "Laboratory" }));
    await user.click(screen.getByRole("button", { name: "Continue" }));
    await waitFor(() => expect(address()).toBe("/start?step=templates"));
    expect(server.requestsFor("PUT /api/company")[0]?.body).toEqual({ name: "Harbor Lane", industry: "Laboratory" });
  });

  it("can be skipped at every step, and sends nothing", async () => {
    const { server, user, address } = show("/start");
    for (const next of ["/start?step=templates", "/start?step=people", "/"]) {
      await user.click(await screen.findByRole("button", { name: "Skip this step" }));
      await waitFor(() => expect(address()).toBe(next));
    }
    expect(server.requests.filter(({ method }) => method !== "GET")).toEqual([]);
  });

  it("offers six templates of the trade, and makes drafts of the chosen ones", async () => {
    const { server, user, address } = show("/start?step=templates", {
      "POST /api/assistant/draft": { ...aSop(), rules: { template: "", templateTitle: "", found: [] } },
    });
    const boxes = await screen.findAllByRole("checkbox");
    expect(boxes.map((box) => (box as HTMLInputElement).checked)).toEqual([true, true, true, false, false, false]);
    await user.click(boxes[1] as HTMLElement);
    await user.click(screen.getByRole("button", { name: "Add 2 drafts" }));
    await waitFor(() => expect(address()).toBe("/start?step=people"));
    const [first, , third] = templatesByTrade.laboratory;
    expect(server.requestsFor("POST /api/assistant/draft").map(({ body }) => body)).toEqual(
      [first, third].map((template) => ({ prompt: `Template ${template}`, template })),
    );
  });

  it("shows a template before it is taken", async () => {
    const [first = ""] = templatesByTrade.laboratory;
    const { user } = show("/start?step=templates", {
      [`GET /api/templates/${first}`]: { ...library[0], markdown: "", content: "<p>Wear gloves</p>" },
    });
    await user.click(await screen.findByRole("button", { name: `View “Template ${first}”` }));
    expect(await within(await screen.findByRole("dialog")).findByText("Wear gloves")).toBeTruthy();
  });

  it("invites pasted addresses with their roles, and keeps a bad one in the box", async () => {
    const { server, user } = show("/start?step=people", {
      "POST /api/company/invitations": ({ body }: { body: unknown }) =>
        (body as { email: string }).email === "taken@acme.test"
          ? new FakeRefusal("limit_reached", "No more users")
          : { link: "https://sop.test/register?invite=1", unsent: "unconfirmed" },
    });
    const box = await screen.findByLabelText("Email addresses");
    await user.click(box);
    await user.paste("ben@acme.test, taken@acme.test cy@acme");
    await user.selectOptions(screen.getByLabelText("Role of ben@acme.test"), "editor");
    await user.click(screen.getByRole("button", { name: "Invite 2 people" }));
    await screen.findByText("1 person invited");
    expect(server.requestsFor("POST /api/company/invitations").map(({ body }) => body)).toEqual([
      { email: "ben@acme.test", role: "editor" },
      { email: "taken@acme.test", role: "viewer" },
    ]);
    expect((box as HTMLTextAreaElement).value).toBe("taken@acme.test, cy@acme");
    await screen.findByText("Not an email address: cy@acme. taken@acme.test: No more users");
    // the mail can't be sent before the founder's own address is confirmed
    expect((screen.getByLabelText("Link for ben@acme.test as Editor") as HTMLInputElement).value).toMatch(/invite=1$/);
  });

  it("gives links to pass on where the server sends no email", async () => {
    const { user } = show("/start?step=people", {
      ...noMailServer,
      "POST /api/company/invitations": { link: "https://sop.test/register?invite=1", unsent: "no_mail_server" },
    });
    await user.click(await screen.findByLabelText("Email addresses"));
    screen.getByText("This server sends no email. Copy each link and pass it on.");
    await user.paste("ben@acme.test");
    await user.click(screen.getByRole("button", { name: "Invite 1 person" }));
    await screen.findByText("1 person invited");
    screen.getByText("This server sends no email. Copy each link and pass it on.");
    screen.getByLabelText("Link for ben@acme.test as Viewer");
  });

  it("shows only the newest link to an address, with its role", async () => {
    const { server, user } = show("/start?step=people", {
      ...noMailServer,
      "POST /api/company/invitations": { link: "https://sop.test/register?invite=1", unsent: "no_mail_server" },
    });
    await user.click(await screen.findByLabelText("Email addresses"));
    await user.paste("ben@acme.test");
    await user.click(screen.getByRole("button", { name: "Invite 1 person" }));
    await screen.findByLabelText("Link for ben@acme.test as Viewer");
    server.reply({
      "POST /api/company/invitations": {
        link: "https://sop.test/register?invite=2",
        unsent: "no_mail_server",
        replaced: true,
      },
    });
    await user.click(screen.getByLabelText("Email addresses"));
    await user.paste("Ben@acme.test");
    await user.selectOptions(screen.getByLabelText("Role of Ben@acme.test"), "reviewer");
    await user.click(screen.getByRole("button", { name: "Invite 1 person" }));
    const link = await screen.findByLabelText<HTMLInputElement>("Link for Ben@acme.test as Reviewer");
    expect(link.value).toMatch(/invite=2$/);
    screen.getByText("The earlier link to this address no longer works.");
    screen.getByText("1 person invited");
    expect(screen.queryByLabelText("Link for ben@acme.test as Viewer")).toBeNull();
  });

  it("is for administrators of the company", async () => {
    show("/start", { "GET /api/auth/me": { user: aUser({ role: "editor" }) } });
    await screen.findByRole("heading", { level: 1, name: "Access Denied" });
  });
});

describe("the checklist on the home page", () => {
  const firstSteps = {
    sops: 3,
    invited: 0,
    joined: 0,
    published: false,
    waits: false,
    effectiveAt: null,
    asked: false,
    next: null,
  };

  it("leads to the next step, and is hidden for good on request", async () => {
    const next = { id: "sop-1", number: "SOP-0001", title: "Clean" };
    const { user } = show("/", { "GET /api/stats/needs": { ...noNeeds, firstSteps: { ...firstSteps, next } } });
    const list = within(await screen.findByRole("region", { name: /Publish your first SOP/ }));
    expect(list.getByText("1 of 4 done")).toBeTruthy();
    expect(list.getByText("3 SOPs started")).toBeTruthy();
    expect(list.getByRole("link", { name: "Invite" }).getAttribute("href")).toBe("/start?step=people");
    expect(list.getByRole("link", { name: "Open “Clean”" }).getAttribute("href")).toBe("/sop/sop-1/edit");
    // nothing to count or filter yet; documents can be brought
    expect(screen.queryByText("Total SOPs")).toBeNull();
    expect(await screen.findByRole("region", { name: "Bring documents you have" })).toBeTruthy();
    await user.click(list.getByRole("button", { name: "Hide this list" }));
    await screen.findByText("Total SOPs");
    expect(screen.queryByRole("region", { name: /Publish your first SOP/ })).toBeNull();
  });

  it("says that the first SOP waits, and leads to it", async () => {
    const next = { id: "sop-1", number: "SOP-0001", title: "Clean" };
    show("/", { "GET /api/stats/needs": { ...noNeeds, firstSteps: { ...firstSteps, waits: true, next } } });
    const list = within(await screen.findByRole("region", { name: /Publish your first SOP/ }));
    list.getByText("Your first SOP waits for approval");
    expect(list.queryByText("Make a draft yours, and publish it")).toBeNull();
    expect(list.getByRole("link", { name: "Open “Clean”" }).getAttribute("href")).toBe("/sop/sop-1");
  });

  it("has another heading once the first SOP is published", async () => {
    const next = { id: "sop-1", number: "SOP-0001", title: "Clean" };
    const published = { ...firstSteps, invited: 1, joined: 1, published: true, next };
    show("/", { "GET /api/stats/needs": { ...noNeeds, firstSteps: published } });
    const list = within(await screen.findByRole("region", { name: /Bring your first SOP to readers/ }));
    list.getByText("1 person invited, 1 has joined");
    expect(list.getByRole("link", { name: "Ask to read" }).getAttribute("href")).toBe("/sop/sop-1");
    expect(screen.queryByText("Publish your first SOP")).toBeNull();
  });

  it("says when the first SOP takes effect, and leads to it", async () => {
    const next = { id: "sop-1", number: "SOP-0001", title: "Clean" };
    const later = { ...firstSteps, invited: 4, joined: 1, effectiveAt: "2026-07-01T00:00:00.000Z", next };
    show("/", { "GET /api/stats/needs": { ...noNeeds, firstSteps: later } });
    const list = within(await screen.findByRole("region", { name: /Publish your first SOP/ }));
    list.getByText("Your first SOP takes effect later");
    list.getByText("Readers see it on Jul 1, 2026.");
    list.getByText("4 people invited, 1 has joined");
    expect(list.queryByText("Make a draft yours, and publish it")).toBeNull();
    expect(list.getByRole("link", { name: "Open “Clean”" }).getAttribute("href")).toBe("/sop/sop-1");
  });
});

describe("the home page of a new company", () => {
  it("leads to writing first, offers templates second, and says what an SOP is", async () => {
    const firstSteps = {
      sops: 0,
      invited: 0,
      joined: 0,
      published: false,
      waits: false,
      effectiveAt: null,
      asked: false,
      next: null,
    };
    show("/", { "GET /api/stats/needs": { ...noNeeds, firstSteps } });
    const list = within(await screen.findByRole("region", { name: /Publish your first SOP/ }));
    expect(list.getByText(/standard operating procedure \(SOP\)/)).toBeTruthy();
    const filled = list.getByRole("link", { name: "Write an SOP" });
    expect(filled.getAttribute("href")).toBe("/sop/new");
    expect(filled.className).toContain("bg-primary");
    const templates = list.getByRole("link", { name: "Choose templates" });
    expect(templates.getAttribute("href")).toBe("/start?step=templates");
    expect(templates.className).not.toContain("bg-primary");
  });
});

it("each trade has six templates of the library", () => {
  for (const trade of trades) expect(new Set(templatesByTrade[trade]).size).toBe(6);
});
