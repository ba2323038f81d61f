import { screen, waitFor, within } from "@testing-library/react";
import { afterEach, describe, expect, it } from "vitest";
import type { ErrorCode } from "#core/errors.ts";
import { aDraftedSop, aGeneratedSop, aSuggestion, someSettings, withoutKey } from "../testing/ai-records.ts";
import {
  fakeServer,
  FakeRefusal,
  signedInReplies,
  type RecordedRequest,
  type Replies,
} from "../testing/fake-server.ts";
import { aControl, aSop, aUser } from "../testing/records.ts";
import { resetBrowser, showApp } from "../testing/render-app.tsx";

afterEach(resetBrowser);

/** A server whose AI works, unless a test says otherwise. */
function serverWith(more: Replies = {}) {
  return fakeServer({
    ...signedInReplies(),
    "GET /api/user/settings": someSettings(),
    "GET /api/ai-suggestions": [],
    ...more,
  });
}
const panel = () => screen.findByRole("dialog", { name: "AI Assistant" });
const input = () => screen.findByPlaceholderText<HTMLTextAreaElement>("Ask AI about SOPs...");
async function open(more: Replies = {}, path = "/") {
  const server = serverWith(more);
  const shown = showApp(server, path);
  await shown.user.click(await screen.findByRole("button", { name: "AI Assistant" }));
  await panel();
  return { server, ...shown };
}
const openEnabled = async (more: Replies = {}, path = "/") => {
  const shown = await open(more, path);
  await waitFor(async () => expect((await input()).disabled).toBe(false));
  return shown;
};
const button = (name: string | RegExp) => screen.getByRole<HTMLButtonElement>("button", { name });
/** Toasts are also announced to screen readers, so their words appear twice. */
const told = (text: string) => screen.findAllByText(text);

describe("the panel", () => {
  it("is opened, closed and toggled, by button and Escape, and gives the focus back", async () => {
    const { user } = await openEnabled();
    const toggle = button("AI Assistant");
    expect(toggle.getAttribute("aria-expanded")).toBe("true");
    await user.click(toggle);
    expect(screen.queryByRole("dialog")).toBeNull();
    await user.click(await screen.findByRole("button", { name: "Open AI Assistant" }));
    await panel();
    expect(document.activeElement).toBe(await input());
    await user.keyboard("{Escape}");
    expect(screen.queryByRole("dialog")).toBeNull();
    await waitFor(() => expect(document.activeElement).toBe(button("Open AI Assistant")));
    await user.click(button("AI Assistant"));
    await user.click(await screen.findByRole("button", { name: "Close AI Assistant" }));
    await waitFor(() => expect(document.activeElement).toBe(button("AI Assistant")));
    expect(toggle.getAttribute("aria-expanded")).toBe("false");
  });

  it("is open again after a reload, without taking the focus", async () => {
    localStorage.setItem("ai-panel", "open");
    showApp(serverWith());
    const shown = await panel();
    await waitFor(async () => expect((await input()).disabled).toBe(false));
    expect(shown.contains(document.activeElement)).toBe(false);
  });

  it("is not offered to who may make no SOPs", async () => {
    localStorage.setItem("ai-panel", "open");
    const server = serverWith({ "GET /api/auth/me": { user: aUser({ role: "viewer" }) } });
    showApp(server);
    await screen.findByRole("link", { name: /^All SOPs/ });
    expect(screen.queryByRole("button", { name: /AI Assistant/ })).toBeNull();
    expect(screen.queryByRole("dialog")).toBeNull();
  });
});

