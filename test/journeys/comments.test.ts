/** Comments on words of an SOP in a real browser: two people, live, by mouse and by keyboard. */
import type { BrowserContext, Page } from "playwright-core";
import { beforeAll, expect, it } from "vitest";
import type { TestUser } from "../server.ts";
import { faultsOf } from "./page-faults.ts";
import { describeJourney } from "./journey.ts";

const markdown = `## Before you start

Check the **guard** and the emergency stop. Nobody stands behind the press.

## Starting

1. Turn the key
2. Press the green button twice
3. Wait for the lamp

| Part | Checked |
| --- | --- |
| Guard | Yes |
| Lamp | Yes |

## Afterwards

Report every fault to the shift lead at once.
`;

describeJourney("comments on an SOP", {}, ({ server, contextOf, open: openPage }) => {
  let ann: TestUser;
  let eve: TestUser;
  let id: string;

  beforeAll(async () => {
    const company = await server().company();
    ann = await company.user("manager", { name: "Ann Archer" });
    eve = await company.user("viewer", { name: "Eve Evans" });
    await company.user("editor", { name: "Ben Baker" });
    const body = { title: "Start the press", description: "Every morning.", markdown, status: "published" as const };
    ({ id } = await ann.client.sops.create({ body }));
  });

  async function open(context: BrowserContext, hash = ""): Promise<Page> {
    const page = await openPage(context, `/sop/${id}${hash}`);
    await page.getByRole("heading", { level: 1, name: "Start the press" }).waitFor();
    return page;
  }
  const panel = (page: Page) => page.getByRole("region", { name: "Comments" });
  /** Selects words of the article, as dragging over them does. */
  async function select(page: Page, words: string) {
    await page.locator(".reading").evaluate((article, wanted) => {
      const walker = document.createTreeWalker(article, NodeFilter.SHOW_TEXT);
      for (let node = walker.nextNode(); node; node = walker.nextNode()) {
        const at = node.textContent?.indexOf(wanted) ?? -1;
        if (at === -1) continue;
        node.parentElement?.scrollIntoView({ block: "center" });
        document.getSelection()?.setBaseAndExtent(node, at, node, at + wanted.length);
        return;
      }
      throw new Error(`${wanted} is not in the article`);
    }, words);
  }
  const colored = (page: Page) =>
    page.evaluate(() =>
      ["comments", "comment-active"].flatMap((name) => [...(CSS.highlights.get(name) ?? [])].map(String)),
    );

  it("are made on selected words, appear in the other browser, are answered, resolved and opened again", async () => {
    const [hers, theirs] = [await contextOf(eve), await contextOf(ann)];
    const [reader, author] = [await open(hers), await open(theirs)];
    await select(reader, "green button twice");
    await reader.locator(".reading ~ div").getByRole("button", { name: "Comment" }).click();
    const field = panel(reader).getByRole("textbox", { name: "New comment" });
    await field.waitFor();
    await expect.poll(() => field.evaluate((one) => one === document.activeElement)).toBe(true);
    expect(await reader.locator(".reading ~ div").count()).toBe(0);
    await reader.keyboard.type("Why twice? @ann");
    await reader.getByRole("option", { name: /Ann Archer/ }).waitFor();
    await reader.keyboard.press("Enter");
    await expect.poll(() => field.inputValue()).toBe(`Why twice? @${ann.username} `);
    await reader.keyboard.press("Control+Enter");
    await panel(reader).getByText("Why twice?").waitFor();
    await expect.poll(() => colored(reader)).toEqual(["green button twice"]);

    // the other browser gets it without a reload, while its user types
    await author.getByRole("button", { name: "Comments 1 open" }).click();
    const thread = panel(author).getByRole("listitem").filter({ hasText: "Why twice?" });
    await thread.getByRole("button", { name: "Reply to Eve Evans" }).click();
    await author.keyboard.type("The first press wakes it. ");
    await eve.client.comments.create({ params: { id }, body: { content: "And who waits?" } });
    await panel(author).getByText("And who waits?").waitFor();
    await author.keyboard.type("The second starts it.");
    await thread.getByRole("button", { name: "Reply", exact: true }).click();
    await panel(reader).getByText("The first press wakes it. The second starts it.").waitFor();

    // a click on the words opens the thread, a click on the quote shows the words
    await author.getByText("Press the green button twice").click({ position: { x: 130, y: 12 } });
    await expect.poll(() => author.evaluate(() => document.activeElement?.id ?? "")).toMatch(/^comment-/);
    await author.evaluate(() => window.scrollTo(0, 0));
    await author.getByRole("button", { name: "Show in the text: green button twice" }).click();

    await thread.getByRole("button", { name: "Resolve the thread of Eve Evans" }).click();
    await panel(reader).getByRole("button", { name: "Resolved (1)" }).click();
    await panel(reader).getByText("Resolved by Ann Archer").waitFor();
    await panel(reader).getByRole("button", { name: "Reopen the thread of Eve Evans" }).click();
    await author.getByRole("button", { name: "Comments 2 open" }).waitFor();
  });

  it("find their words again when the text above changes, and say so when the words are gone", async () => {
    const context = await contextOf(ann);
    const page = await open(context, "#comments");
    await panel(page).getByText("Why twice?").waitFor();
    const changed = markdown.replace("## Before", "New first lines.\n\n## Before").replace("2. Press", "2. Then press");
    await ann.client.sops.update({ params: { id }, body: { markdown: changed } });
    await page.getByText("New first lines.").waitFor();
    await expect.poll(() => colored(page)).toEqual(["green button twice"]);
    await ann.client.sops.update({
      params: { id },
      body: { markdown: markdown.replace("2. Press the green button twice\n", "") },
    });
    await panel(page).getByText("The text was removed").waitFor();
    await expect.poll(() => colored(page)).toEqual([]);
    expect(await panel(page).getByText("green button twice").count()).toBe(1);

    // on a draft: only people who see the draft see the comment
    await panel(page).getByText("Only people who see the draft see it.").waitFor();
    await panel(page).getByRole("textbox", { name: "New comment" }).fill("Shall we drop this step?");
    await panel(page).getByRole("button", { name: "Comment", exact: true }).click();
    await panel(page).getByText("Draft only").waitFor();
    expect((await eve.client.comments.list({ params: { id } })).map(({ content: body }) => body)).not.toContain(
      "Shall we drop this step?",
    );
  });

  it("can be done by keyboard alone, on a narrow screen", async () => {
    const context = await contextOf(eve, 390);
    const page = await open(context);
    await page.getByRole("button", { name: "Comments 2 open" }).focus();
    await page.keyboard.press("Enter");
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe("Comments");
    await select(page, "at once");
    const button = panel(page).getByRole("button", { name: "Comment on selection" });
    await expect.poll(() => button.isEnabled()).toBe(true);
    await button.focus();
    await page.keyboard.press("Enter");
    const field = panel(page).getByRole("textbox", { name: "New comment" });
    await expect.poll(() => field.evaluate((one) => one === document.activeElement)).toBe(true);
    await page.keyboard.type("How soon is that? See https://example.org/faults.");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await panel(page).getByRole("link", { name: "https://example.org/faults" }).waitFor();
    expect(await faultsOf(page)).toEqual([]);
    const wide = await page.evaluate(() => document.documentElement.scrollWidth);
    expect(wide).toBeLessThanOrEqual(390);
    const own = panel(page).getByRole("listitem").filter({ hasText: "How soon is that?" });
    await own.getByRole("button", { name: /^Remove your comment/ }).click();
    await page.getByRole("alertdialog").getByRole("button", { name: "Remove" }).click();
    await page.getByText("Comment removed").first().waitFor();
    await expect.poll(() => panel(page).getByText("How soon is that?").count()).toBe(0);
    expect(await page.evaluate(() => document.activeElement?.closest("#comments")?.id)).toBe("comments");
  });
});
