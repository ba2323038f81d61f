/** While the database stores nothing: reading goes on, and each row of the contract that writes answers 507. */
import { expect, test, vi } from "vitest";
import type { Route } from "#core/contract/route.ts";
import { routes } from "#core/api/routes.ts";
import { withFullDisk } from "../../test/full-disk.ts";
import { describeServer, json, type TestUser } from "../../test/server.ts";

const disk = { full: false };

/** An export leaves an entry in the audit log first, and a try of a link is counted. */
const recorded = [
  "/api/auth/invitation",
  "/api/auth/validate-reset-token",
  "/api/sops/:id/export",
  "/api/acknowledgements/overview/export",
  "/api/sops/:id/acknowledgements/export",
  "/api/company/audit/export",
];

describeServer(
  "a full disk",
  (server) => {
    const rows = () => Object.values(routes).flatMap((group) => Object.values<Route>(group));
    const pathOf = ({ path }: Route, id: string) => path.replace(/:version\b/, "1").replaceAll(/:\w+/g, id);
    const whileFull = async (work: () => Promise<void>) => {
      disk.full = true;
      await work().finally(() => (disk.full = false));
    };
    const space = () => server().running.services.space;
    const switched = (what: "isFull" | "isUsedUp") => vi.spyOn(space(), what).mockReturnValue(true);
    const spaceAgain = () => expect.poll(() => space().isFull(), { timeout: 20_000, interval: 100 }).toBe(false);
    const call = (user: TestUser, { method, path }: Route, body: unknown = {}) =>
      user.send({ method, path, headers: json, body: JSON.stringify(body) });

    test("answers every read-only route as with space, except those that are recorded or counted", async () => {
      const made = await server().company();
      const [author, reader] = [await made.user("manager"), await made.user("company_admin")];
      const { id } = await author.client.sops.create({ body: { title: "Nut", description: "D", markdown: "M" } });
      const gets = rows().filter(({ method, path }) => method === "GET" && path !== "/api/events");
      const paths = [...new Set(gets.map((route) => pathOf(route, id))), "/api/sops?recent=all", "/api/search?q=nut"];
      const answers = async () => {
        const statuses: [string, number][] = [];
        for (const path of paths) statuses.push([path, (await reader.send({ path })).status]);
        return statuses;
      };
      const before = await answers();
      expect(before.filter(([, status]) => status === 200).length).toBeGreaterThan(25);
      await whileFull(async () => {
        const now = await answers();
        expect(now.filter((_, at) => now[at]?.[1] !== before[at]?.[1])).toEqual(
          recorded.map((path) => [path.replace(":id", id), 507]),
        );
      });
    });

    test("refuses each row that writes content, before anything else of the request is looked at", async () => {
      const user = await (await server().company()).user("company_admin");
      const writing = rows().filter(({ method, access, whileFull: goesOn }) => {
        return method !== "GET" && access !== "companies.manage" && goesOn === undefined;
      });
      expect(writing.length).toBeGreaterThan(60);
      const isFull = switched("isFull");
      for (const route of writing) {
        const { status } = await call(user, { ...route, path: pathOf(route, "none") as Route["path"] }, "no such body");
        expect([route.path, status]).toEqual([route.path, 507]);
      }
      const going = rows().filter(({ whileFull: goesOn }) => goesOn === "always");
      expect(going.map(({ path }) => path).sort()).toEqual([
        "/api/assistant/improve",
        "/api/auth/logout",
        "/api/sessions/:id",
        "/api/sessions/end-others",
        "/api/sops/check",
        "/api/sops/preview",
      ]);
      for (const route of going) {
        const { status } = await call(user, { ...route, path: pathOf(route, "none") as Route["path"] });
        expect([route.path, status]).not.toEqual([route.path, 507]);
      }
      isFull.mockRestore();
    });

    test("is known after the first write that finds no space, until there is some", async () => {
      const user = await (await server().company()).user("manager");
      const body = { title: "Nut", description: "D", markdown: "M" };
      await spaceAgain();
      await whileFull(async () => {
        expect((await call(user, routes.sops.create, body)).status).toBe(507);
        expect(space().isFull()).toBe(true);
      });
      await spaceAgain();
      expect((await call(user, routes.sops.create, body)).status).toBe(201);
    });

    test("checks no password that can't be counted", async () => {
      const user = await (await server().company()).user("manager");
      const verify = vi.spyOn(server().running.services.passwords, "verify");
      const isUsedUp = switched("isUsedUp");
      expect((await server().signIn(user.username)).status).toBe(507);
      const proof = { method: "password", currentPassword: "not the password" };
      expect((await call(user, routes.account.prove, proof)).status).toBe(507);
      expect(verify).not.toHaveBeenCalled();
      isUsedUp.mockRestore();
      expect((await server().signIn(user.username)).status).toBe(200);
      expect(verify).toHaveBeenCalledOnce();
      verify.mockRestore();
    });

    test("takes no push, before it is sent", async () => {
      const made = await server().company();
      const user = await made.user("manager");
      const { token } = await user.client.tokens.create({ body: { name: "git", scopes: ["repo:read", "repo:push"] } });
      const slug = (await server().db.collection("companies").findOne({ _id: made.id }))?.slug;
      const authorization = `Basic ${Buffer.from(`git:${token}`).toString("base64")}`;
      const ask = async () => {
        const path = `/git/${slug}.git/info/refs?service=git-receive-pack`;
        return (await server().send({ path, headers: { authorization } })).status;
      };
      expect(await ask()).not.toBe(507);
      const isFull = switched("isFull");
      expect(await ask()).toBe(507);
      isFull.mockRestore();
    });
  },
  { wrap: (db) => withFullDisk(db, disk) },
);
