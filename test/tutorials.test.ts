/**
 * The tutorials of `docs/tutorials`, step by step with the packed files. A block `sh` runs; `sh server` keeps running until
 * `sh stop` or the end; `sh fails` must fail. A block `text` is in the output before it.
 */
import { spawn, type ChildProcess } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Page } from "playwright-core";
import { afterAll, describe, expect, inject, test } from "vitest";
import { npmEnv, packedFile } from "./cli/npm.ts";
import { launchChromium } from "./journeys/browser.ts";
import { canWalk } from "./journeys/signed-in.ts";
import { project } from "./node-program.ts";
import { startServer, type TestServer } from "./server.ts";
import { freePort } from "./free-port.ts";

const page = (name: string) => readFileSync(path.join(project, "docs/tutorials", `${name}.md`), "utf8");
const blocksOf = (markdown: string) =>
  [...markdown.matchAll(/^```(\w+)(?: (\w+))?\n([\s\S]*?)^```$/gm)].map(([, kind = "", way = "", text = ""]) => ({
    kind,
    way,
    text,
  }));

const made: string[] = [];
const stops: (() => void | Promise<void>)[] = [];
afterAll(async () => {
  for (const stop of stops.splice(0).reverse()) await stop();
  for (const folder of made) rmSync(folder, { recursive: true, force: true });
});

/** This process may be the server that it asks. */
function run(program: string, args: string[], options: { cwd: string; env: Record<string, string> }) {
  return new Promise<{ code: number | null; output: string }>((resolve, reject) => {
    const child = spawn(program, args, { ...options, stdio: ["ignore", "pipe", "pipe"] });
    let output = "";
    const read = (text: string) => (output += text);
    child.stdout.setEncoding("utf8").on("data", read);
    child.stderr.setEncoding("utf8").on("data", read);
    child.once("error", reject);
    child.once("close", (code) => resolve({ code, output }));
  });
}

async function install(file: string, cwd: string): Promise<void> {
  const env = npmEnv(path.dirname(cwd));
  const ran = await run("npm", ["install", file, "--no-audit", "--no-fund"], { cwd, env });
  expect([ran.code, ran.output]).toEqual([0, expect.any(String)]);
}

interface ReaderOptions {
  /** Of a server that runs already. */
  address?: string;
  username?: string;
  env?: Record<string, string>;
}

/** A reader of a tutorial: a folder, a shell that stays where it was left, and a server. */
function reader({ address, username = "ann", env: more = {} }: ReaderOptions = {}) {
  const folder = mkdtempSync(path.join(tmpdir(), "sopwright-tutorial-"));
  made.push(folder);
  const env = { ...npmEnv(folder), PORT: "0", DRAIN_SECONDS: "0", ...more };
  let cwd = path.join(folder, "work");
  mkdirSync(cwd);
  let url = address ?? "";
  let output = "";
  let server: ChildProcess | undefined;
  const here = (text: string) =>
    (url === "" ? text : text.replaceAll("http://localhost:3000", url)).replace('owner: "ann"', `owner: "${username}"`);

  function stopServer(): Promise<unknown> {
    const child = server;
    server = undefined;
    if (child === undefined) return Promise.resolve();
    return new Promise((resolve) => {
      // npx can end before the server that it started: their output closes with the last of them
      child.once("close", resolve);
      process.kill(-(child.pid ?? 0), "SIGINT");
    });
  }
  stops.push(async () => void (await stopServer()));

  async function startOne(text: string): Promise<void> {
    const child = spawn("sh", ["-ec", `exec ${text}`], { cwd, env, detached: true, stdio: ["ignore", "pipe", "pipe"] });
    server = child;
    output = "";
    await new Promise<void>((resolve, reject) => {
      const read = (chunk: Buffer) => {
        output += chunk.toString();
        url = /^listening on (\S+)$/m.exec(output)?.[1] ?? "";
        if (url !== "") resolve();
      };
      child.stdout.on("data", read);
      child.stderr.on("data", read);
      child.once("exit", (code) => reject(new Error(`${text} ended with ${code}: ${output}`)));
    });
  }

  return {
    folder: () => cwd,
    url: () => url,
    output: () => output,
    /** @param between what the reader does before a block, in the browser for example */
    async follow(markdown: string, between: (text: string) => Promise<void> = async () => {}): Promise<number> {
      const blocks = blocksOf(markdown);
      for (const { kind, way, text } of blocks) {
        if (kind === "text") {
          for (const line of text.trim().split("\n")) expect(output).toContain(line);
          continue;
        }
        expect(kind).toBe("sh");
        await between(text);
        if (way === "server") {
          await startOne(text.trim());
          continue;
        }
        if (way === "stop") await stopServer();
        const place = path.join(folder, "place");
        const ran = await run("sh", ["-ec", `${here(text)}\npwd > ${place}`], { cwd, env });
        output = ran.output;
        expect([text, ran.code === 0, output]).toEqual([text, way !== "fails", expect.any(String)]);
        if (way !== "fails") cwd = readFileSync(place, "utf8").trim();
      }
      return blocks.length;
    },
  };
}

