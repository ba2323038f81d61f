import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { gifHead, jpegHead, pngHead, pngOf as png, webpHead, webpLossy } from "../../test/images.ts";
import { newId } from "#core/ids.ts";
import { describeServer, type TestUser } from "../../test/server.ts";

const upload = (user: TestUser, body: Buffer, type = "image/png") =>
  user.send({ method: "POST", path: "/api/assets", headers: { "content-type": type }, body });

describeServer("assets", (server) => {
  test("are recognized by their first bytes, stored once, and returned byte for byte", async () => {
    const user = await (await server().company()).user("editor");
    const kinds: [string, Buffer, string][] = [
      ["png", png("a"), "image/png"],
      ["jpg", Buffer.from(jpegHead(1, 1)), "image/jpeg"],
      ["gif", Buffer.from(gifHead(1, 1)), "image/gif"],
      ["webp", Buffer.from(webpHead(webpLossy(1, 1))), "image/webp"],
      ["pdf", Buffer.from("%PDF-1.7\n"), "application/pdf"],
    ];
    for (const [ext, bytes, type] of kinds) {
      // the type that is claimed is not the one that is stored
      const answer = await upload(user, bytes, ext === "pdf" ? "application/pdf" : "image/jpeg");
      const sha256 = createHash("sha256").update(bytes).digest("hex");
      expect([answer.status, answer.json()]).toEqual([
        201,
        { sha256, url: `/api/assets/${sha256}.${ext}`, type, size: bytes.length },
      ]);
      const back = await user.send({ path: `/api/assets/${sha256}.${ext}` });
      expect([back.status, back.headers.get("content-type"), back.bytes.equals(bytes)]).toEqual([200, type, true]);
      expect(back.headers.get("content-security-policy")).toContain("sandbox");
      expect(back.headers.get("x-content-type-options")).toBe("nosniff");
      expect(back.headers.get("cache-control")).toContain("private");
      expect(back.headers.get("content-disposition") !== null).toBe(ext === "pdf");
      const unchanged = await user.send({ path: `/api/assets/${sha256}`, headers: { "if-none-match": `"${sha256}"` } });
      expect([unchanged.status, unchanged.bytes.length]).toEqual([304, 0]);
    }
    expect(await upload(user, png("a")).then((answer) => answer.status)).toBe(201);
    const stored = server().db.forCompany(user.companyId);
    expect(await stored.collection("assets").countDocuments({})).toBe(kinds.length);
    expect(await stored.collection("audit_logs").countDocuments({ action: "asset.upload" })).toBe(kinds.length);
  });

  test("refuse files of any other type, regardless of the claimed type", async () => {
    const user = await (await server().company()).user("editor");
    const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>');
    for (const [type, bytes] of [
      ["image/svg+xml", svg],
      ["image/png", svg],
      ["image/png", Buffer.from("<html>")],
      ["image/png", Buffer.alloc(0)],
      ["application/pdf", Buffer.from(" %PDF-1.7")],
      ["text/html", png("a")],
      ["multipart/form-data; boundary=x", png("a")],
      ["application/octet-stream", png("a")],
    ] as const) {
      expect([type, (await upload(user, bytes, type)).status]).toEqual([type, 415]);
    }
  });

  test("of a user who can't edit any SOP are images for the profile, and nothing else", async () => {
    const viewer = await (await server().company()).user("viewer");
    expect((await upload(viewer, png("a"))).status).toBe(201);
    const pdf = await upload(viewer, Buffer.from("%PDF-1.7\n"), "application/pdf");
    expect([pdf.status, pdf.json()]).toMatchObject([
      403,
      { code: "forbidden", message: "You can store an image for your profile, but no PDF" },
    ]);
  });

  test("refuse an image whose size can't be read, because nothing then bounds its pixels", async () => {
    const user = await (await server().company()).user("editor");
    const [start, rest] = [pngHead(30_000, 30_000).slice(0, 8), pngHead(30_000, 30_000).slice(8)];
    const comment = [0, 0, 0, 1, ...Buffer.from("tEXtx"), 0, 0, 0, 0];
    for (const bytes of [Buffer.from([...start, ...comment, ...rest]), Buffer.from("GIF89a.."), Buffer.from(start)]) {
      const answer = await upload(user, bytes);
      expect([answer.status, answer.json()]).toMatchObject([
        415,
        { code: "unsupported_type", message: "The image is damaged: its size can't be read" },
      ]);
    }
  });

  test("refuse an image with more pixels than the limit, however small the file", async () => {
    const user = await (await server().company()).user("editor");
    const tooLarge = await upload(user, Buffer.from(pngHead(9_000, 9_000)));
    expect([tooLarge.status, tooLarge.json()]).toMatchObject([
      413,
      { code: "too_large", message: "The image has 81 million pixels; the limit is 40 million" },
    ]);
    expect((await upload(user, Buffer.from(gifHead(1, 1, [[9_000, 9_000]])), "image/gif")).status).toBe(413);
    expect((await upload(user, Buffer.from(pngHead(8_000, 5_000)))).status).toBe(201);
  });

  test("are readable by their uploader and by readers of a version that shows them", async () => {
    const company = await server().company();
    const [author, colleague, reader] = [
      await company.user("contributor"),
      await company.user("manager"),
      await company.user("viewer"),
    ];
    const stranger = await (await server().company()).user("company_admin");
    const { sha256, url } = (await upload(author, png("shown"))).json() as { sha256: string; url: string };
    const who = async () => {
      const answers = await Promise.all([author, colleague, reader, stranger].map((user) => user.send({ path: url })));
      return answers.map(({ status }) => status);
    };
    expect(await who()).toEqual([200, 404, 404, 404]);
    const { id } = await author.client.sops.create({
      body: { title: "T", description: "D", markdown: `![p](${url})` },
    });
    expect(await who()).toEqual([200, 200, 404, 404]);
    await colleague.client.sops.publish({ params: { id }, body: {} });
    expect(await who()).toEqual([200, 200, 200, 404]);
    // a draft without the image: readers still see the published version with it, until the draft is published
    await author.client.sops.update({ params: { id }, body: { markdown: "No picture" } });
    expect(await who()).toEqual([200, 200, 200, 404]);
    await colleague.client.sops.publish({ params: { id }, body: {} });
    expect(await who()).toEqual([200, 200, 404, 404]);
    // the same bytes in another company are that company's own
    await upload(stranger, png("shown"));
    expect(await who()).toEqual([200, 200, 404, 200]);
    expect(await server().db.collection("assets").countDocuments({ sha256 })).toBe(2);
  });

  test("uploaded with the bytes of a hidden image reveal nothing but those bytes", async () => {
    const company = await server().company();
    const [author, other] = [await company.user("manager"), await company.user("contributor")];
    const first = await upload(author, png("hidden"));
    const again = await upload(other, png("hidden"));
    expect([again.status, again.body]).toEqual([first.status, first.body]);
    const { url } = first.json() as { url: string };
    for (const user of [author, other]) expect((await user.send({ path: url })).status).toBe(200);
  });

  test("are no key: a text can link only what its writer reads, each way in", async () => {
    const company = await server().company();
    const [boss, author, thief] = [
      await company.user("company_admin"),
      await company.user("manager"),
      await company.user("contributor"),
    ];
    const { sha256, url } = (await upload(author, png("secret"))).json() as { sha256: string; url: string };
    const markdown = `![p](${url})`;
    const sop = await author.client.sops.create({ body: { title: "Safe", description: "D", markdown } });
    await author.client.sops.restrict({ params: { id: sop.id }, body: { restricted: true } });
    const own = await thief.client.sops.create({ body: { title: "T", description: "D", markdown: "Text.\n" } });
    const refused = {
      status: 400,
      serverMessage: `You can't read the file ${sha256.slice(0, 12)}….png that the text links. Upload it yourself`,
    };
    const params = { id: own.id };
    await expect(thief.client.sops.create({ body: { title: "X", description: "D", markdown } })).rejects.toMatchObject(
      refused,
    );
    await expect(thief.client.sops.update({ params, body: { markdown } })).rejects.toMatchObject(refused);
    await expect(
      thief.client.sops.update({ params, body: { content: `<p><img src="${url}" alt="p"></p>` } }),
    ).rejects.toMatchObject(refused);
    // the hash as plain words and as code is no link that a text keeps
    for (const words of [`No ${sha256}`, `\`${url}\``, `\`\`\`\n![p](${url})\n\`\`\``]) {
      await thief.client.sops.update({ params, body: { markdown: words } });
      await expect(
        thief.client.sops.update({ params, body: { markdown: `${words}\n\n${markdown}` } }),
      ).rejects.toMatchObject(refused);
    }
    const documents = [{ path: "a.md", sha256: "0".repeat(64), text: `# A\n\n[p](${url})\n` }];
    const [row] = (await thief.client.sops.import({ body: { importId: newId(), documents } })).results;
    expect([row?.outcome, row?.reason]).toEqual(["refused", refused.serverMessage]);
    await expect(boss.client.company.update({ body: { logo: url } })).rejects.toMatchObject({ status: 400 });
    expect((await thief.send({ path: url })).status).toBe(404);
    // who can read it may show it on, and a link to what was never uploaded is only a broken one
    await author.client.sops.create({ body: { title: "Y", description: "D", markdown } });
    const never = `![p](/api/assets/${"a".repeat(64)}.png)`;
    await thief.client.sops.update({ params, body: { markdown: never } });
    // a colleague's save keeps the links of the text before
    await author.client.sops.update({ params: { id: sop.id }, body: { markdown: `${markdown}\n\nMore.` } });
  });

  test("uploaded twice at the same time both succeed", async () => {
    const user = await (await server().company()).user("manager");
    const answers = await Promise.all(Array.from({ length: 4 }, () => upload(user, png("twice"))));
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 201]);
    expect(await server().db.forCompany(user.companyId).collection("assets").countDocuments({})).toBe(1);
  });

  test("that are damaged are never sent nor cached, are logged, and are repaired by another upload", async () => {
    const user = await (await server().company()).user("editor");
    const bytes = png("flow chart");
    const { sha256, url } = (await upload(user, bytes)).json() as { sha256: string; url: string };
    const rotten = Buffer.from(bytes);
    rotten[10] = (rotten[10] ?? 0) ^ 1;
    await server()
      .db.forCompany(user.companyId)
      .collection("assets")
      .updateOne({ sha256 }, { $set: { bytes: new Uint8Array(rotten) } });
    const answer = await user.send({ path: url });
    expect([answer.status, (answer.json() as { code: string }).code]).toEqual([500, "damaged"]);
    expect([answer.headers.get("cache-control"), answer.headers.get("etag")]).toEqual([
      expect.not.stringMatching(/max-age=[1-9]/),
      null,
    ]);
    expect((await upload(user, bytes)).status).toBe(201);
    const back = await user.send({ path: url });
    expect([back.status, back.bytes.equals(bytes)]).toEqual([200, true]);
  });
});

