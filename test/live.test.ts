/** Listening browsers get an approval at once, on this server and on another one of the same database. */
import { request, type ClientRequest } from "node:http";
import { afterEach, expect, test } from "vitest";
import { recordTimes } from "./live.ts";
import { count } from "./proof.ts";
import { describeServer, startServer, type TestServer, type TestUser } from "./server.ts";
import { mongoUri } from "./database/mongo-uri.ts";

const open = new Set<ClientRequest>();
afterEach(() => {
  for (const one of open) one.destroy();
  open.clear();
});

/** Resolves once connected. @returns a promise of the next event about this resource */
function listen(server: TestServer, user: TestUser): Promise<(resource: string) => Promise<void>> {
  const waiting = new Set<{ resource: string; heard(): void }>();
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(server.url);
    const asked = request({ host: hostname, port, path: "/api/events", headers: { cookie: user.cookie } }, (answer) => {
      answer.on("error", () => undefined);
      answer.on("data", (chunk: Buffer) => {
        const text = chunk.toString();
        if (text.startsWith(": connected")) resolve(next);
        for (const one of waiting) if (text.includes(`"${one.resource}"`)) one.heard();
      });
    });
    const next = (resource: string) =>
      new Promise<void>((heard) => {
        const one = { resource, heard: () => (waiting.delete(one), heard()) };
        waiting.add(one);
      });
    open.add(asked);
    asked.on("error", reject);
    asked.end();
  });
}

describeServer("live", (server, engine) => {
  const rounds = count({ usual: 3, proof: 30 });

  /** ms from sending the approval until the author's stream at `listensAt` reports it. */
  async function timesTo(listensAt: TestServer): Promise<number[]> {
    const company = await server().company();
    const [author, approver] = [await company.user("editor"), await company.user("manager")];
    const next = await listen(listensAt, author);
    const times: number[] = [];
    for (let round = 0; round < rounds; round++) {
      const { id } = await author.client.sops.create({ body: { title: "T", description: "D", markdown: "M" } });
      const told = next("approvals");
      const asked = await author.client.sops.requestApproval({ params: { id }, body: { approverIds: [approver.id] } });
      await told;
      const [decided, noticed] = [next("approvals"), next("notifications")];
      const began = performance.now();
      const answered = approver.client.approvals.approve({ params: { id: asked.id }, body: {} });
      await decided;
      times.push(performance.now() - began);
      await Promise.all([noticed, answered]);
      expect((await author.client.sops.get({ params: { id } })).status).toBe("published");
    }
    expect((await author.client.notifications.count()).unread).toBe(rounds);
    return times;
  }

  test(`an approval reaches another session, ${rounds} times`, async () => {
    recordTimes(`live.approve.event.${engine}`, await timesTo(server()), "p95 <= 1000");
  }, 300_000);

  test.skipIf(engine === "sqlite" || mongoUri() === null)(
    `and one at another server, ${rounds} times`,
    async () => {
      const second = await startServer(engine, { beside: server() });
      try {
        recordTimes("live.approve.event.other-server", await timesTo(second), "p95 <= 1000");
      } finally {
        await second.stop();
      }
    },
    300_000,
  );
});
