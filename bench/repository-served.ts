/** A server whose administrator's company has a packed repository of many versions. */
import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { readConfig } from "../server/config.ts";
import { openServices } from "../server/services.ts";
import { ensureSystemAdmin } from "../server/sign-in/setup.ts";
import { seedSops } from "./seed-sops.ts";
import { signIn, startServer, type ServerProcess } from "./server-process.ts";

export const quick = process.env["SOP_BENCH_QUICK"] === "1";
export const start = promisify(execFile);
const account = { username: "bench-admin", password: "a long bench password" };

export interface Seeded {
  env: { DATA_DIR: string; ADMIN_USERNAME: string; ADMIN_PASSWORD: string };
  companyId: string;
  slug: string;
  gitdir: string;
  /** Ids. */
  sops: string[];
}

export interface Served extends Seeded {
  server: ServerProcess;
  cookie: string;
  token: string;
  /** With the token. */
  address: string;
}

/** Runs with a folder that goes with its end. */
export async function* inFolder<T>(work: (dir: string) => AsyncIterable<T>): AsyncGenerator<T> {
  const dir = await mkdtemp(path.join(tmpdir(), "sopwright-bench-"));
  try {
    yield* work(dir);
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}

/** @param repack false: the repository is as the committer left it */
export async function seed(data: string, count: number, repack = true): Promise<Seeded> {
  const env = { DATA_DIR: data, ADMIN_USERNAME: account.username, ADMIN_PASSWORD: account.password };
  const services = await openServices({ config: readConfig({ ...env, LOG_LEVEL: "warn" }) });
  try {
    const { repositories, db } = services;
    await ensureSystemAdmin(services);
    await seedSops(services, account.username, count);
    const user = await db.collection("users").findOne({ username: account.username });
    const company = await services.companies.get(user?.companyId ?? "");
    if (!company) throw new Error("no company was founded");
    await repositories.drain(company._id);
    if (repack) await repositories.repack(company._id, true);
    const found = await db
      .forCompany(company._id)
      .collection("sops")
      .find({}, { projection: { _id: 1 } });
    const sops = found.map(({ _id }) => _id);
    return { env, companyId: company._id, slug: company.slug, gitdir: repositories.path(company._id), sops };
  } finally {
    await services.close();
  }
}

/** @param data another folder with the same data */
export async function serve(seeded: Seeded, data = seeded.env.DATA_DIR): Promise<Served> {
  const env = { ...seeded.env, DATA_DIR: data };
  const server = await startServer(process.env["SOP_BENCH_SERVER"] ?? "dist/server/main.js", env);
  const cookie = await signIn(server.url, account.username, account.password);
  const made = await fetch(`${server.url}/api/tokens`, {
    method: "POST",
    headers: { cookie, origin: server.url, "content-type": "application/json" },
    body: JSON.stringify({ name: "bench", scopes: ["repo:read", "repo:push", "sops:read", "sops:write"] }),
  });
  if (!made.ok) throw new Error(`token: ${made.status} ${await made.text()}`);
  const { token } = (await made.json()) as { token: string };
  const address = `http://x:${token}@${new URL(server.url).host}/git/${seeded.slug}.git`;
  return { ...seeded, env, server, cookie, token, address };
}
