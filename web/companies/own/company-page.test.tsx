import { screen, waitFor, within } from "@testing-library/react";
import { afterEach, describe, expect, it } from "vitest";
import { actions } from "#core/permissions/actions.ts";
import { roles, type Role } from "#core/permissions/roles.ts";
import { defaultSettings } from "#core/companies/settings.ts";
import type { RoleRight } from "#core/permissions/schema.ts";
import { aCompany } from "../../testing/admin-records.ts";
import {
  fakeServer,
  FakeRefusal,
  signedInReplies,
  type RecordedRequest,
  type Replies,
} from "../../testing/fake-server.ts";
import { aUser } from "../../testing/records.ts";
import { resetBrowser, showApp } from "../../testing/render-app.tsx";

afterEach(resetBrowser);

const permissions = (overridden: boolean | null = null): RoleRight[] =>
  roles.flatMap((role) =>
    actions.map((permission) => {
      const override = role === "manager" && permission === "sop.publish" ? overridden : null;
      return {
        id: `${role}:${permission}`,
        role,
        permission,
        resource: "sop",
        description: "Publish",
        createdAt: "2026-01-01T00:00:00.000Z",
        default: "all" as const,
        override,
        effective: override === false ? ("none" as const) : ("all" as const),
        settable: role !== "system_admin" && role !== "company_admin",
      };
    }),
  );

function openCompany(topic: string, more: Replies = {}, role: Role = "company_admin") {
  const server = fakeServer({
    ...signedInReplies(),
    "GET /api/auth/me": { user: aUser({ role }) },
    "GET /api/company": {
      ...aCompany({ industry: "Bakery", subscription: "professional", maxSOPs: 20_000 }),
      assetBytes: 3 * 2 ** 20,
      textBytes: 2 ** 20,
    },
    "GET /api/company/roles": permissions(),
    ...more,
  });
  return { server, ...showApp(server, `/admin/company${topic === "" ? "" : `/${topic}`}`) };
}
const region = (name: string) => screen.findByRole("region", { name });

describe("who sees the company", () => {
  it("is not for managers", async () => {
    const { server } = openCompany("", {}, "manager");
    await screen.findByRole("heading", { level: 1, name: "Access Denied" });
    expect(server.requestsFor("GET /api/company")).toEqual([]);
  });

  it("lets admins read, not change", async () => {
    openCompany("", {}, "admin");
    const profile = await region("Profile");
    expect(within(profile).getByLabelText<HTMLInputElement>("Company name").matches(":disabled")).toBe(true);
    expect(within(profile).queryByRole("button")).toBeNull();
    expect(screen.getByText(/Company admins can change them/)).toBeTruthy();
    const topics = within(screen.getByRole("navigation", { name: "Company settings" }));
    expect(topics.queryByRole("link", { name: "Roles" })).toBeNull();
  });

  it("says when it could not be loaded", async () => {
    const { user, server } = openCompany("", { "GET /api/company": new FakeRefusal("busy") });
    await screen.findByText("Couldn't load the company.");
    server.reply({ "GET /api/company": aCompany() });
    await user.click(screen.getByRole("button", { name: "Try Again" }));
    await region("Profile");
  });
});

describe("lost settings", () => {
  const company = (settingsLost: boolean) => ({ ...aCompany(), textBytes: 0, settingsLost });

  it("are named until an administrator has looked at them", async () => {
    const { user, server } = openCompany("profile", {
      "GET /api/company": company(true),
      "PUT /api/company": company(false),
    });
    await screen.findByText("Company settings were lost");
    server.reply({ "GET /api/company": company(false) });
    await user.click(screen.getByRole("button", { name: "All settings are right" }));
    await waitFor(() => expect(screen.queryByText("Company settings were lost")).toBeNull());
    expect(server.requestsFor("PUT /api/company")[0]?.body).toEqual({ settingsLost: false });
  });

  it("are no matter of other administrators", async () => {
    openCompany("profile", { "GET /api/company": company(true) }, "admin");
    await region("Profile");
    expect(screen.queryByText("Company settings were lost")).toBeNull();
  });
});

