/** Provides a journey's server, browser and pages, and collects the messages of their consoles. */
import type { Browser, BrowserContext, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { startServer, type ServerOptions, type TestServer, type TestUser } from "../server.ts";
import { launchChromium } from "./browser.ts";
import { canWalk, openPage, signedIn } from "./signed-in.ts";

/** A width (900 pixels high), or any options of a browser context. */
type Look = number | BrowserContextOptions;

export interface Journey {
  server(): TestServer;
  browser(): Browser;
  /** Messages of consoles and errors of pages. A test at the end expects none. */
  complaints: string[];
  /** A separate browser of the user (`null`: signed out). It is closed after the test. */
  contextOf(user: Pick<TestUser, "cookie"> | null, look?: Look): Promise<BrowserContext>;
  /**
   * A page in a context, or in a separate browser of the user. @param expected the browser's lines for an expected
   * refusal
   */
  open(
    who: BrowserContext | Pick<TestUser, "cookie"> | null,
    address?: string,
    look?: Look,
    expected?: RegExp,
  ): Promise<Page>;
  /** Closes the test's browsers. Expects console lines for exactly these statuses. */
  expectRefusals(...statuses: number[]): Promise<void>;
}

interface JourneyOptions extends ServerOptions {
  /** The browser's lines for expected refusals. */
  expected?: RegExp;
}

/** A suite with a server and a browser. Without a browser or a build it is skipped, with a printed warning. */
export function describeJourney(
  name: string,
  options: JourneyOptions | (() => Promise<JourneyOptions>),
  define: (journey: Journey) => void,
): void {
  describe.skipIf(!canWalk(name))(name, () => {
    let running: { server: TestServer; browser: Browser; expected: RegExp | undefined } | undefined;
    const contexts: BrowserContext[] = [];
    const complaints: string[] = [];
    const started = () => {
      if (!running) throw new Error("the server and the browser are started before the tests");
      return running;
    };
    const contextOf: Journey["contextOf"] = async (user, look = 1280) => {
      const { browser, server } = started();
      const size = typeof look === "number" ? { viewport: { width: look, height: 900 } } : look;
      const context = await signedIn(browser, server, user, size);
      contexts.push(context);
      return context;
    };
    const closeAll = async () => {
      await Promise.all(contexts.splice(0).map((context) => context.close()));
    };

    beforeAll(async () => {
      const { expected, ...own } = typeof options === "function" ? await options() : options;
      const [server, browser] = await Promise.all([startServer("sqlite", own), launchChromium()]);
      running = { server, browser, expected };
    }, 120_000);
    afterEach(closeAll);
    afterAll(async () => {
      await running?.browser.close();
      await running?.server.stop();
    });

    define({
      server: () => started().server,
      browser: () => started().browser,
      complaints,
      contextOf,
      async open(who, address = "/", look, expected = started().expected) {
        const context = who && "newPage" in who ? who : await contextOf(who, look);
        return openPage(context, started().server, address, complaints, expected);
      },
      async expectRefusals(...statuses) {
        await closeAll();
        const own = statuses.map((status) => new RegExp(`^error: Failed to load resource: .*status of ${status} `));
        expect(complaints.splice(0).filter((line) => !own.some((pattern) => pattern.test(line)))).toEqual([]);
      },
    });

    it("leaves no complaint in the browser's console", () => expect(complaints).toEqual([]));
  });
}
