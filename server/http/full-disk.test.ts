/** Reading goes on while nothing can be written: signing in, and everything behind it. */
import { expect, test, vi } from "vitest";
import type { Route } from "#core/contract/route.ts";
import { routes } from "#core/api/routes.ts";
import { withFullDisk } from "../../test/full-disk.ts";
import { cookieOf, describeServer, json, password, type TestUser } from "../../test/server.ts";

const disk = { full: false };

describeServer(
  "a full disk",
  (server) => {
    const people = async () => {
      const company = await server().company();
      return { author: await company.user("manager"), reader: await company.user("company_admin") };
    };
    const whileFull = async (work: () => Promise<void>) => {
      disk.full = true;
      await work().finally(() => (disk.full = false));
    };
    const spaceAgain = async () => {
      await server().running.services.postponed.flush();
      await server().running.services.sessions.flush();
    };
    const signedIn = async (user: TestUser) => {
      const answer = await server().signIn(user.username);
      expect([answer.status, answer.body]).toEqual([200, expect.stringContaining(user.id)]);
      return cookieOf(answer);
    };
    const statusOf = async (cookie: string, path = "/api/auth/me") =>
      (await server().send({ path, headers: { cookie } })).status;
    const auditsOf = async (user: TestUser, action: string) =>
      server().db.collection("audit_logs").countDocuments({ userId: user.id, action });

    test("lets people sign in, read, search and sign out; the log is complete once there is space", async () => {
      const { author, reader } = await people();
      const { id } = await author.client.sops.create({
        body: { title: "Gasket", description: "D", markdown: "Torque." },
      });
      await author.client.sops.publish({ params: { id }, body: {} });
      await reader.client.search.find({ query: { q: "gasket" } });
      let kept = "";
      await whileFull(async () => {
        const cookie = await signedIn(reader);
        for (const path of ["/api/sops", `/api/sops/${id}`, "/api/search?q=gasket", "/api/sops?recent=all"]) {
          expect([path, await statusOf(cookie, path)]).toEqual([path, 200]);
        }
        const refused = await server().send({
          method: "POST",
          path: "/api/sops",
          headers: { ...json, cookie },
          body: JSON.stringify({ title: "New", description: "D", markdown: "M" }),
        });
        expect([refused.status, (refused.json() as { code: string }).code]).toEqual([507, "storage_full"]);
        kept = await signedIn(reader);
        const out = await server().send({ method: "POST", path: "/api/auth/logout", headers: { ...json, cookie } });
        expect(out.status).toBe(200);
        expect([await statusOf(cookie), await statusOf(kept)]).toEqual([401, 200]);
        expect(await auditsOf(reader, "account.sign_in")).toBe(0);
      });
      await spaceAgain();
      expect(await auditsOf(reader, "account.sign_in")).toBe(2);
      expect(await auditsOf(reader, "account.sign_out")).toBe(1);
      expect(await statusOf(kept)).toBe(200);
      await server().restart();
      expect(await statusOf(kept)).toBe(200);
    });

    test("answers every read-only route as with space", async () => {
      const { author, reader } = await people();
      const { id } = await author.client.sops.create({ body: { title: "Nut", description: "D", markdown: "M" } });
      const gets = Object.values(routes).flatMap((group) =>
        Object.values<Route>(group).filter(({ method, path }) => method === "GET" && path !== "/api/events"),
      );
      const paths = gets.map(({ path }) => path.replace(/:version\b/, "1").replaceAll(/:\w+/g, id));
      const answers = async () => {
        const statuses: [string, number][] = [];
        for (const path of new Set(paths)) statuses.push([path, await statusOf(reader.cookie, path)]);
        return statuses;
      };
      const before = await answers();
      expect(before.filter(([, status]) => status === 200).length).toBeGreaterThan(25);
      await whileFull(async () => expect(await answers()).toEqual(before));
    });

    test("keeps a signed-out session ended, also when there is space again", async () => {
      const { reader } = await people();
      const cookie = await signedIn(reader);
      await whileFull(async () => {
        await server().send({ method: "POST", path: "/api/auth/logout", headers: { ...json, cookie } });
        expect(await statusOf(cookie)).toBe(401);
      });
      expect(await statusOf(cookie)).toBe(401);
      await spaceAgain();
      expect(await statusOf(cookie)).toBe(401);
      await server().restart();
      expect(await statusOf(cookie)).toBe(401);
    });

    test("ends a session held in memory with the user's password, and with all others", async () => {
      const { reader } = await people();
      let [one, two] = ["", ""];
      await whileFull(async () => {
        one = await signedIn(reader);
        two = await signedIn(reader);
        const others = { method: "POST", path: "/api/sessions/end-others", headers: { ...json, cookie: one } };
        expect((await server().send(others)).status).toBe(507);
        expect([await statusOf(one), await statusOf(two)]).toEqual([200, 401]);
      });
      await server()
        .db.collection("users")
        .updateOne({ _id: reader.id }, { $inc: { sessionVersion: 1 } });
      expect(await statusOf(one)).toBe(401);
    });

    test("gives no extra attempts at a password", async () => {
      const { reader } = await people();
      const wrong = async () => (await server().signIn(reader.username, "not the password")).status;
      expect([await wrong(), await wrong(), await wrong()]).toEqual([401, 401, 401]);
      await whileFull(async () => {
        expect([await wrong(), await wrong(), await wrong()]).toEqual([401, 401, 429]);
        expect((await server().signIn(reader.username, password)).status).toBe(429);
      });
      expect((await server().signIn(reader.username, password)).status).toBe(429);
      await spaceAgain();
      expect(await auditsOf(reader, "account.sign_in_failed")).toBe(5);
    });

    test("records openings and refusals afterwards, and keeps an event stream open", async () => {
      const { author, reader } = await people();
      const { id } = await author.client.sops.create({ body: { title: "Seal", description: "D", markdown: "M" } });
      await author.client.sops.publish({ params: { id }, body: {} });
      const before = (await author.client.sops.get({ params: { id } })).views;
      const heard: string[] = [];
      const stop = new AbortController();
      await whileFull(async () => {
        const cookie = await signedIn(reader);
        void fetch(`${server().url}/api/events`, { headers: { cookie }, signal: stop.signal })
          .then(async ({ body }) => {
            for await (const chunk of body ?? []) heard.push(Buffer.from(chunk).toString());
          })
          .catch(() => undefined);
        await vi.waitFor(() => expect(heard.join("")).toContain("connected"), 20_000);
        expect(await statusOf(cookie, `/api/sops/${id}`)).toBe(200);
      });
      await author.client.sops.update({ params: { id }, body: { markdown: "Again" } });
      await vi.waitFor(() => expect(heard.join("")).toContain(id), 30_000);
      stop.abort();
      await vi.waitFor(
        async () => expect((await author.client.sops.get({ params: { id } })).views).toBeGreaterThan(before),
        {
          timeout: 30_000,
        },
      );
    });
  },
  { wrap: (db) => withFullDisk(db, disk) },
);