describe("profile", () => {
  it("is checked, saved, and keeps what the server answers", async () => {
    const { user, server } = openCompany("profile", {
      "PUT /api/company": aCompany({ name: "Acme Ltd", industry: "Bakery" }),
    });
    const profile = within(await region("Profile"));
    expect(profile.queryByRole("button", { name: "Save" })).toBeNull();
    expect(profile.getByLabelText(/^Industry/)).toHaveProperty("value", "Bakery");
    await user.clear(profile.getByLabelText("Company name"));
    await user.type(profile.getByLabelText(/^Website/), "bakery");
    await user.click(profile.getByRole("button", { name: "Save" }));
    await profile.findByText("Company name must be at least 2 characters");
    expect(profile.getByText("Website must be a valid URL")).toBeTruthy();
    expect(server.requestsFor("PUT /api/company")).toEqual([]);
    await user.type(profile.getByLabelText("Company name"), "Acme Ltd");
    await user.clear(profile.getByLabelText(/^Website/));
    server.reply({ "GET /api/company": aCompany({ name: "Acme Ltd", industry: "Bakery" }) });
    await user.click(profile.getByRole("button", { name: "Save" }));
    await screen.findByText("Company updated");
    expect(server.requestsFor("PUT /api/company")[0]?.body).toEqual({
      name: "Acme Ltd",
      description: "",
      website: "",
      industry: "Bakery",
      size: "",
      logo: "",
    });
  });

  it("says what the server found", async () => {
    const { user } = openCompany("profile", {
      "PUT /api/company": new FakeRefusal("invalid_input", "No", { logo: "Upload it first" }),
    });
    const profile = within(await region("Profile"));
    await user.type(await profile.findByLabelText("Industry"), "!");
    await user.click(profile.getByRole("button", { name: "Save" }));
    await profile.findByText("Upload it first");
  });
});

describe("rules", () => {
  it("of publishing are explained, warned of, and saved together", async () => {
    const { user, server } = openCompany("publishing", { "PUT /api/company": aCompany() });
    const rules = within(await region("Publishing"));
    expect(rules.getByRole<HTMLInputElement>("radio", { name: /^Flexible/ }).checked).toBe(true);
    expect(rules.queryByText(/Auditors usually expect two/)).toBeNull();
    await user.click(rules.getByRole("radio", { name: /^Strict/ }));
    await user.click(rules.getByRole("switch", { name: /approve their own/ }));
    expect(rules.getByText(/Auditors usually expect two/)).toBeTruthy();
    await user.selectOptions(rules.getByLabelText("An SOP is approved when"), "A number of them have approved");
    await user.click(rules.getByRole("button", { name: "Save" }));
    await rules.findByText("Enter a number from 1 to 50");
    await user.type(rules.getByLabelText("How many"), "2");
    await user.clear(rules.getByLabelText("Months until the next review"));
    await user.clear(rules.getByLabelText("Days to confirm reading"));
    await user.type(rules.getByLabelText("Days to confirm reading"), "30");
    rules.getByText("6 changes not saved");
    await user.click(rules.getByRole("button", { name: "Save" }));
    await screen.findByText("Rules saved");
    expect(server.requestsFor("PUT /api/company")[0]?.body).toEqual({
      settings: {
        documentControl: "strict",
        approvalRule: { kind: "n_of_m", count: 2 },
        allowSelfApproval: true,
        reviewMonths: null,
        readingDays: 30,
        numberScheme: "SOP-{seq:4}",
      },
    });
  });

  it("of numbers show an example, and a scheme without digits is refused", async () => {
    const { user, server } = openCompany("publishing", { "PUT /api/company": aCompany() });
    const rules = within(await region("Publishing"));
    const field = rules.getByLabelText("Numbers of new SOPs");
    rules.getByText(/such as SOP-0007\./);
    await user.clear(field);
    await user.paste("{category}-{seq:3}");
    rules.getByText(/such as IT-007\./);
    await user.clear(field);
    await user.paste("QM");
    await user.click(rules.getByRole("button", { name: "Save" }));
    await rules.findByText("End the scheme with {seq:3}, once: the digits that count up");
    expect(server.requestsFor("PUT /api/company")).toEqual([]);
  });

  it("show what the server refuses under its field", async () => {
    const refusal = new FakeRefusal("invalid_input", "No", {
      "settings.passwordMinimum": "This server asks for at least 12",
    });
    const { user } = openCompany("passwords", { "PUT /api/company": refusal });
    const rules = within(await region("Passwords"));
    await user.type(rules.getByLabelText("Shortest password"), "10");
    await user.click(rules.getByRole("button", { name: "Save" }));
    await rules.findByText("This server asks for at least 12");
  });

  it("ask before a link leaves with changes, and Cancel drops them", async () => {
    const { user, address } = openCompany("publishing");
    const rules = within(await region("Publishing"));
    const strict = rules.getByRole<HTMLInputElement>("radio", { name: /^Strict/ });
    await user.click(strict);
    await user.click(screen.getByRole("link", { name: "Glossary" }));
    const question = within(await screen.findByRole("alertdialog", { name: "Leave without saving?" }));
    await user.click(question.getByRole("button", { name: "Stay" }));
    expect(address()).toBe("/admin/company/publishing");
    expect(strict.checked).toBe(true);
    await user.click(rules.getByRole("button", { name: "Cancel" }));
    await waitFor(() => expect(strict.checked).toBe(false));
    expect(rules.queryByText("1 change not saved")).toBeNull();
    await user.click(strict);
    await user.click(screen.getByRole("link", { name: "Glossary" }));
    await user.click(await screen.findByRole("button", { name: "Leave" }));
    await region("Glossary");
    expect(address()).toBe("/admin/company/glossary");
  });
});

