import { createHash } from "node:crypto";
import { unzipSync } from "fflate";
import { expect, test } from "vitest";
import { canReadPdfs, pdfPages } from "../../test/pdf-text.ts";
import { describeServer, type TestUser } from "../../test/server.ts";

const pixel = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==",
  "base64",
);
const file = (user: TestUser, id: string, query: string) => user.send({ path: `/api/sops/${id}/export?${query}` });

const textOf = (pdf: Buffer) => pdfPages(pdf, "-layout").join("");

describeServer("an export", (server) => {
  async function published() {
    const company = await server().company();
    const [manager, viewer] = [await company.user("manager"), await company.user("viewer")];
    const type = { "content-type": "image/png" };
    const stored = await manager.send({ method: "POST", path: "/api/assets", headers: type, body: pixel });
    const { url } = stored.json() as { url: string };
    const markdown = `## Purpose\n\nIn force ![dot](${url})\n`;
    const { id } = await manager.client.sops.create({ body: { title: "Lock", description: "How", markdown } });
    await manager.client.sops.publish({ params: { id }, body: {} });
    await manager.client.sops.update({ params: { id }, body: { markdown: "## Purpose\n\nSecret draft\n" } });
    return { company, manager, viewer, id, url };
  }

  test.skipIf(!canReadPdfs)(
    "as PDF names the SOP on its page; readers get the published version, editors the draft",
    async () => {
      const { manager, viewer, id } = await published();
      const own = await file(viewer, id, "format=pdf");
      expect([own.status, own.headers.get("content-type")]).toEqual([200, "application/pdf"]);
      expect(own.headers.get("content-disposition")).toContain("sop-0001-lock.pdf");
      const text = textOf(own.bytes);
      for (const part of [
        "SOP-0001",
        "Version 1",
        "PUBLISHED",
        "Page 1 of 1",
        "Printed = uncontrolled copy",
        "In force",
      ]) {
        expect(text).toContain(part);
      }
      expect(text).not.toContain("Secret");
      const draft = textOf((await file(manager, id, "format=pdf")).bytes);
      for (const part of ["Version 2", "DRAFT", "Secret draft"]) expect(draft).toContain(part);
      expect((await file(viewer, id, "format=pdf&version=2")).status).toBe(404);
      expect(textOf((await file(manager, id, "format=pdf&version=1")).bytes)).toContain("PUBLISHED");
    },
  );

  test("of the same version has the same bytes each time, as PDF, PDF/A and Word, and is in the audit log", async () => {
    const { manager, id, company } = await published();
    // a version that isn't committed yet has no commit to name
    await server().running.services.repositories.drain(company.id);
    const sums: string[] = [];
    for (const query of ["format=pdf", "format=pdf&standard=a-2b&version=1", "format=docx&version=1", "format=html"]) {
      const [one, other] = [await file(manager, id, query), await file(manager, id, query)];
      expect([query, one.status, one.bytes.equals(other.bytes)]).toEqual([query, 200, true]);
      sums.push(createHash("sha256").update(one.bytes).digest("hex"));
    }
    const rows = server().db.forCompany(company.id).collection("audit_logs");
    const told = await rows.find({ action: "sop.export" }, { sort: { createdAt: 1, _id: 1 } });
    expect(told.map(({ changes }) => changes)).toEqual(
      ["pdf", "pdf", "docx", "html"].flatMap((format, index) => {
        const sha256 = sums[index];
        const row = { format, version: index === 1 || index === 2 ? 1 : 2, ...(format !== "html" && { sha256 }) };
        return [row, row];
      }),
    );
  });

  test.skipIf(!canReadPdfs)("as PDF names the public address of the server, if it has one", async () => {
    const { viewer, id } = await published();
    const { config } = server().running.services;
    const pdf = async () => textOf((await file(viewer, id, "format=pdf")).bytes);
    expect(await pdf()).not.toContain("Current version");
    Object.assign(config, { publicUrl: "https://sop.example.org" });
    expect(await pdf()).toContain("https://sop.example.org/sop/SOP-0001");
    Object.assign(config, { publicUrl: null });
  });

  test("names the owner of each version as on screen; the Markdown keeps the username", async () => {
    const company = await server().company();
    const [ann, bob] = [
      await company.user("manager", { name: "Ann Archer" }),
      await company.user("manager", { name: "Bob Baker" }),
    ];
    const { id } = await ann.client.sops.create({ body: { title: "Lock", description: "How", markdown: "One\n" } });
    await ann.client.sops.update({ params: { id }, body: { markdown: "Two\n", ownerId: bob.id } });
    const ownerIn = async (query: string) =>
      /<dt>Owner<\/dt><dd>([^<]*)/.exec((await file(ann, id, `format=html${query}`)).bytes.toString())?.[1];
    expect([await ownerIn(""), await ownerIn("&version=1")]).toEqual([
      `Bob Baker (${bob.username})`,
      `Ann Archer (${ann.username})`,
    ]);
    const said = /^owner: (.*)$/m.exec((await file(ann, id, "format=md")).bytes.toString())?.[1];
    expect(said).not.toMatch(/Baker/);
  });

  test("with too many bytes of images is refused before they are read", async () => {
    const { company, viewer, id } = await published();
    const assets = server().db.forCompany(company.id).collection("assets");
    await assets.updateOne({ ext: "png" }, { $set: { size: 161 * 2 ** 20 } });
    for (const format of ["pdf", "docx", "html"]) {
      const refused = await file(viewer, id, `format=${format}`);
      expect([refused.status, refused.json()]).toMatchObject([
        422,
        { message: "The document's images have 161 MiB together; the limit is 160 MiB. Use smaller images" },
      ]);
    }
    expect((await file(viewer, id, "format=md")).status).toBe(200);
  });

  test("has its images in the file", async () => {
    const { viewer, id, url } = await published();
    const word = unzipSync((await file(viewer, id, "format=docx")).bytes);
    const media = Object.entries(word).filter(([name]) => name.startsWith("word/media/"));
    expect(media.map(([, bytes]) => Buffer.from(bytes).equals(pixel))).toEqual([true]);
    const html = (await file(viewer, id, "format=html")).bytes.toString();
    expect(html).toContain(`<img src="data:image/png;base64,${pixel.toString("base64")}" alt="dot"`);
    expect(html).not.toContain(url);
    expect(html).not.toContain("<script");
  });

  test("without an image of its text names it beside the file in each format", async () => {
    const { company, viewer, id, url } = await published();
    const assets = server().db.forCompany(company.id).collection("assets");
    const warned = async (format: string) => {
      const { status, headers } = await file(viewer, id, `format=${format}`);
      return [status, JSON.parse(decodeURIComponent(headers.get("x-export-warnings") ?? "null"))];
    };
    expect(await warned("html")).toEqual([200, null]);
    const missing = [`an image is missing: ${url.split("/").at(-1)}`];
    // its bytes differ from its hash; then it is gone
    await assets.updateOne({ ext: "png" }, { $set: { bytes: Buffer.from("other bytes") } } as never);
    for (const format of ["html", "docx", "pdf"])
      expect([format, await warned(format)]).toEqual([format, [200, missing]]);
    await assets.deleteOne({ ext: "png" });
    for (const format of ["html", "docx"]) expect([format, await warned(format)]).toEqual([format, [200, missing]]);
  });

  test("is refused with characters that no font has, and says what to do", async () => {
    const { manager } = await published();
    // of no script, and of one that has fonts: neither character is assigned, so no machine has them
    const beyond = { character: "\u{3fff0}", fonts: [], says: "(U+3FFF0) in line 3. Use other characters" };
    const way = "Ask an administrator of the server to run: sop fonts add chinese";
    const wide = { character: "\uff00", fonts: ["chinese"], says: `(U+FF00) in line 3. ${way}` };
    for (const { character, fonts, says } of [beyond, wide]) {
      const body = { title: "T", description: "D", markdown: `Words\n\nOne ${character}\n` };
      const { id } = await manager.client.sops.create({ body });
      const refused = await file(manager, id, "format=pdf");
      expect([refused.status, refused.json()]).toMatchObject([
        422,
        {
          code: "font_missing",
          message: `No font has ${character} ${says}`,
          details: { characters: [character], lines: [3], fonts },
        },
      ]);
      expect((await file(manager, id, "format=html")).status).toBe(200);
    }
    const { id } = await manager.client.sops.create({ body: { title: "T", description: "D", markdown: "Words\n" } });
    expect((await file(manager, id, "format=pdf&standard=ua-1")).status).toBe(400);
    expect((await file(manager, id, "format=odt")).status).toBe(400);
  });
});
