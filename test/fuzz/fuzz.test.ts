/** Every wrong request gets an answer below 500 that fits its schema: as three roles, and without a sign-in. */
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { rows } from "../contract-rows.ts";
import { count, recordFigure } from "../proof.ts";
import { startServer, type TestServer, type TestUser } from "../server.ts";
import { fuzz, type FuzzRun } from "./schemathesis.ts";

/** These end the session of the run, or their answer never ends. */
const endsTheRun = new Set(["auth.logout", "auth.login", "auth.register", "auth.setup", "events.stream"]);
const opens = new Set(rows.filter(({ route }) => route.access === "public").map(({ name }) => name));
const streams = new Set(rows.filter(({ route }) => route.kind === "stream").map(({ name }) => name));

/** An AI provider that knows no key, so that nothing leaves this machine. */
async function refusingProvider(): Promise<Server> {
  const listening = createServer((_, response) => {
    response.writeHead(401, { "content-type": "application/json" });
    response.end(JSON.stringify({ error: { message: "Incorrect API key", code: "invalid_api_key" } }));
  }).listen(0, "127.0.0.1");
  await once(listening, "listening");
  return listening;
}

describe("fuzzing every call", () => {
  let server: TestServer;
  let brakes: ReturnType<typeof setInterval>;
  const runs: FuzzRun[] = [];
  let provider: Server;
  beforeAll(async () => {
    provider = await refusingProvider();
    const { port } = provider.address() as AddressInfo;
    server = await startServer("sqlite", { env: { OPENAI_BASE_URL: `http://127.0.0.1:${port}/v1` } });
    // rate limits are tested elsewhere; here they would leave later calls untested
    brakes = setInterval(() => void server.db.collection("limiters").deleteMany({}), 200);
  });
  afterAll(async () => {
    clearInterval(brakes);
    await server?.stop();
    provider?.close();
  });

  const examples = count({ usual: 1, nightly: 4, proof: 40 });

  async function runAs(user: TestUser | null, includes: (id: string) => boolean): Promise<FuzzRun> {
    const ids = user ? await idsOf(user) : {};
    const headers = { Origin: server.url, ...(user ? { Cookie: user.cookie } : {}) };
    const result = await fuzz({ url: server.url, headers, includes, ids, examples, seed: 20_261_121 });
    runs.push(result);
    return result;
  }

  /** Ids to work on, by the path that takes them. */
  async function idsOf(user: TestUser): Promise<Record<string, readonly string[]>> {
    const own = server.db.forCompany(user.companyId);
    const ids = async (name: "sops" | "categories" | "teams" | "users" | "tokens") =>
      (await own.collection(name).find({}, { limit: 4 })).map(({ _id }) => _id).filter((id) => id !== user.id);
    return {
      "/api/sops/": await ids("sops"),
      "/api/categories/": await ids("categories"),
      "/api/teams/": await ids("teams"),
      "/api/company/users/": await ids("users"),
      "/api/tokens/": await ids("tokens"),
      // no real ids: the tool would read them from a list and end its own session
      "/api/sessions/": [],
    };
  }

  test.each(["company_admin", "editor", "viewer"] as const)(
    "as %s",
    async (role) => {
      const company = await server.company();
      const admin = await company.user("company_admin");
      for (const status of ["draft", "published", "archived"] as const) {
        const body = { title: `A ${status} one`, description: "d", markdown: "## Steps\n\n1. Go\n", status };
        await admin.client.sops.create({ body });
      }
      const user = await company.user(role);
      const result = await runAs(user, (id) => !endsTheRun.has(id) && !streams.has(id));
      expect(result.errors).toEqual([]);
      expect(result.failures).toEqual([]);
      // still signed in at the end, so all calls had this role
      expect((await user.client.auth.check()).userId).toBe(user.id);
    },
    1_800_000,
  );

  test("signed out", async () => {
    const result = await runAs(null, (id) => opens.has(id));
    expect(result.errors).toEqual([]);
    expect(result.failures).toEqual([]);
  }, 1_800_000);

  test("and that was enough of them", () => {
    const requests = runs.reduce((sum, run) => sum + run.requests, 0);
    const failures = runs.reduce((sum, run) => sum + run.failures.length, 0);
    recordFigure({ name: "fuzz.requests", value: requests, unit: "requests", goal: ">= 20000" });
    recordFigure({ name: "fuzz.failures", value: failures, unit: "5xx or answers outside their schema", goal: "= 0" });
    expect(requests).toBeGreaterThanOrEqual(count({ usual: 2000, proof: 20_000 }));
  });
});
