/** What leaves with an export: published versions, unless drafts are asked for. */
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { unzipSync } from "fflate";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Sop } from "#core/sops/schema.ts";
import { count as countOf, isProof, recordFigure } from "../proof.ts";
import { canReadPdfs, pdfPages } from "../pdf-text.ts";
import { randomOf } from "../random-writes.ts";
import { startServer, type TestServer, type TestUser } from "../server.ts";
import { makeFolder, runSop, type Folder } from "./run-sop.ts";

const count = countOf({ usual: 24, nightly: 120, proof: 160 });
/** In every text, title and note that readers never had, and in every one that they have. */
const [secret, open] = ["zzsecret", "zzpublic"] as const;

describe("sop export of a mixture of drafts, published, scheduled, archived and restricted SOPs", () => {
  let server: TestServer;
  let folder: Folder;
  const tokens: Record<string, string> = {};
  let [looked, leaked] = [0, 0];
  const published: { number: string; title: string }[] = [];
  const below: string[] = [];
  const archived: string[] = [];

  const sop = (role: string, ...args: string[]) =>
    runSop(args, { cwd: folder.path, env: { SOP_SERVER: server.url, SOP_TOKEN: tokens[role] ?? "" } });

  beforeAll(async () => {
    server = await startServer("sqlite");
    folder = makeFolder();
    const company = await server.company();
    const users = new Map<string, TestUser>();
    for (const role of ["company_admin", "manager", "editor", "viewer"] as const) {
      const user = await company.user(role);
      users.set(role, user);
      const scopes = ["sops:read", ...(role === "company_admin" ? ["admin"] : [])] as ["sops:read"];
      tokens[role] = (await user.client.tokens.create({ body: { name: "t", scopes, expiresInDays: 1 } })).token;
    }
    const { client } = users.get("company_admin")!;
    const { below: under, pick } = randomOf(7);
    const chance = (part: number) => under(100) < part * 100;
    const shelves = await client.categories.list();
    const words = (kind: string, n: number) => ({
      title: `${kind}${n}title`,
      description: `${kind}${n}summary`,
      markdown: `## Steps\n\n1. Do ${kind}${n}text\n`,
      changeNote: `${kind}${n}note`,
    });
    let last: Sop | null = null;
    for (let n = 0; n < count; n += 1) {
      const isPublished = chance(0.7);
      const isArchived = isPublished && chance(0.15);
      const categoryId = pick([null, ...shelves.map(({ id }) => id)]);
      const first = words(isPublished && !isArchived ? open : secret, n);
      const linked = last === null ? "" : `\nSee [${last.number}](/sop/${last.id}).\n`;
      const body = { ...first, markdown: first.markdown + linked, categoryId };
      const made = await client.sops.create({ body });
      const params = { id: made.id };
      if (isPublished) await client.sops.publish({ params, body: { changeNote: `${open}${n}` } });
      if (isArchived) {
        await client.sops.archive({ params });
        archived.push(made.number);
      }
      if (chance(0.2)) await client.sops.restrict({ params, body: { restricted: true } });
      if (!isArchived && chance(0.6)) {
        await client.sops.update({
          params,
          body: { ...words(secret, n), categoryId: made.categoryId, tags: [secret] },
        });
        if (chance(0.4)) await client.sops.publish({ params, body: { effectiveAt: "2099-01-01" } });
        else if (under(10) < 4) await client.sops.update({ params, body: { ...words(secret, n + 1000) } });
      }
      if (isPublished && !isArchived) published.push({ number: made.number, title: first.title });
      else if (!isArchived) below.push(made.number);
      if (!isArchived) last = made;
    }
  }, 60_000);
  afterAll(async () => {
    recordFigure({ name: "drafts in exports of published SOPs", value: leaked, unit: `of ${looked}`, goal: "= 0" });
    folder.remove();
    await server.stop();
  });

  /** All words of an export, those in its zips and PDFs too. */
  function wordsOf(path: string): string {
    const textOf = (name: string, bytes: Uint8Array): string => {
      if (name.endsWith(".pdf")) return canReadPdfs ? pdfPages(Buffer.from(bytes)).join("\n") : "";
      if (!/\.(zip|docx)$/.test(name)) return `${name}\n${Buffer.from(bytes).toString()}`;
      return Object.entries(unzipSync(bytes))
        .map(([inner, part]) => textOf(inner, part))
        .join("\n");
    };
    if (/\.\w+$/.test(path)) return textOf(path, readFileSync(path));
    return readdirSync(path, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => textOf(join(entry.parentPath, entry.name), readFileSync(join(entry.parentPath, entry.name))))
      .join("\n");
  }

  const ways: [name: string, flags: string[]][] = [
    ["md", []],
    ["html", []],
    ["site", []],
    ["site", ["--no-control"]],
    ["docx", []],
    ["json", []],
    ["pdf", []],
    ["bundle", []],
  ];
  for (const role of ["company_admin", "manager", "editor", "viewer"]) {
    for (const asked of [["--status", "published"], []]) {
      const isMain = role === "company_admin" && asked.length === 0;
      for (const [format, flags] of isMain || isProof ? ways : ways.slice(3, 4)) {
        const args = [...asked, "--format", format, ...flags];
        it(`has no draft: ${role}, ${args.join(" ")}`, { timeout: 120_000 }, async () => {
          const out = `${role}-${args.join("")}${format === "json" ? ".json" : format === "bundle" ? ".zip" : ""}`;
          const ran = await sop(role, "export", ...args, "-o", out);
          expect(ran.stderr).not.toContain("error");
          const words = wordsOf(join(folder.path, out));
          looked += count;
          leaked += new Set(words.match(new RegExp(`${secret}\\d+`, "g"))).size;
          expect(words.match(new RegExp(`.*${secret}.*`))?.[0] ?? null).toBeNull();
          if (role !== "company_admin" || (format === "pdf" && !canReadPdfs)) return;
          for (const { title } of published) expect(words).toContain(title);
        });
      }
    }
  }

  it("says how many it leaves out, and how to get them", async () => {
    const ran = await sop("company_admin", "export", "--format", "json", "-o", "all.json");
    expect(ran.stderr).toBe(`${below.length} SOPs have no published version: add --drafts\n`);
    const one = await sop("company_admin", "export", below[0] ?? "");
    expect(one).toMatchObject({ code: 2, stdout: "" });
    expect(one.stderr).toContain(`SOP ${below[0]} isn't published, or you can't see it\n  add --drafts`);
    expect((await sop("company_admin", "export", "--drafts", below[0] ?? "")).stdout).toContain(secret);
    expect((await sop("company_admin", "export", "--drafts", "--rev", "1", "SOP-0001")).code).toBe(2);
  });

  it("names every version that readers don't have beside Markdown, scheduled ones too", async () => {
    const { stdout } = await sop("company_admin", "export", "--drafts", "--format", "json");
    const { data } = JSON.parse(stdout) as { data: Pick<Sop, "number" | "version" | "published" | "scheduled">[] };
    const unseen = data.filter(({ version, published: seen }) => seen?.version !== version);
    const all = await sop("company_admin", "export", "--drafts", "--format", "md", "-o", "md");
    expect(all.stderr).toContain(`Not published: ${unseen.map(({ number }) => number).join(", ")}\n`);
    // the bytes are those in git, so the names have the marks
    const { files } = JSON.parse(
      (await sop("company_admin", "export", "--drafts", "--format", "md", "-o", "named", "--json")).stdout,
    ).data as { files: string[] };
    const documents = files.filter((name) => name.endsWith(".md"));
    for (const { number, version, published: seen, scheduled } of data) {
      const own = documents.filter((name) => name.includes(`/${number.toLowerCase()}-`));
      const isMarked = /\.(?:draft|not-yet-effective|archived)\.md$/.test(own[0] ?? "");
      expect([number, own.length, isMarked]).toEqual([number, 1, seen?.version !== version]);
      if (scheduled?.version === version) expect(own[0]).toMatch(/\.not-yet-effective\.md$/);
      const text = readFileSync(join(folder.path, "named", own[0] ?? ""), "utf8");
      expect(text).toContain(`sop: "${number}"`);
    }
    const plain = await sop("company_admin", "export", "--format", "md", "-o", "plain", "--json");
    expect(plain.stdout).not.toMatch(/\.(?:draft|not-yet-effective)\.md/);
    const waits = data.find(({ version, scheduled }) => scheduled?.version === version);
    const number = waits?.number ?? "none";
    const one = await sop("company_admin", "export", number, "--drafts", "-o", "waits.md");
    expect(one.stderr).toContain(`Not published: ${number}\n`);
    const version = String(waits?.version);
    const chosen = await sop("company_admin", "export", number, "--rev", version, "-o", "chosen.md");
    expect(chosen.stderr).toContain(`Not published: ${number}\n`);
  });

  it("says that an SOP is archived", async () => {
    const [number = ""] = archived;
    for (const flags of [[], ["--drafts"]]) {
      const ran = await sop("company_admin", "export", number, ...flags, "-o", "out.md");
      expect([ran.code, ran.stderr]).toEqual([2, expect.stringContaining(`SOP ${number} is archived`)]);
    }
    const asked = await sop("company_admin", "export", number, "--status", "archived", "-o", "archived.md");
    expect(asked.code).toBe(0);
  });

  it("marks every draft that is asked for, in a manual too", async () => {
    await sop("company_admin", "export", "--drafts", "--format", "site", "--no-control", "-o", "manual");
    const pages = readdirSync(join(folder.path, "manual/sops"));
    const drafts = pages.map((name) => readFileSync(join(folder.path, "manual/sops", name), "utf8"));
    const marked = '<span class="status marked">';
    for (const page of drafts) expect(page.includes(marked)).toBe(/<h1[^>]*>zzsecret/.test(page));
    const home = readFileSync(join(folder.path, "manual/index.html"), "utf8");
    const index = readFileSync(join(folder.path, "manual/site/index.js"), "utf8");
    const count = drafts.filter((page) => page.includes(marked)).length;
    expect(index.split('\\"marked\\":true').length - 1).toBe(count);
    expect(home.split(marked).length).toBe(drafts.filter((page) => page.includes(marked)).length + 1);
  });

  it("finds words of published versions only, with `sop search --status published`", async () => {
    expect((await sop("company_admin", "search", secret, "--status", "published")).stdout).toBe("");
    expect((await sop("company_admin", "search", secret)).stdout).toContain(secret);
  });
});
