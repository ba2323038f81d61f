/** A server that stalls behind the Envoy of `deploy/`: each of its requests ends, and a GET gets its answer elsewhere. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, request, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { envoy, read, run, type Program } from "./deploy-files.ts";
import { freePort } from "./free-port.ts";
import { exchange } from "./http.ts";

const folder = mkdtempSync(path.join(tmpdir(), "sopwright-stalled-"));
const servers: Server[] = [];
const open = new Set<ServerResponse>();
const got: string[] = [];
let proxy: Program | undefined;
let url: string;
/** The name of a server that takes requests and answers none. */
let stalled = "";

beforeAll(async () => {
  for (const name of ["1", "2"]) {
    const server = createServer((incoming, answer) => {
      if (incoming.url !== "/readyz") got.push(`${name} ${incoming.method} ${incoming.url}`);
      if (stalled === name || incoming.url?.includes("/slow/")) return;
      if (incoming.url !== "/api/events") return void answer.end(name);
      answer.writeHead(200).write(": beat\n\n");
      const beat = setInterval(() => stalled !== name && answer.write(": beat\n\n"), 200);
      open.add(answer.once("close", () => clearInterval(beat)));
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    servers.push(server);
  }
  const port = await freePort();
  url = `http://127.0.0.1:${port}`;
  const ports = servers.map((server) => (server.address() as AddressInfo).port);
  const config = read("envoy.yaml")
    .replace("address: 0.0.0.0, port_value: 8080", `address: 127.0.0.1, port_value: ${port}`)
    .replaceAll(/server-(\d), port_value: 3000/g, (_, n: string) => `127.0.0.1, port_value: ${ports[Number(n) - 1]}`)
    // the same in little time
    .replace("stream_idle_timeout: 180s", "stream_idle_timeout: 4s")
    .replace("per_try_timeout: 5s", "per_try_timeout: 1s");
  writeFileSync(path.join(folder, "envoy.yaml"), config);
  await envoy.install();
  const options = ["--disable-hot-restart", "--concurrency", "1", "--log-level", "error"];
  proxy = run(path.join(envoy.bin, "envoy"), ["-c", path.join(folder, "envoy.yaml"), ...options]);
  await vi.waitFor(async () => expect((await send("/", 0)).status).toBe(200), { timeout: 60_000 });
}, 240_000);

afterAll(async () => {
  await proxy?.stop();
  for (const server of servers) {
    server.closeAllConnections();
    server.close();
  }
  rmSync(folder, { recursive: true });
});

const send = (address: string, session: number, method = "GET") =>
  exchange(url, { path: address, method, headers: { cookie: `sid=${session}` } });

/** @returns a session that belongs to this server */
async function sessionOf(name: string): Promise<number> {
  for (let session = 0; ; session += 1) if ((await send("/", session)).body === name) return session;
}

function openEvents(session: number): Promise<{ ended: Promise<"ended"> }> {
  return new Promise((resolve, reject) => {
    request(`${url}/api/events`, { headers: { cookie: `sid=${session}` } }, (answer) => {
      answer.resume().on("error", () => undefined);
      resolve({ ended: new Promise((end) => answer.once("close", () => end("ended"))) });
    })
      .on("error", reject)
      .end();
  });
}

test("ends what the stalled server had, and sends each GET elsewhere", { timeout: 60_000 }, async () => {
  const [first, second] = [await sessionOf("1"), await sessionOf("2")];
  const [own, others] = [await openEvents(first), await openEvents(second)];
  stalled = "1";
  const [read, saved] = await Promise.all([send("/api/sops", first), send("/api/sops", first, "POST")]);
  expect([read.status, read.body]).toEqual([200, "2"]);
  expect(saved.status).toBe(504);
  expect(await own.ended).toBe("ended");
  expect(got.filter((one) => one.includes("POST"))).toEqual(["1 POST /api/sops"]);
  expect(await Promise.race([others.ended, Promise.resolve("open")])).toBe("open");
  stalled = "";
  for (const answer of open) answer.destroy();
});

test("sends a GET that takes long twice, and an export once", { timeout: 60_000 }, async () => {
  const times = (address: string) => got.filter((one) => one.endsWith(address)).length;
  const slow = ["/slow/api/sops/1", "/api/slow/1/export?format=pdf"];
  const statuses = await Promise.all(slow.map(async (address) => (await send(address, 0)).status));
  expect(statuses).toEqual([504, 504]);
  expect(slow.map(times)).toEqual([2, 1]);
});
