import { setTimeout as pause } from "node:timers/promises";
import { expect, test } from "vitest";
import { crowdedPace, leastPace } from "../capacity/resources.ts";
import { paced, paceFor } from "./paced.ts";

async function* dripping(): AsyncGenerator<Buffer> {
  for (;;) {
    await pause(5);
    yield Buffer.from("x");
  }
}

async function* silent(): AsyncGenerator<Buffer> {
  yield Buffer.from("x");
  await new Promise(() => undefined);
}

const read = async (body: AsyncIterable<Buffer>) => {
  const chunks: Buffer[] = [];
  for await (const chunk of paced(body, () => ({ bytesPerSecond: 100_000, startMs: 50 }))) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
};

test.each([
  ["drips", dripping],
  ["falls silent", silent],
])("a body that %s is cut off", async (_, body) => {
  await expect(read(body())).rejects.toMatchObject({ code: "invalid_input" });
});

test("a body that arrives at once is passed on whole", async () => {
  const whole = async function* () {
    yield Buffer.from("a");
    yield Buffer.from("b");
  };
  await expect(read(whole())).resolves.toBe("ab");
});

test("a body must be faster as soon as others wait for its place", async () => {
  let waiting = 0;
  const pace = paceFor({ load: () => ({ running: 1, waiting }) });
  expect(pace()).toBe(leastPace);
  waiting = 1;
  expect(pace()).toBe(crowdedPace);
  let isCrowded = false;
  const slow = { bytesPerSecond: 1, startMs: 60_000 };
  const fast = { bytesPerSecond: 100_000, startMs: 50 };
  const received = (async () => {
    for await (const _ of paced(dripping(), () => (isCrowded ? fast : { ...slow, startMs: 500 }))) isCrowded = true;
  })();
  await expect(received).rejects.toMatchObject({ code: "invalid_input" });
});
