/** Every request counts: of each route, from users and strangers, answered or refused. */
import { expect, test } from "vitest";
import { pathOf, rows } from "../../test/contract-rows.ts";
import type { Exchange } from "../../test/http.ts";
import { describeServer } from "../../test/server.ts";
import { requestRate } from "../capacity/resources.ts";

const points = 60;
const shareOfAddress = points * requestRate.addressFactor;

/** Everything that requests can name: the routes, and what is answered beside them. */
const targets: readonly [name: string, Exchange][] = [
  ...rows.map((row): [string, Exchange] => [row.name, { method: row.route.method, path: pathOf(row) }]),
  ["OpenAPI", { path: "/api/openapi.json" }],
  ["a head", { method: "HEAD", path: "/api/categories" }],
  ["an unknown call", { path: "/api/nothing" }],
  ["an unknown method", { method: "PATCH", path: "/api/sops" }],
  ["an unknown write", { method: "POST", path: "/nothing" }],
  ["a path in another case", { path: "/API/categories" }],
  ...["/git/x", "/mcp", "/scim/v2/Users", "/.well-known/x", "/cli/x", "/metrics", "/missing.png"].map(
    (path): [string, Exchange] => [path, { path }],
  ),
];

const costOf = ({ method = "GET" }: Exchange) =>
  method === "GET" || method === "HEAD" ? requestRate.read : requestRate.write;

describeServer(
  "the request rate",
  (server) => {
    let addresses = 0;
    const newAddress = () => `2001:db8:${(++addresses).toString(16)}::1`;
    const from = (address: string, headers: Record<string, string> = {}) => ({
      "x-forwarded-for": address,
      ...headers,
    });
    const token = { authorization: "Bearer sop_pat_unknown" };

    /** Requests that are answered before the first that is refused for their number. */
    async function answered(request: Exchange, headers: Record<string, string>): Promise<number> {
      for (let sent = 0; sent <= shareOfAddress; sent += 1) {
        if ((await server().send({ ...request, headers })).status === 429) return sent;
      }
      return Number.POSITIVE_INFINITY;
    }

    test("counts every route and path for the address of a stranger, once each", async () => {
      const waiting = [...targets];
      while (waiting.length > 0) {
        const address = newAddress();
        let left = shareOfAddress;
        const sent: string[] = [];
        for (let next = waiting[0]; next && costOf(next[1]) <= left; next = waiting[0]) {
          const [name, request] = next;
          expect([name, (await server().send({ ...request, headers: from(address) })).status]).not.toEqual([name, 429]);
          left -= costOf(request);
          sent.push(name);
          waiting.shift();
        }
        expect([sent, await answered({ path: "/api/nothing" }, from(address))]).toEqual([sent, left]);
      }
    });

    test("counts every route and path for the address of an unknown token or session", async () => {
      for (const shown of [token, { cookie: `sid=${"x".repeat(43)}` }]) {
        const address = newAddress();
        expect(await answered({ path: "/api/auth/me" }, from(address, shown))).toBe(shareOfAddress);
        for (const [name, request] of targets) {
          const { status } = await server().send({ ...request, headers: from(address, shown) });
          expect([name, status]).toEqual([name, 429]);
        }
      }
    });

    test("counts forbidden requests for the user, on every route and path", async () => {
      const company = await server().company();
      const [busy, other] = [await company.user("viewer"), await company.user("viewer")];
      const address = newAddress();
      const send = (user: typeof busy, request: Exchange) => user.send({ ...request, headers: from(address) });
      for (let sent = 0; sent < points; sent += 1) {
        expect((await send(busy, { path: "/api/admin/companies" })).status).toBe(403);
      }
      for (const [name, request] of targets) {
        const { status, headers } = await send(busy, request);
        expect([name, status, Number(headers.get("retry-after")) > 0]).toEqual([name, 429, true]);
      }
      expect((await send(busy, { path: "/api/categories" })).json()).toMatchObject({
        code: "rate_limited",
        message: "Too many requests",
      });
      expect((await send(other, { path: "/api/categories" })).status).toBe(200);
    });

    test("counts an unknown path, a wrong method and a request from another site for the user", async () => {
      const company = await server().company();
      for (const [request, status] of [
        [{ path: "/api/nothing" }, 404],
        [{ method: "DELETE", path: "/api/auth/me" }, 405],
        [{ method: "POST", path: "/api/sops", headers: { "sec-fetch-site": "cross-site" } }, 403],
      ] as const) {
        const user = await company.user("manager");
        const statuses: number[] = [];
        for (let sent = 0; sent <= points / costOf(request); sent += 1)
          statuses.push((await user.send(request)).status);
        expect([request.path, ...new Set(statuses)]).toEqual([request.path, status, 429]);
        expect(statuses.filter((one) => one !== 429)).toHaveLength(points / costOf(request));
      }
    });

    test("counts all users of a company for the company, including refused requests", async () => {
      const [company, neighbor] = [await server().company(), await server().company()];
      for (let user = 0; user < requestRate.companyFactor; user += 1) {
        const busy = await company.user("viewer");
        for (let sent = 0; sent < points; sent += 1) await busy.send({ path: "/api/admin/companies" });
      }
      expect((await (await company.user("viewer")).send({ path: "/api/categories" })).status).toBe(429);
      expect((await (await neighbor.user("viewer")).send({ path: "/api/categories" })).status).toBe(200);
    });

    test("serves an active session whose address has used up its rate", async () => {
      const user = await (await server().company()).user("viewer");
      const address = newAddress();
      const categories = { path: "/api/categories", headers: from(address) };
      expect((await user.send(categories)).status).toBe(200);
      await answered({ path: "/api/auth/check" }, from(address, token));
      expect((await user.send(categories)).status).toBe(200);
      expect((await server().send({ path: "/api/auth/check", headers: from(address) })).status).toBe(429);
    });

    test("doesn't count requests of known users for the address", async () => {
      const address = newAddress();
      const company = await server().company();
      for (let count = 0; count < 4; count += 1) {
        const user = await company.user("viewer");
        await user.send({ path: "/api/categories", headers: from(address) });
      }
      expect(await answered({ path: "/api/nothing" }, from(address))).toBe(shareOfAddress);
    });

    test("counts an ended session for its address", async () => {
      const user = await (await server().company()).user("viewer");
      const address = newAddress();
      const check = { path: "/api/auth/me", headers: from(address) };
      expect((await user.send(check)).status).toBe(200);
      await server().db.collection("sessions").deleteMany({ userId: user.id });
      const statuses = new Set<number>();
      for (let sent = 0; sent < shareOfAddress; sent += 1) statuses.add((await user.send(check)).status);
      expect([...statuses]).toEqual([401]);
      expect((await user.send(check)).status).toBe(429);
    });

    test("doesn't count health checks and files of the page", async () => {
      const address = newAddress();
      await answered({ path: "/api/nothing" }, from(address));
      for (const path of ["/healthz", "/readyz"]) {
        expect((await server().send({ path, headers: from(address) })).status).toBe(200);
      }
    });
  },
  { env: { REQUESTS_PER_MINUTE: String(points), TRUSTED_PROXIES: "1" } },
);
