/** `bench web:load`: how long a first visit looks empty, what jumps during it, and what it requests. */
import type { Page } from "playwright-core";
import { figureBesidePeer, median, round, type Figure } from "./figure.ts";
import { openPage, quick, slow, slowText, type WebSite } from "./web-site.ts";
import { serveStill } from "./web-still.ts";
import { largestPaint, layoutShift } from "./web-vitals.ts";

const rounds = quick ? 2 : 5;

export async function* load(site: WebSite): AsyncGenerator<Figure> {
  const signIn = await visits(site, "/login", false);
  yield figureBesidePeer(
    `web LCP sign-in, cold, ${slowText}; a still of it`,
    "ms",
    signIn.ours,
    signIn.still,
    "≤ 1800",
  );
  const dashboard = await visits(site, "/", true);
  yield figureBesidePeer(
    `web LCP dashboard, cold, ${slowText}; a still of it`,
    "ms",
    dashboard.ours,
    dashboard.still,
    "≤ 2500",
  );
  yield { name: "web API calls, cold dashboard", value: dashboard.calls, unit: "requests, SSE apart", goal: "≤ 9" };
  yield* shifts(site);
}

interface Visited {
  ours: number;
  still: number;
  calls: number;
}

/** Alternating, medians; always with an empty cache. */
async function visits(site: WebSite, address: string, signedIn: boolean): Promise<Visited> {
  const made = await site.open({ signedIn });
  await made.page.goto(site.url + address);
  await waitUntilStill(made.page);
  const still = await serveStill(made.page);
  await made.close();
  const taken = { ours: [] as number[], still: [] as number[], calls: [] as number[] };
  try {
    for (let round_ = 0; round_ < rounds; round_++) {
      const theirs = await openPage(site.browser, null, { cpu: slow.cpu, slowLine: true });
      await theirs.page.goto(still.url);
      taken.still.push(await settledPaint(theirs.page));
      await theirs.close();

      const ours = await site.open({ signedIn, cpu: slow.cpu, slowLine: true });
      const calls = countCalls(ours.page);
      await ours.page.goto(site.url + address);
      await waitUntilStill(ours.page);
      taken.ours.push(await settledPaint(ours.page));
      taken.calls.push(calls.length);
      process.stderr.write(`bench web:load ${address}: ${calls.join(" ")}\n`);
      await ours.close();
    }
  } finally {
    still.close();
  }
  return { ours: median(taken.ours), still: median(taken.still), calls: Math.max(...taken.calls) };
}

/** The API addresses that a page requests, without its event stream; grows as they come. */
export function countCalls(page: Page): string[] {
  const calls: string[] = [];
  page.on("request", (request) => {
    const { pathname, search } = new URL(request.url());
    if (pathname.startsWith("/api/") && pathname !== "/api/events") calls.push(pathname + search);
  });
  return calls;
}

/** Waits until nothing is loading, and nothing on the page says so. */
export async function waitUntilStill(page: Page): Promise<void> {
  await page.locator("h1").first().waitFor();
  await page.waitForLoadState("networkidle");
  await page.locator('[aria-busy="true"]').first().waitFor({ state: "detached" });
}

async function settledPaint(page: Page): Promise<number> {
  await page.waitForTimeout(500);
  return largestPaint(page);
}

/** Every screen for users, each visited for the first time. */
async function* shifts(site: WebSite): AsyncGenerator<Figure> {
  const sop = await site.someSop();
  const screens = ["/", "/sops", sop, `${sop}/edit`, "/sop/new", "/pending", "/favorites", "/recent", "/settings"];
  let worst = { address: "", value: 0, nodes: "" };
  for (const address of ["/login", ...screens]) {
    const { page, close } = await site.open({ signedIn: address !== "/login", cpu: slow.cpu, slowLine: true });
    await page.goto(site.url + address);
    await waitUntilStill(page);
    await page.waitForTimeout(300);
    const shift = await layoutShift(page);
    process.stderr.write(`bench web:load ${address}: CLS ${round(shift.value)} ${shift.nodes}\n`);
    if (shift.value > worst.value) worst = { address, ...shift };
    await close();
  }
  const where = worst.value > 0 ? ` (${worst.address.replace(/[0-9a-f-]{36}/, ":id")})` : "";
  yield {
    name: `web CLS, worst of ${screens.length + 1} screens${where}`,
    value: round(worst.value),
    unit: "",
    goal: "≤ 0.02",
  };
}
