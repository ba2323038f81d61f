import { randomUUID } from "node:crypto";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { mongoUri } from "../../test/database/mongo-uri.ts";
import { startProxy, type Proxy } from "../../test/database/proxy.ts";
import { json, startServer, type Company, type TestServer, type TestUser } from "../../test/server.ts";

const uri = mongoUri();
const text = { title: "Boiler check", description: "How the boiler is checked", markdown: "Look at it." };
const gone = { code: "busy", message: "The database can't be reached. Try again in a moment." };

describe.skipIf(uri === null)("a server without its MongoDB", { timeout: 60_000 }, () => {
  let proxy: Proxy;
  let server: TestServer;
  let company: Company;
  let editor: TestUser;

  beforeAll(async () => {
    proxy = await startProxy(uri ?? "");
    server = await startServer("mongodb", { mongoUri: proxy.uri });
    company = await server.company();
    editor = await company.user("editor");
  });
  afterEach(() => proxy.restore());
  // the database stays: dropping it waits for the locks of transactions that were cut off
  afterAll(async () => {
    await server.running.stop();
    await proxy.stop();
  });

  const ready = async () => (await server.send({ path: "/readyz" })).status;
  const create = (key: string) =>
    editor.send({
      method: "POST",
      path: "/api/sops",
      headers: { ...json, "idempotency-key": key },
      body: JSON.stringify(text),
    });
  const named = async () => (await server.db.forCompany(company.id).collection("sops").find({})).length;

  test.each([
    ["is cut off", () => proxy.cut()],
    ["stays silent", async () => proxy.silence()],
  ])("answers 503 with a time to wait while it %s, and serves as soon as it is back", async (_, lose) => {
    const { id } = await editor.client.sops.create({ body: text });
    const before = await named();
    const key = randomUUID();
    await lose();
    const requests = [
      editor.send({ path: "/api/sops" }),
      editor.send({
        method: "PUT",
        path: `/api/sops/${id}`,
        headers: json,
        body: JSON.stringify({ ...text, markdown: "Look twice." }),
      }),
      create(key),
      server.signIn("someone"),
      server.send({ path: "/api/events", headers: { cookie: editor.cookie } }),
    ];
    for (const request of requests) {
      const answer = await request;
      expect([answer.status, answer.headers.get("retry-after")]).toEqual([503, "1"]);
      expect(answer.json()).toMatchObject(gone);
    }
    expect(await ready()).toBe(503);
    expect((await server.send({ path: "/healthz" })).status).toBe(200);
    await proxy.restore();
    await vi.waitFor(async () => expect(await ready()).toBe(200), { timeout: 20_000 });
    await editor.client.sops.update({ params: { id }, body: { ...text, markdown: "Look twice." } });
    await vi.waitFor(async () => expect((await create(key)).status).toBe(201), { timeout: 20_000 });
    expect((await create(key)).headers.get("idempotency-replayed")).toBe("true");
    expect(await named()).toBe(before + 1);
  });

  test("stops cleanly while it is away", async () => {
    await proxy.cut();
    await vi.waitFor(async () => expect(await ready()).toBe(503), { timeout: 20_000 });
    await server.running.stop();
    await proxy.restore();
    await server.restart();
    expect(await ready()).toBe(200);
  });
});