describe("without AI", () => {
  const key = { name: "Add a key to use AI", href: "/settings#ai" };
  const off: [string, Replies, { name: string; href: string | null }][] = [
    ["no key", { "GET /api/user/settings": withoutKey }, key],
    [
      "a key that can't be used",
      { "GET /api/user/settings": someSettings({ apiKeyProblem: "It can't be opened." }) },
      key,
    ],
    [
      "the user's switch",
      { "GET /api/user/settings": someSettings({ aiFeaturesEnabled: false }) },
      { name: "Turn on AI in your settings", href: "/settings#ai" },
    ],
    [
      "the company's switch",
      { "GET /api/user/settings": someSettings({ companyAiEnabled: false }) },
      { name: "Your company turned AI off", href: null },
    ],
  ];
  it.each(off)(
    "%s: every action works by rules, and one line says how to get AI",
    async (_, replies, { name, href }) => {
      await open(replies);
      const line = await screen.findByText(name);
      expect(line.getAttribute("href")).toBe(href);
      const shown = within(await panel());
      expect(shown.queryByRole("alert")).toBeNull();
      const actions = within(shown.getByRole("region", { name: "Quick actions" }));
      expect(actions.getByText("By rules, without AI")).toBeTruthy();
      expect(
        actions.getAllByRole<HTMLButtonElement>("button").map(({ textContent, disabled }) => [textContent, disabled]),
      ).toEqual([
        ["Create SOP from template", false],
        ["Improve existing SOP", false],
        ["Suggest missing SOPs", false],
      ]);
    },
  );

  it("answers the box by search, with the step and its link, and sends nothing to AI", async () => {
    const hit = {
      sop: aSop({ title: "Clean the mill" }),
      title: { text: "Clean the mill", ranges: [[10, 14]] },
      snippet: { text: "Rinse the mill.", ranges: [[10, 14]] },
      step: { anchor: "user-content-cleaning", heading: "Cleaning", number: "7", text: "Rinse the mill." },
      missing: [],
    };
    const { server, user, address } = await open({
      "GET /api/user/settings": withoutKey,
      "GET /api/search": { data: [hit], showingFor: "the mill" },
    });
    const box = await screen.findByPlaceholderText<HTMLTextAreaElement>("Ask about your SOPs…");
    expect(button("Search").disabled).toBe(true);
    await user.type(box, " the mlil ");
    expect(server.requestsFor("GET /api/search")).toHaveLength(0);
    await user.keyboard("{Enter}");
    const found = within(await screen.findByRole("region", { name: "Search results" }));
    const link = await found.findByRole("link", { name: /Step 7/ });
    expect(link.textContent).toMatch(/^Clean the millSOP-\d+Step 7 · Under Cleaning: Rinse the mill\.$/);
    expect(found.getByText("“the mill”").parentElement?.textContent).toBe("Showing results for “the mill”");
    expect(server.requestsFor("GET /api/search").map(({ query }) => query)).toEqual([{ q: "the mlil", limit: "5" }]);
    expect(found.getByRole("link", { name: /^Show all results/ }).getAttribute("href")).toBe("/sops?search=the+mlil");
    await user.click(link);
    await waitFor(() => expect(address()).toMatch(/^\/sop\/[^?]+\?step=7&at=Rinse\+the\+mill\.$/));
    // the panel stays, with the answer
    expect(found.getByRole("link", { name: /Step 7/ })).toBeTruthy();
    await user.clear(box);
    expect(screen.queryByRole("region", { name: "Search results" })).toBeNull();
    expect(server.requestsFor("POST /api/ai/generate-sop")).toHaveLength(0);
  });

  it("says when search finds nothing or fails, and asks the next question in place of the last", async () => {
    const find = ({ query: { q } }: RecordedRequest) => (q === "bad" ? new FakeRefusal("busy") : { data: [] });
    const { server, user } = await open({ "GET /api/user/settings": withoutKey, "GET /api/search": find });
    const box = await screen.findByPlaceholderText("Ask about your SOPs…");
    await user.type(box, "zzz{Enter}");
    await screen.findByText("Nothing found for “zzz”");
    await user.clear(box);
    await user.type(box, "bad");
    await user.click(button("Search"));
    await screen.findByText("Search didn't respond.");
    server.reply({ "GET /api/search": { data: [] } });
    await user.click(button("Try Again"));
    await screen.findByText("Nothing found for “bad”");
  });

  it("leaves AI off when the settings can't be loaded, and offers a retry", async () => {
    const { server, user } = await open({ "GET /api/user/settings": new FakeRefusal("internal") });
    await screen.findByText("Failed to fetch settings");
    expect(screen.queryByPlaceholderText("Ask AI about SOPs...")).toBeNull();
    server.reply({ "GET /api/user/settings": someSettings() });
    await user.click(button("Try Again"));
    await waitFor(async () => expect((await input()).disabled).toBe(false));
    expect(screen.queryByText("By rules, without AI")).toBeNull();
  });

  it("finds missing SOPs by rules, without asking about a team", async () => {
    const { server, user } = await open({
      "GET /api/user/settings": withoutKey,
      "POST /api/assistant/suggest": [aSuggestion(), aSuggestion()],
    });
    await screen.findByText("By rules, without AI");
    await user.click(button("Suggest missing SOPs"));
    expect(screen.queryByLabelText(/What does your team do/)).toBeNull();
    server.reply({ "GET /api/ai-suggestions": [aSuggestion({ title: "Spills" })] });
    await user.click(button("Suggest"));
    await told("Suggestions Generated!");
    await told("Found 2 potential SOPs for your team.");
    await screen.findByRole("listitem", { name: "Spills" });
    expect(server.requestsFor("POST /api/ai/suggest-sops")).toHaveLength(0);
  });

  it("the rules' improvement leads to the editor as such", async () => {
    const sop = aSop({ title: "Clean the press" });
    const { user } = await open({ "GET /api/user/settings": withoutKey, "GET /api/sops": { data: [sop] } });
    await screen.findByText("By rules, without AI");
    await user.click(button("Improve existing SOP"));
    const link = await within(await screen.findByRole("dialog", { name: "Improve an SOP" })).findByRole("link");
    expect(link.getAttribute("href")).toBe(`/sop/${sop.id}/edit?improve=rules`);
  });
});

