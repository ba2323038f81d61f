/** A damaged text or image costs its SOP. Exports and pulls leave it out, name it and write the others. */
import { existsSync, globSync, readFileSync } from "node:fs";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { strFromU8, unzipSync } from "fflate";
import { afterAll, beforeAll, expect, it } from "vitest";
import { damageDocument } from "../damage.ts";
import { pngOf } from "../images.ts";
import { startServer, type TestServer } from "../server.ts";
import { makeFolder, runSop, type Folder } from "./run-sop.ts";

let server: TestServer;
let folder: Folder;
let env: Record<string, string>;
let envOfLost: Record<string, string>;
const sop = (...args: string[]) => runSop(args, { cwd: folder.path, env });
const read = (name: string) => readFileSync(path.join(folder.path, name), "utf8");
const texts = (below: string) =>
  globSync("**/*.{md,html}", { cwd: path.join(folder.path, below) })
    .map((one) => path.basename(one))
    .toSorted();

beforeAll(async () => {
  server = await startServer("sqlite");
  const user = await (await server.company()).user("company_admin");
  const sent = await user.send({
    method: "POST",
    path: "/api/assets",
    body: pngOf("lost"),
    headers: { "content-type": "image/png" },
  });
  const { url } = JSON.parse(sent.body) as { url: string };
  const [sha256 = ""] = /[0-9a-f]{64}/.exec(url) ?? [];
  const create = async (title: string, markdown: string) => {
    const made = await user.client.sops.create({ body: { title, description: "D", markdown } });
    await user.client.sops.publish({ params: { id: made.id }, body: {} });
    return made;
  };
  const lost = await create("Lost text", "1. Go\n");
  await create("Lost image", `1. Go\n\n![a part](${url})\n`);
  await create("Whole", `1. Go\n\nSee [it](/sop/${lost.id}).\n`);
  const version = await server.db.collection("sop_versions").findOne({ sopId: lost.id });
  const { token } = await user.client.tokens.create({
    body: { name: "t", scopes: ["sops:read", "admin"], expiresInDays: 1 },
  });
  const other = await (await server.company()).user("company_admin");
  for (let at = 1; at <= 25; at++)
    await other.client.sops.create({ body: { title: `Lost ${at}`, description: "D", markdown: "1. Go\n" } });
  const versions = await server.db.collection("sop_versions").find({ companyId: other.companyId });
  const { token: tokenOfLost } = await other.client.tokens.create({
    body: { name: "t", scopes: ["sops:read"], expiresInDays: 1 },
  });
  await server.restart(() => {
    const file = path.join(server.dataDir, "sopwright.db");
    for (const { _id } of [version, ...versions].flatMap((one) => one ?? [])) damageDocument(file, _id);
    const database = new DatabaseSync(file);
    database.prepare("UPDATE assets SET bytes = zeroblob(length(bytes)) WHERE doc->>'$.sha256' = ?").run(sha256);
    database.close();
  });
  folder = makeFolder({});
  env = { SOP_SERVER: server.url, SOP_TOKEN: token };
  envOfLost = { SOP_SERVER: server.url, SOP_TOKEN: tokenOfLost };
}, 60_000);
afterAll(async () => {
  folder.remove();
  await server.stop();
});

const named = ["SOP-0001 Lost text: The text", "SOP-0002 Lost image: This file"];

it.each(["md", "site", "html", "json", "bundle"])("an export as %s", async (format) => {
  const target = { json: "all.json", bundle: "all.zip" }[format] ?? `as-${format}`;
  const ran = await sop("export", "--status", "published", "--format", format, "-o", target);
  expect(ran).toMatchObject({ code: 3, stdout: expect.stringMatching(/of 3 SOPs/) });
  // a page shows where its image was, and a JSON file has no images
  const isKept = format === "html" || format === "json";
  for (const name of isKept ? named.slice(0, 1) : named) expect(ran.stderr).toContain(name);
  if (format === "html") expect(ran.stderr).toContain("SOP-0002: an image is missing");
  expect(existsSync(path.join(folder.path, target))).toBe(true);
  if (format === "json") {
    const { data } = JSON.parse(read(target)) as { data: { title: string }[] };
    expect(data.map(({ title }) => title)).toEqual(["Lost image", "Whole"]);
  } else if (format === "bundle") {
    const files = unzipSync(readFileSync(path.join(folder.path, target)));
    expect(strFromU8(files["manifest.json"] ?? new Uint8Array())).not.toContain("Lost");
    expect(Object.keys(files).filter((name) => name.endsWith(".md"))).toEqual([expect.stringContaining("whole")]);
  } else {
    const whole = [...(isKept ? [expect.stringContaining("lost-image")] : []), expect.stringContaining("whole")];
    expect(texts(target).filter((name) => name !== "index.html")).toEqual(whole);
  }
});

it("no page of a site links one that is left out", async () => {
  await sop("export", "--status", "published", "--format", "site", "-o", "linked");
  for (const name of texts("linked")) {
    const [file = ""] = globSync(`linked/**/${name}`, { cwd: folder.path });
    expect(read(file)).not.toContain("lost-text");
  }
});

it("an export of the damaged SOPs alone ends with 5 and names one", async () => {
  const ran = await sop("export", "SOP-0001", "SOP-0002", "--format", "md", "-o", "none");
  expect(ran).toMatchObject({ code: 5, stderr: expect.stringMatching(/SOP-000[12] Lost/) });
});

it("a pull", async () => {
  await sop("init", "workspace");
  const ran = await runSop(["pull"], { cwd: path.join(folder.path, "workspace"), env });
  expect(ran.code).toBe(3);
  for (const name of named) expect(ran.stdout).toContain(name);
  expect(texts("workspace/sops")).toEqual([expect.stringContaining("whole")]);
});

it("a pull ends with 5 once none of the first 20 SOPs can be read", async () => {
  await runSop(["init", "lost"], { cwd: folder.path, env: envOfLost });
  const ran = await runSop(["pull"], { cwd: path.join(folder.path, "lost"), env: envOfLost });
  expect(ran).toMatchObject({ code: 5, stderr: expect.stringContaining("The text of this version is damaged") });
  expect(ran.stdout.match(/SOP-00\d\d Lost/g)).toHaveLength(19);
});
