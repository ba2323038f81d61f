import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import type { ImprovedTextAnswer } from "#core/ai/schema.ts";
import type { Sop } from "#core/sops/schema.ts";
import { showSource } from "../../testing/edit-screen.ts";
import { fakeServer, FakeRefusal, signedInReplies, type Replies } from "../../testing/fake-server.ts";
import { aControl, aSop } from "../../testing/records.ts";
import { resetBrowser, showApp } from "../../testing/render-app.tsx";

// compiled once, before the clock of a test runs
beforeAll(async () => {
  await Promise.all([
    import("../../editor/MarkdownEditor.tsx"),
    import("./EditForm.tsx"),
    import("./EnhanceReview.tsx"),
  ]);
}, 90_000);
afterEach(resetBrowser);

const id = "01980000-0000-7000-8000-00000000abcd";
const base = "## Steps\n\n1. Wash hands for 30 s\n2. Open the door\n3. Go in\n\nBe careful.\n";
const stored = (change: Partial<Sop> = {}): Sop => ({
  ...aSop({ id, title: "Open the kitchen", status: "draft", version: 3, number: "SOP-0042" }),
  content: "",
  markdown: base,
  control: aControl(),
  ...change,
});
const settings = (change = {}) => ({
  openaiApiKey: null,
  hasApiKey: false,
  hasGlobalApiKey: true,
  aiFeaturesEnabled: true,
  companyAiEnabled: true,
  apiKeyProblem: null,
  mailChoices: {},
  ...change,
});
const callId = "01980000-0000-7000-8000-0000000ca110";
const answer = (markdown: string, change: Partial<ImprovedTextAnswer> = {}): ImprovedTextAnswer => ({
  content: "",
  markdown,
  base,
  // an answer of another server: what a model says of itself is not shown
  summary: "Meaning, numbers and limits are unchanged.",
  edits: [{ op: "replace", blockId: "b3", markdown: "", why: "Says what to do", changes: [] }],
  dropped: [],
  findings: { before: [], after: [] },
  ai: { callId, model: "small", prompt: "clarify@1", usage: { promptTokens: 1, completionTokens: 1 }, calls: 1 },
  ...change,
});
const clearer = base.replace("Open the door", "Open the front door").replace("Be careful.", "Be careful at the door.");
const finding = (message: string, line: number) => ({
  rule: "x",
  severity: "warning" as const,
  message,
  line,
  column: 1,
  endLine: line,
  endColumn: 2,
});

function open(replies: Partial<Replies> = {}, path = `/sop/${id}/edit`) {
  const server = fakeServer({
    ...signedInReplies(),
    [`GET /api/sops/${id}`]: stored(),
    [`GET /api/sops/${id}/versions`]: [],
    "GET /api/user/settings": settings(),
    "POST /api/ai/enhance-content": answer(clearer),
    ...replies,
  } as Replies);
  return { server, ...showApp(server, path) };
}
type User = ReturnType<typeof showApp>["user"];

const openMenu = async (user: User) => user.click(await screen.findByRole("button", { name: "More actions" }));
async function choose(user: User, name: RegExp) {
  await openMenu(user);
  const item = await screen.findByRole("menuitem", { name });
  await waitFor(() => expect(item.getAttribute("aria-disabled")).toBeNull());
  await user.click(item);
}
const review = (name = "AI Enhance") => screen.findByRole("dialog", { name });
async function source(user: User) {
  await showSource(user);
  return screen.getByRole<HTMLTextAreaElement>("textbox", { name: "Content" });
}

