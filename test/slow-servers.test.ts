/** Two slow servers behind the HAProxy of `deploy/`: what slows all at once takes none out. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, request, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { have, read, run, type Program } from "./deploy-files.ts";
import { freePort } from "./free-port.ts";
import { exchange } from "./http.ts";

describe.skipIf(!have("haproxy") && process.env["CI"] !== "true")("slow servers behind haproxy.cfg", () => {
  const folder = mkdtempSync(path.join(tmpdir(), "sopwright-slow-"));
  const servers: Server[] = [];
  let proxy: Program | undefined;
  let url: string;
  /** How long each server takes to say that it is ready; null for ever. */
  let readyMs: number | null = 0;
  let looks = 0;
  /** The name of a server that takes requests and answers none. */
  let stalled = "";

  beforeAll(async () => {
    for (const name of ["1", "2"]) {
      const server = createServer((incoming, answer) => {
        if (stalled === name) return;
        if (incoming.url === "/api/events") return void answer.writeHead(200).write("data: 1\n\n");
        if (incoming.url !== "/readyz") return void answer.end(name);
        looks += 1;
        if (readyMs !== null) setTimeout(() => answer.end("{}"), readyMs);
      });
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
      servers.push(server);
    }
    const port = await freePort();
    url = `http://127.0.0.1:${port}`;
    const ports = servers.map((server) => String((server.address() as AddressInfo).port));
    const config = read("haproxy.cfg")
      .replace("bind :8080", `bind 127.0.0.1:${port}`)
      .replaceAll(/server-(\d):3000/g, (_, n: string) => `127.0.0.1:${ports[Number(n) - 1]}`);
    writeFileSync(path.join(folder, "haproxy.cfg"), config);
    proxy = run("haproxy", ["-f", path.join(folder, "haproxy.cfg")]);
    await vi.waitFor(async () => expect(await ask(0)).toEqual([200, expect.any(String)]), { timeout: 30_000 });
  });
  afterAll(async () => {
    await proxy?.stop();
    for (const server of servers) {
      server.closeAllConnections();
      server.close();
    }
    rmSync(folder, { recursive: true });
  });

  const ask = async (session: number): Promise<[number, string]> => {
    const { status, body } = await exchange(url, { path: "/api/sops", headers: { cookie: `sid=${session}` } });
    return [status, body];
  };

  /** Sessions ask until the balancer has looked often enough. @returns what they got that isn't an answer of a server */
  async function failuresUntil(isOver: () => boolean): Promise<string[]> {
    const failures: string[] = [];
    for (let n = 0; !isOver(); n += 1) {
      const [status, body] = await ask(n % 8);
      if (status !== 200) failures.push(`${status} ${body}`);
      await delay(50);
    }
    return failures;
  }

  test("both that answer /readyz after 1.5 s get requests, and their streams go on", { timeout: 60_000 }, async () => {
    let isCut = false;
    const stream = request(`${url}/api/events`, (answer) => void answer.resume().once("close", () => (isCut = true)));
    stream.on("error", () => (isCut = true)).end();
    readyMs = 1_500;
    looks = 0;
    expect(await failuresUntil(() => looks >= 10)).toEqual([]);
    expect(isCut).toBe(false);
    stream.destroy();
  });

  test("one that stalls is cut, and the other one gets all requests", { timeout: 60_000 }, async () => {
    readyMs = 0;
    const ends = new Map<string, Promise<void>>();
    for (let session = 0; ends.size < 2; session += 1) {
      const [, name] = await ask(session);
      const headers = { cookie: `sid=${session}` };
      const opened = Promise.withResolvers<void>();
      const ended = new Promise<void>((resolve) => {
        request(`${url}/api/events`, { headers }, (answer) => {
          opened.resolve();
          answer
            .resume()
            .on("error", () => undefined)
            .once("close", resolve);
        }).end();
      });
      await opened.promise;
      ends.set(name, ended);
    }
    stalled = "1";
    await ends.get("1");
    looks = 0;
    expect(await failuresUntil(() => looks >= 5)).toEqual([]);
    expect(await Promise.race([ends.get("2"), delay(0, "open")])).toBe("open");
    stalled = "";
    await vi.waitFor(
      async () =>
        expect(new Set((await Promise.all([0, 1, 2, 3, 4, 5, 6, 7].map(ask))).map(([, name]) => name)).size).toBe(2),
      { timeout: 30_000 },
    );
  });

  test("both that don't answer /readyz get requests still: there are no others", { timeout: 60_000 }, async () => {
    readyMs = null;
    looks = 0;
    expect(await failuresUntil(() => looks >= 10)).toEqual([]);
  });
});