/** Sends requests as a user who signed in. */
async function signedIn(url: string, username: string, password: string) {
  const post = (cookie: string, body: unknown) => ({
    method: "POST",
    headers: { "content-type": "application/json", origin: url, cookie },
    body: JSON.stringify(body),
  });
  const answer = await fetch(`${url}/api/auth/login`, post("", { username, password }));
  expect(answer.status).toBe(200);
  const cookie = answer.headers.getSetCookie()[0]?.split(";")[0] ?? "";
  return async <T>(address: string, body?: unknown): Promise<T> => {
    const sent = await fetch(url + address, body === undefined ? { headers: { cookie } } : post(cookie, body));
    expect([address, sent.ok]).toEqual([address, true]);
    return (await sent.json()) as T;
  };
}

describe("the tutorial", { timeout: 300_000 }, () => {
  async function serverWithToken(): Promise<{ server: TestServer; username: string; token: string }> {
    const server = await startServer("sqlite");
    stops.push(() => server.stop());
    const editor = await (await server.company()).user("editor");
    const { token } = await editor.client.tokens.create({ body: { name: "t", scopes: ["sops:read", "sops:write"] } });
    return { server, username: editor.username, token };
  }

  test("of administrators: install, set up, serve, reset, stop, verify", async () => {
    const ann = reader();
    cpSync(packedFile("sopwright-server"), path.join(ann.folder(), path.basename(packedFile("sopwright-server"))));
    expect(await ann.follow(page("administrator"))).toBeGreaterThan(8);
  });

  test("of maintenance: fill, watch, back up, lose, restore, upgrade, move to MongoDB and back", async (context) => {
    const [uri] = inject("mongoUris");
    if (uri === undefined) return context.skip();
    const database = new URL(uri);
    database.pathname = `/maintenance_${process.pid}`;
    const ann = reader({ env: { PORT: String(await freePort()), NEW_MONGODB_URI: database.href } });
    cpSync(packedFile("sopwright-server"), path.join(ann.folder(), path.basename(packedFile("sopwright-server"))));
    // the example company as `sop admin demo` of 1.0.0-beta.1 left it
    await run("tar", ["-xzf", path.join(import.meta.dirname, "older-data.tar.gz")], { cwd: ann.folder(), env: {} });
    let seen = 0;
    const done = await ann.follow(page("maintenance"), async (text) => {
      if (text.includes("< token.txt")) {
        const send = await signedIn(ann.url(), "ann", "a long walk to the river");
        const scopes = ["sops:read", "sops:write"];
        const { token } = await send<{ token: string }>("/api/tokens", { name: "t", scopes });
        writeFileSync(path.join(ann.folder(), "token.txt"), token);
      }
      if (text.includes("older npx sopwright-server admin verify")) {
        const send = await signedIn(ann.url(), "ewan.pryce", "brackenfold-demo");
        const { data } = await send<{ data: { id: string; title: string }[] }>("/api/sops?limit=50");
        expect(data.length).toBeGreaterThan(15);
        for (const { id } of data) {
          const { markdown } = await send<{ markdown: string }>(`/api/sops/${id}`);
          expect(markdown.length).toBeGreaterThan(100);
        }
        seen = data.length;
      }
    });
    expect([done > 15, seen > 0]).toEqual([true, true]);
  });

  test("of the terminal: install, sign in, pull, write, check, push, search, export", async () => {
    const { server, username, token } = await serverWithToken();
    const ann = reader({ address: server.url, username });
    writeFileSync(path.join(ann.folder(), "token.txt"), token);
    expect(await ann.follow(page("terminal"))).toBeGreaterThan(8);
  });

  test("of CI: a repository, its workflow, a commit, and a check that fails", async () => {
    const { server } = await serverWithToken();
    const ann = reader({ address: server.url });
    await install(packedFile(), ann.folder());
    expect(await ann.follow(page("ci"))).toBeGreaterThan(5);
  });

  test.skipIf(!canWalk("the tutorial of the browser"))("of the browser: each of its steps", async () => {
    const markdown = page("browser");
    const ann = reader();
    await install(packedFile("sopwright-server"), ann.folder());
    expect(await ann.follow(markdown)).toBe(1);
    const [, password = ""] = /^Password of every user: (.+)$/m.exec(ann.output()) ?? [];
    const [, username = ""] = /^ {2}(\S+) +manager /m.exec(ann.output()) ?? [];

    const written = [...markdown.matchAll(/^\d+\. (.+)$/gm)].map(([, step = ""]) => step);
    const done = stepsOf({ url: ann.url(), username, password });
    expect(done.map(([step]) => step)).toEqual(written);
    const browser = await launchChromium();
    stops.push(() => browser.close());
    const tab = await browser.newPage();
    for (const [, act] of done) await act(tab);
  });
});