describe("asking for an SOP", () => {
  it("sends on Enter, says what it does, and leads to the draft and what to check in it", async () => {
    let finish: (made: unknown) => void = () => {};
    const answer = new Promise((done) => (finish = done));
    const { server, user } = await openEnabled({ "POST /api/ai/generate-sop": () => answer });
    const box = await input();
    await user.type(box, "  How we clean{Shift>}{Enter}{/Shift}the press{Enter}");
    await screen.findByText("AI is generating your SOP...");
    await screen.findByText(/^[1-9]\d* s$/, {}, { timeout: 5000 });
    expect(button("Generating...").disabled).toBe(true);
    expect(box.readOnly).toBe(true);
    expect(server.requestsFor("POST /api/ai/generate-sop")[0]?.body).toEqual({
      prompt: "How we clean\nthe press",
      category: "General",
    });
    const finding = { rule: "x", severity: "warning" as const, column: 1, endLine: 4, endColumn: 2 };
    const made = aGeneratedSop("Clean the press", {
      assumptions: ["The press is cold."],
      findings: [
        { ...finding, line: 4, message: "Name the cleaner." },
        { ...finding, line: 0, message: "The title is short." },
        // the form has a field for it, and requires it itself
        { ...finding, line: 0, rule: "meta/required", message: "owner is missing from the front matter" },
      ],
    });
    finish(made);
    await told("SOP Generated!");
    const shown = within(await panel());
    await shown.findByText('Created "Clean the press" successfully.');
    expect(shown.getByText("The press is cold.")).toBeTruthy();
    expect(shown.getByText("2 suggestions to look at")).toBeTruthy();
    expect(shown.getByText("Line 4: Name the cleaner.")).toBeTruthy();
    expect(shown.getByText("The title is short.")).toBeTruthy();
    expect(shown.queryByText(/front matter/)).toBeNull();
    expect(shown.getByRole("link", { name: "Open draft" }).getAttribute("href")).toBe(`/sop/${made.id}/edit`);
    expect(box.value).toBe("");
    await user.click(shown.getByRole("button", { name: "Dismiss" }));
    expect(shown.queryByText("The press is cold.")).toBeNull();
  });

  it("never sends what is blank", async () => {
    const { server, user } = await openEnabled();
    const box = await input();
    await user.type(box, "   {Shift>}{Enter}{/Shift} {Enter}");
    expect(button("Send").disabled).toBe(true);
    expect(server.requestsFor("POST /api/ai/generate-sop")).toHaveLength(0);
  });

  it("counts when the end is near, and takes no more than 2000 characters", async () => {
    const { user } = await openEnabled();
    const box = await input();
    await user.click(box);
    await user.paste("x".repeat(1799));
    expect(screen.queryByText(/\/ 2000/)).toBeNull();
    await user.paste("yz".repeat(200));
    expect(screen.getByText("2000 / 2000")).toBeTruthy();
    expect(box.value).toHaveLength(2000);
  });

  it("is cancelled, nothing is lost, and it can be sent again", async () => {
    const never = ({ signal }: RecordedRequest) =>
      new Promise((_, reject) => signal?.addEventListener("abort", () => reject(signal.reason as Error)));
    const { server, user } = await openEnabled({ "POST /api/ai/generate-sop": never });
    await user.type(await input(), "Spills{Enter}");
    await user.click(await screen.findByRole("button", { name: "Cancel" }));
    await screen.findByText("Canceled. Your request is still here.");
    expect((await input()).value).toBe("Spills");
    expect(screen.queryByText("Generation Failed")).toBeNull();
    server.reply({ "POST /api/ai/generate-sop": aGeneratedSop("Spills") });
    await user.click(button("Send"));
    await told("SOP Generated!");
  });

  it("goes on while the panel is closed", async () => {
    let finish: (made: unknown) => void = () => {};
    const answer = new Promise((done) => (finish = done));
    const { user } = await openEnabled({ "POST /api/ai/generate-sop": () => answer });
    await user.type(await input(), "Spills{Enter}");
    await user.click(button("Close AI Assistant"));
    finish(aGeneratedSop("Spills"));
    await told("SOP Generated!");
    await user.click(button("Open AI Assistant"));
    await within(await panel()).findByRole("link", { name: "Open draft" });
  });

  const failures: [ErrorCode, string, unknown, string][] = [
    [
      "ai_key_missing",
      "No API key for the AI is configured",
      undefined,
      "OpenAI API key not configured. Please set OPENAI_API_KEY in your environment.",
    ],
    ["ai_rate_limited", "Try later", { retryAfterSeconds: 20 }, "Try later"],
    ["internal", "Something went wrong on the server", undefined, "Failed to generate SOP. Please try again."],
  ];
  it.each(failures)("shows %s in its own words, and keeps the request", async (code, message, details, text) => {
    const { server, user } = await openEnabled({
      "POST /api/ai/generate-sop": new FakeRefusal(code, message, details),
    });
    await user.type(await input(), "Spills{Enter}");
    await told("Generation Failed");
    const shown = within(await panel());
    await shown.findByText(text);
    expect((await input()).value).toBe("Spills");
    expect(shown.queryAllByRole("link", { name: "Setup" })).toHaveLength(code === "ai_key_missing" ? 1 : 0);
    const retry = shown.getByRole<HTMLButtonElement>("button", { name: "Try Again" });
    expect(retry.disabled).toBe(code === "ai_rate_limited");
    if (code === "ai_rate_limited") expect(shown.getByText(/^Try again in (20|19) seconds\.$/)).toBeTruthy();
    if (retry.disabled) return;
    server.reply({ "POST /api/ai/generate-sop": aGeneratedSop("Spills") });
    await user.click(retry);
    await told("SOP Generated!");
    expect(shown.queryByText(text)).toBeNull();
  });

  it("shows the seed's words when there is no answer", async () => {
    const lost = () => Promise.reject(new TypeError("Failed to fetch"));
    const { user } = await openEnabled({ "POST /api/ai/generate-sop": lost });
    await user.type(await input(), "Spills{Enter}");
    await told("Failed to generate SOP. Please try again.");
  });
});

