import { beforeEach, expect, it, vi } from "vitest";
import { ApiError } from "#core/api/client.ts";
import { CliError, exit } from "./exit.ts";
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

it("waits as long as the server asks, says so, then sends the request again", async () => {
  const call = failing([limited(7), limited(60)]);
  const said: string[] = [];
  expect(await withRetries(call, { signal, isFirst: true, progress: (text) => said.push(text) })).toBe("done");
  expect(slept).toEqual([7_000, 60_000]);
  expect(said).toEqual(["the server asks to wait 7 s", "the server asks to wait 60 s"]);
});

it("doesn't wait longer than a minute", async () => {
  const refusal = limited(61);
  await expect(withRetries(failing([refusal]), { signal, isFirst: true })).rejects.toBe(refusal);
  expect(slept).toEqual([]);
});

it("waits its own pause where the server asks for less", async () => {
  expect(await withRetries(failing([limited(0), limited(0)]), { signal, isFirst: true })).toBe("done");
  expect(slept).toEqual([250, 1_000]);
});

it("gives up after the last pause, with the server's refusal", async () => {
  const refusals = [1, 2, 3, 4, 0, 0].map(limited);
  await expect(withRetries(failing(refusals), { signal, isFirst: true })).rejects.toBe(refusals[5]);
  expect(slept).toEqual([1_000, 2_000, 3_000, 4_000, 3_000]);
});

it("sends a request again whose answer got lost, unless no request had one so far", async () => {
  const lost = new CliError(exit.network, { code: "unreachable", message: "gone" });
  expect(await withRetries(failing([lost]), { signal, isFirst: false })).toBe("done");
  await expect(withRetries(failing([lost]), { signal, isFirst: true })).rejects.toBe(lost);
  expect(slept).toEqual([250]);
});

it("sends nothing again that waiting can't help", async () => {
  const full = new ApiError(409, JSON.stringify({ code: "limit_reached", message: "Full" }), "");
  await expect(withRetries(failing([full]), { signal, isFirst: true })).rejects.toBe(full);
  expect(slept).toEqual([]);
});
