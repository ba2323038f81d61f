/** Documents of an import that link each other, in several requests, against the real server and its repository. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { ImportRequest } from "#core/sops/import-schema.ts";
import { git } from "../git.ts";
import { startServer, type TestServer, type TestUser } from "../server.ts";
import { callSop, makeFolder, type Folder } from "./run-sop.ts";

let server: TestServer;
let manager: TestUser;
let token: string;
let folder: Folder;
let ends: (() => void)[];

beforeAll(async () => {
  server = await startServer("sqlite");
}, 60_000);
afterAll(() => server.stop());
beforeEach(async () => {
  manager = await (await server.company()).user("manager");
  token = (await manager.client.tokens.create({ body: { name: "cli", scopes: ["sops:read", "sops:write"] } })).token;
  folder = makeFolder({ "sop.config.yaml": "schema: 1\npreset: minimal\n" });
  ends = [];
});
afterEach(() => {
  for (const end of ends) end();
  folder.remove();
});

const count = 130;
const name = (index: number) => `doc-${String(index % count).padStart(3, "0")}`;
/** Each links the next one, the one before, and one two requests away; the first links all. */
const docs = Object.fromEntries(
  Array.from({ length: count }, (_, index) => {
    const others = index === 0 ? Array.from({ length: count - 1 }, (_, other) => other + 1) : [1, count - 1, 77];
    const links = others.map((more) => `- [${name(index + more)}](${name(index + more)}.md)`);
    return [
      `docs/${name(index)}.md`,
      `# ${name(index)}\n\nThe lamp is green in ${name(index)}.\n\n${links.join("\n")}\n`,
    ];
  }),
);

type Kind = "plan" | "reserve" | "store";
const kindOf = ({ dryRun, reserveNumbers }: Partial<ImportRequest>): Kind =>
  dryRun ? "plan" : reserveNumbers ? "reserve" : "store";

