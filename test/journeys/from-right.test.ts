/** A Hebrew SOP is read from the right on every screen that shows its text. The screen around it keeps its side. */
import type { Page } from "playwright-core";
import { beforeAll, expect, it } from "vitest";
import type { TestUser } from "../server.ts";
import { describeJourney } from "./journey.ts";

const title = "ניקוי מכונת הקפה";
const markdown = `## מטרה

מכונה נקייה נותנת קפה טוב.

Press Enter.

## שלבים

1. כבו את המכונה.

   > [!WARNING]
   > הלהבים מסתובבים עוד חמש שניות.

2. נקו את הראשים:

   - ראש שמאלי
   - ראש ימני
     1. פתחו את הברגים.
     2. שטפו אותם.

3. הריצו את הפקודה:

   \`\`\`bash
   rinse --all
   \`\`\`

4. סמנו:

   - [ ] נקי
   - [x] יבש

> לא לשכוח את המסנן.

| חלק | מתי |
| --- | --- |
| מסנן | כל יום |
`;

describeJourney("an SOP in Hebrew", {}, ({ server, open: openPage }) => {
  let ann: TestUser;
  let id: string;

  beforeAll(async () => {
    ann = await (await server().company()).user("manager", { name: "Ann Archer" });
    const [category] = await ann.client.categories.list();
    const body = { title, description: "כל שבוע.", markdown, categoryId: category?.id, readTime: 5 };
    id = (await ann.client.sops.create({ body })).id;
    await ann.client.sops.publish({ params: { id } });
    await ann.client.sops.update({
      params: { id },
      body: { markdown: markdown.replace("כל יום", "כל שבוע") },
      ifMatch: 1,
    });
  });

  it.each([
    ["is read", () => `/sop/${id}`, ".reading"],
    ["is read on a phone", () => `/sop/${id}`, ".reading"],
    ["is done step by step", () => `/sop/${id}/steps`, ".run-step"],
    ["is compared", () => `/sop/${id}/compare`, "[data-change] .reading"],
    ["is written", () => `/sop/${id}/edit`, ".ProseMirror"],
  ])("begins at the right as it %s", async (how, address, text) => {
    const page = await openPage(ann, address(), { viewport: { width: /phone/.test(how) ? 390 : 1280, height: 900 } });
    // before the first step, a text says what one must have
    if (/step by step/.test(how)) await page.getByRole("button", { name: "Start" }).click();
    await page.locator(text).first().waitFor();
    await expect
      .poll(() =>
        page
          .locator(text)
          .first()
          .evaluate((one) => getComputedStyle(one).direction),
      )
      .toBe("rtl");
    expect(await fromLeft(page, text)).toEqual([]);
    if (/written/.test(how)) {
      for (const field of ["title", "description"]) {
        expect(await page.locator(`textarea[name=${field}]`).evaluate((one) => getComputedStyle(one).direction)).toBe(
          "rtl",
        );
      }
    }
    // the controls stay where they are
    expect(await page.evaluate(() => getComputedStyle(document.documentElement).direction)).toBe("ltr");
  });

  it("ends Latin lines and code at their right, and begins its title at the right", async () => {
    const page = await openPage(ann, `/sop/${id}`);
    await page.locator(".reading pre").waitFor();
    const styleOf = (one: string) =>
      page.locator(one).evaluate((element) => {
        const { direction, unicodeBidi, textAlign } = getComputedStyle(element);
        return [direction, unicodeBidi, textAlign];
      });
    expect(await styleOf(".reading p:text-is('Press Enter.')")).toEqual(["rtl", "plaintext", "right"]);
    expect(await styleOf(".reading pre")).toEqual(["ltr", "isolate", "left"]);
    expect((await styleOf("h1"))[0]).toBe("rtl");
  });

  it("has its title from the right in lists and hits", async () => {
    const page = await openPage(ann, "/sops");
    const link = page.locator(`[data-sop="${id}"]`).first();
    await link.waitFor();
    expect(await link.evaluate((one) => getComputedStyle(one).direction)).toBe("rtl");
    await page.goto(`${server().url}/sops?search=${encodeURIComponent("המסנן")}`);
    const snippet = page.locator("article mark").first();
    await snippet.waitFor();
    expect(await snippet.evaluate((one) => getComputedStyle(one).direction)).toBe("rtl");
  });
});

/** Boxes of the text whose number, bar, indent or cell is at the left. */
function fromLeft(page: Page, text: string): Promise<string[]> {
  return page.locator(text).evaluateAll((texts) =>
    texts.flatMap((one) =>
      [...one.querySelectorAll("ul, ol, ol > li, .alert, blockquote, th, td")].flatMap((box) => {
        const style = getComputedStyle(box);
        const [left, right] = [style.paddingLeft, style.paddingRight].map(Number.parseFloat) as [number, number];
        const isBar = Number.parseFloat(style.borderLeftWidth) > Number.parseFloat(style.borderRightWidth);
        const isCell = box.matches("th, td");
        const isWrong = isBar || (isCell ? right > left || style.textAlign === "left" : left > right);
        return isWrong ? [`${box.tagName} ${box.className} ${left} ${right} ${style.textAlign}`] : [];
      }),
    ),
  );
}
