import type { AddressInfo } from "node:net";
import type { Server } from "node:http";
import Koa from "koa";
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { routeGroup } from "#core/contract/route.ts";
import { schemaGroup } from "#core/contract/schema.ts";
import type { Proof } from "#core/sign-in/proofs.ts";
import { exchange, type Exchange } from "../../test/http.ts";
import { cookieOf, json, startServer, type TestServer } from "../../test/server.ts";
import { createCountingMiddleware } from "./count-requests.ts";
import { createErrorMiddleware } from "./error-body.ts";
import { createIdentifyRequest } from "./identify.ts";
import { createLimiters } from "./limiters.ts";
import { createRoutesMiddleware } from "./mount.ts";
import { createRequestRate } from "./request-rate.ts";
import { createSessionMiddleware, startSession } from "./session.ts";

/** What a sign-in at a provider with a second factor needs of the contract. */
const routes = {
  provider: routeGroup({
    begin: { method: "GET", path: "/api/provider/begin", access: "public", kind: "redirect" },
    end: { method: "GET", path: "/api/provider/end", access: "public", kind: "redirect", session: true },
    finish: { method: "POST", path: "/api/provider/finish", access: "public", session: true },
    rename: { method: "PATCH", path: "/api/provider/:id", access: "user" },
    key: { method: "POST", path: "/api/provider/key", access: "user", scope: "session", proven: "credentials" },
  }),
};
const schemas = {
  provider: schemaGroup({
    begin: { summary: "Begin", output: null },
    end: { summary: "End", query: z.strictObject({ user: z.string() }), output: null },
    finish: { summary: "Finish", output: z.object({ ok: z.boolean() }) },
    rename: {
      summary: "Rename",
      params: z.object({ id: z.string() }),
      body: z.strictObject({ name: z.string() }),
      output: z.object({ id: z.string(), name: z.string() }),
    },
    key: { summary: "Key", output: z.object({ ok: z.boolean() }) },
  }),
};

let server: TestServer;
let url: string;
let listening: Server;
const send = (request: Exchange) => exchange(url, { ...request, headers: { ...json, ...request.headers } });

beforeAll(async () => {
  server = await startServer("sqlite");
  const { services } = server.running;
  const { db, clock, log, config } = services;
  const app = new Koa();
  const identify = createIdentifyRequest(services);
  const signIn = async (ctx: Koa.Context, userId: string, proofs: Proof[], missing: "password"[]) => {
    const user = await db.collection("users").findOne({ _id: userId });
    if (user) await startSession(ctx, user, proofs, missing);
  };
  const handlers = {
    provider: {
      begin: async ({ ctx }: { ctx: Koa.Context }) => void ctx.redirect("/api/provider/end"),
      async end({ ctx, query }: { ctx: Koa.Context; query: { user: string } }) {
        await signIn(ctx, query.user, [], ["password"]);
        ctx.redirect("/");
      },
      async finish({ ctx, unfinished }: { ctx: Koa.Context; unfinished?: { userId: string } | null }) {
        if (unfinished) await signIn(ctx, unfinished.userId, [{ method: "password", at: clock.now() }], []);
        return { ok: unfinished != null };
      },
      rename: async ({ params, body }: { params: { id: string }; body: { name: string } }) => ({ ...params, ...body }),
      key: async () => ({ ok: true }),
    },
  };
  app.use(createErrorMiddleware(log));
  app.use(createCountingMiddleware(createRequestRate(1_000_000), identify, async () => 1));
  app.use(
    createRoutesMiddleware(
      handlers as never,
      {
        services,
        identify,
        limiters: createLimiters(db, clock, config.trustedNetworks),
        denials: { note: () => undefined } as never,
        sessions: createSessionMiddleware(app, services.sessions, clock, config.secure),
      },
      { routes, schemas },
    ),
  );
  listening = await new Promise<Server>((ready) => {
    const started = app.listen(0, "127.0.0.1", () => ready(started));
  });
  url = `http://127.0.0.1:${(listening.address() as AddressInfo).port}`;
});

afterAll(async () => {
  listening.close();
  await server.stop();
});

test("a row can redirect, change a part, and sign in by a GET that lacks a factor", async () => {
  const person = await (await server.company()).user("editor");
  const begun = await send({ path: "/api/provider/begin" });
  expect([begun.status, begun.headers.get("location")]).toEqual([302, "/api/provider/end"]);

  const ended = await send({ path: `/api/provider/end?user=${person.id}` });
  expect(ended.status).toBe(302);
  const half = cookieOf(ended);
  const rename = { method: "PATCH", path: "/api/provider/7", body: JSON.stringify({ name: "Seven" }) };
  expect((await send({ ...rename, headers: { cookie: half } })).status).toBe(401);
  expect((await server.send({ path: "/api/auth/me", headers: { cookie: half } })).status).toBe(401);

  const finished = await send({ method: "POST", path: "/api/provider/finish", headers: { cookie: half } });
  expect(finished.json()).toEqual({ ok: true });
  const whole = cookieOf(finished);
  expect(whole).not.toBe(half);
  expect((await send({ ...rename, headers: { cookie: whole } })).json()).toEqual({ id: "7", name: "Seven" });
  expect((await send({ ...rename, headers: { cookie: half } })).status).toBe(401);
  const again = await send({ method: "POST", path: "/api/provider/finish", headers: { cookie: whole } });
  expect(again.json()).toEqual({ ok: false });
});

test("a row that needs a proof asks for a new one after a quarter of an hour", async () => {
  const person = await (await server.company()).user("editor");
  const key = { method: "POST", path: "/api/provider/key", headers: { cookie: person.cookie } };
  expect((await send(key)).status).toBe(200);
  server.clock.advance(15 * 60_000 + 1);
  expect((await send(key)).json()).toMatchObject({ code: "proof_needed" });
  const proof = JSON.stringify({ currentPassword: "wrong" });
  const headers = { ...json, cookie: person.cookie };
  expect((await server.send({ method: "POST", path: "/api/auth/prove", body: proof, headers })).status).toBe(400);
  expect((await send(key)).status).toBe(403);
});
