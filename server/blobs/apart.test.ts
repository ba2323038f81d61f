/** A server with its images and PDFs in an S3 store, from upload to restore. */
import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeEach, expect, test } from "vitest";
import { newId } from "#core/ids.ts";
import { pngOf } from "../../test/images.ts";
import { startS3 } from "../../test/s3.ts";
import { describeServer, startServer, type TestUser } from "../../test/server.ts";
import { configOf, passphrase, restoreInto, verifyAgainst } from "../../test/restored-backup.ts";
import { readCurrentKeys, sealKeys } from "../backup/sealed-keys.ts";
import { writeBackup } from "../backup/write.ts";
import { removeUnlinkedAssets } from "../assets/unlinked.ts";
import { checkDataPart } from "../admin/verify-parts.ts";
import { createAssetsCheck } from "../integrity/stored.ts";
import { checkAllShares } from "../integrity/report.ts";
import { systemClock } from "#core/clock.ts";
import { DamagedDocumentError } from "../database/port.ts";
import { openDatabaseForReading } from "../open-for-reading.ts";
import { openBlobs } from "./open.ts";
import { readBlob } from "./port.ts";
import { scheduleUnusedCheck } from "./unused.ts";

const s3 = await startS3();
const folder = mkdtempSync(path.join(tmpdir(), "sopwright-apart-"));
afterAll(async () => {
  await s3.stop();
  rmSync(folder, { recursive: true, force: true });
});
beforeEach(() => {
  s3.trouble = null;
});

const png = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==",
  "base64",
);
const upload = (user: TestUser, body: Buffer) =>
  user.send({ method: "POST", path: "/api/assets", headers: { "content-type": "image/png" }, body });
const stored = async (user: TestUser, body: Buffer) =>
  (await upload(user, body)).json() as { url: string; sha256: string };
const gone = {
  code: "busy",
  message: "Images and PDFs can't be reached. Try again in a moment.",
  reason: { id: "server.http.refusals.noImages", values: {} },
};
const keysWith = (part: string) => [...s3.objects.keys()].filter((key) => key.includes(part));
const hour = 3_600_000;

