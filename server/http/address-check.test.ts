/** A server behind a proxy with TLS whose settings don't name it. */
import pino from "pino";
import { expect, test } from "vitest";
import { exchange, type Exchange } from "../../test/http.ts";
import { json, startServer } from "../../test/server.ts";

const body = JSON.stringify({ username: "ann", password: "a long walk to the river" });
const lines: { level: number; msg: string }[] = [];
const log = pino({ level: "warn" }, { write: (line: string) => void lines.push(JSON.parse(line) as never) });

async function behind(env: Record<string, string>) {
  lines.length = 0;
  const server = await startServer("sqlite", { log, env });
  const send = (request: Exchange) => exchange(server.running.listensOn, request);
  const signIn = async (headers: Record<string, string>) => {
    const sent = { ...json, ...headers };
    const answer = await send({ method: "POST", path: "/api/auth/login", headers: sent, body });
    return [answer.status, (answer.json() as { message: string }).message];
  };
  const warnings = async () => {
    const { warnings: all = [] } = (await send({ path: "/readyz" })).json() as { warnings?: string[] };
    return all.filter((line) => !line.includes("BACKUP_DIR"));
  };
  const logged = () => lines.filter(({ level }) => level === 40).map(({ msg }) => msg);
  return { server, send, signIn, warnings, logged };
}

const people = { origin: "https://sops.example.org", host: "sops.example.org" };
const warning = "requests arrive at another address than PUBLIC_URL: the log names both";

test("a wrong PUBLIC_URL shows on screen, in the log and at /readyz, for an hour", async () => {
  const { server, signIn, warnings, logged } = await behind({ PUBLIC_URL: "https://sop.example.org" });
  try {
    expect(await warnings()).toEqual([]);
    const refusal = "This server is set up for another address. Ask the person who runs it to check PUBLIC_URL";
    for (let n = 0; n < 3; n++) expect(await signIn(people)).toEqual([403, refusal]);
    expect(logged()).toEqual([
      "people reach this server at https://sops.example.org, but it expects https://sop.example.org: set PUBLIC_URL to their address",
    ]);
    expect(await warnings()).toEqual([warning]);
    server.clock.advance(3_600_001);
    expect(await warnings()).toEqual([]);
  } finally {
    await server.stop();
  }
});

test("a page of another site is no wrong setting", async () => {
  const { server, signIn, warnings, logged } = await behind({ PUBLIC_URL: "https://sops.example.org" });
  try {
    const refusal = "This request comes from another site";
    for (const n of Array.from({ length: 30 }).keys())
      expect(await signIn({ ...people, origin: `https://evil-${n}.example` })).toEqual([403, refusal]);
    expect(await signIn({ ...people, "sec-fetch-site": "cross-site", origin: "https://evil.example" })).toEqual([
      403,
      refusal,
    ]);
    // strangers choose the names
    expect(logged()).toHaveLength(10);
    expect(logged()[0]).toBe(
      "a request from https://evil-0.example was refused: this server's address is https://sops.example.org. If people use the other one, set PUBLIC_URL to it",
    );
    expect(await warnings()).toEqual([]);
  } finally {
    await server.stop();
  }
});

test("a proxy with TLS that PUBLIC_URL and TRUSTED_PROXIES don't name is named once", async () => {
  const { server, send, warnings, logged } = await behind({});
  try {
    const headers = { host: people.host, "x-forwarded-for": "203.0.113.7", "x-forwarded-proto": "https" };
    for (let n = 0; n < 3; n++) await send({ path: "/api/auth/me", headers });
    expect(logged()).toEqual([
      "requests come through a proxy, but TRUSTED_PROXIES is 0: all people count as one address. Set it to the number of your proxies",
      expect.stringMatching(
        /^people reach this server at https:\/\/sops\.example\.org, but it expects http:\/\/localhost:\d+: set PUBLIC_URL/,
      ),
    ]);
    expect(await warnings()).toEqual([warning]);
  } finally {
    await server.stop();
  }
});

test("a proxy that the settings name is quiet", async () => {
  const { server, signIn, warnings, logged } = await behind({ PUBLIC_URL: people.origin, TRUSTED_PROXIES: "1" });
  try {
    const headers = { ...people, "x-forwarded-for": "203.0.113.7", "x-forwarded-proto": "https" };
    expect((await signIn(headers))[0]).toBe(401);
    expect([logged(), await warnings()]).toEqual([[], []]);
  } finally {
    await server.stop();
  }
});
