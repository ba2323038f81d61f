/**
 * Ended access stays ended: for sessions that race with their sign-out, and for users suspended while they send
 * requests.
 */
import { setTimeout as delay } from "node:timers/promises";
import { expect, test } from "vitest";
import { count, recordFigure } from "./proof.ts";
import { describeServer, json, startServer, type Company, type TestServer, type TestUser } from "./server.ts";
import { mongoUri } from "./database/mongo-uri.ts";

const ask = (server: TestServer, cookie: string, path = "/api/auth/me") => server.send({ path, headers: { cookie } });

function suspend(admin: TestUser, user: TestUser) {
  return admin.client.companyUsers.update({ params: { id: user.id }, body: { status: "suspended" } });
}

/** Sends requests without a pause until stopped. @returns when each served request began */
async function hammer(server: TestServer, user: TestUser, isOver: () => boolean): Promise<number[]> {
  const served: number[] = [];
  while (!isOver()) {
    const began = performance.now();
    if ((await ask(server, user.cookie, "/api/sops")).status === 200) served.push(began);
  }
  return served;
}

/**
 * Suspends a user while three others send requests. @returns served requests that began later than `graceMs` after the
 * answer
 */
async function servedAfter(company: Company, admin: TestUser, server: TestServer, graceMs: number): Promise<number> {
  const user = await company.user("editor");
  let over = false;
  const running = Promise.all([1, 2, 3].map(() => hammer(server, user, () => over)));
  await delay(30);
  await suspend(admin, user);
  const answered = performance.now();
  await delay(graceMs + 100);
  over = true;
  return (await running).flat().filter((began) => began > answered + graceMs).length;
}

describeServer("ended access", (server, engine) => {
  const rounds = count({ usual: 25, proof: 1000 });

  test(`no session comes back that was signed out while requests were in flight, ${rounds} times`, async () => {
    const company = await server().company();
    let resurrected = 0;
    for (let round = 0; round < rounds; round++) {
      const { cookie, id } = await company.user("editor");
      // every request now writes "last seen"
      server().clock.advance(61_000);
      const slow = [1, 2, 3, 4].map(() => ask(server(), cookie, "/api/sops?total=true"));
      const out = server().send({ method: "POST", path: "/api/auth/logout", headers: { ...json, cookie }, body: "{}" });
      await Promise.all([...slow, out]);
      const after = await ask(server(), cookie);
      const stored = await server().db.collection("sessions").countDocuments({ userId: id });
      if (after.status !== 401 || stored > 0) resurrected++;
    }
    recordFigure({ name: `logout.races.${engine}`, value: rounds, unit: "races", goal: ">= 1000" });
    recordFigure({ name: `logout.resurrected.${engine}`, value: resurrected, unit: "sessions", goal: "= 0" });
    expect(resurrected).toBe(0);
  }, 600_000);

  const suspensions = count({ usual: 3, proof: 50 });

  test("once a suspension is answered, this server serves nothing more", async () => {
    const company = await server().company();
    const admin = await company.user("company_admin");
    let served = 0;
    for (let round = 0; round < suspensions; round++) served += await servedAfter(company, admin, server(), 0);
    recordFigure({ name: `suspension.served.${engine}`, value: served, unit: "requests", goal: "= 0" });
    expect(served).toBe(0);
  }, 600_000);

  test("nor for any user of a suspended company", async () => {
    const [company, root] = [await server().company(), await (await server().company()).user("system_admin")];
    const user = await company.user("editor");
    expect((await ask(server(), user.cookie)).status).toBe(200);
    await root.client.companies.update({ params: { id: company.id }, body: { status: "suspended" } });
    expect((await ask(server(), user.cookie)).status).toBe(401);
    expect((await server().signIn(user.username)).status).toBe(401);
    await root.client.companies.update({ params: { id: company.id }, body: { status: "active" } });
    expect((await server().signIn(user.username)).status).toBe(200);
  });

  test.skipIf(engine === "sqlite" || mongoUri() === null)(
    "another server on the same database serves nothing a second later",
    async () => {
      const second = await startServer(engine, { beside: server() });
      try {
        const company = await server().company();
        const admin = await company.user("company_admin");
        let served = 0;
        for (let round = 0; round < count({ usual: 1, proof: 20 }); round++) {
          served += await servedAfter(company, admin, second, 1000);
        }
        recordFigure({ name: "suspension.served.other-server", value: served, unit: "requests", goal: "= 0" });
        expect(served).toBe(0);

        const root = await company.user("system_admin");
        const theirs = await server().company();
        const stranger = await theirs.user("viewer");
        expect((await ask(second, stranger.cookie)).status).toBe(200);
        await root.client.companies.update({ params: { id: theirs.id }, body: { status: "suspended" } });
        await expect.poll(async () => (await ask(second, stranger.cookie)).status).toBe(401);
      } finally {
        await second.stop();
      }
    },
    600_000,
  );
});