describe("quick actions", () => {
  const own = aSop({ title: "Our checklist", isTemplate: true });
  const library = { id: "evacuation", title: "Evacuation", description: "Everybody out.", tags: [], readTime: 7 };
  const templates: Replies = {
    "GET /api/sops": ({ query }: RecordedRequest) => ({ data: query["template"] ? [own] : [] }),
    "GET /api/templates": [library],
  };

  it("a template becomes a draft, open in the editor", async () => {
    const made = aDraftedSop("Evacuation");
    const { server, user, address } = await openEnabled({
      ...templates,
      "POST /api/assistant/draft": made,
      [`GET /api/sops/${made.id}`]: made,
    });
    await user.click(button("Create SOP from template"));
    const dialog = within(await screen.findByRole("dialog", { name: "Create an SOP from a template" }));
    await dialog.findByRole("button", { name: /^Our checklist/ });
    await user.click(dialog.getByRole("button", { name: /^Evacuation/ }));
    await told("Draft created");
    await told("From the template “Evacuation”.");
    await waitFor(() => expect(address()).toBe(`/sop/${made.id}/edit`));
    expect(server.requestsFor("POST /api/assistant/draft")[0]?.body).toEqual({
      prompt: "Evacuation",
      template: "evacuation",
    });
  });

  it("the template that fits best is taken for words no title has; a failure keeps the window", async () => {
    const { server, user } = await openEnabled({
      ...templates,
      "POST /api/assistant/draft": new FakeRefusal("internal", ""),
    });
    await user.click(button("Create SOP from template"));
    const dialog = within(await screen.findByRole("dialog", { name: "Create an SOP from a template" }));
    expect(dialog.queryByRole("button", { name: /fits best/ })).toBeNull();
    await user.type(await dialog.findByPlaceholderText("Search templates…"), " fire drill ");
    await user.click(dialog.getByRole("button", { name: "Draft “fire drill” from the template that fits best" }));
    await told("Couldn't create the draft. Try again.");
    expect(server.requestsFor("POST /api/assistant/draft")[0]?.body).toEqual({ prompt: "fire drill", template: null });
    expect(screen.getByRole("dialog", { name: "Create an SOP from a template" })).toBeTruthy();
  });

  it("an SOP to improve is the one on screen, or found by search among those one may edit", async () => {
    const viewed = { ...aSop({ title: "Start the press" }), markdown: "", content: "", control: aControl() };
    const found = aSop({ title: "Clean the press" });
    const secret = aSop({ title: "Not mine", companyId: "another" });
    const { server, user, address } = await openEnabled(
      {
        [`GET /api/sops/${viewed.id}`]: viewed,
        "GET /api/sops": { data: [viewed, found, secret] },
      },
      `/sop/${viewed.id}`,
    );
    await user.click(button("Improve existing SOP"));
    const dialog = within(await screen.findByRole("dialog", { name: "Improve an SOP" }));
    const onScreen = within(await dialog.findByRole("region", { name: "The SOP on screen" }));
    expect(onScreen.getByRole("link").getAttribute("href")).toBe(`/sop/${viewed.id}/edit?improve=1`);
    const others = within(await dialog.findByRole("region", { name: "SOPs you can edit" }));
    expect(others.getAllByRole("link").map((link) => link.textContent)).toEqual([`Clean the press${found.number}`]);
    server.reply({ "GET /api/sops": { data: [] } });
    await user.type(dialog.getByPlaceholderText("Search SOPs…"), "zzz");
    await dialog.findByText("No matching SOPs you can edit.");
    expect(server.requestsFor("GET /api/sops").at(-1)?.query).toEqual({ search: "zzz", limit: "30" });
    await user.click(onScreen.getByRole("link"));
    // the editor removes the question from its address at once
    await waitFor(() => expect(address()).toMatch(new RegExp(`^/sop/${viewed.id}/edit`)));
    await waitFor(() => expect(screen.queryByRole("dialog", { name: "Improve an SOP" })).toBeNull());
    expect(await panel()).toBeTruthy();
  });

  it("suggests missing SOPs for what the team does, and shows a failure beside the question", async () => {
    const { server, user } = await openEnabled({
      "POST /api/ai/suggest-sops": new FakeRefusal("ai_timeout", "It took too long"),
    });
    await user.click(button("Suggest missing SOPs"));
    await user.type(screen.getByLabelText(/What does your team do/), " We print books ");
    await user.click(button("Suggest"));
    await told("Suggestions Failed");
    await within(await panel()).findByText("It took too long");
    server.reply({ "POST /api/ai/suggest-sops": [aSuggestion(), aSuggestion(), aSuggestion()] });
    await user.click(button("Try Again"));
    await told("Suggestions Generated!");
    await told("Found 3 potential SOPs for your team.");
    expect(server.requestsFor("POST /api/ai/suggest-sops")[1]?.body).toEqual({ teamContext: "We print books" });
    expect(screen.queryByLabelText(/What does your team do/)).toBeNull();
  });
});

