/**
 * `bench web:typing`: a text of 60 KiB. From a key to the frame that shows its letter, beside a page with ProseMirror
 * alone; and from an address to its text, beside the same page without a script.
 */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import type { Page } from "playwright-core";
import { build, type Rollup } from "vite";
import { renderHtml } from "#core/markdown/render.ts";
import { figureBesidePeer, median, round, type Figure } from "./figure.ts";
import { root } from "./server-process.ts";
import { textOf } from "./web-editor.ts";
import { waitUntilStill } from "./web-load.ts";
import { openPage, quick, type WebSite } from "./web-site.ts";
import { serveStill } from "./web-still.ts";

const kib = 60;
const words = "check the gauge twice before the shift and write what it shows ".repeat(quick ? 1 : 3);
const rounds = quick ? 2 : 5;

export async function* typing(site: WebSite): AsyncGenerator<Figure> {
  const text = textOf(kib * 1024);
  const id = await site.write(`A text of ${kib} KiB`, text);
  const bare = await serveBare(text);
  try {
    const taken = { ours: [] as number[], peer: [] as number[] };
    const ours = await site.open({ signedIn: true });
    await ours.page.goto(`${site.url}/sop/${id}/edit`);
    const peer = await openPage(site.browser, null, {});
    await peer.page.goto(bare.url);
    for (const { page } of [ours, peer]) await placeCaret(page);
    // in turns, so that a busy machine slows both
    for (const part of words.match(/.{1,16}/g) ?? []) {
      taken.ours.push(...(await typed(ours.page, part)));
      taken.peer.push(...(await typed(peer.page, part)));
    }
    await ours.close();
    await peer.close();
    const [value, floor] = [p95(taken.ours), p95(taken.peer)];
    const middle = [taken.ours, taken.peer].map((all) => round(median(all)));
    process.stderr.write(`bench web:typing: median ${middle.join(" and ")} ms of ${taken.ours.length} keys\n`);
    const name = `web key to frame, p95, ${kib} KiB; ProseMirror alone`;
    yield figureBesidePeer(name, "ms", value, floor, "≤ 50, ratio ≤ 2");
  } finally {
    bare.close();
  }
  yield await viewing(site, id);
}

/** In a paragraph in the middle. */
async function placeCaret(page: Page): Promise<void> {
  await page.locator('.ProseMirror[contenteditable="true"]').waitFor();
  const paragraphs = page.locator(".ProseMirror > p");
  await paragraphs.nth(Math.floor((await paragraphs.count()) / 2)).click();
  await page.keyboard.press("End");
  await page.waitForTimeout(2_000);
}

/** Each letter's time from its key event until the frame with it is painted. */
async function typed(page: Page, letters: string): Promise<number[]> {
  await page.bringToFront();
  await page.evaluate(() => {
    const times: number[] = [];
    const onKey = (event: KeyboardEvent) =>
      requestAnimationFrame(() => {
        const painted = new MessageChannel();
        painted.port1.addEventListener("message", () => times.push(performance.now() - event.timeStamp));
        painted.port1.start();
        painted.port2.postMessage(null);
      });
    addEventListener("keydown", onKey, { capture: true });
    Object.assign(window, { typedTimes: () => (removeEventListener("keydown", onKey, { capture: true }), times) });
  });
  await page.keyboard.type(letters, { delay: 90 });
  await page.waitForTimeout(300);
  return page.evaluate(() => (window as unknown as { typedTimes(): number[] }).typedTimes());
}

function p95(times: readonly number[]): number {
  return times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.95)] ?? Number.NaN;
}

/** From the address to the frame with the text, with a warm cache. */
async function viewing(site: WebSite, id: string): Promise<Figure> {
  const { page, close } = await site.open({ signedIn: true });
  await page.goto(`${site.url}/sop/${id}`);
  await waitUntilStill(page);
  const still = await serveStill(page);
  const shown = async (address: string) => {
    const taken: number[] = [];
    for (let round_ = 0; round_ < rounds; round_++) {
      await page.goto(address, { waitUntil: "commit" });
      taken.push(
        await page.evaluate(
          () =>
            new Promise<number>((resolve) => {
              const look = () => {
                if (document.querySelector(".reading h2")) requestAnimationFrame(() => resolve(performance.now()));
                else requestAnimationFrame(look);
              };
              look();
            }),
        ),
      );
      await waitUntilStill(page);
    }
    return median(taken);
  };
  const value = await shown(`${site.url}/sop/${id}`);
  const floor = await shown(still.url);
  await close();
  still.close();
  return figureBesidePeer(`web view, ${kib} KiB, warm cache; the page as a still`, "ms", value, floor, "≤ 500");
}

async function serveBare(text: string): Promise<{ url: string; close(): void }> {
  const built = (await build({
    configFile: false,
    logLevel: "error",
    root,
    build: { write: false, rollupOptions: { input: path.join(root, "bench/bare-prosemirror.ts") } },
  })) as Rollup.RollupOutput;
  const [chunk] = built.output;
  const page = `<!doctype html><meta charset="utf-8"><style>body{max-width:42rem;margin:2rem auto;font:17px/28px sans-serif}.ProseMirror{white-space:pre-wrap}</style><template>${renderHtml(text)}</template><script type="module">${chunk.code}</script>`;
  const server = createServer((_, response) => {
    response.writeHead(200, { "content-type": "text/html; charset=utf-8" });
    response.end(page);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
