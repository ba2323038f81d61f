import { screen, waitFor } from "@testing-library/react";
import { afterEach, expect, it } from "vitest";
import { fakeServer, FakeRefusal, signedOutReplies } from "../testing/fake-server.ts";
import { resetBrowser, showApp } from "../testing/render-app.tsx";

afterEach(resetBrowser);

const row = "POST /api/auth/confirm-email";

it("confirms the address with a click, and takes the token out of the address bar", async () => {
  const server = fakeServer({ ...signedOutReplies(), [row]: { ok: true } });
  const { user, address } = showApp(server, "/confirm-email?token=once");
  const button = await screen.findByRole("button", { name: "Confirm email address" });
  await waitFor(() => expect(address()).toBe("/confirm-email"));
  expect(server.requestsFor(row)).toEqual([]);
  await user.click(button);
  await screen.findByRole("heading", { level: 1, name: "Email address confirmed" });
  expect(server.requestsFor(row)[0]?.body).toEqual({ token: "once" });
});

it("says that a link is used or expired, and where a new one comes from", async () => {
  const server = fakeServer({
    ...signedOutReplies(),
    [row]: new FakeRefusal("invalid_input", "Invalid or expired link"),
  });
  const { user } = showApp(server, "/confirm-email?token=used");
  await user.click(await screen.findByRole("button", { name: "Confirm email address" }));
  await screen.findByText("Invalid or expired link");
  await screen.findByText("Send a new link from your settings.");
});

it("asks for the whole link if there is no token", async () => {
  showApp(fakeServer(signedOutReplies()), "/confirm-email");
  await screen.findByRole("heading", { level: 1, name: "Invalid link" });
});
