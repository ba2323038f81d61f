import { screen, waitFor, within } from "@testing-library/react";
import { afterEach, describe, expect, it } from "vitest";
import { fakeServer, Refusal, signedInReplies } from "../testing/fake-server.ts";
import { aSop } from "../testing/records.ts";
import { resetBrowser, showApp } from "../testing/render-app.tsx";

afterEach(resetBrowser);

const value = (name: string) =>
  within(screen.getByRole("main")).getByText(name).closest("dt")?.nextElementSibling as HTMLElement;

describe("dashboard", () => {
  it("shows the four numbers, with placeholders until they are there", async () => {
    const { promise: asked, resolve: answer } = Promise.withResolvers<unknown>();
    showApp(fakeServer({ ...signedInReplies(), "GET /api/stats": () => asked }));
    await screen.findByRole("heading", { level: 1, name: "Dashboard" });
    expect(value("Total SOPs").getAttribute("aria-busy")).toBe("true");
    expect(value("Total SOPs").textContent).toBe("");
    answer({ totalSOPs: 42, activeTeams: 2, pendingApproval: 0, aiSuggestions: 7 });
    await waitFor(() => expect(value("Total SOPs").textContent).toBe("42"));
    expect(value("Active Teams").textContent).toBe("2");
    expect(value("Pending Approval").textContent).toBe("0");
    expect(value("AI Suggestions").textContent).toBe("7");
  });

  it("says when the numbers can't be had, and tries again", async () => {
    const server = fakeServer({ ...signedInReplies(), "GET /api/stats": new Refusal("internal") });
    const { user } = showApp(server);
    await screen.findByText("Failed to load the numbers");
    server.reply(signedInReplies());
    await user.click(screen.getByRole("button", { name: "Try Again" }));
    await waitFor(() => expect(value("Total SOPs").textContent).toBe("42"));
  });

  it("lists what changed last, and filters it", async () => {
    const server = fakeServer({ ...signedInReplies(), "GET /api/sops": { data: [aSop({ title: "Changed" })] } });
    const { user, address } = showApp(server);
    await screen.findByRole("link", { name: "Changed" });
    expect(screen.getByRole("heading", { level: 2, name: "Recently Updated" })).toBeTruthy();
    expect(server.askedFor("GET /api/sops")[0]?.query).toEqual({ limit: "12" });
    await screen.findByRole("option", { name: "Finance" });
    await user.selectOptions(screen.getByLabelText("Category"), "Finance");
    await screen.findByRole("heading", { level: 2, name: "Matching SOPs" });
    expect(address()).toBe("/?category=cat-fin");
    expect(server.askedFor("GET /api/sops").at(-1)?.query).toEqual({ category: "cat-fin", limit: "12" });
  });

  it("needs at most 8 calls", async () => {
    const server = fakeServer(signedInReplies());
    showApp(server);
    await screen.findByText("No SOPs found");
    await waitFor(() => expect(value("Total SOPs").textContent).toBe("42"));
    await screen.findByRole("option", { name: "Finance" });
    await waitFor(() => expect(server.askedFor("GET /api/notifications/count")).toHaveLength(1));
    await waitFor(() => expect(server.askedFor("GET /api/acknowledgements")).toHaveLength(1));
    expect(server.asked.map(({ path }) => path).toSorted()).toEqual([
      "/api/acknowledgements",
      "/api/approvals",
      "/api/auth/check",
      "/api/auth/me",
      "/api/categories",
      "/api/notifications/count",
      "/api/sops",
      "/api/stats",
    ]);
  });
});
