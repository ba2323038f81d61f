import { expect, test } from "vitest";
import { createRequestRate } from "./request-rate.ts";

const ann = { companyId: "north", userId: "ann" };

test("a user beyond the rate is refused with the seconds to wait; the others are not", async () => {
  const rate = createRequestRate(4);
  await rate.take(ann, 9, 2);
  await rate.take(ann, 9, 2);
  await expect(rate.take(ann, 9, 1)).rejects.toMatchObject({ code: "rate_limited", message: "Too many requests" });
  await expect(rate.take({ ...ann, userId: "ben" }, 9, 1)).resolves.toBeUndefined();
});

test("a company beyond its rate is refused whichever user asks; other companies are not", async () => {
  const rate = createRequestRate(4);
  for (const userId of ["a", "b", "c", "d", "e"]) await rate.take({ companyId: "north", userId }, 9, 4);
  await expect(rate.take({ companyId: "north", userId: "f" }, 9, 1)).rejects.toMatchObject({ code: "rate_limited" });
  await expect(rate.take({ companyId: "south", userId: "g" }, 9, 1)).resolves.toBeUndefined();
});

test("a network address beyond its rate is refused; other addresses and users are not", async () => {
  const rate = createRequestRate(4);
  for (let sent = 0; sent < 20; sent += 1) await rate.takeAddress("192.0.2.1", 1);
  await expect(rate.takeAddress("192.0.2.1", 1)).rejects.toMatchObject({ code: "rate_limited" });
  await expect(rate.takeAddress("192.0.2.2", 1)).resolves.toBeUndefined();
  await expect(rate.take(ann, 9, 1)).resolves.toBeUndefined();
  await rate.giveBack("192.0.2.1", 3);
  await expect(rate.takeAddress("192.0.2.1", 1)).resolves.toBeUndefined();
});

test("a company's rate grows with its users", async () => {
  const rate = createRequestRate(4);
  const take = (companyId: string, users: number, n: number) =>
    rate.take({ companyId, userId: `${companyId}-${n}` }, users, 4).then(
      () => 1,
      () => 0,
    );
  const answered = async (companyId: string, users: number) => {
    let sum = 0;
    for (let n = 0; n < 40; n += 1) sum += await take(companyId, users, n);
    return sum;
  };
  expect(await answered("shop", 20)).toBe(5);
  expect(await answered("plant", 300)).toBe(30);
});
