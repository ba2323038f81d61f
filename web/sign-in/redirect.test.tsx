import { act, fireEvent, screen } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import { fakeServer, signedOutReplies } from "../testing/fake-server.ts";
import { resetBrowser, showApp } from "../testing/render-app.tsx";

afterEach(() => {
  vi.useRealTimers();
  resetBrowser();
});

it("a password that was reset leads to the sign-in after 3000 ms, and not before", async () => {
  const server = fakeServer({
    ...signedOutReplies(),
    "GET /api/auth/validate-reset-token": { valid: true, message: "" },
    "POST /api/auth/reset-password": { ok: true },
  });
  const { user, address } = showApp(server, "/reset-password?token=once");
  await user.type(await screen.findByLabelText("New password"), "secret-8");
  await user.type(screen.getByLabelText("Confirm password"), "secret-9{Enter}");
  await screen.findByText("Passwords do not match");
  fireEvent.change(screen.getByLabelText("Confirm password"), { target: { value: "secret-8" } });
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  fireEvent.click(screen.getByRole("button", { name: "Set new password" }));
  const done = () => screen.queryByRole("heading", { level: 1, name: "Password changed" });
  for (let turn = 0; turn < 100 && !done(); turn += 1) await act(() => vi.advanceTimersByTimeAsync(0));
  await act(() => vi.advanceTimersByTimeAsync(2999));
  expect([done() !== null, address()]).toEqual([true, "/reset-password"]);
  await act(() => vi.advanceTimersByTimeAsync(1));
  vi.useRealTimers();
  await screen.findByRole("heading", { level: 1, name: "Sign in" });
  expect(address()).toBe("/login");
});
