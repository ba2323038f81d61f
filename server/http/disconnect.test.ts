import { connect } from "node:net";
import { once } from "node:events";
import { Writable } from "node:stream";
import pino from "pino";
import { describe, expect, test } from "vitest";
import { describeServer } from "../../test/server.ts";

const lines: string[] = [];
const sink = new Writable({
  write(chunk: Buffer, _encoding, done) {
    lines.push(chunk.toString());
    done();
  },
});
const errors = () => lines.filter((line) => /"level":[56]0/.test(line));

describeServer(
  "a client that leaves",
  (server) => {
    const open = async (head: string) => {
      const { hostname, port } = new URL(server().url);
      const socket = connect(Number(port), hostname);
      await once(socket, "connect");
      socket.write(head);
      return socket;
    };
    const requested = (path: string) =>
      expect.poll(() => lines.some((line) => line.includes(`"path":"${path}"`))).toBe(true);

    describe.each([
      ["closes the connection", "destroy"],
      ["resets the connection", "resetAndDestroy"],
    ] as const)("and %s", (_, leave) => {
      test("is no error while it listens to events", async () => {
        lines.length = 0;
        const user = await (await server().company()).user("editor");
        const streams = await Promise.all(
          Array.from({ length: 10 }, () =>
            open(`GET /api/events HTTP/1.1\r\nHost: x\r\nCookie: ${user.cookie}\r\n\r\n`),
          ),
        );
        for (const stream of streams) {
          await once(stream, "data");
          stream[leave]();
        }
        for (let n = 0; n < 5; n++)
          await user.client.sops.create({ body: { title: "T", description: "D", markdown: "M" } });
        await requested("/api/sops");
        expect(errors()).toEqual([]);
      });

      test("is no error in the middle of an upload", async () => {
        lines.length = 0;
        const user = await (await server().company()).user("editor");
        const { url } = server();
        const upload = await open(
          `POST /api/assets HTTP/1.1\r\nHost: x\r\nOrigin: ${url}\r\nCookie: ${user.cookie}\r\nContent-Type: image/png\r\nContent-Length: 4000000\r\n\r\n${"x".repeat(100_000)}`,
        );
        // the server reads before the client leaves
        await user.client.sops.list();
        upload[leave]();
        await requested("/api/assets");
        expect(errors()).toEqual([]);
      });
    });
  },
  { log: pino({ level: "info" }, sink) },
);
