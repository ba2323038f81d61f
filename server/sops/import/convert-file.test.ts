import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { strToU8, zipSync } from "fflate";
import { expect, test } from "vitest";
import { newId } from "#core/ids.ts";
import { replaceDocumentLinks, sopAddress } from "#core/import/link-to.ts";
import type { ConvertedFile } from "#core/sops/import-schema.ts";
import { describeServer, type TestServer, type TestUser } from "../../../test/server.ts";

const png = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

function convert(server: TestServer, user: TestUser, name: string, body: Uint8Array, store = false, split = "none") {
  return server.send({
    method: "POST",
    path: `/api/sops/import/convert?name=${encodeURIComponent(name)}&store=${store}&split=${split}`,
    headers: { cookie: user.cookie, origin: server.url, "content-type": "application/octet-stream" },
    body: Buffer.from(body),
  });
}

const tree = zipSync({
  "docs/a.md": strToU8("# A\n\nSee [b](b.md#two), [gone](gone.md) and ![i](../img/i.png).\n"),
  "docs/b.md": strToU8("# B\n\n## Two\n\nBack to [a](a.md).\n"),
  "img/i.png": png,
  "docs/broken.docx": strToU8("PK no"),
});

describeServer("a file for the import", (server) => {
  test("cuts files at their headings, each part with its own images, and links lead to the parts", async () => {
    const user = await (await server().company()).user("manager");
    const long = "Check the pump. ".repeat(25_000);
    const book = zipSync(
      {
        "book/all.md": strToU8(`# All\n\n## One\n\n![i](i.png) ${long}\n\n## Two\n\n${long}\n\n## Three\n\n${long}\n`),
        "book/other.md": strToU8("# Other\n\nSee [two](all.md#two).\n"),
        "book/i.png": png,
      },
      { level: 0 },
    );
    const whole = (await convert(server(), user, "book.zip", book)).json() as ConvertedFile;
    expect(whole.leftOut).toEqual([
      { path: "book/all.md", outcome: "refused", reason: expect.stringContaining("split it into several SOPs") },
    ]);
    const cut = (await convert(server(), user, "book.zip", book, true, "heading")).json() as ConvertedFile;
    expect(cut.folder).toBe("book");
    expect(cut.leftOut).toEqual([]);
    expect(cut.documents.map(({ path, images, links }) => [path, images, links.map((link) => link.path)])).toEqual([
      ["book/all.md#one", 1, []],
      ["book/all.md#two", 0, []],
      ["book/all.md#three", 0, []],
      ["book/other.md", 0, ["book/all.md#two"]],
    ]);
    expect(cut.documents.at(-1)?.notes.map(({ code }) => code)).toContain("headings");
  });

  test("turns an archive into documents that link each other and show their images", async () => {
    const user = await (await server().company()).user("manager");
    const answer = await convert(server(), user, "tree.zip", tree, true);
    expect(answer.status).toBe(200);
    const { importId, documents, leftOut } = answer.json() as ConvertedFile;
    expect(documents.map(({ path, images, links }) => [path, images, links.map((link) => link.path)])).toEqual([
      ["docs/a.md", 1, ["docs/b.md"]],
      ["docs/b.md", 0, ["docs/a.md"]],
    ]);
    expect(leftOut).toEqual([
      { path: "docs/broken.docx", outcome: "refused", reason: expect.stringContaining("isn't a zip archive") },
    ]);
    const send = (texts: string[], dryRun: boolean) =>
      user.client.sops.import({
        body: {
          importId,
          dryRun,
          documents: documents.map(({ path, sha256 }, at) => ({ path, sha256, text: texts[at] ?? "" })),
        },
      });
    const plan = await send(
      documents.map(({ text }) => text),
      true,
    );
    const ids = new Map(plan.results.map(({ path, id }) => [path, id]));
    const texts = documents.map(({ text, links }) =>
      replaceDocumentLinks(text, links, (path) => sopAddress(ids.get(path) ?? "")),
    );
    const done = await send(texts, false);
    expect(done.results.map(({ id }) => id)).toEqual([...ids.values()]);
    const [a] = await Promise.all(done.results.map(({ id = "" }) => user.client.sops.get({ params: { id } })));
    expect(a?.markdown).toContain("[b](/sop/SOP-0002#two), [gone](gone.md)");
    const image = /\((\/api\/assets\/[0-9a-f]{64}\.png)\)/.exec(a?.markdown ?? "")?.[1] ?? "";
    const shown = await server().send({ path: image, headers: { cookie: user.cookie } });
    expect(shown.bytes.equals(png)).toBe(true);
    const again = (await convert(server(), user, "tree.zip", tree)).json() as ConvertedFile;
    expect(again.documents).toEqual(documents);
    expect((await send(texts, false)).results.map(({ outcome }) => outcome)).toEqual(["unchanged", "unchanged"]);
  });

  test("is stored only on request; the sizes of the images are named", async () => {
    const user = await (await server().company()).user("manager");
    const answer = (await convert(server(), user, "tree.zip", tree)).json() as ConvertedFile;
    expect(answer.files).toEqual([{ sha256: createHash("sha256").update(png).digest("hex"), size: png.length }]);
    expect(await server().db.forCompany(user.companyId).collection("assets").find({})).toEqual([]);
  });

  test("is refused in the plan if its images don't fit, with what is used, needed and allowed", async () => {
    const company = await server().company();
    const user = await company.user("manager");
    await company.set({ maxBytes: png.length + 9, assetBytes: 10 });
    for (const store of [false, true]) {
      const answer = await convert(server(), user, "tree.zip", tree, store);
      expect([answer.status, answer.json()]).toMatchObject([
        409,
        {
          code: "limit_reached",
          message: "The images and PDFs need 0.0 MiB. The company stores 0.0 MiB of 0.0 MiB",
          details: { used: 10, needed: png.length, limit: png.length + 9 },
        },
      ]);
    }
    expect(await server().db.forCompany(company.id).collection("assets").countDocuments({})).toBe(0);
    await company.set({ maxBytes: png.length + 10 });
    expect((await convert(server(), user, "tree.zip", tree, true)).status).toBe(200);
    // what is stored needs no room
    expect((await convert(server(), user, "tree.zip", tree, true)).status).toBe(200);
  });

  test("with named images gets a plan with the space they need; images the user can't see count as new", async () => {
    const company = await server().company();
    const [user, other] = [await company.user("editor"), await company.user("editor")];
    await company.set({ maxBytes: 2 ** 20 });
    await convert(server(), user, "tree.zip", tree, true);
    const files = [
      { sha256: createHash("sha256").update(png).digest("hex"), size: png.length },
      { sha256: "0".repeat(64), size: 1000 },
    ];
    const documents = [{ path: "x.md", sha256: "0".repeat(64) }];
    const ask = async ({ client }: TestUser) =>
      (await client.sops.import({ body: { importId: newId(), documents, dryRun: true, files } })).quota.bytes;
    expect(await ask(user)).toEqual({ used: png.length, needed: 1000, limit: 2 ** 20 });
    expect(await ask(other)).toEqual({ used: png.length, needed: 1000 + png.length, limit: 2 ** 20 });
  });

  test.each([
    ["x.zip", zipSync({ "../x.md": strToU8("# X") }), 400, "leads out"],
    ["x.zip", zipSync({ "x.md": new Uint8Array(30 * 1024 * 1024) }), 413, "far more"],
    ["x.zip", strToU8("hello"), 400, "zip archive, or its end is missing"],
    ["x.exe", strToU8("MZ"), 415, "only .md, .mdx, .docx, .html and .zip files are read"],
    ["x.zip", new Uint8Array(), 400, "zip archive, or its end is missing"],
  ])("with %s is refused with its reason, and the server goes on", async (name, bytes, status, reason) => {
    const user = await (await server().company()).user("manager");
    const answer = await convert(server(), user, name, bytes);
    expect([answer.status, (answer.json() as { message: string }).message]).toEqual([
      status,
      expect.stringContaining(reason),
    ]);
    expect((await convert(server(), user, "a.md", strToU8("# A\n"))).status).toBe(200);
  });

  test("is refused if the user can't write", async () => {
    const user = await (await server().company()).user("viewer");
    expect((await convert(server(), user, "a.md", strToU8("# A\n"))).status).toBe(403);
  });

  test("is converted by a program that is built with the server", () => {
    expect(readFileSync("tsup.config.ts", "utf8")).toContain('"import-worker": "server/sops/import/convert-worker.ts"');
  });
});
