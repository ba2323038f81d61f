/** The setup for `bench web`: 10,000 SOPs on the built server in its own process, and a real Chromium. */
import { mkdtemp, rm } from "node:fs/promises";
import { existsSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Browser, BrowserContext, CDPSession, Page } from "playwright-core";
import { readConfig } from "../server/config.ts";
import { ensureSystemAdmin } from "../server/sign-in/setup.ts";
import { openServices } from "../server/services.ts";
import { launchChromium } from "../test/journeys/browser.ts";
import { copySops, seedSops } from "./seed-sops.ts";
import { root, signIn, startServer } from "./server-process.ts";
import { observe } from "./web-vitals.ts";

export const quick = process.env["SOP_BENCH_QUICK"] === "1";
export const sopCount = quick ? 2_000 : 10_000;
/** Written through the write path; the others are copies of these records. */
const written = 200;
const account = { username: "bench-manager", password: "a long bench password" };

/** Like phones and cheap laptops on a slow line (`bench/README.md`). */
export const slow = { cpu: 4, latencyMs: 150, downKbit: 1_600, upKbit: 750 };
export const slowText = `CPU ÷ ${slow.cpu}, ${slow.latencyMs} ms, ${slow.downKbit / 1000} Mbit/s`;

export interface OpenPage {
  page: Page;
  context: BrowserContext;
  session: CDPSession;
  close(): Promise<void>;
}

export interface OpenServicesOptions {
  signedIn?: boolean;
  cpu?: number;
  /** Uses the slow line; otherwise the machine's own. */
  slowLine?: boolean;
}

export interface WebSite {
  url: string;
  browser: Browser;
  /** Opens a browser with an empty cache. */
  open(options: OpenServicesOptions): Promise<OpenPage>;
  /** Creates an SOP. @returns its id */
  write(title: string, markdown: string): Promise<string>;
  /** The address of an existing SOP. */
  someSop(): Promise<string>;
  stop(): Promise<void>;
}

export async function openSite(): Promise<WebSite> {
  const program = process.env["SOP_BENCH_SERVER"] ?? "dist/server/main.js";
  if (!existsSync(path.join(root, program))) throw new Error("bench web measures what is built: npm run build");
  const dir = await mkdtemp(path.join(tmpdir(), "sopwright-bench-"));
  const env = { DATA_DIR: dir, ADMIN_USERNAME: account.username, ADMIN_PASSWORD: account.password };
  await seed(env);
  const [server, browser] = await Promise.all([startServer(program, env), launchChromium()]);
  const cookie = await signIn(server.url, account.username, account.password);
  const ask = async (address: string, init: RequestInit = {}) => {
    const headers = { cookie, origin: server.url, "content-type": "application/json" };
    const answer = await fetch(`${server.url}${address}`, { ...init, headers });
    if (!answer.ok) throw new Error(`${address}: ${answer.status} ${await answer.text()}`);
    return answer.json() as Promise<unknown>;
  };
  await settle(ask);

  return {
    url: server.url,
    browser,
    open: (options) => openPage(browser, options.signedIn ? { url: server.url, cookie } : null, options),
    async write(title, markdown) {
      const [category] = (await ask("/api/categories")) as { id: string }[];
      const body = { title, description: "Written by the bench.", markdown, categoryId: category?.id, readTime: 5 };
      return ((await ask("/api/sops", { method: "POST", body: JSON.stringify(body) })) as { id: string }).id;
    },
    async someSop() {
      const { data } = (await ask("/api/sops?limit=1&status=published")) as { data: { id: string }[] };
      return `/sop/${data[0]?.id ?? ""}`;
    },
    async stop() {
      await browser.close();
      await server.stop();
      await rm(dir, { recursive: true, force: true });
    },
  };
}

export async function openPage(
  browser: Browser,
  signedIn: { url: string; cookie: string } | null,
  { cpu = 1, slowLine = false }: OpenServicesOptions,
): Promise<OpenPage> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
  if (signedIn) {
    const [name = "", value = ""] = signedIn.cookie.split("=");
    await context.addCookies([{ name, value, url: signedIn.url }]);
  }
  const page = await context.newPage();
  await page.addInitScript(observe);
  const session = await context.newCDPSession(page);
  if (slowLine) await useSlowLine(session);
  if (cpu > 1) await session.send("Emulation.setCPUThrottlingRate", { rate: cpu });
  return { page, context, session, close: () => context.close() };
}

async function useSlowLine(session: CDPSession): Promise<void> {
  const bytes = (kbit: number) => (kbit * 1000) / 8;
  await session.send("Network.enable");
  await session.send("Network.emulateNetworkConditions", {
    offline: false,
    latency: slow.latencyMs,
    downloadThroughput: bytes(slow.downKbit),
    uploadThroughput: bytes(slow.upKbit),
  });
}

async function seed(env: Record<string, string>): Promise<void> {
  const services = await openServices({ config: readConfig({ ...env, LOG_LEVEL: "warn" }) });
  await ensureSystemAdmin(services);
  await seedSops(services, account.username, written);
  const user = await services.db.collection("users").findOne({ username: account.username });
  if (user) await copySops(services.db, user.companyId, sopCount);
  await services.close();
}

/** Waits until the repository has caught up: it is not measured. */
async function settle(ask: (address: string) => Promise<unknown>): Promise<void> {
  for (let tries = 0; tries < 600; tries++) {
    if (((await ask("/api/repository")) as { lag: number }).lag === 0) return;
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
  throw new Error("the repository did not catch up");
}
