/**
 * A damaged file of a repository costs one clone. Each round damages one file, at rest or while the server has the
 * repository open. `SOP_PROOF=1` runs all rounds.
 */
import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { seeded, type Random } from "../audit-tamper.ts";
import { git, gitFolder, runGit } from "../git.ts";
import { pngOf } from "../images.ts";
import { count } from "../proof.ts";
import { propose } from "../propose.ts";
import { startServer, type TestServer } from "../server.ts";

const rounds = count({ usual: 6, proof: 100 });
const seed = 20_261_130;

interface Repository {
  gitdir: string;
  /** Of a user who reads everything. */
  address(): string;
  id: string;
}

let server: TestServer;
/** The first has a proposal, which is put beside the repository. */
let repositories: Repository[] = [];
const { dir, remove } = gitFolder();
const whole = path.join(dir, "whole");
const folder = () => path.join(server.dataDir, "repositories");
/** What a clone has, by company. */
const clones = new Map<string, string>();

beforeAll(async () => {
  server = await startServer("sqlite");
  repositories = [await makeRepository(true), await makeRepository(false)];
  for (const { id, address } of repositories) clones.set(id, await cloned(address()));
  await server.running.stop();
  cpSync(folder(), whole, { recursive: true });
});
afterAll(async () => {
  await server.stop();
  remove();
});

async function makeRepository(proposes: boolean): Promise<Repository> {
  const company = await server.company();
  const user = await company.user("manager");
  const { services } = server.running;
  const repack = async (full: boolean) => {
    await services.repositories.drain(company.id);
    await services.repositories.repack(company.id, full);
  };
  const ids: string[] = [];
  for (const word of ["valve", "boiler", "conveyor", "forklift", "solvent", "press"]) {
    const headers = { "content-type": "image/png" };
    const stored = await user.send({ method: "POST", path: "/api/assets", headers, body: pngOf(word) });
    const { url } = stored.json() as { url: string };
    const markdown = `# Steps\n\n1. Look at the ${word}.\n\n![${word}](${url})\n`;
    const { id } = await user.client.sops.create({ body: { title: `Check ${word}`, description: "D", markdown } });
    await user.client.sops.publish({ params: { id }, body: {} });
    ids.push(id);
  }
  await repack(true);
  for (const id of ids) await user.client.sops.update({ params: { id }, body: { markdown: `Look twice. ${id}\n` } });
  await repack(false);
  for (const id of ids.slice(3)) await user.client.sops.publish({ params: { id }, body: {} });
  await services.repositories.drain(company.id);
  if (proposes) await propose(services, user, { id: ids[0] ?? "", markdown: "Look thrice.\n" });
  const { token } = await user.client.tokens.create({ body: { name: "git", scopes: ["repo:read"] } });
  const slug = (await services.companies.get(company.id))?.slug ?? "";
  const address = () => `http://x:${token}@${new URL(server.url).host}/git/${slug}.git`;
  return { gitdir: services.repositories.path(company.id), address, id: company.id };
}

/** The files of a repository, by kind. */
function filesOf(gitdir: string): Record<string, string[]> {
  const all = readdirSync(gitdir, { recursive: true, withFileTypes: true })
    .filter((one) => one.isFile())
    .map((one) => path.relative(gitdir, path.join(one.parentPath, one.name)));
  return Object.groupBy(all, (name) => {
    if (/^objects\/[0-9a-f]{2}\//.test(name)) return "loose object";
    if (name.startsWith("refs/")) return "ref";
    return name.startsWith("objects/pack/") ? path.extname(name) : name;
  }) as Record<string, string[]>;
}

const ways = ["flip 1", "flip 4", "flip 64", "flip 512", "cut", "empty", "zeros", "gone", "text"] as const;

function damage(random: Random, file: string, way: (typeof ways)[number]): void {
  const bytes = readFileSync(file);
  const [how, length = 0] = way.split(" ").map((part, at) => (at === 0 ? part : Number(part))) as [string, number?];
  if (how === "gone") return rmSync(file);
  if (how === "text") return writeFileSync(file, "rotten\n");
  if (how === "cut") return writeFileSync(file, bytes.subarray(0, random(bytes.length)));
  if (how === "empty") return writeFileSync(file, "");
  if (how === "zeros") return writeFileSync(file, Buffer.alloc(bytes.length));
  const at = random(Math.max(1, bytes.length - length));
  for (let n = at; n < Math.min(bytes.length, at + length); n += 1) bytes[n] = (bytes[n] ?? 0) ^ (1 + random(255));
  writeFileSync(file, bytes);
}

/** @returns what a new clone has, or why there is none */
async function cloned(address: string): Promise<string> {
  const to = path.join(dir, "clone");
  try {
    const { code, stderr } = await runGit(dir, "clone", "-q", address, to);
    if (code !== 0) return stderr;
    const asks = [["fsck", "--strict"], ["for-each-ref"], ["rev-parse", "HEAD"], ["status", "--porcelain", "--branch"]];
    const told: string[] = [];
    for (const ask of asks) told.push(await git(to, ...ask));
    return told.join("\n");
  } catch (error) {
    return String(error);
  } finally {
    rmSync(to, { recursive: true, force: true });
  }
}

/** Damages a file of each kind in turn. @returns what it did */
function damageOne(round: number, random: Random, gitdir: string): string {
  const kinds = filesOf(gitdir);
  const names = Object.keys(kinds).toSorted();
  const files = kinds[names[round % names.length] ?? ""] ?? [];
  const file = files[random(files.length)] ?? "";
  const way = ways[random(ways.length)] ?? "gone";
  damage(random, path.join(gitdir, file), way);
  return `${file}: ${way}`;
}

test.each(Array.from({ length: rounds }, (_, round) => round))(
  "round %s: is made again after one clone",
  async (round) => {
    const random = seeded(seed + round);
    const { gitdir, address, id } = repositories[random(2)] as Repository;
    const isOpen = random(2) === 0;
    let about = "";
    await server.restart(() => {
      rmSync(folder(), { recursive: true });
      cpSync(whole, folder(), { recursive: true });
      if (!isOpen) about = damageOne(round, random, gitdir);
    });
    const { repositories: all } = server.running.services;
    if (isOpen) {
      // the check at the start closes it
      for (let held = 0; held < 4; held = all.cache.open().some(([one]) => one === id) ? held + 1 : 0) {
        if (held === 0) await all.drain(id);
        await delay(100);
      }
      about = damageOne(round, random, gitdir);
    }
    const isWhole = async () => (await all.verify(id)).ok;
    await cloned(address());
    await expect.poll(isWhole, { timeout: 30_000, message: about }).toBe(true);
    await expect.poll(() => cloned(address()), { timeout: 30_000, message: about }).toBe(clones.get(id));
  },
);
