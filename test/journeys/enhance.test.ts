/** Proposals and merges in a real browser: change by change, one undo step, nothing lost. The provider is on loopback. */
import type { Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { startFakeProvider, type FakeProvider } from "../fake-provider.ts";
import { refusesWith } from "../provider-failures.ts";
import type { TestUser } from "../server.ts";
import { faultsOf } from "./page-faults.ts";
import { chooseAction } from "./edit-screen.ts";
import { describeJourney } from "./journey.ts";

const key = "sk-proj-Zq3vXw8LpR5tNc7mKd2y";

const markdown = `## Procedure

1. Wash your hands for 30 s
2. Open the valve as needed
3. Close the door

> [!WARNING]
> The pipe is hot.

It is important to note that the log should be written by somebody.

| Check | Limit |
| --- | --- |
| Water | 60 °C |
| Air | 20 °C |
`;
const edits = {
  summary: "Plainer steps, and who writes the log.",
  edits: [
    {
      op: "replace",
      blockId: "b2",
      markdown: "1. Wash your hands for 30 s\n2. Open the valve by two turns\n3. Close the door and lock it",
      why: "Says how far, and what the door needs.",
    },
    { op: "replace", blockId: "b4", markdown: "The shift lead writes the log.", why: "Names who does it." },
    { op: "insertAfter", blockId: "b5", markdown: "Keep the log for 5 years.", why: "Says how long." },
    { op: "replace", blockId: "b9", markdown: "Nothing", why: "There is no such block." },
  ],
};

let provider: FakeProvider;

async function withProvider() {
  provider = await startFakeProvider(key);
  return { env: { OPENAI_BASE_URL: provider.url, OPENAI_MODEL: "small" } };
}

describeJourney("proposals for a text", withProvider, ({ server, contextOf, open, expectRefusals }) => {
  /** Has no API key. */
  let ann: TestUser;
  /** Has an API key. */
  let ben: TestUser;

  beforeAll(async () => {
    const company = await server().company();
    ann = await company.user("manager", { name: "Ann Archer" });
    ben = await company.user("manager", { name: "Ben Baker" });
    await ben.client.settings.update({ body: { openaiApiKey: key } });
  });
  afterAll(() => provider?.stop());
  beforeEach(() => {
    provider.answer = null;
    provider.answerChat = () => edits;
  });

  const newSop = async (user: TestUser, text = markdown) => {
    const [category] = await user.client.categories.list();
    const about = { title: "Flush the line", description: "Once a week, by the shift.", categoryId: category?.id };
    return user.client.sops.create({ body: { ...about, markdown: text } });
  };
  const toast = (page: Page, text: string) =>
    page.locator("[data-radix-collection-item]").getByText(text, { exact: true });
  const choose = async (page: Page, name: string) => {
    await page.getByRole("button", { name: "More actions" }).click();
    await page.getByRole("menuitem", { name: new RegExp(`^${name}`), disabled: false }).click();
  };
  const review = (page: Page, name = "AI Enhance") => page.getByRole("dialog", { name });
  const change = (page: Page, name: RegExp) => page.getByRole("group", { name });
  const textOf = (page: Page) => page.locator(".ProseMirror").innerText();
  const fitsIn = (page: Page) =>
    page.evaluate(() => {
      const body = document.querySelector("[role=dialog] .overflow-y-auto");
      return body !== null && body.scrollWidth <= body.clientWidth;
    });

  it("come change by change, are taken over as one step, and are part of the version", async () => {
    const sop = await newSop(ben);
    const context = await contextOf(ben);
    const page = await open(context, `/sop/${sop.id}/edit`);
    await page.locator(".ProseMirror h2").waitFor();
    const before = await textOf(page);
    await choose(page, "Clarity");
    await change(page, /^Change 1 of 4/).waitFor();
    await review(page).getByText("1 proposal was left out").waitFor();
    expect(await faultsOf(page)).toEqual([]);
    await page.keyboard.press("a");
    await page.keyboard.press("r");
    await change(page, /^Change 3 of 4/)
      .getByRole("button", { name: "Accept" })
      .click();
    await review(page).getByText("2 accepted", { exact: true }).waitFor();
    await page.setViewportSize({ width: 390, height: 800 });
    expect(await fitsIn(page)).toBe(true);
    await page.setViewportSize({ width: 1280, height: 900 });
    await review(page).getByRole("button", { name: "Apply 2 changes" }).click();
    await toast(page, "Content Enhanced").waitFor();
    await toast(page, "AI has improved your SOP content.").waitFor();
    await page.getByText("The shift lead writes the log.").waitFor();
    expect(await textOf(page)).toContain("Open the valve by two turns");
    expect(await textOf(page)).not.toContain("lock it");
    expect(await textOf(page)).not.toContain("5 years");
    await page.locator(".ProseMirror").press("Control+z");
    expect(await textOf(page)).toBe(before);
    await page.locator(".ProseMirror").press("Control+y");
    await page.getByRole("button", { name: "Save SOP" }).click();
    await page.getByRole("heading", { level: 1, name: "Flush the line" }).waitFor();
    const saved = await ben.client.sops.get({ params: { id: sop.id } });
    expect(saved.markdown).toBe(
      markdown
        .replace("Open the valve as needed", "Open the valve by two turns")
        .replace(/It is important.*/, "The shift lead writes the log."),
    );
    await page.goto(new URL(`/sop/${sop.id}/edit`, server().url).href);
    await chooseAction(page, "Version history");
    await page.getByText(/^AI-assisted: small-2026, \S+@\d+$/).waitFor();
    await expectRefusals();
  });

  it("are one step in the Markdown source too, and keep what was written since", async () => {
    const sop = await newSop(ben);
    const context = await contextOf(ben);
    const page = await open(context, `/sop/${sop.id}/edit`);
    await chooseAction(page, "Markdown source");
    const area = page.getByRole("textbox", { name: "Content" });
    const question = Promise.withResolvers<void>();
    const answer = Promise.withResolvers<typeof edits>();
    provider.answerChat = () => {
      question.resolve();
      return answer.promise;
    };
    await choose(page, "Improve");
    await page.getByText("AI is improving the text…").waitFor();
    await question.promise;
    await area.focus();
    await page.keyboard.press("Control+End");
    await page.keyboard.type("\nAnd one line more.\n");
    const before = await area.inputValue();
    answer.resolve(edits);
    await change(page, /^Change 1 of /).waitFor();
    await review(page).getByRole("button", { name: "Accept all" }).click();
    // a figure that the text didn't have is accepted on its own
    await review(page)
      .getByRole("group", { name: /^Change \d+ of / })
      .filter({ hasText: "two turns" })
      .getByRole("button", { name: "Accept", exact: true })
      .click();
    await review(page)
      .getByRole("button", { name: /^Apply/ })
      .click();
    await expect.poll(() => area.inputValue()).toContain("Open the valve by two turns");
    expect(await area.inputValue()).toContain("And one line more.");
    await page.keyboard.press("Control+z");
    expect(await area.inputValue()).toBe(before);
    await expectRefusals();
  });

  it("are not requested without a text, and a failure shows the seed's words", async () => {
    const context = await contextOf(ben);
    const page = await open(context, "/sop/new");
    await page.locator(".ProseMirror").waitFor();
    await choose(page, "Detail");
    await toast(page, "No Content").waitFor();
    await toast(page, "Add some content first before enhancing.").waitFor();
    await page.locator(".ProseMirror").click();
    await page.keyboard.type("Do it.");
    provider.answer = refusesWith(500, {});
    await choose(page, "Detail");
    await toast(page, "Enhancement Failed").waitFor();
    await toast(page, "Failed to enhance content with AI.").waitFor();
    await page.getByText("Can't reach the AI provider. Try again later").waitFor();
    await expectRefusals(502);
  });

  it("are made by rules without a key, and called so", async () => {
    const chats = provider.chats.length;
    const sop = await newSop(ann, "## Steps\n\n1. Open the the valve\n2. Use 30ml of oil\n\nEnd of it.\n");
    const context = await contextOf(ann);
    const page = await open(context, `/sop/${sop.id}/edit`);
    await page.locator(".ProseMirror h2").waitFor();
    await page.getByRole("button", { name: "More actions" }).click();
    await page.getByRole("menuitem", { name: "Add a key to use AI" }).waitFor();
    expect(await page.getByRole("menuitem", { name: /^Clarity/ }).count()).toBe(0);
    expect(await faultsOf(page)).toEqual([]);
    await page.getByRole("menuitem", { name: /^Formatting/ }).click();
    await review(page, "By rules, without AI").waitFor();
    await page.keyboard.press("a");
    await review(page, "By rules, without AI").getByRole("button", { name: "Apply 1 change" }).click();
    await toast(page, "The rules tidied your SOP content.").waitFor();
    await page.getByText("Use 30\u00a0ml of oil").waitFor();
    expect(provider.chats.length).toBe(chats);
    await context.close();
    const link = await contextOf(ann);
    const asked = await open(link, `/sop/${sop.id}/edit?improve=rules`);
    await review(asked, "By rules, without AI").waitFor();
    expect(new URL(asked.url()).search).toBe("");
    await expectRefusals();
  });

  it("two who edit at once merge step by step, and choose where both changed a place", async () => {
    const sop = await newSop(ann);
    const [one, other] = [await contextOf(ann), await contextOf(ben)];
    const [page, late] = [await open(one, `/sop/${sop.id}/edit`), await open(other, `/sop/${sop.id}/edit`)];
    const write = async (where: Page, item: string, words: string) => {
      await where.locator(`.ProseMirror ${item}`).click();
      await where.keyboard.press("End");
      await where.keyboard.type(words);
    };
    await page.locator(".ProseMirror h2").waitFor();
    await late.locator(".ProseMirror h2").waitFor();
    await write(page, "li:nth-child(1)", " with soap");
    await write(page, "> p", " It stays here.");
    await page.keyboard.press("Control+s");
    await toast(page, "SOP Updated").waitFor();
    await write(late, "li:nth-child(3)", " behind you");
    await write(late, "> p", " Ask the lead.");
    await late.keyboard.press("Control+s");
    const merge = review(late, "Someone else saved changes");
    await merge.getByText("1 place to decide · 2 merged").waitFor();
    await late.setViewportSize({ width: 390, height: 800 });
    expect(await fitsIn(late)).toBe(true);
    await late.setViewportSize({ width: 1280, height: 900 });
    await change(late, /Changed by both/)
      .getByRole("button", { name: "Take both" })
      .click();
    await merge.getByRole("button", { name: "Save merged text" }).click();
    await toast(late, "SOP Updated").waitFor();
    const note = "It is important to note that the log should be written by somebody.";
    const merged = markdown
      .replace("for 30 s", "for 30 s with soap")
      .replace("Close the door", "Close the door behind you")
      .replace(note, `${note} Ask the lead.\n\n${note} It stays here.`);
    expect(await ben.client.sops.get({ params: { id: sop.id } })).toMatchObject({ version: 3, markdown: merged });
    // the editor continues with the saved text
    expect(await textOf(late)).toContain("with soap");
    await expectRefusals(412);
  });
});