/** A way to the server. @param meet what happens to the nth request of a kind; `lost`: it is carried out, without an answer */
async function way(
  meet: (kind: Kind, nth: number) => Promise<"lost" | "down" | undefined> | "lost" | "down" | undefined,
) {
  const seen: Kind[] = [];
  const proxy = createServer((request, response) => {
    void (async () => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      const body = Buffer.concat(chunks);
      let fate: "lost" | "down" | undefined;
      if (request.url === "/api/sops/import") {
        const kind = kindOf(JSON.parse(body.toString()) as ImportRequest);
        seen.push(kind);
        fate = await meet(kind, seen.filter((one) => one === kind).length);
      }
      if (fate === "down") return response.destroy();
      const headers = new Headers();
      for (const header of ["authorization", "content-type", "idempotency-key"]) {
        const value = request.headers[header];
        if (typeof value === "string") headers.set(header, value);
      }
      const method = request.method ?? "GET";
      const answer = await fetch(server.url + (request.url ?? ""), {
        method,
        headers,
        ...(body.length > 0 && { body }),
      });
      const bytes = await answer.bytes();
      if (fate === "lost") return response.destroy();
      response.writeHead(answer.status, { "content-type": answer.headers.get("content-type") ?? "" });
      return response.end(bytes);
    })().catch(() => response.destroy());
  });
  await new Promise<void>((ready) => proxy.listen(0, "127.0.0.1", ready));
  ends.push(() => {
    proxy.closeAllConnections();
    proxy.close();
  });
  return { url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`, seen };
}

const sop = (url: string, ...args: string[]) =>
  callSop(args, { cwd: folder.path, env: { SOP_SERVER: url, SOP_TOKEN: token } });

async function repository() {
  await server.running.services.repositories.drain(manager.companyId);
  const dir = join(server.dataDir, "repositories", `${manager.companyId}.git`);
  return (...args: string[]) => git(dir, ...args);
}

async function storedTexts(): Promise<string[]> {
  const run = await repository();
  const paths = (await run("ls-tree", "-r", "--name-only", "history", "sops")).split("\n");
  return await Promise.all(paths.filter((path) => path.endsWith(".md")).map((path) => run("show", `history:${path}`)));
}

/** All links of all texts in git lead to the number of their document, and each text is a first version. */
async function assertLinked(): Promise<void> {
  const texts = (await storedTexts()).filter((text) => !text.includes('title: "Meanwhile"'));
  expect(texts).toHaveLength(count);
  const numbers = new Map(
    texts.map((text) => [/^title: "(.*)"$/m.exec(text)?.[1], /^sop: "(.*)"$/m.exec(text)?.[1] ?? ""]),
  );
  expect(new Set(numbers.values()).size).toBe(count);
  for (const text of texts) {
    expect(text).toContain("\nversion: 1\n");
    const links = [...text.matchAll(/\[(doc-\d+)\]\(([^)]*)\)/g)];
    expect(links.length).toBeGreaterThanOrEqual(3);
    for (const [, words, address] of links) expect(address).toBe(`/sop/${numbers.get(words)}`);
  }
}

describe("an import of linked documents", () => {
  test("has numbers in all links, so that a later edit changes only what was edited", async () => {
    folder.write(docs);
    const { url, seen } = await way(() => undefined);
    const ran = await sop(url, "import", "docs");
    expect(ran.stdout).toContain(`Import: ${count} created.`);
    expect(ran.stdout).toContain("docs/doc-000.md  SOP-0001 doc-000");
    expect(ran.stdout).toContain("docs/doc-129.md  SOP-0130 doc-129");
    expect(seen).toEqual([...Array(3).fill("plan"), ...Array(3).fill("reserve"), ...Array(3).fill("store")]);
    await assertLinked();
    const { id, markdown } = await manager.client.sops.get({ params: { id: "SOP-0001" } });
    await manager.client.sops.update({ params: { id }, body: { markdown: markdown.replace("green", "red") } });
    const run = await repository();
    const diff = (await run("show", "--format=", "--unified=0", "history")).split("\n");
    expect(diff.filter((line) => /^[-+](?![-+])/.test(line))).toEqual([
      "-version: 1",
      "+version: 2",
      "-The lamp is green in doc-000.",
      "+The lamp is red in doc-000.",
    ]);
    expect((await sop(url, "import", "docs")).stdout).toBe(`Import: ${count} unchanged.\n`);
  });

  test("has them when answers get lost and the server restarts between requests", async () => {
    folder.write(docs);
    const { url } = await way(async (kind, nth) => {
      if (kind === "store" && nth === 3) await server.restart();
      return (kind === "reserve" && nth === 2) || (kind === "store" && nth === 1) ? "lost" : undefined;
    });
    const ran = await sop(url, "import", "docs");
    expect(ran.stdout).toContain(`Import: ${count} created.`);
    await assertLinked();
    folder.write({ "docs/doc-003.md": docs["docs/doc-003.md"]!.replace("green", "red") });
    expect((await sop(url, "import", "docs")).stdout).toContain("Import: 1 updated, 129 unchanged.");
    const edited = await manager.client.sops.get({ params: { id: "SOP-0004" } });
    expect(edited).toMatchObject({ version: 2, ownerId: manager.id });
  });

  test("has them when it stops halfway and another one goes on", async () => {
    folder.write(docs);
    const { url } = await way((kind, nth) => (kind === "store" && nth > 1 ? "down" : undefined));
    const stopped = await sop(url, "import", "docs");
    expect(stopped.stdout).toContain("50 created, 80 not sent");
    // nothing remembers the first one's id
    rmSync(join(folder.path, ".sop"), { recursive: true });
    await manager.client.sops.create({ body: { title: "Meanwhile", description: "D", markdown: "Text\n" } });
    const rest = await sop(server.url, "import", "docs", "--json");
    expect(JSON.parse(rest.stdout)).toMatchObject({ data: { totals: { create: 80, unchanged: 50 } } });
    await assertLinked();
  });
});

describe("a server that ended after it stored documents and before it answered", () => {
  /** As such a server leaves it: the request is marked as carried out, and its answer is unknown. */
  const carriedOut = () =>
    way(async (kind, nth) => {
      if (kind !== "store") return undefined;
      if (nth > 1)
        await server.db.collection("idempotency").updateMany({ userId: manager.id }, { $set: { state: "committed" } });
      return nth === 1 ? "lost" : undefined;
    });
  const text = (title: string) => `---\ntitle: "${title}"\ndescription: "D"\n---\n\nText of ${title}.\n`;

  test("has them, says the import", async () => {
    folder.write({ "docs/a.md": text("A"), "docs/b.md": text("B") });
    const { url } = await carriedOut();
    const ran = await sop(url, "import", "docs");
    expect([ran.code, ran.stdout]).toEqual([0, "Import: 2 unchanged.\n"]);
    expect((await manager.client.sops.list({ query: {} })).data).toHaveLength(2);
  });

  test("has them, says the push, and the files get their numbers", async () => {
    const { url } = await carriedOut();
    await sop(url, "pull");
    folder.write({ "sops/uncategorized/a.md": text("A"), "sops/uncategorized/b.md": text("B") });
    expect((await sop(url, "push")).code).toBe(0);
    expect(readdirSync(join(folder.path, "sops/uncategorized")).toSorted()).toEqual(["sop-0001-a.md", "sop-0002-b.md"]);
  });
});

describe("a push of linked documents", () => {
  test("has numbers in all links", async () => {
    expect((await sop(server.url, "pull")).code).toBe(0);
    const header = (title: string) => `---\ntitle: "${title}"\ndescription: "D"\n---\n\n`;
    folder.write(
      Object.fromEntries(
        Object.entries(docs).map(([path, text]) => [
          path.replace("docs/", "sops/uncategorized/"),
          header(/# (.*)\n/.exec(text)?.[1] ?? "") + text.slice(text.indexOf("\n") + 2),
        ]),
      ),
    );
    const { url, seen } = await way((kind, nth) => (kind !== "plan" && nth === 1 ? "lost" : undefined));
    // a workspace belongs to one server
    rmSync(join(folder.path, ".sop"), { recursive: true });
    const ran = await sop(url, "push");
    expect(ran.stdout).toContain(`${count} created`);
    expect(seen.filter((kind) => kind === "store")).toHaveLength(4);
    await assertLinked();
    const local = readdirSync(join(folder.path, "sops/uncategorized"));
    for (const file of local)
      expect(readFileSync(join(folder.path, "sops/uncategorized", file), "utf8")).not.toMatch(/\/sop\/[0-9a-f]{8}-/);
    const [first = ""] = local;
    const path = join("sops/uncategorized", first);
    folder.write({ [path]: readFileSync(join(folder.path, path), "utf8").replace("green", "red") });
    expect((await sop(url, "push")).stdout).toContain("1 updated");
    const number = /^sop-\d+/.exec(first)?.[0] ?? "";
    const edited = await manager.client.sops.get({ params: { id: number } });
    expect(edited).toMatchObject({ version: 2, ownerId: manager.id });
  });
});
