import { once } from "node:events";
import { connect, type AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createHttpServer, defaultTimeouts } from "./listener.ts";

const impatient = { ...defaultTimeouts, headersMs: 100, unreadMs: 100, lookEveryMs: 20 };
const server = createHttpServer((request, response) => {
  if (request.url === "/unread") response.end("early");
  else request.resume().on("end", () => response.end("whole"));
}, impatient);

beforeAll(async () => {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
});
afterAll(() => void server.close());

function open(start: string) {
  const socket = connect((server.address() as AddressInfo).port, "127.0.0.1");
  socket.write(start);
  return socket;
}

test("a client that sends half a header and waits is disconnected", async () => {
  const socket = open("POST / HTTP/1.1\r\nHost: x\r\nX-Slow: ");
  expect(await text(socket)).toMatch(/^HTTP\/1\.1 408 /);
});

test("a body may take longer than the headers", async () => {
  const socket = open("POST / HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 10\r\n\r\n");
  const answer = text(socket);
  for (const piece of ["ab", "cd", "ef", "gh", "ij"]) {
    await pause(2 * impatient.headersMs);
    socket.write(piece);
  }
  expect(await answer).toMatch(/^HTTP\/1\.1 200 [^]*whole$/);
});

test("a client that has its answer and sends no more of the body is disconnected", async () => {
  const socket = open("POST /unread HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\nabc");
  const answer: Buffer[] = [];
  socket.on("data", (chunk: Buffer) => answer.push(chunk)).on("error", () => undefined);
  await once(socket, "close");
  expect(Buffer.concat(answer).toString()).toContain("early");
});

test("the timeouts have the decided values", () => {
  const real = createHttpServer(() => {});
  expect([real.headersTimeout, real.requestTimeout, real.keepAliveTimeout]).toEqual([10_000, 0, 65_000]);
});
