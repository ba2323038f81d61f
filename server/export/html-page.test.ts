import { once } from "node:events";
import { request, type IncomingMessage } from "node:http";
import { expect, test, vi } from "vitest";
import { pngHead } from "../../test/images.ts";
import { describeServer, type Company, type TestUser } from "../../test/server.ts";
import { resources } from "../capacity/resources.ts";

const soon = { timeout: 20_000 };
const megabytes = (count: number) => count * 2 ** 20;
const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString("base64");

let made = 0;
/** An image as far as its head goes; each has other bytes. */
function anImage(size: number): Buffer {
  const image = Buffer.alloc(size);
  image.set(pngHead(30, 30));
  image.writeUInt32BE(++made, size - 4);
  return image;
}

describeServer("an HTML file with images", (server) => {
  async function stored(user: TestUser, bytes: Buffer): Promise<string> {
    const type = { "content-type": "image/png" };
    const answer = await user.send({ method: "POST", path: "/api/assets", headers: type, body: bytes });
    return (answer.json() as { url: string }).url;
  }

  async function showing(user: TestUser, images: readonly Buffer[], times = 1): Promise<string> {
    const urls: string[] = [];
    for (const image of images) urls.push(await stored(user, image));
    const places = Array.from({ length: times }, () => urls.map((url, n) => `![number ${n}](${url})\n`).join("\n"));
    const body = { title: "Lock", description: "How", markdown: places.join("\n") };
    return (await user.client.sops.create({ body })).id;
  }

  const exportOf = (id: string) => `/api/sops/${id}/export?format=html`;
  const hashOf = (url: string) => /[0-9a-f]{64}/.exec(url)?.[0] ?? "";

  /** The answer of which nothing has been read yet. */
  async function begun(user: TestUser, id: string): Promise<IncomingMessage> {
    const asked = request(server().url + exportOf(id), { headers: { cookie: user.cookie } });
    asked.end();
    const [answer] = (await once(asked, "response")) as [IncomingMessage];
    return answer;
  }

  const shares = () => server().running.services.shares;
  const anEditor = async (company: Company) => await company.user("manager");
  const editor = async () => anEditor(await server().company());

  test("contains each image at each of its places, at any size, and the text between them", async () => {
    const user = await editor();
    const images = [anImage(1_000), anImage(1_001), anImage(1_002), anImage(megabytes(1) + 7)];
    const page = (await user.send({ path: exportOf(await showing(user, images, 2)) })).body;
    const shown = [...page.matchAll(/<img src="data:image\/png;base64,([^"]*)" alt="([^"]*)"/g)];
    const expected = images.map((image, n) => [base64(image), `number ${n}`]);
    expect(shown.map(([, bytes, alt]) => [bytes, alt])).toEqual([...expected, ...expected]);
    expect(page.replace(/base64,[^"]*/g, "")).toMatch(/^<!doctype html>[^]*<\/html>\n$/);
  });

  test("announces its length, also for a HEAD request without a body", async () => {
    const user = await editor();
    const id = await showing(user, [anImage(1_000), anImage(200_000)]);
    const file = await user.send({ path: exportOf(id) });
    const head = await user.send({ method: "HEAD", path: exportOf(id) });
    const lengthOf = ({ headers }: typeof file) => Number(headers.get("content-length"));
    expect([lengthOf(file), lengthOf(head), head.bytes.length]).toEqual([file.bytes.length, file.bytes.length, 0]);
    expect(head.headers.get("content-type")).toBe("text/html; charset=utf-8");
    const rows = server().db.forCompany(user.companyId).collection("audit_logs");
    expect(await rows.countDocuments({ action: "sop.export" })).toBe(2);
    await vi.waitUntil(() => shares().downloads.load().running === 0, soon);
  });

  test("shows the alternative text of an image that is damaged or missing", async () => {
    const user = await editor();
    const images = [anImage(1_000), anImage(1_001), anImage(1_002)];
    const id = await showing(user, images);
    const assets = server().db.forCompany(user.companyId).collection("assets");
    const [damaged, missing] = await Promise.all(images.slice(0, 2).map((image) => stored(user, image)));
    const changed = { $set: { bytes: anImage(1_000) } };
    expect((await assets.updateOne({ sha256: hashOf(damaged ?? "") }, changed)).matchedCount).toBe(1);
    expect(await assets.deleteOne({ sha256: hashOf(missing ?? "") })).toBe(1);
    const page = (await user.send({ path: exportOf(id) })).body;
    expect(page).toMatch(/<em>\[Picture: number 0\]<\/em>[^]*<em>\[Picture: number 1\]<\/em>[^]*<img /);
    expect(page.match(/<img /g)).toHaveLength(1);
  });

  test("is refused if its places need too many bytes, also those of one image", async () => {
    const user = await editor();
    const id = await showing(user, [anImage(megabytes(4))], 41);
    const refused = await user.send({ path: exportOf(id) });
    expect([refused.status, refused.json()]).toMatchObject([
      422,
      { message: "The document's images have 164 MiB together; the limit is 160 MiB. Use smaller images" },
    ]);
    expect((await user.send({ path: exportOf(await showing(user, [anImage(megabytes(4))], 2)) })).status).toBe(200);
  });

  test("stops for a client that left", async () => {
    const user = await editor();
    const id = await showing(
      user,
      Array.from({ length: 8 }, () => anImage(megabytes(5))),
    );
    const answer = await begun(user, id);
    expect([answer.statusCode, shares().downloads.load().running]).toEqual([200, 1]);
    answer.destroy();
    await vi.waitUntil(() => shares().downloads.load().running === 0 && shares().images.load().running === 0, soon);
    expect(shares().images.load()).toEqual({ running: 0, waiting: 0 });
  });

  test("stops if an image is damaged while it is sent, so that no client accepts it as complete", async () => {
    const user = await editor();
    const images = Array.from({ length: 8 }, () => anImage(megabytes(5)));
    const id = await showing(user, images);
    const answer = await begun(user, id);
    const assets = server().db.forCompany(user.companyId).collection("assets");
    const last = hashOf(await stored(user, images.at(-1) ?? Buffer.alloc(0)));
    await assets.updateOne({ sha256: last }, { $set: { bytes: anImage(megabytes(5)) } });
    answer.resume();
    await expect(once(answer, "end")).rejects.toMatchObject({ code: "ECONNRESET" });
    await vi.waitUntil(() => shares().downloads.load().running === 0, soon);
  });

  test("waits for no other company's image, before and while it is sent", async () => {
    const user = await editor();
    const id = await showing(user, [anImage(1_000), anImage(1_001)]);
    // the server's own work is a company too: an answer that is being sent must not count as that
    const places = await Promise.all(
      ["server", "another"].map((companyId) => shares().images.enter({ companyId, userId: companyId })),
    );
    places[1]?.();
    expect((await user.send({ path: exportOf(id) })).body.match(/<img /g)).toHaveLength(2);
    places[0]?.();
  });

  test("is refused if too many of one user wait, and others of the company get theirs", async () => {
    const company = await server().company();
    const [busy, other] = [await anEditor(company), await anEditor(company)];
    const id = await showing(
      busy,
      Array.from({ length: 8 }, () => anImage(megabytes(5))),
    );
    const small = await showing(other, [anImage(1_000)]);
    const held = await Promise.all(Array.from({ length: resources.downloads.userAtOnce }, () => begun(busy, id)));
    const waiting = Array.from({ length: 10 }, () => busy.send({ path: exportOf(small) }));
    await vi.waitUntil(() => shares().downloads.load().waiting === 10, soon);
    expect((await busy.send({ path: exportOf(small) })).status).toBe(429);
    expect((await other.send({ path: exportOf(small) })).status).toBe(200);
    for (const answer of held) answer.destroy();
    expect((await Promise.all(waiting)).map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 200));
  });
});