describeServer(
  "images and PDFs in an S3 store",
  (server, engine) => {
    const ready = async () =>
      (await server().send({ path: "/readyz" })).json() as {
        ready: boolean;
        warnings?: string[];
        parts: Record<string, string>;
      };
    const documents = (user: TestUser) => server().db.forCompany(user.companyId).collection("assets");
    const withImage = (url: string) => ({ title: "Valve", description: "D", markdown: `Open it.\n\n![Valve](${url})` });

    test("are found beside a damaged record of the installation, by the id in DATA_DIR", async () => {
      const user = await (await server().company()).user("manager");
      const image = Buffer.concat([png, randomBytes(100)]);
      const { sha256 } = await stored(user, image);
      const { db, config } = server().running.services;
      const system = db.collection("system");
      const findOne = (filter: { _id: string }) =>
        filter._id === "installation"
          ? Promise.reject(new DamagedDocumentError("system", "installation"))
          : system.findOne(filter);
      const collection = (name: "system" | "assets") =>
        name === "system" ? { ...system, findOne } : db.collection(name);
      const damaged = { ...db, collection } as unknown as typeof db;
      const asset = await documents(user).findOne({ sha256 });
      const bytes = asset && (await readBlob(await openBlobs(config, damaged), asset));
      expect(Buffer.from(bytes ?? []).equals(image)).toBe(true);
      const elsewhere = { ...config, dataDir: folder };
      await expect(openBlobs(elsewhere, damaged)).rejects.toThrow("document installation of system");
    });

    test("are objects, and in answers, exports and commits as from the database", async () => {
      const user = await (await server().company()).user("manager");
      const image = Buffer.concat([png, randomBytes(100)]);
      const { url, sha256 } = await stored(user, image);
      await upload(user, image);
      const [document] = await documents(user).find({}, { projection: { companyId: 1, bytes: 1 } });
      expect(document).toEqual({ _id: expect.any(String), companyId: user.companyId });
      const installation = (await server().db.collection("system").findOne({ _id: "installation" }))?.value;
      const key = `files/of-sopwright/${installation}/${user.companyId}/${document?._id}`;
      expect(keysWith(user.companyId)).toEqual([key]);
      expect(s3.objects.get(key)?.equals(image)).toBe(true);
      expect((await user.send({ path: url })).bytes.equals(image)).toBe(true);

      const { id } = await user.client.sops.create({ body: withImage(url) });
      const { services } = server().running;
      await services.repositories.drain(user.companyId);
      expect(await user.client.repository.get()).toMatchObject({ lag: 0 });
      s3.requests.length = 0;
      const pdf = await user.send({ path: `/api/sops/${id}/export?format=pdf` });
      expect([pdf.status, pdf.bytes.subarray(0, 5).toString()]).toEqual([200, "%PDF-"]);
      expect(pdf.bytes.includes("/Subtype /Image") || pdf.bytes.includes("/Subtype/Image")).toBe(true);
      expect(s3.requests).toContain(`GET ${key}`);
      const page = await user.send({ path: `/api/sops/${id}/export?format=html` });
      expect(page.body).toContain(image.toString("base64"));
      expect((await ready()).parts).toMatchObject({ files: "ok" });
      expect(sha256).toHaveLength(64);
    });

    test("of a company are at its own place, and other companies reach none of them", async () => {
      const [one, other] = [
        await (await server().company()).user("manager"),
        await (await server().company()).user("manager"),
      ];
      const { url } = await stored(one, pngOf("shared by chance"));
      expect((await other.send({ path: url })).status).toBe(404);
      await stored(other, pngOf("shared by chance"));
      expect((await other.send({ path: url })).status).toBe(200);
      expect([keysWith(one.companyId).length, keysWith(other.companyId).length]).toEqual([1, 1]);
      const [key = ""] = keysWith(one.companyId);
      const bytes = s3.objects.get(key) ?? Buffer.alloc(0);
      s3.objects.delete(key);
      expect([(await one.send({ path: url })).status, (await other.send({ path: url })).status]).toEqual([500, 200]);
      s3.objects.set(key, bytes);
      await server().running.services.damage.checkAgain();
    });

    test("leave no document when their bytes can't be stored, and no bytes when the document is refused", async () => {
      const company = await server().company();
      const user = await company.user("manager");
      s3.trouble = { status: 503, code: "SlowDown", method: "PUT" };
      const failed = await upload(user, pngOf("lost"));
      expect([failed.status, failed.headers.get("retry-after"), failed.json()]).toEqual([503, "1", gone]);
      expect(await documents(user).countDocuments({})).toBe(0);
      expect((await server().db.collection("companies").findOne({ _id: company.id }))?.assetBytes).toBe(0);
      s3.trouble = null;
      expect((await upload(user, pngOf("lost"))).status).toBe(201);
      const full = await upload(user, pngOf("x".repeat(2 ** 20)));
      expect([full.status, (full.json() as { code: string }).code]).toEqual([409, "limit_reached"]);
      expect(keysWith(company.id)).toHaveLength(1);
    });

    test("are replaced by another upload when they are damaged or lost", async () => {
      const user = await (await server().company()).user("manager");
      const image = pngOf("to be damaged");
      const { url, sha256 } = await stored(user, image);
      const [key = ""] = keysWith(user.companyId);
      const { db, blobs } = server().running.services;
      const found = async () =>
        (await checkAllShares(createAssetsCheck(db, blobs))).findings.filter((line) => line.includes(sha256));
      for (const [damage, status, finding] of [
        [() => s3.objects.set(key, Buffer.from("rotten")), 500, "its bytes don't match its hash"],
        [() => s3.objects.delete(key), 500, "its bytes are missing"],
      ] as const) {
        damage();
        expect((await user.send({ path: url })).status).toBe(status);
        expect(await found()).toEqual([`file ${sha256} of company ${user.companyId}: ${finding}`]);
        await upload(user, image);
        expect((await user.send({ path: url })).bytes.equals(image)).toBe(true);
        expect(await found()).toEqual([]);
      }
    });

    test("answer 503 while the store is away; texts are served, commits wait, and all goes on when it is back", async () => {
      const user = await (await server().company()).user("manager");
      const { url } = await stored(user, Buffer.concat([png, randomBytes(100)]));
      const { id } = await user.client.sops.create({ body: withImage(url) });
      const { repositories } = server().running.services;
      await repositories.drain(user.companyId);
      const next = await stored(user, pngOf("of a save while it is away"));
      s3.trouble = "cut";
      for (const at of [url, `/api/sops/${id}/export?format=pdf`, `/api/sops/${id}/export?format=html`]) {
        const answer = await user.send({ path: at });
        expect([at, answer.status, answer.headers.get("retry-after"), answer.json()]).toEqual([at, 503, "1", gone]);
      }
      const { config, db } = server().running.services;
      const report = await checkDataPart("assets", { config, db, options: {} });
      expect(report).toMatchObject({ ok: false, unreachable: true });
      expect(report.findings).toEqual([expect.stringContaining("the store of images and PDFs can't be used")]);
      const text = "the store of images and PDFs does not answer, or refuses";
      expect(await ready()).toMatchObject({
        ready: true,
        warnings: [text],
        parts: { files: "warning", database: "ok" },
      });
      expect((await user.send({ path: `/api/sops/${id}` })).status).toBe(200);
      await user.client.sops.update({ params: { id }, body: withImage(next.url) });
      await expect(repositories.drain(user.companyId)).rejects.toThrow("the store of images and PDFs can't be used");
      expect(await user.client.repository.get()).not.toMatchObject({ lag: 0 });
      s3.trouble = null;
      await expect.poll(async () => (await ready()).parts, { timeout: 15_000 }).toMatchObject({ files: "ok" });
      expect((await user.send({ path: url })).status).toBe(200);
      await repositories.drain(user.companyId);
      expect(await user.client.repository.get()).toMatchObject({ lag: 0 });
    });

    test("without a document are removed an hour later, and no others", async () => {
      const user = await (await server().company()).user("manager");
      const { url } = await stored(user, pngOf("linked"));
      await user.client.sops.create({ body: withImage(url) });
      await stored(user, pngOf("never linked"));
      const { db, blobs, clock } = server().running.services;
      // an upload whose server was killed before it wrote the document
      const key = { _id: newId(), companyId: user.companyId };
      await scheduleUnusedCheck({ store: db, blobs, clock }, key);
      await blobs.put(key, pngOf("killed"));
      server().clock.advance(25 * hour);
      await removeUnlinkedAssets(db, blobs, clock);
      expect(await documents(user).countDocuments({})).toBe(1);
      server().clock.advance(2 * hour);
      const [kept] = await documents(user).find({});
      await expect
        .poll(() => keysWith(user.companyId), { timeout: 20_000 })
        .toEqual([expect.stringMatching(`/${kept?._id}$`)]);
      expect((await user.send({ path: url })).status).toBe(200);
    });

    test(
      "move by backup and restore: to the database, and to another installation in the same bucket",
      { timeout: 120_000 },
      async () => {
        const user = await (await server().company()).user("manager");
        const image = Buffer.concat([png, randomBytes(100)]);
        const { url, sha256 } = await stored(user, image);
        await user.client.sops.create({ body: withImage(url) });
        const { config, db, repositories } = server().running.services;
        for (const { _id } of await db.collection("companies").find({})) await repositories.drain(_id);
        const file = path.join(folder, `${engine}.gz`);
        const keys = await sealKeys(readCurrentKeys(config), passphrase);
        const { summary } = await writeBackup(file, { db, config, clock: systemClock, keys });
        const before = new Map(s3.objects);
        for (const [name, env] of [
          ["database", {}],
          ["bucket", s3.env],
        ] as const) {
          const target = configOf(folder, `${engine}-${name}`, env);
          await restoreInto(target, file);
          expect(await verifyAgainst(target, file)).toEqual([]);
          const there = await openDatabaseForReading(target);
          const [asset] = await there.collection("assets").find({ sha256 });
          const bytes = asset && (await readBlob(await openBlobs(target, there), asset));
          expect(Buffer.from(bytes ?? []).equals(image)).toBe(true);
          await there.close();
          const added = [...s3.objects.keys()].filter((key) => !before.has(key));
          expect(added).toHaveLength(name === "bucket" ? (summary.documents["assets"]?.count ?? 0) : 0);
        }
        // the first installation keeps its own
        for (const [key, bytes] of before) expect(s3.objects.get(key)?.equals(bytes)).toBe(true);
        const changed = configOf(folder, `${engine}-bucket`);
        const opened = await openDatabaseForReading(changed);
        await expect(openBlobs(changed, opened)).rejects.toThrow("are in an S3 store. Set ASSET_STORE");
        await opened.close();
      },
    );
  },
  { env: { ...s3.env, COMPANY_BYTES: String(2 ** 20) } },
);

test("a server doesn't start with a setting that its images and PDFs don't fit", async () => {
  const env: Record<string, string> = {};
  const server = await startServer("sqlite", { env });
  const user = await (await server.company()).user("manager");
  await upload(user, pngOf("in the database"));
  Object.assign(env, s3.env);
  await expect(server.restart()).rejects.toThrow("are in the database. Leave ASSET_STORE out, or move them by backup");
  delete env["ASSET_STORE"];
  const back = await startServer("sqlite");
  await back.stop();
  rmSync(server.dataDir, { recursive: true, force: true });
});
