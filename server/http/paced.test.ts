import { setTimeout as pause } from "node:timers/promises";
import { expect, test } from "vitest";
import { crowdedPace, leastPace } from "../capacity/resources.ts";
import { pacedChunks, createPaceFor } from "./paced.ts";

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
  for await (const chunk of pacedChunks(body, () => ({ bytesPerSecond: 100_000, startMs: 50 }))) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
};

/** At 100,000 bytes a second this is the body of a minute. */
async function* fastThenSilent(): AsyncGenerator<Buffer> {
  yield Buffer.alloc(6_000_000);
  await new Promise(() => undefined);
}

test.each([
  ["drips", dripping],
  ["falls silent", silent],
  ["falls silent after most of it came at once", fastThenSilent],
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

test("a body that keeps its pace may take much longer than the start", async () => {
  const steady = async function* () {
    for (let n = 0; n < 30; n += 1) {
      await pause(10);
      yield Buffer.alloc(1_000_000);
    }
  };
  const pace = { bytesPerSecond: 100_000, startMs: 50, earnedMs: 60_000 };
  let received = 0;
  for await (const chunk of pacedChunks(steady(), () => pace)) received += chunk.length;
  expect(received).toBe(30_000_000);
});

test("the time that the server needs for the bytes doesn't count", async () => {
  const two = async function* () {
    yield Buffer.from("a");
    yield Buffer.from("b");
  };
  let received = 0;
  for await (const chunk of pacedChunks(two(), () => ({ bytesPerSecond: 100_000, startMs: 50 }))) {
    received += chunk.length;
    await pause(200);
  }
  expect(received).toBe(2);
});

test("a body must be faster as soon as others wait for its place", async () => {
  let isWanted = false;
  const pace = createPaceFor({ isWanted: () => isWanted });
  expect(pace()).toBe(leastPace);
  isWanted = true;
  expect(pace()).toBe(crowdedPace);
  let isCrowded = false;
  const slow = { bytesPerSecond: 1, startMs: 60_000 };
  const fast = { bytesPerSecond: 100_000, startMs: 50 };
  const received = (async () => {
    for await (const _ of pacedChunks(dripping(), () => (isCrowded ? fast : { ...slow, startMs: 500 })))
      isCrowded = true;
  })();
  await expect(received).rejects.toMatchObject({ code: "invalid_input" });
});
