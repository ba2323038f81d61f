/** Runs the example company on a server in this process, so that every screen has data. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import type { BrowserContext } from "playwright-core";
import { createClient, type Client } from "#core/api/client.ts";
import { routes } from "#core/api/routes.ts";
import type { Schemas } from "#core/api/schemas.ts";
import { readDemoCompany } from "../../server/admin/demo/company.ts";
import { demoPassword, seedCompany } from "../../server/admin/demo/seed.ts";
import { readConfig } from "../../server/config.ts";
import { serveRequests } from "../../server/serve.ts";
import { exchange } from "../http.ts";
import { propose } from "../propose.ts";

export interface Demo {
  url: string;
  /** The id of the SOP with this word in its title. */
  sopId(word: string): string;
  categoryId(name: string): string;
  companyId: string;
  /** Gives a browser the session of a user; each user signs in once. */
  signIn(context: BrowserContext, username: string): Promise<void>;
  /** A client for a user's actions outside the browser. */
  as(username: string): Promise<Client<Schemas>>;
  /** Proposes a change to the SOP with this word in its title, like a push. @returns the proposal's number */
  propose(username: string, word: string, replace: readonly [from: string, to: string]): Promise<number>;
  /** Does the work at the first call, no matter how many pages need it. */
  once<T>(what: string, make: () => Promise<T>): Promise<T>;
  stop(): Promise<void>;
}

export async function openDemo(): Promise<Demo> {
  const dataDir = await mkdtemp(path.join(tmpdir(), "sopwright-screens-"));
  const config = readConfig({ PORT: "0", DATA_DIR: dataDir, LOG_LEVEL: "silent", PASSWORD_BLOCKLIST: "off" });
  const company = await readDemoCompany();
  await seedCompany(config, company, Date.now());
  const running = await serveRequests({ config });
  const { url, services } = running;
  const found = await services.db.collection("companies").findOne({ slug: company.slug });
  const companyId = found?._id ?? "";
  const store = services.db.forCompany(companyId);
  const sops = await store.collection("sops").find({}, { projection: { title: 1 } });
  const categories = await store.collection("categories").find({}, { projection: { name: 1 } });
  const made = new Map<string, Promise<unknown>>();

  function once<T>(what: string, make: () => Promise<T>): Promise<T> {
    const own = (made.get(what) as Promise<T> | undefined) ?? make();
    made.set(what, own);
    return own;
  }
  const session = (username: string) => once(`session of ${username}`, () => signIn(username));

  async function signIn(username: string): Promise<{ name: string; value: string }> {
    const answer = await fetch(`${url}/api/auth/login`, {
      method: "POST",
      headers: { "content-type": "application/json", origin: url },
      body: JSON.stringify({ username, password: demoPassword }),
    });
    const [name = "", value = ""] = (answer.headers.getSetCookie()[0] ?? "").split(";", 1)[0]?.split("=") ?? [];
    if (value === "") throw new Error(`${username} can't sign in: ${answer.status} ${await answer.text()}`);
    return { name, value };
  }

  const sopId = (word: string) => known(sops.find(({ title }) => title.includes(word))?._id, word);

  return {
    url,
    companyId,
    sopId,
    categoryId: (name) => known(categories.find((category) => category.name === name)?._id, name),
    async signIn(context, username) {
      await context.addCookies([{ ...(await session(username)), url }]);
    },
    async as(username) {
      const { name, value } = await session(username);
      const own = { origin: url, cookie: `${name}=${value}` };
      return createClient<Schemas>(routes, ({ url: address, ...request }) =>
        exchange(url, { ...request, path: address, headers: { ...request.headers, ...own } }),
      );
    },
    async propose(username, word, [from, to]) {
      const sop = await store.collection("sops").findOne({ _id: sopId(word) });
      const user = await store.collection("users").findOne({ username });
      const published = sop?.published;
      if (!sop || !user || !published) throw new Error(`${username} can't propose a change to ${word}`);
      const { version, title } = published;
      const stored = await store.collection("sop_versions").findOne({ sopId: sop._id, version });
      const markdown = stored?.markdown.replace(from, to) ?? "";
      return propose(services, { id: user._id, companyId }, { id: sop._id, version, title, markdown });
    },
    once,
    async stop() {
      await running.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

function known(id: string | undefined, what: string): string {
  if (id === undefined) throw new Error(`the example company has no ${what}`);
  return id;
}
