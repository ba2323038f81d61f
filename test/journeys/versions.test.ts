/** What changed, which version was published when, and a restore: the versions of an SOP in a real browser. */
import type { Page } from "playwright-core";
import { beforeAll, expect, it } from "vitest";
import type { TestUser } from "../server.ts";
import { faultsOf } from "./page-faults.ts";
import { describeJourney } from "./journey.ts";
import { chooseMore } from "./more-actions.ts";

const first = `## Purpose

Nobody drinks cold tea.

## Steps

1. Fill the kettle with 1.5 litres of water
2. Switch it on and wait for the click
3. Pour the water over the leaves
4. Wait 3 minutes
5. Take the leaves out

| Tea | Minutes |
| --- | --- |
| Green | 2 |
| Black | 4 |

> [!WARNING]
> The kettle is hot.
`;
const second = first
  .replace("with 1.5 litres of water", "with **1.7 litres** of fresh water")
  .replace("4. Wait 3 minutes\n5. Take the leaves out", "4. Take the leaves out\n5. Serve at once")
  .replace("2. Switch", "2. Wipe the outside dry\n3. Switch")
  .replace("3. Pour", "4. Pour")
  .replace("| Black | 4 |", "| Black | 5 |\n| White | 3 |");

const options = { start: new Date(Date.now() - 24 * 3_600_000).toISOString(), expected: /status of 404/ };