describe("plan", () => {
  it("shows what is used", async () => {
    openCompany("plan");
    const plan = await region("Plan and limits");
    expect(plan.textContent).toMatch(
      /^Plan and limitsPlanProfessionalUsers\d+ of 10SOPs\d+ of 20,000Texts and files4 of 2,048 MB$/,
    );
  });
});

describe("glossary", () => {
  it("is written line by line, checked, and saved alone", async () => {
    const settings = { ...defaultSettings, roleOverrides: {}, glossary: [["LOTO", "lock-out"]] };
    const { user, server } = openCompany("glossary", { "GET /api/company": aCompany({ settings }) });
    const glossary = within(await region("Glossary"));
    const rows = glossary.getByLabelText<HTMLTextAreaElement>("Words with the same meaning");
    expect(rows.value).toBe("LOTO, lock-out");
    await user.type(rows, "{Enter}PPE");
    await user.click(glossary.getByRole("button", { name: "Save" }));
    await glossary.findByText("Line 2: write at least two words that mean the same");
    expect(server.requestsFor("PUT /api/company")).toEqual([]);
    await user.type(rows, ", safety gear");
    const saved = [...settings.glossary, ["PPE", "safety gear"]];
    const after = aCompany({ settings: { ...settings, glossary: saved } });
    server.reply({ "PUT /api/company": after, "GET /api/company": after });
    await user.click(glossary.getByRole("button", { name: "Save" }));
    await screen.findByText("Glossary saved");
    expect(server.requestsFor("PUT /api/company")[0]?.body).toEqual({ settings: { glossary: saved } });
  });
});

describe("roles", () => {
  const name = (value: string) => `Manager, Publish and unpublish: ${value}`;

  it("are changed cell by cell, and reset", async () => {
    const set = ({ body }: RecordedRequest) => permissions((body as { granted: boolean | null }).granted);
    const { user, server } = openCompany("roles", { "PUT /api/company/roles": set });
    await user.click(await screen.findByRole("button", { name: name("Yes") }));
    server.reply({ "GET /api/company/roles": permissions(false) });
    await user.click(await screen.findByRole("menuitemradio", { name: "Deny" }));
    await screen.findByRole("button", { name: name("No, changed by your company") });
    server.reply({ "GET /api/company/roles": permissions() });
    await user.click(screen.getByRole("button", { name: "Reset all changes (1)" }));
    await user.click(within(await screen.findByRole("alertdialog")).getByRole("button", { name: "Reset" }));
    await screen.findByRole("button", { name: name("Yes") });
    expect(server.requestsFor("PUT /api/company/roles").map(({ body }) => body)).toEqual([
      { role: "manager", permission: "sop.publish", granted: false },
      { role: "manager", permission: "sop.publish", granted: null },
    ]);
    expect(screen.getByRole("button", { name: "Reset all changes" })).toHaveProperty("disabled", true);
  });

  it("stay as they are when the server refuses", async () => {
    const { user } = openCompany("roles", {
      "PUT /api/company/roles": new FakeRefusal("forbidden", "You can't change this right"),
    });
    await user.click(await screen.findByRole("button", { name: name("Yes") }));
    await user.click(await screen.findByRole("menuitemradio", { name: "Deny" }));
    await screen.findByText("You can't change this right");
    expect(screen.getByRole("button", { name: name("Yes") })).toBeTruthy();
  });
});
