import { createHash } from "node:crypto";
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { strFromU8, unzipSync } from "fflate";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { canReadPdfs, pdfPages } from "../pdf-text.ts";
import { startServer, type TestServer, type TestUser } from "../server.ts";
import { makeFolder, runSop, type Folder } from "./run-sop.ts";

const pixel = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==",
  "base64",
);
const sha256 = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");

describe("sop export from a folder", () => {
  let folder: Folder;
  const sop = (...args: string[]) => runSop(args, { cwd: folder.path, env: { SOP_SERVER: "http://127.0.0.1:9" } });
  const read = (name: string) => readFileSync(join(folder.path, name));

  beforeAll(() => {
    folder = makeFolder({
      "docs/hr-procedures/hire.md":
        "---\nsop: SOP-0007\nversion: 3\ntitle: Hire a person\ndescription: From offer to first day\nowner: Ann\n---\n## Steps\n\n1. Offer\n\nSee [leaving](leave.md#steps) and ![form](../img/form%201.png).\n",
      "docs/hr-procedures/leave.md": "# Leave\n\n## Steps\n\nReturn the badge.\n",
      "docs/img/form 1.png": pixel,
    });
  });
  afterAll(() => folder.remove());

  it("a PDF is a draft that names itself, dated as the file is", async () => {
    const ran = await sop("export", "sop-0007", "--from-dir", "docs", "--format", "pdf", "--standard", "a-2b");
    expect(ran).toEqual({ code: 0, stdout: "Exported SOP-0007 to hire.pdf\n", stderr: "" });
    if (!canReadPdfs) return;
    const [page = ""] = pdfPages(read("hire.pdf"), "-layout");
    for (const part of ["SOP-0007", "Working copy of version 3", "DRAFT", "Page 1 of 1", "Hr procedures", "Ann"]) {
      expect(page).toContain(part);
    }
    expect(page).not.toContain("Picture: form");
    const taken = await sop("export", "sop-0007", "--from-dir", "docs", "--format", "pdf");
    expect(taken).toMatchObject({ code: 2, stderr: expect.stringContaining("hire.pdf exists") });
  });

  it("a bundle holds each document, its PDF and its pictures, all named with their hashes, and is the same again", async () => {
    for (const name of ["one.zip", "two.zip"]) {
      expect((await sop("export", "--from-dir", "docs", "--format", "bundle", "-o", name)).code).toBe(0);
    }
    expect(read("one.zip").equals(read("two.zip"))).toBe(true);
    const files = unzipSync(read("one.zip"));
    const manifest = JSON.parse(strFromU8(files["manifest.json"] ?? new Uint8Array())) as {
      documents: { number: string; files: { path: string; sha256: string }[] }[];
      assets: { path: string; sha256: string }[];
    };
    const listed = [...manifest.documents.flatMap((one) => one.files), ...manifest.assets];
    expect(listed.map(({ path }) => path).sort()).toEqual([
      "hr-procedures/hire.md",
      "hr-procedures/hire.pdf",
      "hr-procedures/leave.md",
      "hr-procedures/leave.pdf",
      "img/form 1.png",
    ]);
    for (const { path, sha256: named } of listed) expect(sha256(files[path] ?? new Uint8Array()), path).toBe(named);
    expect(Object.keys(files).sort()).toEqual([...listed.map(({ path }) => path), "manifest.json"].sort());
  });

  it("a site links its pages, holds its pictures and needs nothing from elsewhere", async () => {
    const ran = await sop("export", "--from-dir", "docs", "--format", "site", "-o", "out");
    expect(ran).toEqual({ code: 0, stdout: "Exported 2 SOPs to out\n", stderr: "" });
    const page = read("out/sops/hire.html").toString();
    expect(page).toContain('<a href="leave.html#user-content-steps"');
    const image = /<img src="\.\.\/(assets\/[0-9a-f]{64}\.png)"/.exec(page)?.[1] ?? "";
    expect(read(`out/${image}`).equals(pixel)).toBe(true);
    const pages = readdirSync(join(folder.path, "out"), { recursive: true, encoding: "utf8" });
    for (const name of pages.filter((one) => one.endsWith(".html"))) {
      const html = read(`out/${name}`).toString();
      expect(html).not.toMatch(/<script(?! src="site\/search\.js" defer><\/script>)| on[a-z]+=|(src|href)="https?:/);
    }
    const again = await sop("export", "--from-dir", "docs", "--format", "site", "-o", "out");
    expect(again).toMatchObject({ code: 2, stderr: expect.stringContaining("out is not empty") });
  });

  it("leads links to names of any script, in a site and in pages of HTML, and names what leads nowhere", async () => {
    folder.write({
      "any/a.md":
        "# A\n\n[1](Pumpe-%C3%A4.md#oil) [2](my%20file.md) [3](<\u0e40\u0e23\u0e34\u0e48\u0e21.md>) [4](\u505c\u6b62.md) [5](../b/) [6](gone.md)\n\n![p](gone.png)\n",
      "any/b.md": "# B\n\nText.\n",
      "any/Pumpe-a\u0308.md": "# Pump\n\n## Oil\n\nText.\n",
      "any/my file.md": "# File\n\nText.\n",
      "any/\u0e40\u0e23\u0e34\u0e48\u0e21.md": "# Thai\n\nText.\n",
      "any/\u505c\u6b62.md": "# Stop\n\nText.\n",
    });
    for (const [format, out, up] of [
      ["site", "any-site", "sops/"],
      ["html", "any-html", ""],
    ] as const) {
      const ran = await sop("export", "--from-dir", "any", "--format", format, "-o", out);
      expect(ran.code).toBe(0);
      expect(ran.stderr).toContain("a: 2 links lead to nothing in this export: gone.md (line 3), gone.png (line 5)");
      const page = read(`${out}/${up}a.html`).toString();
      for (const [, href = ""] of page.matchAll(/<a href="([^"]+\.html)(?:#user-content-oil)?"[^>]*>[1-5]</g)) {
        expect(existsSync(join(folder.path, out, up, decodeURI(href))), href).toBe(true);
      }
      expect(page.match(/\.html(?:#user-content-oil)?"[^>]*>[1-5]</g)).toHaveLength(5);
    }
  });

  it("brings linked PDFs and images along, in a site, as Markdown and in a bundle", async () => {
    folder.write({
      "linked/a.md":
        "# A\n\n[sheet](<files/data sheet.pdf#page=3>), [photo](files/p.png), [by name][s], [table](files/t.xlsx)\n\n[s]: files/data%20sheet.pdf#x\n",
      "linked/files/data sheet.pdf": "%PDF-1.4\n",
      "linked/files/p.png": pixel,
      "linked/files/t.xlsx": "PK",
    });
    const run = (format: string, out: string) => sop("export", "--from-dir", "linked", "--format", format, "-o", out);
    const site = await run("site", "linked-site");
    expect(site.stderr).toBe("a: 1 link leads to nothing in this export: files/t.xlsx (line 3)\n");
    const page = read("linked-site/sops/a.html").toString();
    const places = [...page.matchAll(/href="\.\.\/(assets\/[0-9a-f]{64}\.(?:pdf|png))(#\w+(?:=3)?)?"/g)];
    expect(places.map(([, path = "", at]) => [read(`linked-site/${path}`).toString("latin1").slice(1, 4), at])).toEqual(
      [
        ["PDF", "#page=3"],
        ["PNG", undefined],
        ["PDF", "#x"],
      ],
    );
    expect((await run("md", "linked-md")).code).toBe(0);
    expect(read("linked-md/a.md").equals(read("linked/a.md"))).toBe(true);
    expect((await run("bundle", "linked.zip")).code).toBe(0);
    for (const file of ["files/data sheet.pdf", "files/p.png"]) {
      expect(existsSync(join(folder.path, "linked-md", file)), file).toBe(true);
      expect(Object.keys(unzipSync(read("linked.zip")))).toContain(file);
    }
  });

  it.each([
    [["NOPE", "--from-dir", "docs", "--format", "pdf"], "no document NOPE in docs"],
    [["--from-dir", "nowhere"], "nowhere: no Markdown file matches"],
    [["--from-dir", "docs", "--status", "draft"], "--status asks the server"],
    [["--from-dir", "docs", "--rev", "1", "hire"], "--rev asks the server"],
    [["--rev", "1", "--format", "pdf"], "--rev needs exactly one SOP"],
    [["--standard", "a-2b", "--from-dir", "docs"], "--standard works only with PDFs"],
    [["--from-dir", "docs", "--format", "docx", "-o", "x.pdf"], "x.pdf ends as pdf, but --format is docx"],
    [["--from-dir", "docs", "--format", "site", "-o", "-"], "a site needs a folder"],
    [["--from-dir", "docs", "--format", "pdf", "-o", "all.pdf"], "2 SOPs don't fit into one file"],
    [["--from-dir", "docs", "hire", "--format", "pdf", "-o", "-", "--json"], "can't be used with a file on stdout"],
    [["--from-dir", "broken", "--format", "html"], "a.md: The front matter can't be read"],
  ])("refuses %j", async (args, message) => {
    folder.write({ "broken/a.md": "---\ntitle: [\n---\n\nText.\n" });
    const before = readdirSync(folder.path).sort();
    const ran = await sop("export", ...args);
    expect(ran.code).toBe(2);
    expect(ran.stdout + ran.stderr).toContain(message);
    expect(readdirSync(folder.path).sort()).toEqual(before);
  });
});

describe("sop export of files with names that people give", () => {
  const names = ["Pumpe-ä", "zwei Wörter", "ปั๊ม", "停止 手順", "über & Co", "a+b", "Größe-é".normalize("NFD")];

  it.each(["site", "html"])("links each file by each spelling of its name: %s", async (format) => {
    const spellings = (name: string) =>
      [name, name.normalize("NFC"), name.normalize("NFD")].flatMap((one) => [
        `<sub/${one}.md>`,
        `sub/${encodeURIComponent(one)}.md#steps`,
      ]);
    const links = names.flatMap(spellings).map((address, index) => `- [link ${index}](${address})\n`);
    const folder = makeFolder({
      "docs/start.md": `# Start\n\n${links.join("")}`,
      ...Object.fromEntries(names.map((name) => [`docs/sub/${name}.md`, `# ${name}\n\n## Steps\n\n1. Stop\n`])),
    });
    try {
      const args = ["export", "--from-dir", "docs", "--format", format, "-o", "out"];
      expect((await runSop(args, { cwd: folder.path })).code).toBe(0);
      const page = join(folder.path, format === "site" ? "out/sops/start.html" : "out/start.html");
      const found = [...readFileSync(page, "utf8").matchAll(/href="([^"]*)"[^>]*>link /g)];
      expect(found).toHaveLength(links.length);
      for (const [, href = ""] of found) {
        const file = decodeURIComponent(href.replaceAll("&#x26;", "&").replace(/#.*$/, ""));
        expect([file, existsSync(join(page, "..", file))]).toEqual([file, true]);
      }
    } finally {
      folder.remove();
    }
  });
});

describe("sop export from the server", () => {
  let server: TestServer;
  let ann: TestUser;
  let folder: Folder;
  let env: Record<string, string>;
  const sop = (...args: string[]) => runSop(args, { cwd: folder.path, env });

  beforeAll(async () => {
    server = await startServer("sqlite");
    ann = await (await server.company()).user("company_admin");
    folder = makeFolder();
    const upload = { method: "POST", path: "/api/assets", headers: { "content-type": "image/png" }, body: pixel };
    const { url } = (await ann.send(upload)).json() as { url: string };
    const [first, second] = [
      { title: "Lock", description: "How", markdown: `## Steps\n\n1. Lock ![dot](${url})\n` },
      { title: "Unlock", description: "How", markdown: "Work in progress\n" },
    ];
    const { id } = await ann.client.sops.create({ body: first });
    await ann.client.sops.publish({ params: { id } });
    await ann.client.sops.update({ params: { id }, body: { markdown: "## Steps\n\n1. Lock twice\n" } });
    await ann.client.sops.create({ body: { ...second, markdown: `See [Lock](/sop/${id})\n` } });
    const { token } = await ann.client.tokens.create({
      body: { name: "t", scopes: ["sops:read", "admin"], expiresInDays: 1 },
    });
    env = { SOP_SERVER: server.url, SOP_TOKEN: token };
  });
  afterAll(async () => {
    folder.remove();
    await server.stop();
  });

  it("a PDF of a version, and two exports that are the same bytes", async () => {
    const ran = await sop("export", "SOP-0001", "--rev", "1", "--format", "pdf", "-o", "a.pdf");
    expect(ran).toEqual({ code: 0, stdout: "Exported SOP-0001 to a.pdf\n", stderr: "" });
    await sop("export", "SOP-0001", "--rev", "1", "--format", "pdf", "-o", "b.pdf");
    const [a, b] = ["a.pdf", "b.pdf"].map((name) => readFileSync(join(folder.path, name)));
    expect(a?.equals(b ?? Buffer.alloc(0))).toBe(true);
    if (canReadPdfs) expect(pdfPages(a ?? Buffer.alloc(0), "-layout")[0]).toContain("PUBLISHED");
    const missing = await sop("export", "SOP-0001", "--rev", "9", "--format", "pdf");
    expect(missing).toMatchObject({ code: 2, stderr: expect.stringContaining("the last ones are 2, 1") });
  });

  it("a folder of Word files, and a site whose pages lead to each other", async () => {
    expect((await sop("export", "--drafts", "--format", "docx")).stdout).toBe("Exported 2 SOPs to export\n");
    expect(existsSync(join(folder.path, "export/sops/uncategorized/sop-0002-unlock.docx"))).toBe(true);
    expect((await sop("export", "--drafts", "--format", "site")).stdout).toBe("Exported 2 SOPs to site\n");
    const page = readFileSync(join(folder.path, "site/sops/sop-0002-unlock.html"), "utf8");
    expect(page).toContain('<a href="sop-0001-lock.html"');
  });

  it("a bundle with versions, approvals and the log, the same again though exporting is logged", async () => {
    const made = [];
    for (const name of ["one.zip", "two.zip"]) {
      expect(await sop("export", "SOP-0001", "--drafts", "--format", "bundle", "-o", name)).toMatchObject({ code: 0 });
      made.push(readFileSync(join(folder.path, name)));
    }
    expect(made[0]?.equals(made[1] ?? Buffer.alloc(0))).toBe(true);
    const files = unzipSync(made[0] ?? new Uint8Array());
    const records = JSON.parse(strFromU8(files["records/sop-0001.json"] ?? new Uint8Array())) as Record<
      string,
      unknown[]
    >;
    expect([records["versions"]?.length, records["inForce"]?.length, records["approvals"]]).toEqual([2, 1, []]);
    expect((records["audit"] as { action: string }[]).map(({ action }) => action)).toContain("sop.publish");
  });
});
