import { expect, test } from "vitest";
import { describeServer } from "../../test/server.ts";
import { createRequestRate } from "./request-rate.ts";

const ann = { companyId: "north", userId: "ann" };

test("a user beyond the rate is refused with the seconds to wait; the others are not", async () => {
  const rate = createRequestRate(4);
  await rate.take(ann, 2);
  await rate.take(ann, 2);
  await expect(rate.take(ann, 1)).rejects.toMatchObject({ code: "rate_limited", message: "Too many requests" });
  await expect(rate.take({ ...ann, userId: "ben" }, 1)).resolves.toBeUndefined();
});

test("a company beyond its rate is refused whichever user asks; other companies are not", async () => {
  const rate = createRequestRate(4);
  for (const userId of ["a", "b", "c", "d", "e"]) await rate.take({ companyId: "north", userId }, 4);
  await expect(rate.take({ companyId: "north", userId: "f" }, 1)).rejects.toMatchObject({ code: "rate_limited" });
  await expect(rate.take({ companyId: "south", userId: "g" }, 1)).resolves.toBeUndefined();
});

describeServer(
  "the request rate",
  (server) => {
    test("counts every route, and names the seconds to wait", async () => {
      const company = await server().company();
      const [busy, other] = [await company.user("viewer"), await company.user("viewer")];
      const statuses = new Set<number>();
      for (let sent = 0; sent < 61; sent += 1) statuses.add((await busy.send({ path: "/api/categories" })).status);
      const refused = await busy.send({ path: "/api/categories" });
      expect([refused.status, Number(refused.headers.get("retry-after")) > 0]).toEqual([429, true]);
      expect(refused.json()).toMatchObject({ code: "rate_limited", message: "Too many requests" });
      expect(statuses).toEqual(new Set([200, 429]));
      expect((await other.send({ path: "/api/categories" })).status).toBe(200);
    });
  },
  { env: { REQUESTS_PER_MINUTE: "60" } },
);