describe("recent suggestions", () => {
  const spills = aSuggestion({
    title: "Clean up spills",
    source: "ai",
    evidence: [
      {
        rule: "dangling-link",
        text: "It links to it",
        sentence: { id: "", values: {} },
        sopId: "sop-1",
        title: "Start the press",
      },
    ],
    similarTo: [{ sopId: "sop-2", title: "Clean the press", score: 0.4 }],
  });
  const visitors = aSuggestion({ title: "Receive visitors" });
  const item = (name: string) => screen.findByRole("listitem", { name });

  it("say why, what is near, and who says so", async () => {
    const { server } = await openEnabled({ "GET /api/ai-suggestions": [spills, visitors] });
    const shown = within(await item("Clean up spills"));
    expect(shown.getByText("AI")).toBeTruthy();
    expect(shown.getByText("Three SOPs refer to it.")).toBeTruthy();
    expect(shown.getByText(/^It links to it/)).toBeTruthy();
    expect(shown.getByText("Start the press").getAttribute("href")).toBe("/sop/sop-1");
    expect(shown.getByRole("link", { name: "Clean the press" }).getAttribute("href")).toBe("/sop/sop-2");
    expect(within(await item("Receive visitors")).getByText("Rules")).toBeTruthy();
    expect(server.requestsFor("GET /api/ai-suggestions")[0]?.query).toEqual({ status: "pending" });
  });

  it("accepted they are drafts", async () => {
    const status = `PUT /api/ai-suggestions/${spills.id}/status` as const;
    const { server, user } = await openEnabled({
      "GET /api/ai-suggestions": [spills],
      [status]: { ...spills, status: "accepted", sopId: "sop-9" },
    });
    await item("Clean up spills");
    server.reply({ "GET /api/ai-suggestions": [] });
    await user.click(button("Accept Clean up spills"));
    const shown = within(await panel());
    await shown.findByText('Created "Clean up spills" successfully.');
    expect(shown.getByRole("link", { name: "Open draft" }).getAttribute("href")).toBe("/sop/sop-9/edit");
    expect(server.requestsFor(status)[0]?.body).toEqual({ status: "accepted" });
    await shown.findByText("No suggestions yet. Ask for SOPs that your team may be missing.");
  });

  it("removes dismissed ones, restores them by Undo, and shows failures", async () => {
    const status = `PUT /api/ai-suggestions/${visitors.id}/status` as const;
    const { server, user } = await openEnabled({
      "GET /api/ai-suggestions": [visitors],
      [status]: new FakeRefusal("internal", ""),
    });
    await item("Receive visitors");
    await user.click(button("Dismiss Receive visitors"));
    await told("Couldn't update the suggestion. Try again.");
    server.reply({ "GET /api/ai-suggestions": [], [status]: { ...visitors, status: "dismissed" } });
    await user.click(button("Dismiss Receive visitors"));
    await told("Suggestion dismissed");
    await waitFor(() => expect(screen.queryByRole("listitem", { name: "Receive visitors" })).toBeNull());
    server.reply({ "GET /api/ai-suggestions": [visitors], [status]: visitors });
    await user.click(button("Undo"));
    await item("Receive visitors");
    expect(server.requestsFor(status).map(({ body }) => body)).toEqual([
      { status: "dismissed" },
      { status: "dismissed" },
      { status: "pending" },
    ]);
  });

  it("shows a few at first and all on demand, and offers a retry when they can't be loaded", async () => {
    const many = Array.from({ length: 6 }, () => aSuggestion());
    const { server, user } = await openEnabled({ "GET /api/ai-suggestions": new FakeRefusal("internal") });
    await screen.findByText("Couldn't load the suggestions.");
    server.reply({ "GET /api/ai-suggestions": many });
    await user.click(button("Try Again"));
    await item(many[3]?.title ?? "");
    expect(screen.queryByRole("listitem", { name: many[4]?.title ?? "" })).toBeNull();
    await user.click(button("Show all 6"));
    await item(many[5]?.title ?? "");
  });
});
