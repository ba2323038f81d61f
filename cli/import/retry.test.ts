import { beforeEach, expect, it, vi } from "vitest";
import { ApiError } from "#core/contract/client.ts";
import { withRetries } from "./retry.ts";

const slept = vi.hoisted(() => [] as number[]);
vi.mock("node:timers/promises", () => ({ setTimeout: async (ms: number) => void slept.push(ms) }));
beforeEach(() => void slept.splice(0));

const limited = (retryAfterSeconds: number) =>
  new ApiError(429, JSON.stringify({ code: "rate_limited", message: "Too many", details: { retryAfterSeconds } }), "");
const { signal } = new AbortController();

/** Fails with these, one after the other; then answers. */
function failing(errors: readonly Error[]) {
  const left = [...errors];
  return async () => {
    const error = left.shift();
    if (error) throw error;
    return "done";
  };
}

it("waits as long as the server asks, a minute at most, then sends the request again", async () => {
  const call = failing([limited(7), limited(3600)]);
  expect(await withRetries(call, { signal, isFirst: true })).toBe("done");
  expect(slept).toEqual([7_000, 60_000]);
});

it("waits its own pause where the server asks for less", async () => {
  expect(await withRetries(failing([limited(0), limited(0)]), { signal, isFirst: true })).toBe("done");
  expect(slept).toEqual([250, 1_000]);
});

it("gives up after the last pause, with the server's refusal", async () => {
  const refusals = [1, 2, 3, 4].map(limited);
  await expect(withRetries(failing(refusals), { signal, isFirst: true })).rejects.toBe(refusals[3]);
  expect(slept).toEqual([1_000, 2_000, 3_000]);
});

it("sends nothing again that waiting can't help", async () => {
  const full = new ApiError(409, JSON.stringify({ code: "limit_reached", message: "Full" }), "");
  await expect(withRetries(failing([full]), { signal, isFirst: true })).rejects.toBe(full);
  expect(slept).toEqual([]);
});