describeServer(
  "the bytes of a company",
  (server) => {
    const blob = (byte: number) => png(String(byte).repeat(400 * 1024));
    const used = async (id: string) =>
      (await server().db.collection("companies").findOne({ _id: id }))?.assetBytes ?? null;

    test("stay within its limit, also with simultaneous uploads", async () => {
      const company = await server().company();
      const user = await company.user("editor");
      const answers = await Promise.all([1, 2, 3, 4].map((byte) => upload(user, blob(byte))));
      expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 201, 409, 409]);
      const stored = 2 * blob(1).length;
      expect(await used(company.id)).toBe(stored);
      const refused = answers.find(({ status }) => status === 409);
      expect(refused?.json()).toMatchObject({
        code: "limit_reached",
        message: "The company stores 0.8 MiB of texts, images and PDFs. The limit is 1.0 MiB",
        details: { used: stored, limit: 1024 * 1024 },
      });
    });

    test("count the same bytes once", async () => {
      const company = await server().company();
      const user = await company.user("editor");
      await Promise.all([upload(user, blob(1)), upload(user, blob(1)), upload(user, blob(1))]);
      expect(await used(company.id)).toBe(blob(1).length);
    });

    test("hold the texts of versions, proposals and comments too; texts have a quarter more, so that images don't end saves", async () => {
      const company = await server().company();
      const [user, contributor] = [await company.user("manager"), await company.user("contributor")];
      const text = (letter: string, kilobytes = 100) => `${letter.repeat(kilobytes * 1024 - 1)}\n`;
      const { id } = await user.client.sops.create({ body: { title: "T", description: "D", markdown: text("a") } });
      const texts = async () => (await server().db.collection("counters").findOne({ _id: company.id }))?.textBytes;
      const first = (await texts()) ?? 0;
      expect(first).toBeGreaterThan(100_000);
      await user.client.comments.create({ params: { id }, body: { content: "Why?" } });
      expect(await texts()).toBe(first + 4);
      // one image takes what the texts leave of the limit, another has no place
      await company.set({ maxBytes: blob(1).length + 150 * 1024 });
      expect((await upload(user, blob(1))).status).toBe(201);
      expect((await upload(user, blob(2))).status).toBe(409);
      const answers: string[] = [];
      for (let n = 0; n < 8; n++) {
        const body = { markdown: text(String.fromCharCode(98 + n)) };
        answers.push(
          await user.client.sops.update({ params: { id }, body }).then(
            () => "saved",
            ({ code }: { code: string }) => code,
          ),
        );
      }
      const saved = answers.indexOf("limit_reached");
      expect(saved).toBeGreaterThan(0);
      expect(new Set(answers.slice(saved))).toEqual(new Set(["limit_reached"]));
      // refused saves leave no trace in the account
      expect(await texts()).toBeLessThanOrEqual(blob(1).length + 150 * 1024);
      const importId = newId();
      const documents = [{ path: "b.md", sha256: "0".repeat(64), text: `# B\n\n${text("z", 200)}` }];
      await expect(contributor.client.sops.import({ body: { importId, documents } })).rejects.toMatchObject({
        code: "limit_reached",
      });
    });

    test("have the limit a system administrator sets, and the company sees use and limit", async () => {
      const company = await server().company();
      const system = await company.user("system_admin");
      const admin = await company.user("company_admin");
      await system.client.companies.update({ params: { id: company.id }, body: { maxBytes: 20 * 1024 * 1024 } });
      for (const byte of [1, 2, 3]) expect((await upload(admin, blob(byte))).status).toBe(201);
      expect(await admin.client.company.get()).toMatchObject({
        maxBytes: 20 * 1024 * 1024,
        assetBytes: 3 * blob(1).length,
      });
      expect((await system.client.companies.list()).data.find(({ id }) => id === company.id)).toMatchObject({
        maxBytes: 20 * 1024 * 1024,
        assetBytes: 3 * blob(1).length,
      });
      await expect(
        system.client.companies.update({ params: { id: company.id }, body: { maxBytes: 1024 * 1024 } }),
      ).rejects.toMatchObject({ code: "conflict" });
    });

    test("keep the default when the dialog sends it back unchanged", async () => {
      const company = await server().company();
      const system = await company.user("system_admin");
      const stored = async () => (await server().db.collection("companies").findOne({ _id: company.id }))?.maxBytes;
      const params = { id: company.id };
      await system.client.companies.update({ params, body: { maxBytes: 1024 * 1024, industry: "Bakery" } });
      expect(await stored()).toBeNull();
      await system.client.companies.update({ params, body: { maxBytes: 1024 * 1024 + 1 } });
      expect(await stored()).toBe(1024 * 1024 + 1);
    });

    test("are for users who can write; a reader has room for profile pictures", async () => {
      const company = await server().company();
      await company.set({ maxBytes: 2 ** 30 });
      const viewer = await company.user("viewer");
      const big = (byte: number) => png(String(byte).repeat(3 * 1024 * 1024));
      expect((await upload(viewer, big(1))).status).toBe(201);
      expect((await upload(viewer, big(2))).json()).toMatchObject({ code: "limit_reached" });
      expect(await used(company.id)).toBe(big(1).length);
    });
  },
  { env: { COMPANY_BYTES: String(1024 * 1024) } },
);
