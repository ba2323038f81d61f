import { QueryClientProvider } from "@tanstack/react-query";
import { renderHook, waitFor } from "@testing-library/react";
import type { ReactNode } from "react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { ApiError } from "#core/api/client.ts";
import { routes, type Resource } from "#core/api/routes.ts";
import type { Route } from "#core/contract/route.ts";
import type { MessageWithId } from "#core/language/catalog.ts";
import { waitRefusals } from "#core/wait-refusals.ts";
import {
  browserSend,
  ClientContext,
  createAppClient,
  createQueryClient,
  queryKeyOf,
  errorMessageOf,
  refreshQueries,
  useRead,
  useWrite,
} from "./api.ts";
import { fakeServer, FakeRefusal, type FakeServer } from "./testing/fake-server.ts";
import { resetBrowser } from "./testing/render-app.tsx";

afterEach(resetBrowser);

let queries = createQueryClient();
beforeEach(() => {
  queries = createQueryClient();
});

function hook<T>(server: FakeServer, use: () => T) {
  const client = createAppClient(server.send);
  const wrapper = ({ children }: { children: ReactNode }) => (
    <ClientContext value={client}>
      <QueryClientProvider client={queries}>{children}</QueryClientProvider>
    </ClientContext>
  );
  return renderHook(use, { wrapper });
}

describe("keys", () => {
  it("derive from the row and what it was asked with", () => {
    expect(queryKeyOf("stats", "get")).toEqual(["stats", "get"]);
    expect(queryKeyOf("stats", "get", {})).toEqual(["stats", "get"]);
    expect(queryKeyOf("sops", "get", { params: { id: "7" } })).toEqual(["sops", "get", { params: { id: "7" } }]);
  });
});

describe("reading", () => {
  it("asks once, however often it is shown, and not again on its own", async () => {
    const server = fakeServer({ "GET /api/categories": [] });
    const first = hook(server, () => useRead("categories", "list", {}));
    await waitFor(() => expect(first.result.current.data).toEqual([]));
    first.unmount();
    const second = hook(server, () => useRead("categories", "list", {}));
    expect(second.result.current.data).toEqual([]);
    window.dispatchEvent(new Event("focus"));
    window.dispatchEvent(new Event("online"));
    document.dispatchEvent(new Event("visibilitychange"));
    await waitFor(() => expect(second.result.current.isFetching).toBe(false));
    expect(server.requests).toHaveLength(1);
  });

  it("does not try again by itself", async () => {
    const server = fakeServer({ "GET /api/stats": new FakeRefusal("busy") });
    const { result } = hook(server, () => useRead("stats", "get", {}));
    await waitFor(() => expect(result.current.isError).toBe(true));
    expect(server.requests).toHaveLength(1);
  });
});

describe("writing", () => {
  it("makes stale what the row touches, and nothing else", async () => {
    const server = fakeServer({
      "GET /api/stats": { totalSOPs: 1 },
      "GET /api/templates": [],
      "POST /api/sops": { id: "new" },
    });
    const { result } = hook(server, () => ({
      stats: useRead("stats", "get", {}),
      templates: useRead("templates", "list", {}),
      create: useWrite("sops", "create"),
    }));
    await waitFor(() => expect(result.current.stats.isSuccess && result.current.templates.isSuccess).toBe(true));
    await result.current.create.mutateAsync({ body: { title: "t", description: "d" } });
    await waitFor(() => expect(server.requestsFor("GET /api/stats")).toHaveLength(2));
    expect(server.requestsFor("GET /api/templates")).toHaveLength(1);
  });

  it("can refresh everything that a row of the table touches", async () => {
    const touched = new Set(
      Object.values(routes).flatMap((rows: Record<string, Route>) =>
        Object.values(rows).flatMap((row) => (row.touches ?? []) as readonly Resource[]),
      ),
    );
    expect(touched.size).toBeGreaterThan(2);
    const groups = Object.keys(routes);
    for (const group of groups) queries.setQueryData([group, "x"], 1);
    for (const resource of touched) {
      await refreshQueries(queries, [resource]);
      const stale = queries.getQueryCache().findAll({ stale: true });
      expect(stale.length, `${resource} is read by nothing`).toBeGreaterThan(0);
      for (const query of stale) query.setState({ isInvalidated: false });
    }
  });

  it("refreshes who I am when my record changes", async () => {
    queries.setQueryData(queryKeyOf("auth", "me"), 1);
    await refreshQueries(queries, ["me"]);
    expect(queries.getQueryState(queryKeyOf("auth", "me"))?.isInvalidated).toBe(true);
  });
});

describe("the browser's send", () => {
  it("sends credentials, and a body only where there is one", async () => {
    const fetched = vi.spyOn(globalThis, "fetch").mockImplementation(async () => new Response('{"ok":true}'));
    const client = createAppClient(browserSend);
    await client.stats.get();
    await client.auth.login({ body: { username: "a", password: "b" } });
    expect(fetched.mock.calls).toEqual([
      ["/api/stats", { method: "GET", headers: { accept: "application/json" }, credentials: "include" }],
      [
        "/api/auth/login",
        {
          method: "POST",
          headers: { accept: "application/json", "content-type": "application/json" },
          credentials: "include",
          body: '{"username":"a","password":"b"}',
        },
      ],
    ]);
    fetched.mockRestore();
  });
});

describe("messages", () => {
  it("are the server's where it has some, the screen's otherwise", async () => {
    const client = createAppClient(fakeServer({ "GET /api/stats": new FakeRefusal("busy", "Come back later") }).send);
    const error = await client.stats.get().catch((reason: unknown) => reason);
    expect(errorMessageOf(error, "Failed")).toBe("Come back later");
    expect(errorMessageOf(new TypeError("fetch failed"), "Failed")).toBe("Failed");
    const refused = (status: 429 | 503, said: MessageWithId | string) => {
      const { text: message, ...reason } = typeof said === "string" ? { text: said } : said;
      const code = status === 429 ? "rate_limited" : "busy";
      const body = { code, message, details: { retryAfterSeconds: 20 }, ...("id" in reason && { reason }) };
      return new ApiError(status, JSON.stringify(body), "");
    };
    expect(errorMessageOf(refused(429, waitRefusals.requests()), "Failed")).toBe(
      "Too many requests. Try again in 20 seconds.",
    );
    expect(errorMessageOf(refused(503, waitRefusals.busy()), "Failed")).toBe(
      "The server is busy. Try again in 20 seconds.",
    );
    expect(errorMessageOf(refused(503, "Come back, later. Please"), "Failed")).toBe("Come back, later. Please");
  });
});
