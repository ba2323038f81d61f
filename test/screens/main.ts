/** `npm run screens`: a screenshot of every screen, wide and narrow, light and dark, and one page to view them. */
import { mkdir, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import type { Page } from "playwright-core";
import { launchChromium } from "../journeys/browser.ts";
import { openDemo } from "./demo.ts";
import { openScreen, settle } from "./open-screen.ts";
import { screens } from "./screens.ts";
import { states } from "./states.ts";

const folder = path.resolve("screens");
const wanted = process.argv.slice(2);
const looks = [
  { width: 1280, theme: "light" },
  { width: 1280, theme: "dark" },
  { width: 390, theme: "light", isPhone: true },
  { width: 390, theme: "dark", isPhone: true },
] as const;

const all = [...screens, ...states];
const chosen = all.filter(({ name }) => wanted.length === 0 || wanted.some((word) => name.startsWith(word)));
if (chosen.length === 0) {
  console.error(`no screen begins with ${wanted.join(" or ")}; there are ${all.map(({ name }) => name).join(", ")}`);
  process.exit(2);
}
if (wanted.length === 0) await rm(folder, { recursive: true, force: true });
await mkdir(folder, { recursive: true });
const [demo, browser] = await Promise.all([openDemo(), launchChromium()]);
const failed: string[] = [];
try {
  for (const screen of chosen) {
    for (const look of looks) {
      const file = fileOf(screen.name, look);
      try {
        const { page, context } = await openScreen(browser, demo, screen, look);
        await settle(page);
        // the window is as tall as the content, so that sticky parts and parts that are drawn only when visible are in
        // place
        if (!(await hasWindow(page))) {
          const height = await page.evaluate(() => document.documentElement.scrollHeight);
          await page.setViewportSize({ width: look.width, height: Math.min(Math.max(height, 900), 6000) });
          await settle(page);
        }
        await page.screenshot({ path: path.join(folder, file), animations: "disabled" });
        await context.close();
      } catch (error) {
        failed.push(`${file}: ${error instanceof Error ? error.message.split("\n")[0] : String(error)}`);
      }
    }
    console.log(screen.name);
  }
  await writeFile(path.join(folder, "index.html"), pageOf(chosen.map(({ name }) => name)));
} finally {
  await browser.close();
  await demo.stop();
}
for (const line of failed) console.error(`not taken: ${line}`);
console.log(
  `${chosen.length * looks.length - failed.length} pictures in screens/, to look through: screens/index.html`,
);
process.exitCode = failed.length === 0 ? 0 : 1;

/** A dialog, a panel or a list belongs to the window, not to the text below it. Its screenshot shows the window. */
async function hasWindow(page: Page): Promise<boolean> {
  return (
    (await page
      .locator("dialog[open], [role=dialog]:visible, [role=alertdialog]:visible, [role=listbox]:visible")
      .count()) > 0
  );
}

function fileOf(name: string, { width, theme }: (typeof looks)[number]): string {
  return `${name}-${width}-${theme}.png`;
}

function pageOf(names: readonly string[]): string {
  const rows = names.map((name) => {
    const images = looks.map(
      (look) =>
        `<a href="${fileOf(name, look)}"><img loading="lazy" src="${fileOf(name, look)}" alt="${name}, ${look.width} px, ${look.theme}"></a>`,
    );
    return `<h2>${name}</h2><div>${images.join("")}</div>`;
  });
  const style =
    "body{font:16px sans-serif;margin:2rem}div{display:flex;gap:1rem;align-items:start;overflow:auto}img{height:32rem;border:1px solid #999}";
  return `<!doctype html><meta charset="utf-8"><title>Screens</title><style>${style}</style><h1>Screens</h1>${rows.join("")}`;
}