type Act = (page: Page) => Promise<unknown>;

/** What a reader does for each numbered sentence of the page, and sees. */
function stepsOf({ url, username, password }: { url: string; username: string; password: string }): [string, Act][] {
  const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
  const title = "Water the office plants";
  return [
    ["Open http://localhost:3000.", (page) => page.goto(url)],
    [
      "Enter the username and the password, and choose **Sign in**.",
      async (page) => {
        await page.getByLabel("Username").fill(username);
        await page.getByLabel("Password", { exact: true }).fill(password);
        await button(page, "Sign in").click();
      },
    ],
    ["The home page shows what waits for you.", (page) => page.getByText(/things? waits? for you/).waitFor()],
    [
      "Press Ctrl+K and type `metal detector`.",
      async (page) => {
        await page.keyboard.press("Control+k");
        await page.keyboard.type("metal detector");
      },
    ],
    [
      "Choose the first result.",
      async (page) => {
        await page
          .getByRole("option", { name: /metal detector/ })
          .first()
          .waitFor();
        await page.keyboard.press("Enter");
      },
    ],
    [
      "The page shows the published version: number, owner and steps. **Steps** shows one step a screen.",
      async (page) => {
        await page.getByRole("heading", { level: 1, name: "Check the metal detector" }).waitFor();
        await page.getByRole("link", { name: "Steps" }).or(button(page, "Steps")).first().waitFor();
      },
    ],
    ["Choose **New SOP**.", (page) => page.getByRole("link", { name: "New SOP" }).first().click()],
    [
      `Enter the title \`${title}\` and the description \`Plants live longer.\``,
      async (page) => {
        await page.getByLabel("Title").fill(title);
        await page.getByLabel("Description").fill("Plants live longer.");
      },
    ],
    [
      "Type the text: `## Steps`, Enter, `1. Fill the can`.",
      async (page) => {
        await page.getByRole("textbox", { name: "Content" }).click();
        await page.keyboard.type("## Steps\n1. Fill the can");
      },
    ],
    [
      "Press Ctrl+S. Enter the new category `Office` and choose **Continue**.",
      async (page) => {
        await page.keyboard.press("Control+s");
        await page.getByLabel("Or a new category").fill("Office");
        await button(page, "Continue").click();
      },
    ],
    ["You have a draft, version 1. Readers don't see it.", (page) => page.getByText("SOP Created").first().waitFor()],
    ["On the SOP's page, choose **Publish…**.", (page) => button(page, "Publish…").click()],
    [
      "Confirm with **Publish**. Readers see version 1 from now on.",
      async (page) => {
        await page.getByRole("dialog").getByRole("button", { name: "Publish", exact: true }).click();
        await page.locator("header").getByText("Published", { exact: true }).waitFor();
      },
    ],
    [
      "Choose **Edit**, add a step and press Ctrl+S. Version 2 is a draft, and readers keep version 1 until you publish.",
      async (page) => {
        await page.getByRole("link", { name: "Edit" }).click();
        await page.locator(".ProseMirror li").first().click();
        await page.keyboard.press("End");
        await page.keyboard.press("Enter");
        await page.keyboard.type("Water each plant");
        await page.keyboard.press("Control+s");
        await page.getByText("SOP Updated").first().waitFor();
      },
    ],
  ];
}
