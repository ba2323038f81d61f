/** Strangers with several free companies send and read slowly from one network. Others work meanwhile. */
import { request, type ClientRequest } from "node:http";
import { connect } from "node:net";
import { expect, test } from "vitest";
import { limits } from "#core/limits.ts";
import { resources } from "../../server/capacity/resources.ts";
import { pngHead } from "../images.ts";
import { describeServer, json, type TestUser } from "../server.ts";

const longText = `# Long\n\n${"A long line of text. ".repeat(5_000)}\n`;

describeServer(
  "strangers with slow bodies and answers",
  (server) => {
    /** Sends the head of a body and then nothing, until `end`. */
    const hold = (user: Pick<TestUser, "cookie">, path: string, type: string, from: string): ClientRequest => {
      const { hostname, port, origin } = new URL(server().url);
      const headers = {
        cookie: user.cookie,
        origin,
        "content-type": type,
        "content-length": "3000000",
        "x-forwarded-for": from,
      };
      const outgoing = request({ host: hostname, port, method: "POST", path, headers });
      outgoing.on("error", () => undefined);
      outgoing.write("{".padEnd(70_000));
      return outgoing;
    };
    const loadOf = (name: "bodies" | "imports") => server().running.services.shares[name].load();
    const settled = async (name: "bodies" | "imports", count: number) => {
      await expect.poll(() => loadOf(name).running + loadOf(name).waiting, { timeout: 10_000 }).toBe(count);
    };

    test.each([
      ["imports", "/api/sops/import/convert?name=a.zip", "application/zip"],
      ["imports", "/api/sops/import", "application/json"],
      ["bodies", "/api/sops", "application/json"],
    ] as const)("leave places of %s to others", async (name, path, type) => {
      const { companyAtOnce, atOnce } = resources[name];
      const old = await (await server().company()).user("manager");
      server().clock.advance(8 * 24 * 3_600_000);
      const strangers: TestUser[] = [];
      for (let n = 0; n < 4; n++) strangers.push(await (await server().company()).user("manager"));
      const held: ClientRequest[] = [];
      const start = loadOf(name);
      expect(start).toEqual({ running: 0, waiting: 0 });
      // enough for every place, if each company had a share of its own
      for (let n = 0; n < atOnce; n++) held.push(hold(strangers[n % 4] ?? old, path, type, "203.0.113.9"));
      try {
        await expect.poll(() => loadOf(name).running, { timeout: 10_000 }).toBeGreaterThan(0);
        await settled(name, loadOf(name).running + loadOf(name).waiting);
        expect(loadOf(name).running).toBeLessThanOrEqual(companyAtOnce);
        const body = JSON.stringify({ title: "Others save", description: "D", markdown: longText });
        const headers = { ...json, "x-forwarded-for": "198.51.100.4" };
        expect((await old.send({ method: "POST", path: "/api/sops", headers, body })).status).toBe(201);
        const importId = "01a227bc-b198-7647-94a0-82cf908e2203";
        const documents = [{ path: "a.md", sha256: "0".repeat(64), text: longText }];
        const imported = await old.send({
          method: "POST",
          path: "/api/sops/import",
          headers,
          body: JSON.stringify({ importId, documents }),
        });
        expect(imported.status).toBe(200);
      } finally {
        for (const one of held) one.destroy();
      }
      await settled(name, 0);
    });

    test("leave places to read large files to others", async () => {
      const { companyAtOnce, userAtOnce } = resources.files;
      const { shares } = server().running.services;
      // buffers of the kernel hold 4 MiB of an answer that its client doesn't read
      const image = Buffer.alloc(limits.asset, "sopwright");
      image.set(pngHead(30, 30));
      const stored = async (user: TestUser) => {
        const headers = { "content-type": "image/png" };
        const { url } = (await user.send({ method: "POST", path: "/api/assets", headers, body: image })).json() as {
          url: string;
        };
        return url;
      };
      const old = await (await server().company()).user("manager");
      const path = await stored(old);
      server().clock.advance(8 * 24 * 3_600_000);
      const { hostname, port } = new URL(server().url);
      // The server closes an answer that its client doesn't read, so all strangers exist before the first one asks.
      const requests: string[] = [];
      for (let n = 0; n < 4; n++) {
        const stranger = await (await server().company()).user("manager");
        const own = await stored(stranger);
        requests.push(
          `GET ${own} HTTP/1.1\r\nHost: ${hostname}\r\nCookie: ${stranger.cookie}\r\nX-Forwarded-For: 203.0.113.9\r\n\r\n`,
        );
      }
      const held = requests.flatMap((request) =>
        Array.from({ length: userAtOnce }, () => {
          const socket = connect(Number(port), hostname);
          socket.on("error", () => undefined);
          socket.pause();
          socket.write(request);
          return socket;
        }),
      );
      try {
        const { load } = shares.files;
        await expect.poll(() => load().running + load().waiting, { timeout: 20_000 }).toBe(held.length);
        expect(load().running).toBeLessThanOrEqual(companyAtOnce);
        expect((await old.send({ path, headers: { "x-forwarded-for": "198.51.100.4" } })).status).toBe(200);
      } finally {
        for (const one of held) one.destroy();
      }
      await expect.poll(() => shares.files.load(), { timeout: 20_000 }).toEqual({ running: 0, waiting: 0 });
    });
  },
  { env: { TRUSTED_PROXIES: "1", REGISTRATION: "open" } },
);
