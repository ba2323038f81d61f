/**
 * The assistant's panel in a real browser, with a provider on loopback: rules without a key, a model with one, and
 * every failure.
 */
import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { draftAnswer } from "../ai-answers.ts";
import { startFakeProvider, type FakeProvider } from "../fake-provider.ts";
import { refusesWith, answersWith, type Responder } from "../provider-failures.ts";
import type { TestUser } from "../server.ts";
import { faultsOf } from "./page-faults.ts";
import { describeJourney } from "./journey.ts";

const key = "sk-proj-Zq3vXw8LpR5tNc7mKd2y";

let provider: FakeProvider;

async function withProvider() {
  provider = await startFakeProvider(key);
  return { env: { OPENAI_BASE_URL: provider.url, OPENAI_MODEL: "small", OPENAI_PRICES: "EUR small=2/10" } };
}

describeJourney("the assistant", withProvider, ({ server, contextOf, open, expectRefusals }) => {
  /** Has no API key. */
  let ann: TestUser;
  /** Has an API key. */
  let ben: TestUser;
  const sops: Record<string, string> = {};

  beforeAll(async () => {
    const company = await server().company();
    ann = await company.user("manager", { name: "Ann Archer" });
    ben = await company.user("manager", { name: "Ben Baker" });
    const texts = {
      "Report a spill": "Call first. See SOP _Dispose of oily rags_, and SOP _Order absorbents_.\n",
      "Clean the press": "## Procedure\n\n1. Stop it\n2. Wipe the rollers\n",
    };
    for (const [title, markdown] of Object.entries(texts)) {
      const body = { title, description: "Every morning, before the shift.", markdown };
      sops[title] = (await ann.client.sops.create({ body })).id;
    }
  });
  afterAll(() => provider?.stop());
  beforeEach(() => {
    provider.answer = null;
    provider.answerChat = ({ response_format: format }) =>
      format?.json_schema.name === "sop_proposals" ? proposals : draftAnswer;
  });

  const proposals = {
    order: [],
    additions: [
      {
        title: "Hand over a shift",
        description: "What the next shift has to know.",
        reasoning: "Nothing tells how a shift ends.",
        because: ["s1"],
      },
    ],
  };

  /** The sidebar's button, or the one in the corner on screens without a sidebar. */
  const opener = (page: Page) => page.getByRole("button", { name: /^(Open )?AI Assistant$/ });
  /** Where a phone has it, and the way back to the focus. */
  const navigation = (page: Page) => page.getByRole("button", { name: "Open navigation" });
  const openOnPhone = async (page: Page) => {
    await navigation(page).click();
    await page.getByRole("dialog").getByRole("button", { name: "AI Assistant" }).click();
  };
  /** The screen that is written on has its menu in place of the sidebar. */
  const menu = (page: Page) => page.getByRole("button", { name: "More actions" });
  const openWhileWriting = async (page: Page) => {
    await menu(page).click();
    await page.getByRole("menuitem", { name: "AI Assistant" }).click();
  };
  const hasFocus = (locator: Locator) => locator.evaluate((element) => element === document.activeElement);
  const panel = (page: Page) => page.getByRole("dialog", { name: "AI Assistant" });
  const input = (page: Page) => panel(page).getByPlaceholder("Ask AI about SOPs...");
  /** The toast's title, not its announcement to screen readers. */
  const toast = (page: Page, text: string) =>
    page.locator("[data-radix-collection-item]").getByText(text, { exact: true });
  const action = (page: Page, name: string) => panel(page).getByRole("button", { name, exact: true });
  const addKey = (page: Page) => panel(page).getByRole("link", { name: "Add a key to use AI" });
  const suggestion = (page: Page, name: string) => panel(page).getByRole("listitem", { name });
  const pathOf = (page: Page) => new URL(page.url()).pathname + new URL(page.url()).search;

  it("without a key offers the rules: gaps with their evidence, templates, improvements", async () => {
    const context = await contextOf(ann);
    const page = await open(context);
    await opener(page).click();
    await panel(page).getByText("By rules, without AI").waitFor();
    expect(await addKey(page).getAttribute("href")).toBe("/settings#ai");
    expect(await panel(page).getByRole("alert").count()).toBe(0);

    await action(page, "Suggest missing SOPs").click();
    await action(page, "Suggest").click();
    await toast(page, "Suggestions Generated!").waitFor();
    const found = (await ann.client.suggestions.list({})).length;
    await toast(page, `Found ${found} potential SOPs for your team.`).waitFor();
    const rags = suggestion(page, "Dispose of oily rags");
    await rags.getByText("Rules", { exact: true }).waitFor();
    await rags.getByText("Why", { exact: true }).click();
    const evidence = rags.getByRole("link", { name: "Report a spill" }).first();
    expect(await evidence.getAttribute("href")).toBe(`/sop/${sops["Report a spill"]}`);

    await action(page, "Dismiss Order absorbents").click();
    await suggestion(page, "Order absorbents").waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Undo" }).click();
    await suggestion(page, "Order absorbents").waitFor();
    await action(page, "Accept Dispose of oily rags").click();
    await panel(page).getByText('Created "Dispose of oily rags" successfully.').waitFor();
    await panel(page).getByRole("link", { name: "Open draft" }).click();
    await page.getByRole("textbox", { name: "Title" }).waitFor();
    expect(await page.getByRole("textbox", { name: "Title" }).inputValue()).toBe("Dispose of oily rags");

    await action(page, "Create SOP from template").click();
    const picker = page.getByRole("dialog", { name: "Create an SOP from a template" });
    await picker.getByRole("region", { name: "Template library" }).getByRole("button").first().click();
    await toast(page, "Draft created").waitFor();
    await page.waitForURL(/\/sop\/[^/]+\/edit$/);
    await action(page, "Improve existing SOP").click();
    const choice = page.getByRole("dialog", { name: "Improve an SOP" });
    await choice.getByPlaceholder("Search SOPs…").fill("rollers");
    await choice.getByRole("link", { name: /^Clean the press/ }).click();
    // the editor starts it at once, and removes it from the address
    await page.getByRole("dialog", { name: "By rules, without AI" }).waitFor();
    expect(pathOf(page)).toBe(`/sop/${sops["Clean the press"]}/edit`);
    expect((await ann.client.sops.list({})).data.filter(({ isAiGenerated }) => isAiGenerated)).toEqual([]);
    expect(provider.chats).toEqual([]);
    await expectRefusals();
  });

  it("without a key answers the box by search, and stays open where the answer leads", async () => {
    const context = await contextOf(ann);
    const page = await open(context);
    await opener(page).click();
    const box = panel(page).getByPlaceholder("Ask about your SOPs…");
    await box.fill("how do I wipe the rollers");
    await box.press("Enter");
    const answer = panel(page).getByRole("region", { name: "Search results" });
    const step = answer.getByRole("link", { name: /^Clean the press.*Step 2/ });
    await step.waitFor();
    expect(await faultsOf(page)).toEqual([]);
    await step.click();
    await page.waitForURL((url) => url.pathname === `/sop/${sops["Clean the press"]}`);
    await page.getByRole("heading", { level: 1, name: "Clean the press" }).waitFor();
    await step.waitFor();
    await context.close();

    const phone = await open(await contextOf(ann, 390));
    await openOnPhone(phone);
    const phoneBox = panel(phone).getByPlaceholder("Ask about your SOPs…");
    await phoneBox.fill("wipe rollers");
    await panel(phone).getByRole("button", { name: "Search" }).click();
    await panel(phone)
      .getByRole("link", { name: /^Clean the press/ })
      .click();
    await phone.waitForURL((url) => url.pathname === `/sop/${sops["Clean the press"]}`);
    await panel(phone).waitFor({ state: "detached" });
    expect(provider.chats).toEqual([]);
    await expectRefusals();
  });

  it("is switched on by a key in the settings, and then says so", async () => {
    const context = await contextOf(ben);
    const page = await open(context, "/sops");
    await page.getByRole("heading", { level: 1 }).waitFor();
    expect(await page.getByText("AI Assistant Active").count()).toBe(0);
    await page.keyboard.press("Control+j");
    await addKey(page).click();
    await page.getByLabel("OpenAI API Key").fill(key);
    await page.getByRole("button", { name: "Test Key" }).click();
    await page.getByText("Valid Key:").waitFor();
    await page.getByRole("button", { name: "Save Settings" }).click();
    await page.keyboard.press("Control+j");
    await expect.poll(() => input(page).isEnabled()).toBe(true);
    expect(await panel(page).getByText("By rules, without AI").count()).toBe(0);
    await page
      .getByRole("navigation", { name: "Main navigation" })
      .getByRole("link", { name: /^All SOPs/ })
      .click();
    await page.getByText("AI Assistant Active").waitFor();
    await expectRefusals();
  });

  it("makes a draft of a sentence, tells how far it is, and can be stopped", async () => {
    const context = await contextOf(ben);
    const page = await open(context);
    await opener(page).click();
    await expect.poll(() => input(page).isEnabled()).toBe(true);
    await input(page).focus();
    const drainage = async () =>
      (await ben.client.sops.list({ query: {} })).data.find(({ title }) => title === "Drain the tank");
    provider.answerChat = () => new Promise(() => {});
    await page.keyboard.type("How we drain tank 4");
    await page.keyboard.press("Enter");
    await panel(page).getByText("AI is generating your SOP...").waitFor();
    await action(page, "Generating...").waitFor();
    await action(page, "Cancel").click();
    await panel(page).getByText("Canceled. Your request is still here.").waitFor();
    expect(await input(page).inputValue()).toBe("How we drain tank 4");
    expect(await drainage()).toBeUndefined();

    provider.answerChat = () => draftAnswer;
    await action(page, "Send").click();
    await toast(page, "SOP Generated!").waitFor();
    await toast(page, 'Created "Drain the tank" successfully.').waitFor();
    await panel(page).getByText("The tank holds water.").waitFor();
    expect(await input(page).inputValue()).toBe("");
    await panel(page).getByRole("link", { name: "Open draft" }).click();
    await page.waitForURL(/\/sop\/[^/]+\/edit$/);
    const made = await drainage();
    expect(made).toMatchObject({ status: "draft", isAiGenerated: true, title: "Drain the tank" });
    await page.goto(new URL(`/sop/${made?.id}`, server().url).href);
    await page.getByText("AI Generated", { exact: true }).first().waitFor();
    await expectRefusals();
  });

  it("suggests what is missing, and names the AI where it was the AI", async () => {
    const context = await contextOf(ben);
    const page = await open(context);
    await opener(page).click();
    await expect.poll(() => action(page, "Suggest missing SOPs").isEnabled()).toBe(true);
    await action(page, "Suggest missing SOPs").click();
    await panel(page)
      .getByLabel(/^What does your team do/)
      .fill("We print books.");
    await action(page, "Suggest").click();
    await toast(page, "Suggestions Generated!").waitFor();
    const all = panel(page).getByRole("button", { name: /^Show all/ });
    if (await all.isVisible()) await all.click();
    const shift = suggestion(page, "Hand over a shift");
    await shift.getByText("AI", { exact: true }).waitFor();
    await shift.getByText("Nothing tells how a shift ends.").waitFor();
    await page.getByRole("button", { name: "AI Suggestions" }).waitFor();
    await action(page, "Improve existing SOP").click();
    const choice = page.getByRole("dialog", { name: "Improve an SOP" });
    await choice.getByRole("link", { name: /^Clean the press/ }).waitFor();
    await page.keyboard.press("Escape");
    await choice.waitFor({ state: "detached" });
    await panel(page).waitFor();
    await expectRefusals();
  });

  const failures: [string, Responder, string, number][] = [
    ["a key that is refused", refusesWith(401, { code: "invalid_api_key" }), "rejected the key", 424],
    [
      "too many requests",
      refusesWith(429, { code: "rate_limit_exceeded" }, { "retry-after": "7" }),
      "provider is busy",
      429,
    ],
    ["an account without credit", refusesWith(429, { code: "insufficient_quota" }), "no credit left", 402],
    ["too slow an answer", refusesWith(504, {}), "took too long", 504],
    ["no connection", (_, response) => void response.destroy(), "Can't reach the AI provider", 502],
    ["an answer that is none", answersWith("Here is your SOP!"), "was unusable", 502],
    ["a model that is not there", refusesWith(404, { code: "model_not_found" }), 'no model "small"', 424],
  ];
  it("tells every failure for what it is, and keeps the request", async () => {
    const context = await contextOf(ben);
    const page = await open(context);
    await opener(page).click();
    await expect.poll(() => input(page).isEnabled()).toBe(true);
    for (const [name, answer, text] of failures) {
      provider.answer = answer;
      await input(page).fill(`How we drain the tank: ${name}`);
      await input(page).press("Enter");
      await toast(page, "Generation Failed").waitFor();
      await panel(page).getByText(text).waitFor();
      expect(await page.content()).not.toContain(key.slice(8, 20));
      expect(await input(page).inputValue()).toBe(`How we drain the tank: ${name}`);
      const retry = action(page, "Try Again");
      if (name === "too many requests") {
        expect(await retry.isDisabled()).toBe(true);
        await panel(page)
          .getByText(/^Try again in \d seconds?\.$/)
          .waitFor();
      }
      provider.answer = null;
      await expect.poll(() => retry.isEnabled()).toBe(true);
      await retry.click();
      await toast(page, "SOP Generated!").waitFor();
      expect(await panel(page).getByText(text).count()).toBe(0);
    }
    await expectRefusals(...failures.map(([, , , status]) => status));
  });

  it("leaves the save button in reach, and gives the focus back", async () => {
    for (const height of [900, 720]) {
      const context = await contextOf(ben, { viewport: { width: 1280, height } });
      const page = await open(context, `/sop/${sops["Clean the press"]}/edit`);
      const save = page.getByRole("button", { name: "Save SOP" });
      await save.waitFor();
      await openWhileWriting(page);
      await panel(page).waitFor();
      await expect.poll(() => hasFocus(input(page))).toBe(true);
      const [button, shown] = await Promise.all([save.boundingBox(), panel(page).boundingBox()]);
      expect((button?.y ?? 0) + (button?.height ?? 0)).toBeLessThanOrEqual(shown?.y ?? 0);
      await page.keyboard.press("Escape");
      await panel(page).waitFor({ state: "detached" });
      await expect.poll(() => hasFocus(menu(page))).toBe(true);
      await context.close();
    }
    await expectRefusals();
  });

  it("leaves the confirmation at the end of an SOP in sight", async () => {
    const body = {
      title: "Close the valves",
      description: "Every evening.",
      markdown: "1. Close a valve\n".repeat(60),
    };
    const { id } = await ben.client.sops.create({ body: { ...body, status: "published" } });
    await ben.client.acknowledgements.ask({ params: { id }, body: { everyone: true, dueDays: 7 } });
    const page = await open(await contextOf(ann), `/sop/${id}`);
    const question = page.getByRole("region", { name: "Your confirmation" });
    await question.waitFor();
    await opener(page).click();
    await panel(page).waitFor();
    const bottomOf = async (box: ReturnType<Locator["boundingBox"]>) =>
      ((await box)?.y ?? 0) + ((await box)?.height ?? 0);
    const top = (await question.boundingBox())?.y ?? 0;
    await expect.poll(() => bottomOf(panel(page).boundingBox())).toBeLessThanOrEqual(top);
    await expectRefusals();
  });

  it("stays open over a reload, but is not in the way on a phone", async () => {
    const wide = await contextOf(ben);
    const page = await open(wide);
    await opener(page).click();
    await panel(page).waitFor();
    await page.reload();
    await panel(page).waitFor();
    await wide.close();

    const narrow = await contextOf(ben, { viewport: { width: 390, height: 844 } });
    const phone = await open(narrow);
    await openOnPhone(phone);
    await expect.poll(() => input(phone).isEnabled()).toBe(true);
    await input(phone).fill("How we drain tank 4");
    await input(phone).press("Enter");
    await panel(phone).getByRole("link", { name: "Open draft" }).click();
    await phone.waitForURL(/\/edit$/);
    await panel(phone).waitFor({ state: "detached" });
    await openWhileWriting(phone);
    await panel(phone).waitFor();
    await panel(phone).getByRole("button", { name: "Close" }).click();
    await expect.poll(() => hasFocus(menu(phone))).toBe(true);
    await openWhileWriting(phone);
    await panel(phone).waitFor();
    await phone.reload();
    await menu(phone).waitFor();
    expect(await panel(phone).count()).toBe(0);
    await phone.goto(new URL("/sops", server().url).href);
    await openOnPhone(phone);
    await panel(phone).waitFor();
    await panel(phone).getByRole("button", { name: "Close" }).click();
    await expect.poll(() => hasFocus(navigation(phone))).toBe(true);
    await openOnPhone(phone);
    await panel(phone).waitFor();
    await phone.reload();
    await navigation(phone).waitFor();
    expect(await panel(phone).count()).toBe(0);
    await expectRefusals();
  });

  it("is accessible after a failure, with the longest request in its field", async () => {
    const context = await contextOf(ben, 390);
    const page = await open(context, "/sops");
    await openOnPhone(page);
    await panel(page).getByRole("listitem").first().waitFor();
    provider.answer = refusesWith(401, { code: "invalid_api_key" });
    await action(page, "Suggest missing SOPs").click();
    await input(page).fill("How we drain tank 4 ".repeat(92));
    await input(page).press("Enter");
    await panel(page).getByText("rejected the key").waitFor();
    expect(await faultsOf(page)).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true);
    await expectRefusals(424);
  });

  it("shows in the settings what was spent", async () => {
    const context = await contextOf(ben);
    const page = await open(context, "/settings/ai");
    const usage = page.getByRole("region", { name: "Usage" });
    await usage
      .getByText(/tokens · \d+ calls$/)
      .first()
      .waitFor();
    await usage.getByText(/^About €0\.\d+ this month/).waitFor();
    expect(await faultsOf(page)).toEqual([]);
    await expectRefusals();
  });
});
