/**
 * `bench web:editor`: the time from a click on Edit until the text takes typing, in documents of two sizes. Each click
 * comes after three seconds of reading.
 */
import type { Page } from "playwright-core";
import { median, round, type Figure } from "./figure.ts";
import { waitUntilStill } from "./web-load.ts";
import { quick, slow, type WebSite } from "./web-site.ts";

const rounds = quick ? 2 : 5;
/** During this time, the page loads what editing will need. */
const readMs = 3_500;
const sizes = [
  { kib: 10, goal: 500 },
  { kib: 50, goal: 1500 },
];

export async function* editor(site: WebSite): AsyncGenerator<Figure> {
  for (const { kib, goal } of sizes) {
    const id = await site.write(`A text of ${kib} KiB`, textOf(kib * 1024));
    for (const cpu of [1, slow.cpu]) {
      const { page, session, close } = await site.open({ signedIn: true });
      await page.goto(`${site.url}/sop/${id}/edit`);
      await editable(page);
      const taken: number[] = [];
      for (let round_ = 0; round_ < rounds; round_++) {
        await page.goto(`${site.url}/sop/${id}`);
        await waitUntilStill(page);
        await page.waitForTimeout(readMs);
        await session.send("Emulation.setCPUThrottlingRate", { rate: cpu });
        taken.push(await opened(page));
        await session.send("Emulation.setCPUThrottlingRate", { rate: 1 });
      }
      await close();
      process.stderr.write(
        `bench web:editor: ${kib} KiB, CPU ÷ ${cpu}: ${taken.map((ms) => round(ms)).join(" ")} ms\n`,
      );
      yield {
        name: `web editor open after reading, ${kib} KiB${cpu > 1 ? `, CPU ÷ ${cpu}` : ""}`,
        value: round(median(taken)),
        unit: "ms",
        goal: `≤ ${goal}`,
      };
    }
  }
}

/** From the click to the first frame in which the text accepts typing. */
async function opened(page: Page): Promise<number> {
  const measured = page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        let from = 0;
        addEventListener("click", (event) => (from = event.timeStamp), { capture: true, once: true });
        const look = () => {
          const text = document.querySelector('.ProseMirror[contenteditable="true"]');
          if (from > 0 && text) requestAnimationFrame(() => resolve(performance.now() - from));
          else requestAnimationFrame(look);
        };
        look();
      }),
  );
  await page.getByRole("link", { name: "Edit", exact: true }).click();
  const ms = await measured;
  await editable(page);
  return ms;
}

async function editable(page: Page): Promise<void> {
  await page.locator('.ProseMirror[contenteditable="true"]').waitFor();
}

/** The parts of an SOP: sections of prose, numbered steps, a warning, a table, a checklist. */
export function textOf(characters: number): string {
  const words =
    "check the pressure of each pump before it starts and write what the gauge shows in the shift log".split(" ");
  const sentence = (n: number) => {
    const some = Array.from({ length: 9 + (n % 7) }, (_, i) => words[(n * 5 + i) % words.length]).join(" ");
    return `${some[0]?.toUpperCase()}${some.slice(1)}${n % 4 === 0 ? " at **60 °C**" : ""}.`;
  };
  const section = (n: number) =>
    [
      `## ${n + 1}. Station ${n + 1}`,
      [0, 1, 2].map((i) => sentence(n + i)).join(" "),
      [0, 1, 2, 3, 4, 5].map((i) => `${i + 1}. ${sentence(n * 3 + i)}`).join("\n"),
      `> [!WARNING]\n> ${sentence(n + 11)}`,
      [
        "| Part | Limit | Note |",
        "| --- | --- | --- |",
        ...[0, 1, 2, 3].map((i) => `| Pump ${n}.${i} | ${i + 2} bar | ${sentence(n + i)} |`),
      ].join("\n"),
      [0, 1, 2].map((i) => `- [ ] ${sentence(n * 2 + i)}`).join("\n"),
    ].join("\n\n");
  const sections: string[] = [];
  for (let length = 0; length < characters; length += (sections.at(-1)?.length ?? 0) + 2)
    sections.push(section(sections.length));
  return `${sections.join("\n\n")}\n`;
}
