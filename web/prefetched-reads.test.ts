import { act, renderHook } from "@testing-library/react";
import { createElement } from "react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { protectedScreens, publicScreens, screenForPath } from "./screens.ts";
import { waitUntilPasses } from "./testing/eventually.ts";

const fetched = vi.fn((_url: string) => Promise.resolve(new Response("{}")));
vi.stubGlobal("fetch", fetched);

let early: typeof import("./prefetched-reads.ts");
beforeEach(async () => {
  vi.resetModules();
  early = await import("./prefetched-reads.ts");
});
afterEach(() => {
  vi.useRealTimers();
  fetched.mockClear();
});

it("serves one request with an answer that was asked for early, and no second one", async () => {
  await early.prefetchRead("/api/auth/check");
  expect(await (await early.takePrefetched("/api/auth/check"))?.json()).toEqual({});
  expect(early.takePrefetched("/api/auth/check")).toBeUndefined();
  expect(early.takePrefetched("/api/auth/me")).toBeUndefined();
});

it("hands a failure to who takes it", async () => {
  fetched.mockImplementationOnce(() => Promise.reject(new TypeError("no network")));
  await expect(early.prefetchRead("/api/stats")).rejects.toThrow("no network");
  await expect(early.takePrefetched("/api/stats")).rejects.toThrow("no network");
});

it("keeps no answer longer than the first, whose newest event is the start of all", async () => {
  vi.useFakeTimers({ toFake: ["performance"] });
  await early.prefetchRead("/api/auth/check");
  vi.advanceTimersByTime(9_000);
  await early.prefetchRead("/api/stats");
  vi.advanceTimersByTime(1_001);
  expect(early.takePrefetched("/api/auth/check")).toBeUndefined();
  expect(early.takePrefetched("/api/stats")).toBeUndefined();
});

it("forgets everything and starts nothing more when asked to", async () => {
  await early.prefetchRead("/api/auth/check");
  early.discardPrefetched();
  expect(early.takePrefetched("/api/auth/check")).toBeUndefined();
  await expect(early.prefetchRead("/api/auth/me")).rejects.toThrow();
  expect(fetched).toHaveBeenCalledTimes(1);
});

it("forgets all when another tab signs in or out", async () => {
  await early.prefetchRead("/api/auth/check");
  const other = new BroadcastChannel("sopwright-session");
  other.postMessage("changed");
  await waitUntilPasses(async () => {
    await expect(early.prefetchRead("/api/auth/me")).rejects.toThrow();
  });
  expect(early.takePrefetched("/api/auth/check")).toBeUndefined();
  expect(early.takePrefetched("/api/auth/me")).toBeUndefined();
  other.close();
});

it("forgets everything after a change, and when another user signs in", async () => {
  await early.prefetchRead("/api/stats");
  const { createQueryClient, refreshQueries: refresh } = await import("./api.ts");
  await refresh(createQueryClient(), ["categories"]);
  expect(early.takePrefetched("/api/stats")).toBeUndefined();

  vi.resetModules();
  early = await import("./prefetched-reads.ts");
  await early.prefetchRead("/api/stats");
  const { Session, useSession } = await import("./session.tsx");
  const { result } = renderHook(() => useSession(), {
    wrapper: (below) => createElement(Session, { send: vi.fn(), ...below }),
  });
  act(() => result.current.restart(null));
  expect(early.takePrefetched("/api/stats")).toBeUndefined();
});

it.each([
  ["/", "/"],
  ["/sops", "/sops"],
  ["/SOPs/", "/sops"],
  ["/sop/new", "/sop/new"],
  ["/sop/7a/edit", "/sop/:id/edit"],
  ["/sop/7a", "/sop/:id"],
  ["/admin/companies/7a/users", "/admin/companies/:id/users"],
  ["/nowhere", undefined],
  ["/login", undefined],
])("%s is the screen %s", (pathname, path) => {
  expect(screenForPath(protectedScreens, pathname)?.path).toBe(path);
});

it("knows the screens that need no session", () => {
  expect(screenForPath(publicScreens, "/login")?.path).toBe("/login");
  expect(screenForPath(publicScreens, "/")).toBeUndefined();
});
