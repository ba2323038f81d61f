import { once } from "node:events";
import { connect, type AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createListener, patience } from "./listener.ts";

const impatient = { ...patience, headersMs: 100, requestMs: 200, lookEveryMs: 20 };
const server = createListener((request, response) => {
  request.resume().on("end", () => response.end("whole"));
}, impatient);

beforeAll(async () => {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
});
afterAll(() => void server.close());

test.each([
  ["half a header", "POST / HTTP/1.1\r\nHost: x\r\nX-Slow: "],
  ["half a body", "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\nabc"],
])("a client that sends %s and waits is disconnected", async (_, start) => {
  const socket = connect((server.address() as AddressInfo).port, "127.0.0.1");
  socket.write(start);
  expect(await text(socket)).toMatch(/^HTTP\/1\.1 408 /);
});

test("the timeouts have the decided values", () => {
  const real = createListener(() => {});
  expect([real.headersTimeout, real.requestTimeout, real.keepAliveTimeout]).toEqual([10_000, 60_000, 65_000]);
});
