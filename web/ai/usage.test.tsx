import { screen, waitFor, within } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { AiUsageReport } from "#core/ai/schema.ts";
import { defaultSettings } from "#core/companies/settings.ts";
import { aCompany } from "../testing/admin-records.ts";
import { someSettings } from "../testing/ai-records.ts";
import { fakeServer, FakeRefusal, signedInReplies, type Replies } from "../testing/fake-server.ts";
import { aUser } from "../testing/records.ts";
import { resetBrowser, showApp } from "../testing/render-app.tsx";

afterEach(() => {
  resetBrowser();
  vi.unstubAllGlobals();
});
beforeEach(() => {
  vi.stubGlobal(
    "IntersectionObserver",
    class {
      observe() {}
      disconnect() {}
    },
  );
});

function report(change: Partial<AiUsageReport> = {}): AiUsageReport {
  const until = "2026-07-01T00:00:00.000Z";
  return {
    key: "global",
    own: { tokens: 12_500, calls: 3, budget: 50_000, until },
    personal: { tokens: 0, calls: 0 },
    company: null,
    estimate: null,
    ...change,
  };
}
function show(path: string, usage: unknown, more: Replies = {}) {
  const server = fakeServer({
    ...signedInReplies(),
    "GET /api/user/settings": someSettings({ hasGlobalApiKey: true }),
    "GET /api/sessions": [],
    "GET /api/tokens": [],
    "GET /api/ai/usage": usage,
    ...more,
  });
  return { server, ...showApp(server, path) };
}
const usage = () => screen.findByRole("region", { name: "Usage" });

describe("the user's own usage, in the settings", () => {
  it("says what the server's key took of the day's budget", async () => {
    show("/settings/ai", report());
    const shown = within(await usage());
    expect(shown.getByText(/12,500 of 50,000 tokens/).textContent).toBe("12,500 of 50,000 tokens · 3 calls");
    expect(shown.getByText(/^Resets on /)).toBeTruthy();
    expect(shown.queryByText(/your own key/)).toBeNull();
    expect(shown.queryByText(/estimate/)).toBeNull();
  });

  it("without a budget it counts alone; with a personal key that one's, and what it costs about", async () => {
    const own = { tokens: 0, calls: 0, budget: null, until: "2026-07-01T00:00:00.000Z" };
    const estimate = { amount: 0.0712, currency: "USD", unpriced: 900 };
    show("/settings/ai", report({ key: "personal", own, personal: { tokens: 1, calls: 1 }, estimate }));
    const shown = within(await usage());
    expect(shown.getByText("This month, with your own key")).toBeTruthy();
    expect(shown.getByText(/^1 token/).textContent).toBe("1 token · 1 call");
    expect(shown.queryByText("Today, with the server's key")).toBeNull();
    expect(shown.getByText(/About \$0\.0712 this month: an estimate/).textContent).toContain(
      "Excludes 900 tokens with no known price.",
    );
  });

  it("is left out when it can't be loaded, and the form works without it", async () => {
    const { server } = show("/settings/ai", new FakeRefusal("internal"));
    await screen.findByRole("button", { name: "Save Settings" });
    await waitFor(() => expect(server.requestsFor("GET /api/ai/usage")).toHaveLength(1));
    expect(screen.queryByRole("region", { name: "Usage" })).toBeNull();
  });
});

describe("the company's budgets", () => {
  const chief: Replies = {
    "GET /api/auth/me": { user: aUser({ role: "company_admin" }) },
    "GET /api/company": aCompany({
      settings: {
        ...defaultSettings,
        aiUserTokensPerDay: 200_000,
        aiCompanyTokensPerMonth: 900_000,
        roleOverrides: {},
      },
    }),
  };

  it("are set, and taken away, beside what was spent", async () => {
    const company = { tokens: 850_000, calls: 40, budget: 900_000, until: "2026-07-01T00:00:00.000Z" };
    const { server, user } = show("/admin/company/ai", report({ company }), chief);
    await screen.findByText("850,000 of 900,000 tokens", { exact: false });
    const perUser = await screen.findByLabelText<HTMLInputElement>(/^AI tokens for each user a day/);
    const perCompany = screen.getByLabelText<HTMLInputElement>(/^AI tokens for the company a month/);
    expect([perUser.value, perCompany.value]).toEqual(["200000", "900000"]);
    await user.clear(perUser);
    await user.type(perUser, "-5");
    const rules = within(screen.getByRole("region", { name: "AI" }));
    await user.click(rules.getByRole("button", { name: "Save" }));
    await screen.findByText("Tokens can't be less than 0");
    expect(server.requestsFor("PUT /api/company")).toHaveLength(0);
    await user.clear(perUser);
    await user.type(perUser, "20000");
    await user.clear(perCompany);
    server.reply({ "PUT /api/company": aCompany() });
    await user.click(rules.getByRole("button", { name: "Save" }));
    await waitFor(() => expect(server.requestsFor("PUT /api/company")).toHaveLength(1));
    expect(server.requestsFor("PUT /api/company")[0]?.body).toMatchObject({
      settings: { aiEnabled: true, aiUserTokensPerDay: 20_000, aiCompanyTokensPerMonth: null },
    });
  });
});
