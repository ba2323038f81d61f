/** The memory of a server by the companies whose searches and repositories it has open. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { createCompany } from "../server/companies/create.ts";
import { readConfig } from "../server/config.ts";
import { openServices } from "../server/services.ts";
import { createAccount } from "../server/sign-in/store.ts";
import { round, type Figure } from "./figure.ts";
import { account, quick } from "./operate-server.ts";
import { seedSops } from "./seed-sops.ts";
import { memoryMiB, settle, signIn, startServer } from "./server-process.ts";

const sops = 50;
/** More than stay open: 64. */
const companies = quick ? 12 : 84;
const after = quick ? [0, 6, 12] : [0, 16, 32, 64, 84];

export async function* memory(): AsyncGenerator<Figure> {
  const dir = await mkdtemp(path.join(tmpdir(), "sopwright-bench-"));
  try {
    const env = { DATA_DIR: path.join(dir, "data"), LOG_LEVEL: "warn" };
    const names = await seeded(env);
    const server = await startServer("dist/server/main.js", env);
    const now = () => memoryMiB(server.child.pid, "VmRSS") ?? Number.NaN;
    const idle = now();
    for (const [n, name] of names.entries()) {
      if (after.includes(n)) yield { name: `memory after ${n} companies of ${sops} SOPs`, value: now(), unit: "MiB" };
      await use(server.url, await signIn(server.url, name, account.password));
    }
    yield { name: `memory after ${companies} companies of ${sops} SOPs`, value: now(), unit: "MiB" };
    yield {
      name: "memory for each of 64 open companies",
      value: round((now() - idle) / Math.min(64, companies)),
      unit: "MiB",
    };
    await server.stop();
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}

/** @returns a manager of each company */
async function seeded(env: Record<string, string>): Promise<string[]> {
  const services = await openServices({ config: readConfig(env) });
  const names: string[] = [];
  const passwordHash = await services.passwords.hash(account.password);
  for (let n = 0; n < companies; n++) {
    const username = `manager-${n}`;
    await services.db.transaction(async (tx) => {
      const founding = { name: `Company ${n}`, slug: `company-${n}`, at: services.clock.now() };
      const { _id: companyId } = await createCompany(tx, founding);
      const person = { name: "Some Manager", email: null, role: "manager" as const };
      await createAccount(tx, { ...person, companyId, username, passwordHash, at: founding.at });
    });
    await seedSops(services, username, sops);
    names.push(username);
  }
  await services.close();
  return names;
}

/** A list, a text, a search, and the repository's state. */
async function use(url: string, cookie: string): Promise<void> {
  const get = async (at: string) => (await fetch(`${url}${at}`, { headers: { cookie } })).json() as Promise<unknown>;
  const { data } = (await get("/api/sops?limit=50")) as { data: { id: string }[] };
  await get(`/api/sops/${data[0]?.id}`);
  await get("/api/search?q=pump");
  await settle(url, cookie);
}
