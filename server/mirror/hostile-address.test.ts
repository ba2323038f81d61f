/**
 * Git connects to a listed host and nowhere else, whatever the address looks like. Every address here is of this
 * machine: no packet leaves it, even when a test fails.
 */
import { createServer, type Server } from "node:net";
import type { AddressInfo } from "node:net";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { binary, nativeGit, scratchFolder } from "../repository/testing/scratch.ts";
import { RemoteProblem, parseHosts } from "../outgoing/addresses.ts";
import { openRemote } from "./remote.ts";

let connections = 0;
const servers: Server[] = [];
const ports: number[] = [];
beforeAll(async () => {
  for (const isListed of [true, false]) {
    const server = createServer((socket) => {
      if (!isListed) connections += 1;
      socket.end("HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
    });
    await new Promise<void>((ready) => void server.listen(0, "127.0.0.1", ready));
    servers.push(server);
    ports.push((server.address() as AddressInfo).port);
  }
});
afterAll(() => servers.forEach((server) => server.close()));

const between = fc.array(fc.constantFrom("\\", "@", ":", "/", "?", "#", ";", "\t", "%40", "%5c", "x", ".", "\\\\"), {
  maxLength: 4,
});
const other = fc.constantFrom("127.0.0.1", "2130706433", "0x7f.1", "127.1", "0177.0.0.1", "127.0.0.1.", "localhost");

test("no form of an address leads git elsewhere", { timeout: 120_000 }, async () => {
  if (binary === null) return;
  const [listed = 0, unlisted = 0] = ports;
  const hosts = parseHosts(`http://127.0.0.1:${listed}`) ?? [];
  const gitdir = scratchFolder();
  nativeGit(gitdir, "init", "-q", "--bare", ".");
  const signal = new AbortController().signal;
  const said = new Set<string>();
  await fc.assert(
    fc.asyncProperty(between, other, async (chosen, host) => {
      const url = `http://127.0.0.1:${listed}${chosen.join("")}@${host}:${unlisted}/x.git`;
      const remote = { url, username: "x", token: "secret-token" };
      try {
        const open = await openRemote(remote, { git: binary, hosts, gitdir, signal });
        await open.list([]);
      } catch (error) {
        if (!(error instanceof RemoteProblem)) throw error;
        said.add(error.message);
      }
      expect([url, connections]).toEqual([url, 0]);
    }),
    { numRuns: 60, examples: [[["\\"], "127.0.0.1"]] },
  );
  for (const message of said) expect(message).not.toMatch(new RegExp(`${unlisted}|secret|fatal`));
});

test("git's own words stay in the log", async () => {
  if (binary === null) return;
  const [, , closed = 1] = ports;
  const hosts = parseHosts(`http://127.0.0.1:${closed}`) ?? [];
  const gitdir = scratchFolder();
  nativeGit(gitdir, "init", "-q", "--bare", ".");
  const remote = { url: `http://127.0.0.1:${closed}/x.git`, username: "x", token: "secret-token" };
  const open = await openRemote(remote, { git: binary, hosts, gitdir, signal: new AbortController().signal });
  await expect(open.list([])).rejects.toMatchObject({
    message: "The remote can't be reached",
    cause: expect.stringContaining("fatal"),
  });
});
