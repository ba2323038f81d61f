import { setTimeout as pause } from "node:timers/promises";
import { expect, test } from "vitest";
import { paced } from "./paced.ts";

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
  for await (const chunk of paced(body, { bytesPerSecond: 100_000, startMs: 50 })) chunks.push(chunk);
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