describe("AI Enhance", () => {
  it("sends the current text, shows each change with its reason, and applies what was accepted", async () => {
    const { user, server } = open({ [`PUT /api/sops/${id}`]: stored({ version: 4 }) });
    const area = await source(user);
    fireEvent.change(area, { target: { value: base } });
    await choose(user, /^Clarity/);
    const dialog = await review();
    expect(server.requestsFor("POST /api/ai/enhance-content").map(({ body }) => body)).toEqual([
      { title: "Open the kitchen", markdown: base, enhancementType: "clarity" },
    ]);
    expect(dialog.textContent).toContain("2 proposed changes");
    expect(dialog.textContent).toContain("Proposed by AI: small, clarify@1.");
    expect(dialog.textContent).not.toContain("Meaning, numbers and limits are unchanged");
    const [step, last] = await within(dialog).findAllByRole("group");
    expect(step?.querySelector("ins")?.textContent).toContain("front");
    expect(within(last as HTMLElement).getByText("“Says what to do”")).toBeTruthy();
    expect(dialog.textContent).toContain("0 accepted · 2 to decide");
    await user.click(within(step as HTMLElement).getByRole("button", { name: "Accept" }));
    await user.click(within(last as HTMLElement).getByRole("button", { name: "Reject" }));
    await user.click(within(dialog).getByRole("button", { name: "Apply 1 change" }));
    await screen.findByText("Content Enhanced");
    await screen.findByText("AI has improved your SOP content.");
    await waitFor(() => expect(area.value).toBe(base.replace("Open the door", "Open the front door")));
    await user.click(screen.getByRole("button", { name: "Save SOP" }));
    await screen.findByText("SOP Updated");
    expect(server.requestsFor(`PUT /api/sops/${id}`)[0]?.body).toMatchObject({ aiCalls: [callId] });
  });

  it("is decided by keys alone, and leaves the text as it is when nothing is taken over", async () => {
    const { user, server } = open({ [`PUT /api/sops/${id}`]: stored({ version: 4 }) });
    await choose(user, /^Clarity/);
    const dialog = await review();
    await waitFor(() => expect(document.activeElement?.getAttribute("aria-label")).toMatch(/^Change 1 of 2/));
    await user.keyboard("ra");
    expect(within(dialog).getByRole("button", { name: "Apply 1 change" })).toBeTruthy();
    await user.keyboard("kjr");
    expect(within(dialog).getByRole<HTMLButtonElement>("button", { name: "Apply" }).disabled).toBe(true);
    await user.click(within(dialog).getByRole("button", { name: "Keep my text" }));
    await user.click(await screen.findByRole("button", { name: "Save SOP" }));
    await screen.findByText("SOP Updated");
    const [saved] = server.requestsFor(`PUT /api/sops/${id}`);
    expect(saved?.body).toMatchObject({ markdown: base });
    expect(saved?.body).not.toHaveProperty("aiCalls");
  });

  it("names what a change would lose; such a change waits for a click of its own", async () => {
    const { user } = open({
      "POST /api/ai/enhance-content": answer(clearer.replace("Wash hands for 30 s", "Wash hands well")),
    });
    await choose(user, /^Clarity/);
    const dialog = await review();
    const first = within(dialog).getByRole("group", { name: /^Change 1 of 3/ });
    expect(first.textContent).toContain("Changes: figure “30s” removed");
    expect(dialog.textContent).toContain("3 proposed changes, 1 marked: 1 figure");
    await user.click(within(dialog).getByRole("button", { name: "Accept all unmarked changes" }));
    expect(within(dialog).getByRole("button", { name: "Apply 2 changes" })).toBeTruthy();
    await user.click(within(first).getByRole("button", { name: "Accept" }));
    expect(within(dialog).getByRole("button", { name: "Apply 3 changes" })).toBeTruthy();
    await user.click(within(dialog).getByRole("button", { name: "Reject all" }));
    expect(within(dialog).getByRole<HTMLButtonElement>("button", { name: "Apply" }).disabled).toBe(true);
  });

  it.each([
    ["for 30 s", "for 30 min", "unit s → min"],
    ["Open the door", "Close the door", "word Open → Close"],
    ["Go in", "Never go in", "word “Never” added"],
    ["2. Open the door\n3. Go in", "2. Go in\n3. Open the door", "text “Open the door” removed"],
    ["\n\nBe careful.\n", "\n\nBe careful.\n\nStay at least 2 m away.\n", "text “Stay at least 2 m away.” added"],
  ])("marks %j → %j, and accepts it only by itself", async (from, to, mark) => {
    const { user } = open({ "POST /api/ai/enhance-content": answer(base.replace(from, to)) });
    await choose(user, /^Clarity/);
    const dialog = await review();
    expect(dialog.textContent).toContain(mark);
    await user.click(within(dialog).getByRole("button", { name: "Accept all unmarked changes" }));
    expect(within(dialog).getByRole<HTMLButtonElement>("button", { name: "Apply" }).disabled).toBe(true);
  });

  it("does not touch what was written on while the AI worked", async () => {
    let arrive: (value: unknown) => void = () => {};
    const { user } = open({ "POST /api/ai/enhance-content": () => new Promise((resolve) => (arrive = resolve)) });
    const area = await source(user);
    await choose(user, /^Clarity/);
    await screen.findByText("AI is rewording for clarity…");
    fireEvent.change(area, {
      target: { value: base.replace("Be careful.", "Be very careful.").replace("Go in", "Go in now") },
    });
    arrive(answer(clearer));
    const dialog = await review();
    const stale = await within(dialog).findByRole("group", { name: /Not applied: you edited this text/ });
    expect(within(stale).queryByRole("button")).toBeNull();
    await user.click(within(dialog).getByRole("button", { name: "Accept all" }));
    await user.click(within(dialog).getByRole("button", { name: "Apply 1 change" }));
    await waitFor(() =>
      expect(area.value).toBe(
        "## Steps\n\n1. Wash hands for 30 s\n2. Open the front door\n3. Go in now\n\nBe very careful.\n",
      ),
    );
  });

  it("can be cancelled while it works", async () => {
    let arrive: (value: unknown) => void = () => {};
    const { user } = open({ "POST /api/ai/enhance-content": () => new Promise((resolve) => (arrive = resolve)) });
    await choose(user, /^Detail/);
    await user.click(await screen.findByRole("button", { name: "Cancel" }));
    arrive(answer(clearer));
    await waitFor(() => expect(screen.queryByText("AI is looking for missing detail…")).toBeNull());
    expect(screen.queryByRole("dialog")).toBeNull();
    expect(screen.queryByText("Enhancement Failed")).toBeNull();
  });

  it("detects an empty text, and sends no request", async () => {
    const { user, server } = open({ [`GET /api/sops/${id}`]: stored({ markdown: "" }) });
    await choose(user, /^Clarity/);
    await screen.findByText("No Content");
    await screen.findByText("Add some content first before enhancing.");
    expect(server.requestsFor("POST /api/ai/enhance-content")).toEqual([]);
  });

  it("says in the seed's words that it failed, why beside the text, and tries again", async () => {
    const { user, server } = open({ "POST /api/ai/enhance-content": new FakeRefusal("ai_unreachable") });
    await choose(user, /^Clarity/);
    await screen.findByText("Enhancement Failed");
    await screen.findByText("Failed to enhance content with AI.");
    await screen.findByText("Can't reach the AI provider. Try again later");
    server.reply({ "POST /api/ai/enhance-content": answer(clearer) });
    await user.click(screen.getByRole("button", { name: "Try Again" }));
    await review();
    expect(screen.queryByText("Can't reach the AI provider. Try again later")).toBeNull();
  });

  it("tells what was left out of the proposal, and that there is nothing else", async () => {
    const edit = { op: "replace" as const, blockId: "b2", markdown: "", why: "Shorter" };
    const changes = [{ kind: "figure" as const, before: "30s", after: "30min" }];
    const dropped = [{ edit, reason: "loses what must stay" as const, lost: ["30s"], changes }];
    const { user } = open({ "POST /api/ai/enhance-content": answer(base, { edits: [], dropped }) });
    await choose(user, /^Clarity/);
    const dialog = await review();
    expect(within(dialog).getByText("AI found nothing to change.")).toBeTruthy();
    expect(within(dialog).getByText("1 proposal was left out")).toBeTruthy();
    expect(dialog.textContent).toContain("“Shorter”would lose 30sfigure 30s → 30min");
  });
});

