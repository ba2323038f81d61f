import { describe, expect, test } from "vitest";
import { ApiError, createClient, type ApiAnswer, type ApiRequest } from "./client.ts";
import { fillPath, tokenScopeOf } from "../contract/route.ts";
import { routes } from "./routes.ts";
import type { Schemas } from "./schemas.ts";

const answer = (status: number, text: string, statusText = ""): ApiAnswer => ({
  status,
  statusText,
  headers: { get: () => null },
  text: async () => text,
});

function clientOf(given: ApiAnswer) {
  const sent: ApiRequest[] = [];
  const client = createClient<Schemas>(routes, async (request) => {
    sent.push(request);
    return given;
  });
  return { client, sent };
}

describe("the client", () => {
  test("writes the request that a row and an input make", async () => {
    const { client, sent } = clientOf(answer(200, "{}"));
    await client.sops.update({ params: { id: "a/b ?" }, body: { title: "T" }, ifMatch: 7 });
    await client.sops.list({ query: { search: "a&b", category: "", cursor: undefined, limit: 5 } });
    await client.sops.create({ body: { title: "T", description: "D" }, idempotencyKey: "k" });
    await client.sops.remove({ params: { id: "x" } });
    expect(sent).toEqual([
      {
        method: "PUT",
        url: "/api/sops/a%2Fb%20%3F",
        headers: { accept: "application/json", "if-match": '"v7"', "content-type": "application/json" },
        body: '{"title":"T"}',
      },
      { method: "GET", url: "/api/sops?search=a%26b&limit=5", headers: { accept: "application/json" } },
      {
        method: "POST",
        url: "/api/sops",
        headers: { accept: "application/json", "idempotency-key": "k", "content-type": "application/json" },
        body: '{"title":"T","description":"D"}',
      },
      {
        method: "DELETE",
        url: "/api/sops/x",
        headers: { accept: "application/json", "content-type": "application/json" },
        body: "{}",
      },
    ]);
  });

  test("throws what the server answers, as status and text", async () => {
    const refused = '{"code":"stale","message":"Too late","details":{"version":3}}';
    const error = await clientOf(answer(412, refused))
      .client.auth.me()
      .catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({
      message: `412: ${refused}`,
      status: 412,
      code: "stale",
      serverMessage: "Too late",
      details: { version: 3 },
    });
    for (const [text, message] of [
      ["", "502: Bad Gateway"],
      ["<html>", "502: <html>"],
      ['{"code":"made up","message":"x"}', '502: {"code":"made up","message":"x"}'],
      ["null", "502: null"],
    ] as const) {
      await expect(clientOf(answer(502, text, "Bad Gateway")).client.auth.me()).rejects.toMatchObject({
        message,
        code: null,
      });
    }
  });

  test("answers null where there is no body, and lets through what happened on the way", async () => {
    expect(await clientOf(answer(204, "")).client.auth.logout()).toBeNull();
    const broken = createClient<Schemas>(routes, async () => {
      throw new TypeError("fetch failed");
    });
    await expect(broken.auth.me()).rejects.toThrow("fetch failed");
  });
});

test("a path needs all of its parameters", () => {
  expect(fillPath("/a/:id/b/:version", { id: "x", version: 2 })).toBe("/a/x/b/2");
  expect(() => fillPath("/a/:id")).toThrow("needs id");
});

test("a scope is derived from the method unless the row says otherwise", () => {
  expect([
    tokenScopeOf(routes.sops.list),
    tokenScopeOf(routes.sops.remove),
    tokenScopeOf(routes.tokens.create),
  ]).toEqual(["sops:read", "sops:write", "session"]);
});
