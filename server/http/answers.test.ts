/** Clients that ask for large answers and don't read them. */
import { once } from "node:events";
import { createServer, request, type IncomingMessage } from "node:http";
import { connect, type AddressInfo } from "node:net";
import { PassThrough, Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import Koa, { type Context } from "koa";
import { afterEach, describe, expect, test, vi } from "vitest";
import { pngHead } from "../../test/images.ts";
import { describeServer, type TestServer, type TestUser } from "../../test/server.ts";
import { createFairQueue } from "../capacity/fair-queue.ts";
import { resources } from "../capacity/resources.ts";
import { createPacingMiddleware, holdSlotUntilSent } from "./answers.ts";
import type { Pace } from "./paced.ts";

/** Other work of the machine may slow down the test. */
const soon = { timeout: 20_000 };
const mebibyte = 2 ** 20;
const idle = { running: 0, waiting: 0 };
const most = resources.files.userAtOnce;

/** An image as far as its head goes. */
function anImage(size: number): Buffer {
  const image = Buffer.alloc(size, "sopwright");
  image.set(pngHead(30, 30));
  return image;
}

/** Asks, and reads nothing of the answer. */
function unread(server: TestServer, user: TestUser, path: string) {
  const { hostname, port } = new URL(server.url);
  const socket = connect(Number(port), hostname);
  // the server may cut it off
  socket.on("error", () => undefined);
  socket.pause();
  socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\nCookie: ${user.cookie}\r\n\r\n`);
  return socket;
}

let bytesRead = 0;

describeServer(
  "a client that doesn't read",
  (server) => {
    const shares = () => server().running.services.shares;
    const aWriter = async () => await (await server().company()).user("manager");

    async function stored(user: TestUser, bytes: Buffer): Promise<string> {
      const type = { "content-type": "image/png" };
      const answer = await user.send({ method: "POST", path: "/api/assets", headers: type, body: bytes });
      return (answer.json() as { url: string }).url;
    }

    test("makes the server hold a few files, queue the rest, and stop no other company", async () => {
      const [user, other] = [await aWriter(), await aWriter()];
      const image = anImage(5 * mebibyte);
      const [url, others] = [await stored(user, image), await stored(other, image)];
      bytesRead = 0;
      const sockets = Array.from({ length: 60 }, () => unread(server(), user, url));
      await vi.waitUntil(() => shares().files.load().waiting === 60 - most, soon);
      expect(shares().files.load().running).toBe(most);
      expect(bytesRead).toBeLessThanOrEqual(most);
      expect((await other.send({ path: others })).bytes.equals(image)).toBe(true);
      expect((await user.client.sops.list()).data).toEqual([]);
      // a client that reads has its turn as soon as the others are gone
      const read = user.send({ path: url });
      for (const socket of sockets) socket.destroy();
      expect((await read).bytes.equals(image)).toBe(true);
      await vi.waitUntil(() => shares().files.load().running === 0, soon);
      expect(shares().files.load()).toEqual(idle);
      // nothing is read for clients that left while they waited
      expect(bytesRead).toBeLessThanOrEqual(most + 2);
    });

    test("is refused beyond the limit, in the form of the contract", async () => {
      const user = await aWriter();
      const text = "Turn the valve to the left. ".repeat(5_000);
      const { id } = await user.client.sops.create({ body: { title: "Valve", description: "How", markdown: text } });
      const { userAtOnce, userWaiting } = resources.answers;
      const caller = { companyId: user.companyId, userId: user.id };
      const leave = await Promise.all(Array.from({ length: userAtOnce }, () => shares().answers.enter(caller)));
      const path = `/api/sops/${id}/export?format=json`;
      const waiting = Array.from({ length: userWaiting }, () => user.send({ path }));
      await vi.waitUntil(() => shares().answers.load().waiting === userWaiting, soon);
      const refused = await user.send({ path });
      expect([refused.status, refused.json(), refused.headers.get("retry-after")]).toMatchObject([
        429,
        { code: "rate_limited" },
        "20",
      ]);
      const { get } = refused.headers;
      expect([get("content-disposition"), get("x-content-sha256"), get("cache-control")]).toEqual([
        null,
        null,
        "no-store",
      ]);
      expect((await user.send({ method: "HEAD", path })).status).toBe(200);
      leave.forEach((one) => one());
      const answers = await Promise.all(waiting);
      expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
      expect(answers.every(({ body }) => body.includes(text.trim()))).toBe(true);
      await vi.waitUntil(() => shares().answers.load().running === 0, soon);
    });

    test("gets no refusal of a write that was carried out: its connection is closed", async () => {
      const user = await aWriter();
      const { userAtOnce, userWaiting } = resources.answers;
      const caller = { companyId: user.companyId, userId: user.id };
      const all = Array.from({ length: userAtOnce + userWaiting }, () => shares().answers.enter(caller));
      const markdown = "Turn the valve to the left. ".repeat(5_000);
      const body = { title: "Valve", description: "How", markdown };
      await expect(user.client.sops.create({ body })).rejects.toThrow();
      expect((await user.client.sops.list()).data).toHaveLength(1);
      for (const one of all) (await one)();
    });

    test("uses no place with HEAD, unchanged files or small files", async () => {
      const user = await aWriter();
      const [large, small] = [await stored(user, anImage(mebibyte)), await stored(user, anImage(60_000))];
      const caller = { companyId: user.companyId, userId: user.id };
      const leave = await Promise.all(Array.from({ length: most }, () => shares().files.enter(caller)));
      const head = await user.send({ method: "HEAD", path: large });
      const etag = head.headers.get("etag") ?? "";
      expect([head.status, head.headers.get("content-length")]).toEqual([200, String(mebibyte)]);
      expect((await user.send({ path: large, headers: { "if-none-match": etag } })).status).toBe(304);
      expect((await user.send({ path: small })).bytes).toHaveLength(60_000);
      leave.forEach((one) => one());
    });

    test("doesn't stop a page that loads 50 images over 6 connections", async () => {
      const user = await aWriter();
      const images = Array.from({ length: 50 }, (_, n) => anImage(100_000 + n));
      const urls: string[] = [];
      for (const image of images) urls.push(await stored(user, image));
      const received: Buffer[] = [];
      const next = [...urls.entries()];
      const connection = async () => {
        for (let one = next.shift(); one; one = next.shift())
          received[one[0]] = (await user.send({ path: one[1] })).bytes;
      };
      await Promise.all(Array.from({ length: 6 }, connection));
      expect(received.every((bytes, n) => bytes.equals(images[n] ?? Buffer.alloc(0)))).toBe(true);
    });
  },
  {
    wrap: (db) => ({
      ...db,
      forCompany(companyId) {
        const store = db.forCompany(companyId);
        return {
          ...store,
          collection(name) {
            const collection = store.collection(name);
            return {
              ...collection,
              findOne(filter, options) {
                if (name === "assets" && options?.projection && "bytes" in options.projection) bytesRead++;
                return collection.findOne(filter, options);
              },
            };
          },
        };
      },
    }),
  },
);

describe("the check of a reader's pace", () => {
  const started: (() => void)[] = [];
  afterEach(() => started.splice(0).forEach((stop) => stop()));

  async function serving(answer: (ctx: Context) => void | Promise<void>, pace: Pace, crowded = pace) {
    const app = new Koa();
    app.silent = true;
    app.use(createPacingMiddleware(pace, crowded)).use(answer);
    const server = createServer(app.callback()).listen(0, "127.0.0.1");
    await once(server, "listening");
    started.push(() => {
      server.closeAllConnections();
      server.close();
    });
    const asked = request({ port: (server.address() as AddressInfo).port, host: "127.0.0.1" });
    asked.end();
    const [response] = (await once(asked, "response")) as [IncomingMessage];
    return response;
  }

  const large = Buffer.alloc(40 * mebibyte, "sopwright");
  async function* lines() {
    for (let at = 0; at < 40; at++) yield "ä".repeat(mebibyte / 2);
  }
  const impatient = { startMs: 100, bytesPerSecond: 100 * mebibyte };
  const patient = { startMs: 600_000, bytesPerSecond: 1 };

  test.each([
    ["in memory", () => large],
    ["text", () => large.toString()],
    ["a stream", () => Readable.from(lines())],
  ])("cuts off a client that takes nothing of an answer that is %s", async (_, body) => {
    const closed = Promise.withResolvers<boolean>();
    const response = await serving((ctx) => {
      ctx.res.once("close", () => closed.resolve(ctx.res.writableFinished));
      ctx.body = body();
    }, impatient);
    expect(await closed.promise).toBe(false);
    await expect(buffer(response)).rejects.toMatchObject({ code: "ECONNRESET" });
  });

  test("cuts off a client that begins fast and then stops", async () => {
    const closed = Promise.withResolvers<boolean>();
    const response = await serving(
      (ctx) => {
        ctx.res.once("close", () => closed.resolve(ctx.res.writableFinished));
        ctx.body = large;
      },
      // 20 MiB at this pace would take longer than a test may
      { startMs: 1000, bytesPerSecond: 256 * 1024 },
    );
    for await (const _ of response.iterator({ destroyOnReturn: false }))
      if (response.socket.bytesRead > 20 * mebibyte) break;
    expect(await closed.promise).toBe(false);
  });

  test.each([
    ["in memory", () => large, large],
    ["text", () => "ä".repeat(mebibyte), Buffer.from("ä".repeat(mebibyte))],
    ["a stream", () => Readable.from(lines()), Buffer.from("ä".repeat(20 * mebibyte))],
    ["an object", () => ({ text: "ä".repeat(mebibyte) }), Buffer.from(JSON.stringify({ text: "ä".repeat(mebibyte) }))],
  ])("changes no byte of an answer that is %s", async (_, body, expected) => {
    const response = await serving((ctx) => void (ctx.body = body()), patient);
    expect((await buffer(response)).equals(expected)).toBe(true);
  });

  test("cuts off a slow client once others wait for its place, and no client while only its own company waits", async () => {
    const impatientOnce = async (waits: string) => {
      const queue = createFairQueue({ ...resources.clones, atOnce: 2, companyAtOnce: 1 });
      const closed = Promise.withResolvers<boolean>();
      const response = await serving(
        async (ctx) => {
          await holdSlotUntilSent(ctx, queue);
          await queue.enter({ companyId: "north", userId: "ann" });
          queue.enter({ companyId: waits, userId: "ben" }).catch(() => undefined);
          ctx.res.once("close", () => closed.resolve(ctx.res.writableFinished));
          ctx.body = large;
        },
        patient,
        impatient,
      );
      return { response, finished: closed.promise, queue };
    };
    const crowded = await impatientOnce("south");
    expect(await crowded.finished).toBe(false);
    await expect(buffer(crowded.response)).rejects.toMatchObject({ code: "ECONNRESET" });
    const alone = await impatientOnce("north");
    expect(alone.queue.load()).toEqual({ running: 2, waiting: 1 });
    expect((await buffer(alone.response)).length).toBe(large.length);
    alone.queue.close();
    crowded.queue.close();
  });

  test("counts no time in which the client waits for the server", async () => {
    const more = Promise.withResolvers<void>();
    async function* slow() {
      yield "first";
      await more.promise;
      yield "second";
    }
    const pace = { startMs: 1000, bytesPerSecond: mebibyte };
    const response = await serving((ctx) => void (ctx.body = Readable.from(slow())), pace);
    setTimeout(more.resolve, 1500);
    expect((await buffer(response)).toString()).toBe("firstsecond");
  });

  test("leaves an event stream alone", async () => {
    const stream = new PassThrough();
    const response = await serving(
      (ctx) => {
        ctx.type = "text/event-stream";
        ctx.body = stream;
        stream.write("data: 1\n\n");
      },
      { startMs: 1, bytesPerSecond: mebibyte },
    );
    setTimeout(() => stream.end("data: 2\n\n"), 100);
    expect((await buffer(response)).toString()).toBe("data: 1\n\ndata: 2\n\n");
  });
});
