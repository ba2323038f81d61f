/** The example company on a server of this process, for looking at every screen with something on it. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import type { BrowserContext } from "playwright-core";
import { readDemoCompany } from "../../server/admin/demo/company.ts";
import { demoPassword, seedCompany } from "../../server/admin/demo/seed.ts";
import { readConfig } from "../../server/config.ts";
import { serve } from "../../server/serve.ts";

export interface Demo {
  url: string;
  /** Of an SOP, by a word of its title. */
  sopId(word: string): string;
  categoryId(name: string): string;
  companyId: string;
  /** Gives a browser the session of one of its people; each signs in once. */
  signIn(context: BrowserContext, username: string): Promise<void>;
  stop(): Promise<void>;
}

export async function openDemo(): Promise<Demo> {
  const dataDir = await mkdtemp(path.join(tmpdir(), "sopwright-screens-"));
  const config = readConfig({ PORT: "0", DATA_DIR: dataDir, LOG_LEVEL: "silent", PASSWORD_BLOCKLIST: "off" });
  const company = await readDemoCompany();
  await seedCompany(config, company, Date.now());
  const running = await serve({ config });
  const { url, services } = running;
  const found = await services.db.collection("companies").findOne({ slug: company.slug });
  const companyId = found?._id ?? "";
  const store = services.db.forCompany(companyId);
  const sops = await store.collection("sops").find({}, { projection: { title: 1 } });
  const categories = await store.collection("categories").find({}, { projection: { name: 1 } });
  const sessions = new Map<string, Promise<{ name: string; value: string }>>();

  async function session(username: string): Promise<{ name: string; value: string }> {
    const answer = await fetch(`${url}/api/auth/login`, {
      method: "POST",
      headers: { "content-type": "application/json", origin: url },
      body: JSON.stringify({ username, password: demoPassword }),
    });
    const [name = "", value = ""] = (answer.headers.getSetCookie()[0] ?? "").split(";", 1)[0]?.split("=") ?? [];
    if (value === "") throw new Error(`${username} can't sign in: ${answer.status} ${await answer.text()}`);
    return { name, value };
  }

  return {
    url,
    companyId,
    sopId: (word) => known(sops.find(({ title }) => title.includes(word))?._id, word),
    categoryId: (name) => known(categories.find((category) => category.name === name)?._id, name),
    async signIn(context, username) {
      const own = sessions.get(username) ?? session(username);
      sessions.set(username, own);
      await context.addCookies([{ ...(await own), url }]);
    },
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