describe("without AI", () => {
  it.each([
    [{ hasGlobalApiKey: false }, "Add a key to use AI", "/settings#ai"],
    [{ aiFeaturesEnabled: false }, "Turn on AI in your settings", "/settings#ai"],
    [{ companyAiEnabled: false }, "Your company turned AI off", null],
  ])("%o: the rules' entry works, and one line takes the place of what needs AI", async (change, line, address) => {
    const { user } = open({ "GET /api/user/settings": settings(change) });
    await openMenu(user);
    expect((await screen.findByText(line)).getAttribute("href")).toBe(address);
    expect(screen.queryByRole("menuitem", { name: /^(Clarity|Detail|Improve)/ })).toBeNull();
    expect(screen.getByText("By rules, without AI")).toBeTruthy();
    expect(screen.getByRole("menuitem", { name: /^Formatting/ }).getAttribute("aria-disabled")).toBeNull();
  });

  it("formatting shows what the rules found in each place, and names no AI", async () => {
    const tidy = base.replace("Be careful.", "Take care.");
    const findings = {
      before: [finding("Vague words", 7), finding("Stays", 7), finding("Elsewhere", 3)],
      after: [finding("Stays", 7)],
    };
    const { user, server } = open({
      "GET /api/user/settings": settings({ hasGlobalApiKey: false }),
      "POST /api/ai/enhance-content": answer(tidy, { ai: null, edits: [], summary: "", findings }),
      [`PUT /api/sops/${id}`]: stored({ version: 4 }),
    });
    await choose(user, /^Formatting/);
    const dialog = await review("By rules, without AI");
    expect(dialog.textContent).toContain("without AI");
    const only = within(dialog).getByRole("group");
    expect(only.textContent).toContain("Vague words");
    expect(only.textContent).not.toContain("Stays");
    await user.keyboard("a");
    await user.click(within(dialog).getByRole("button", { name: "Apply 1 change" }));
    await screen.findByText("The rules tidied your SOP content.");
    await user.click(screen.getByRole("button", { name: "Save SOP" }));
    await screen.findByText("SOP Updated");
    expect(server.requestsFor(`PUT /api/sops/${id}`)[0]?.body).not.toHaveProperty("aiCalls");
  });
});

describe("a link to an improvement", () => {
  it("starts it once, and leaves the address", async () => {
    const { server, address } = open({ "POST /api/ai/improve-sop": answer(clearer) }, `/sop/${id}/edit?improve=1`);
    await review();
    await waitFor(() => expect(address()).toBe(`/sop/${id}/edit`));
    expect(server.requestsFor("POST /api/ai/improve-sop")).toHaveLength(1);
  });

  it("starts the rules as well", async () => {
    const reply = { "POST /api/assistant/improve": answer(clearer, { ai: null, edits: [] }) };
    const { address } = open(reply, `/sop/${id}/edit?improve=rules`);
    await review("By rules, without AI");
    await waitFor(() => expect(address()).toBe(`/sop/${id}/edit`));
  });
});