describeJourney("the versions of an SOP", options, ({ server, contextOf, open }) => {
  let ann: TestUser;
  let id: string;

  beforeAll(async () => {
    const company = await server().company();
    ann = await company.user("manager", { name: "Ann Archer" });
    const { client } = ann;
    const [category] = await client.categories.list();
    const about = { description: "Every morning.", categoryId: category?.id, readTime: 3 };
    const sop = await client.sops.create({ body: { ...about, title: "Make the tea", markdown: first } });
    id = sop.id;
    const params = { id };
    await client.sops.publish({ params, body: {} });
    const change = { markdown: second, title: "Make tea for all", changeNote: "More water, less waiting" };
    await client.sops.update({ params, body: { ...change, changeClass: "minor" } });
  });

  const history = async (page: Page) => {
    await chooseMore(page, "Version history");
    const dialog = page.getByRole("dialog", { name: "Version history" });
    await dialog.getByText("v2", { exact: true }).waitFor();
    return dialog;
  };
  const dayAgo = (days: number) => new Date(Date.now() - days * 24 * 3_600_000).toISOString().slice(0, 10);

  it("lists them with author, note and class, and says which was published on a day", async () => {
    const context = await contextOf(ann);
    const page = await open(context, `/sop/${id}`);
    const dialog = await history(page);
    const rows = await dialog.getByRole("listitem").allTextContents();
    const marks = ["Current", "Published since", "Major", "Minor"];
    expect(rows.map((row) => marks.filter((mark) => row.includes(mark)))).toEqual([
      ["Current", "Minor"],
      ["Published since", "Major"],
    ]);
    expect(rows[0]).toContain("More water, less waiting");
    expect(rows[0]).toContain("Ann Archer");
    expect(await dialog.getByRole("button", { name: /^Restore/ }).count()).toBe(1);

    const day = dialog.getByLabel("Version published on");
    await day.fill(dayAgo(5));
    await dialog.getByText("Nothing was published that day.").waitFor();
    await day.fill(dayAgo(0));
    await dialog.getByText("Version 1, “Make the tea”, published since").waitFor();
    await dialog.getByRole("button", { name: "Show text" }).click();
    await dialog.getByText("Wait 3 minutes").waitFor();
    expect(await faultsOf(page)).toEqual([]);
  });

  it("compares two of them: steps that came, went, moved, were reworded; as text and as Markdown", async () => {
    const context = await contextOf(ann);
    const page = await open(context, `/sop/${id}`);
    const dialog = await history(page);
    for (const version of [1, 2]) await dialog.getByLabel(`Choose version ${version} to compare`).check();
    await dialog.getByRole("link", { name: "Compare versions 1 and 2" }).click();
    await page.getByRole("heading", { level: 1, name: "Compare versions" }).waitFor();
    expect(page.url()).toContain(`/sop/${id}/compare?from=1&to=2`);
    const region = page.getByRole("region", { name: "Differences in the text" });
    await region.waitFor();
    const changes = (kind: string) => region.locator(`[data-change="${kind}"]`).allTextContents();
    expect((await changes("changed")).join()).toMatch(
      /with \[removed: 1.5 litres\]\s+\[added: 1.7 litres\]\s+of\s*\[added: +fresh *\]\s+water/,
    );
    expect((await changes("added")).join()).toContain("Wipe the outside dry");
    expect((await changes("added")).join()).toContain("Serve at once");
    expect((await changes("removed")).join()).toContain("Wait 3 minutes");
    expect(await region.locator("ins", { hasText: "White" }).count()).toBe(1);
    await page.getByRole("region", { name: "Changed details" }).getByText("Make tea for all").waitFor();

    // underlined and struck out, so that it works without color
    const line = (selector: string) =>
      region
        .locator(selector)
        .first()
        .evaluate((mark) => getComputedStyle(mark).textDecorationLine);
    expect([await line("ins"), await line("del")]).toEqual(["underline", "line-through"]);

    await page.getByRole("button", { name: "Next change" }).press("Enter");
    await page.keyboard.press("j");
    const kind = await page.evaluate(() => document.activeElement?.getAttribute("data-change"));
    expect(kind).toBe("added");

    await page.getByRole("tab", { name: "Markdown" }).click();
    await page.getByText("| Black | 5 |").waitFor();
    // if a field is half under the top bar, axe measures only its visible part
    await page.evaluate(() => scrollTo(0, 0));
    expect(await faultsOf(page)).toEqual([]);
  });

  it("fits a phone, and prints without its controls", async () => {
    const context = await contextOf(ann, 390);
    const page = await open(context, `/sop/${id}/compare`);
    await page.getByRole("region", { name: "Differences in the text" }).waitFor();
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    expect(overflow).toBeLessThanOrEqual(0);
    await page.emulateMedia({ media: "print" });
    expect(await page.getByRole("button", { name: "Next change" }).isVisible()).toBe(false);
    expect(await page.getByRole("combobox", { name: "From version" }).isVisible()).toBe(false);
    expect(await page.getByText("Wipe the outside dry").isVisible()).toBe(true);
  });

  it("restores one as a new version; the one it came from stays", async () => {
    const context = await contextOf(ann);
    const page = await open(context, `/sop/${id}`);
    const dialog = await history(page);
    await dialog.getByRole("button", { name: "Restore version 1" }).click();
    await page.getByText("Version restored").first().waitFor();
    await page.getByText("The SOP has been restored to the selected version.").first().waitFor();
    await page.getByRole("heading", { level: 1, name: "Make the tea" }).waitFor();
    const versions = await ann.client.sops.versions({ params: { id } });
    expect(versions.map(({ version, title, restores }) => [version, title, restores])).toEqual([
      [3, "Make the tea", 1],
      [2, "Make tea for all", null],
      [1, "Make the tea", null],
    ]);
    await (await history(page)).getByText("restored from v1").waitFor();
    await page.goto(new URL(`/sop/${id}/compare?from=1&to=3`, server().url).href);
    await page.getByText("The text is the same in both versions.").waitFor();
  });

  it("of three, the first is compared with the third and comes back as the fourth, which is the current one then", async () => {
    const params = {
      id: (await ann.client.sops.create({ body: { title: "Make coffee", description: "D", markdown: "One cup.\n" } }))
        .id,
    };
    for (const markdown of ["Two cups.\n", "Three cups.\n"])
      await ann.client.sops.update({ params, body: { markdown } });
    const context = await contextOf(ann);
    const page = await open(context, `/sop/${params.id}`);
    const marks = async () => {
      const rows = await (await history(page)).getByRole("listitem").all();
      return Promise.all(
        rows.map(async (row) => [
          await row.getByText(/^v\d+$/).textContent(),
          await row.getByText("Current", { exact: true }).count(),
          await row.getByRole("button", { name: /^Restore/ }).count(),
        ]),
      );
    };
    expect(await marks()).toEqual([
      ["v3", 1, 0],
      ["v2", 0, 1],
      ["v1", 0, 1],
    ]);
    const dialog = page.getByRole("dialog", { name: "Version history" });
    for (const version of [1, 3]) await dialog.getByLabel(`Choose version ${version} to compare`).check();
    await dialog.getByRole("link", { name: "Compare versions 1 and 3" }).click();
    const region = page.getByRole("region", { name: "Differences in the text" });
    await region.waitFor();
    expect(await region.locator("del").allTextContents()).toEqual([expect.stringContaining("One")]);
    expect(await region.locator("ins").allTextContents()).toEqual([expect.stringContaining("Three")]);

    await page.goBack();
    await history(page);
    await dialog.getByRole("button", { name: "Restore version 1" }).click();
    await page.getByText("Version restored").first().waitFor();
    await page.getByRole("article").getByText("One cup.").waitFor();
    expect(await marks()).toEqual([
      ["v4", 1, 0],
      ["v3", 0, 1],
      ["v2", 0, 1],
      ["v1", 0, 1],
    ]);
    await dialog.getByText("restored from v1").waitFor();
  });
});
