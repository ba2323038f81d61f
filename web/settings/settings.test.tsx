import { act, screen, waitFor, within } from "@testing-library/react";
import { afterEach, describe, expect, it, vi } from "vitest";
import { fakeServer, noMailServer, FakeRefusal, signedInReplies, type FakeServer } from "../testing/fake-server.ts";
import { aUser } from "../testing/records.ts";
import { resetBrowser, showApp } from "../testing/render-app.tsx";
import type { SettingsTopicId } from "./topics.ts";

afterEach(() => {
  resetBrowser();
  vi.unstubAllGlobals();
});

const mailChoices = {
  approval_requested: true,
  approval_decided: true,
  mention: true,
  comment: false,
  review_due: true,
};

function settings(change: object = {}) {
  return {
    openaiApiKey: null,
    hasApiKey: false,
    hasGlobalApiKey: false,
    aiFeaturesEnabled: true,
    companyAiEnabled: true,
    apiKeyProblem: null,
    mailChoices,
    ...change,
  };
}

const days = (count: number) => new Date(Date.now() + count * 86_400_000).toISOString();
const sessions = [
  { id: "s1", current: false, createdAt: days(-3), lastSeenAt: days(-2), userAgent: null },
  {
    id: "s2",
    current: true,
    createdAt: days(-1),
    lastSeenAt: days(0),
    userAgent:
      "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36",
  },
];
const token = {
  id: "t1",
  name: "Import pipeline",
  hint: "sop_pat_abcd…wxyz",
  scopes: ["sops:read", "sops:write"],
  createdAt: days(-10),
  expiresAt: days(20),
  lastUsedAt: null,
};

function server(change: object = {}): FakeServer {
  return fakeServer({
    ...signedInReplies(),
    "GET /api/user/settings": settings(change),
    "GET /api/sessions": sessions,
    "GET /api/tokens": [token],
  });
}

const region = (name: string) => within(screen.getByRole("region", { name }));
const shownFirst: Record<SettingsTopicId, () => Promise<unknown>> = {
  profile: () => screen.findByLabelText("Full name"),
  password: () => screen.findByLabelText("Current password"),
  sessions: () => screen.findByText("This device"),
  tokens: () => screen.findByText("Import pipeline"),
  mail: () => screen.findAllByRole("switch"),
  appearance: () => screen.findByRole("radio", { name: "Dark" }),
  ai: () => screen.findByRole("switch", { name: /^Enable AI Features/ }),
};
const show = async (from: FakeServer, topic: SettingsTopicId) => {
  const shown = showApp(from, `/settings/${topic}`);
  await shownFirst[topic]();
  return shown;
};
const toasted = async (title: string) => {
  const toasts = await screen.findByRole("region", { name: /^notifications/i });
  await within(toasts).findByText(title);
  return within(toasts);
};

describe("the address", () => {
  it("of a section of the former single page leads to its page; unknown ones lead nowhere", async () => {
    const { address } = showApp(server(), "/settings#tokens");
    await screen.findByText("Import pipeline");
    expect(address()).toBe("/settings/tokens");
    resetBrowser();
    showApp(server(), "/settings/unknown");
    await screen.findByRole("heading", { level: 1, name: "Page Not Found" });
  });
});

describe("AI configuration", () => {
  it("is reached from the sidebar and says what the seed says", async () => {
    const { user, address } = showApp(server());
    await user.click(await screen.findByRole("link", { name: "Settings" }));
    await screen.findByRole("heading", { level: 1, name: "Settings" });
    expect(address()).toBe("/settings");
    expect(screen.getByText("Manage your personal preferences and API configurations")).toBeTruthy();
    const topics = within(screen.getByRole("navigation", { name: "Settings sections" }));
    expect(topics.getByRole("link", { current: "page" }).textContent).toBe("Profile");
    await user.click(topics.getByRole("link", { name: "AI Configuration" }));
    expect(address()).toBe("/settings/ai");
    await screen.findByText("No API Key Configured");
    expect(screen.getByRole("region", { name: "AI Configuration" })).toBeTruthy();
    expect(screen.queryByText("Global API Key Configured")).toBeNull();
    expect(
      region("API Key Security")
        .getAllByRole("listitem")
        .map(({ textContent }) => textContent),
    ).toEqual([
      "Your API key is stored encrypted.",
      "It's never logged, shared or shown in full.",
      "Your AI provider bills you for usage.",
      "Clearing the field and saving removes the key.",
    ]);
  });

  it("tests a key, but neither an empty nor a masked one", async () => {
    const from = server({ openaiApiKey: "sk-••••abcd", hasApiKey: true, hasGlobalApiKey: true });
    const { user } = await show(from, "ai");
    expect(screen.getByText("Global API Key Configured")).toBeTruthy();
    expect(screen.queryByText("No API Key Configured")).toBeNull();
    const field = screen.getByLabelText("OpenAI API Key");
    const button = () => screen.getByRole("button", { name: "Test Key" });
    const refused = "Invalid Key: Please enter a valid API key to test.";
    expect(field).toMatchObject({ value: "sk-••••abcd", type: "text" });
    await user.click(button());
    expect(screen.getByRole("alert").textContent).toBe(refused);
    await user.clear(field);
    expect(screen.queryByRole("alert")).toBeNull();
    await user.click(button());
    expect(screen.getByRole("alert").textContent).toBe(refused);
    expect(from.requestsFor("POST /api/user/settings/test-api-key")).toEqual([]);

    const { promise, resolve } = Promise.withResolvers<unknown>();
    from.reply({ "POST /api/user/settings/test-api-key": () => promise });
    await user.type(field, "sk-right");
    expect(field).toHaveProperty("type", "password");
    await user.click(button());
    expect(screen.getByRole("button", { name: "Testing..." }).getAttribute("aria-disabled")).toBe("true");
    resolve({ message: "Valid API key" });
    expect((await screen.findByRole("alert")).textContent).toBe("Valid Key: Valid API key");
    expect(from.requestsFor("POST /api/user/settings/test-api-key")[0]?.body).toEqual({ apiKey: "sk-right" });
    for (const [refusal, said] of [
      [
        new FakeRefusal("ai_failed", "Can't reach the AI provider. Try again later"),
        "Can't reach the AI provider. Try again later",
      ],
      [() => Promise.reject(new TypeError("Failed to fetch")), "Invalid API key"],
    ] as const) {
      from.reply({ "POST /api/user/settings/test-api-key": refusal });
      await user.click(button());
      await waitFor(() => expect(screen.getByRole("alert").textContent).toBe(`Invalid Key: ${said}`));
    }
  });

  it("saves: a masked key is not sent, an emptied one removes it", async () => {
    const from = server({ openaiApiKey: "sk-••••abcd", hasApiKey: true });
    const { user } = await show(from, "ai");
    const { promise, resolve } = Promise.withResolvers<unknown>();
    from.reply({ "PUT /api/user/settings": () => promise });
    await user.click(screen.getByRole("switch", { name: /^Enable AI Features/ }));
    await user.click(screen.getByRole("button", { name: "Save Settings" }));
    await screen.findByRole("button", { name: "Saving..." });
    resolve(settings({ openaiApiKey: "sk-••••abcd", hasApiKey: true, aiFeaturesEnabled: false }));
    (await toasted("Settings Updated")).getByText("Your settings have been saved successfully.");
    const field = screen.getByLabelText("OpenAI API Key");
    from.reply({
      "PUT /api/user/settings": settings({ aiFeaturesEnabled: false }),
      "GET /api/user/settings": settings({ aiFeaturesEnabled: false }),
    });
    await user.clear(field);
    await user.click(screen.getByRole("button", { name: "Save Settings" }));
    await screen.findByText("No API Key Configured");
    expect(from.requestsFor("PUT /api/user/settings").map(({ body }) => body)).toEqual([
      { aiFeaturesEnabled: false },
      { aiFeaturesEnabled: false, openaiApiKey: "" },
    ]);
  });

  it("goes back with Cancel, and says when saving failed", async () => {
    const from = server({ openaiApiKey: "sk-••••abcd", hasApiKey: true });
    from.reply({
      "PUT /api/user/settings": new FakeRefusal("invalid_input", "no", {
        openaiApiKey: "An API key has no spaces and only ASCII",
      }),
    });
    const { user } = await show(from, "ai");
    const field = screen.getByLabelText("OpenAI API Key");
    await user.clear(field);
    await user.type(field, "sk with spaces");
    await user.click(screen.getByRole("button", { name: "Save Settings" }));
    (await toasted("Update Failed")).getByText("Failed to update settings. Please try again.");
    expect(screen.getByText("An API key has no spaces and only ASCII")).toBeTruthy();
    await user.click(screen.getByRole("button", { name: "Cancel" }));
    expect(field).toHaveProperty("value", "sk-••••abcd");
  });

  it("says when settings can't be fetched, and what AI needs", async () => {
    const from = server();
    from.reply({ "GET /api/user/settings": new FakeRefusal("busy") });
    const { user } = showApp(from, "/settings/ai");
    expect(await screen.findAllByText("Failed to fetch settings")).toHaveLength(1);
    from.reply({ "GET /api/user/settings": settings({ companyAiEnabled: false, apiKeyProblem: "Enter it again." }) });
    await user.click(screen.getAllByRole("button", { name: "Try Again" })[0] as HTMLElement);
    await screen.findByText("Your company turned AI off");
    expect(screen.getByText("Enter it again.")).toBeTruthy();
  });
});

describe("profile", () => {
  it("sends what changed, and asks for the password with another address", async () => {
    const from = server();
    const { user } = await show(from, "profile");
    const profile = region("Profile");
    expect(profile.getByText("Signed in as ann, Manager at Acme.")).toBeTruthy();
    // as in the company's settings: the bar comes with the first change
    expect(profile.queryByRole("button", { name: "Save" })).toBeNull();
    expect(profile.queryByLabelText("Current password")).toBeNull();
    await user.type(profile.getByLabelText("Department(optional)"), "Kitchen");
    await user.type(profile.getByLabelText("Email"), "nowhere");
    profile.getByText("2 changes not saved");
    const save = profile.getByRole("button", { name: "Save" });
    await user.click(save);
    await profile.findByText("Invalid email address");
    await user.type(profile.getByLabelText("Email"), "@acme.test");
    const changed = aUser({ department: "Kitchen", email: "nowhere@acme.test" });
    let isProven = false;
    const wrong = "The current password is wrong";
    from.reply({
      "PUT /api/auth/me": () => (isProven ? { user: changed } : new FakeRefusal("proof_needed")),
      "POST /api/auth/prove": ({ body }: { body: unknown }) => {
        isProven = (body as { currentPassword: string }).currentPassword === "secret-7";
        return isProven ? { ok: true } : new FakeRefusal("invalid_input", wrong, { currentPassword: wrong });
      },
    });
    await user.click(save);
    const question = within(await screen.findByRole("dialog", { name: "Enter your password" }));
    await user.type(question.getByLabelText("Password"), "secret{Enter}");
    await question.findByText(wrong);
    from.reply({ "GET /api/auth/me": { user: changed } });
    await user.type(question.getByLabelText("Password"), "-7{Enter}");
    await toasted("Profile updated");
    expect(from.requestsFor("PUT /api/auth/me").at(-1)?.body).toEqual({
      email: "nowhere@acme.test",
      department: "Kitchen",
    });
    expect(screen.queryByRole("dialog")).toBeNull();
    expect(save.isConnected).toBe(false);
  });

  it("asks before a link leaves with changes", async () => {
    const { user, address } = await show(server(), "profile");
    const name = region("Profile").getByLabelText<HTMLInputElement>("Full name");
    await user.type(name, " Baker");
    await user.click(screen.getByRole("link", { name: "Sessions" }));
    const question = within(await screen.findByRole("alertdialog", { name: "Leave without saving?" }));
    await user.click(question.getByRole("button", { name: "Stay" }));
    expect(address()).toBe("/settings/profile");
    expect(name.value).toMatch(/ Baker$/);
    await user.click(screen.getByRole("link", { name: "Sessions" }));
    await user.click(await screen.findByRole("button", { name: "Leave" }));
    await screen.findByText("This device");
    expect(address()).toBe("/settings/sessions");
  });

  it("says when it could not be saved", async () => {
    const from = server();
    from.reply({ "PUT /api/auth/me": () => Promise.reject(new TypeError("Failed to fetch")) });
    const { user } = await show(from, "profile");
    const profile = region("Profile");
    await user.clear(profile.getByLabelText("Full name"));
    await user.type(profile.getByLabelText("Full name"), "Ann Baker{Enter}");
    await profile.findByText("Couldn't update your profile. Try again.");
  });

  it("shows a picture in the sidebar too, falls back to initials, and removes it", async () => {
    const picture = `/api/assets/${"a".repeat(64)}.png`;
    const from = server();
    from.reply({ "GET /api/auth/me": { user: aUser({ avatar: picture }) }, "PUT /api/auth/me": { user: aUser() } });
    const { user } = await show(from, "profile");
    const pictures = () => [...document.images].filter((image) => image.src.endsWith(picture));
    expect(pictures()).toHaveLength(2);
    act(() => void pictures()[0]?.dispatchEvent(new Event("error")));
    await screen.findByText("AA");
    from.reply({ "GET /api/auth/me": { user: aUser() } });
    await user.click(region("Profile").getByRole("button", { name: "Remove" }));
    await toasted("Image removed");
    expect(from.requestsFor("PUT /api/auth/me")[0]?.body).toEqual({ avatar: null });
    await waitFor(() => expect(pictures()).toHaveLength(0));
  });

  it("says that a file is no picture", async () => {
    vi.stubGlobal("createImageBitmap", () => Promise.reject(new DOMException("no picture", "InvalidStateError")));
    const { user } = await show(server(), "profile");
    const input = document.querySelector<HTMLInputElement>('input[type="file"]');
    await user.upload(input as HTMLInputElement, new File(["text"], "x.png", { type: "image/png" }));
    await screen.findByText("This file isn't a supported image.");
  });
});

describe("password", () => {
  it("is changed with the current one, and the fields are emptied", async () => {
    const from = server();
    from.reply({
      "POST /api/auth/change-password": new FakeRefusal("invalid_input", "no", {
        currentPassword: "This is not your password",
      }),
    });
    const { user } = await show(from, "password");
    const section = region("Password");
    await user.click(section.getByRole("button", { name: "Change password" }));
    await section.findByText("Enter your current password");
    expect(document.activeElement).toBe(section.getByLabelText("Current password"));
    await user.type(section.getByLabelText("Current password"), "secret-7");
    await user.type(section.getByLabelText("New password"), "secret-8");
    await user.type(section.getByLabelText("Confirm password"), "secret-9{Enter}");
    await section.findByText("Passwords do not match");
    await user.clear(section.getByLabelText("Confirm password"));
    await user.type(section.getByLabelText("Confirm password"), "secret-8{Enter}");
    await section.findByText("This is not your password");
    from.reply({ "POST /api/auth/change-password": { user: aUser() } });
    await user.click(section.getByRole("button", { name: "Change password" }));
    (await toasted("Password changed")).getByText("You're signed out everywhere else.");
    expect(from.requestsFor("POST /api/auth/change-password").at(-1)?.body).toEqual({
      currentPassword: "secret-7",
      newPassword: "secret-8",
    });
    expect(section.getByLabelText("New password")).toHaveProperty("value", "");
  });
});

describe("sessions", () => {
  it("marks this device, and ends another", async () => {
    const from = server();
    const { user } = await show(from, "sessions");
    const rows = region("Sessions").getAllByRole("listitem");
    expect(rows.map(({ textContent }) => textContent)).toEqual([
      expect.stringMatching(/^Chrome on WindowsThis deviceActive (just now|\d+ min ago), signed in /),
      expect.stringMatching(/^Unknown deviceActive 2 days ago, signed in .*Sign out$/),
    ]);
    from.reply({ "DELETE /api/sessions/s1": { ok: true }, "GET /api/sessions": sessions.slice(1) });
    await user.click(region("Sessions").getByRole("button", { name: "Sign out Unknown device" }));
    const question = await screen.findByRole("alertdialog", { name: "Sign out Unknown device?" });
    await user.click(within(question).getByRole("button", { name: "Sign out" }));
    await toasted("Session ended");
    await screen.findByText("No other sessions.");
    expect(screen.queryByRole("button", { name: "Sign out all other sessions" })).toBeNull();
  });

  it("ends all others once that is confirmed", async () => {
    const from = server();
    from.reply({ "POST /api/sessions/end-others": { ok: true } });
    const { user } = await show(from, "sessions");
    await user.click(screen.getByRole("button", { name: "Sign out all other sessions" }));
    const question = await screen.findByRole("alertdialog", { name: "Sign out all other sessions?" });
    expect(from.requestsFor("POST /api/sessions/end-others")).toEqual([]);
    from.reply({ "GET /api/sessions": sessions.slice(1) });
    await user.click(within(question).getByRole("button", { name: "Sign out all other sessions" }));
    await toasted("All other sessions ended");
    await screen.findByText("No other sessions.");
  });
});

describe("access tokens", () => {
  it("are made with a name, rights and an end, and shown once", async () => {
    const from = server();
    from.reply({ "POST /api/tokens": { ...token, token: "sop_pat_secret" } });
    const { user } = await show(from, "tokens");
    await user.click(screen.getByRole("button", { name: "New Token" }));
    const dialog = within(await screen.findByRole("dialog", { name: "New access token" }));
    expect(dialog.getAllByRole("checkbox").map((box) => (box as HTMLInputElement).checked)).toEqual([
      true,
      false,
      false,
    ]);
    await user.click(dialog.getByRole("checkbox", { name: /^Read SOPs/ }));
    await user.click(dialog.getByRole("button", { name: "Create token" }));
    expect(dialog.getByText("Give the token a name")).toBeTruthy();
    expect(dialog.getByText("Choose at least one")).toBeTruthy();
    await user.type(dialog.getByLabelText("Name"), "CI");
    await user.click(dialog.getByRole("checkbox", { name: /^Write SOPs/ }));
    await user.selectOptions(dialog.getByLabelText("Expires in"), "30 days");
    await user.click(dialog.getByRole("button", { name: "Create token" }));
    const shown = within(await screen.findByRole("dialog", { name: "Copy your new token" }));
    expect(from.requestsFor("POST /api/tokens")[0]?.body).toEqual({
      name: "CI",
      scopes: ["sops:write"],
      expiresInDays: 30,
    });
    expect(shown.getByLabelText("Token")).toHaveProperty("value", "sop_pat_secret");
    await user.click(shown.getByRole("button", { name: "Copy" }));
    await shown.findByText("The token is copied");
    expect(await navigator.clipboard.readText()).toBe("sop_pat_secret");
    await user.click(shown.getByRole("button", { name: "Done" }));
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    expect(document.body.textContent).not.toContain("sop_pat_secret");
    expect(from.requestsFor("GET /api/tokens")).toHaveLength(2);
  });

  it("need the password after a while; closing the question leaves the form as it is", async () => {
    const from = server();
    let isProven = false;
    from.reply({
      "POST /api/tokens": () => (isProven ? { ...token, token: "sop_pat_secret" } : new FakeRefusal("proof_needed")),
      "POST /api/auth/prove": () => ((isProven = true), { ok: true }),
    });
    const { user } = await show(from, "tokens");
    await user.click(screen.getByRole("button", { name: "New Token" }));
    const dialog = within(await screen.findByRole("dialog", { name: "New access token" }));
    await user.type(dialog.getByLabelText("Name"), "CI{Enter}");
    const ask = async () => within(await screen.findByRole("dialog", { name: "Enter your password" }));
    await user.click((await ask()).getByRole("button", { name: "Cancel" }));
    await dialog.findByText("Enter your password again");
    expect(dialog.getByLabelText("Name")).toHaveProperty("value", "CI");
    await user.click(dialog.getByRole("button", { name: "Create token" }));
    await user.type((await ask()).getByLabelText("Password"), "secret-7{Enter}");
    await screen.findByRole("dialog", { name: "Copy your new token" });
    expect(from.requestsFor("POST /api/tokens")).toHaveLength(3);
  });

  it("offer administration to administrators alone, and say why one could not be made", async () => {
    const from = server();
    from.reply({
      "GET /api/auth/me": { user: aUser({ role: "company_admin" }) },
      "POST /api/tokens": new FakeRefusal("limit_reached", "You have 50 tokens: revoke one first"),
    });
    const { user } = await show(from, "tokens");
    await user.click(screen.getByRole("button", { name: "New Token" }));
    const dialog = within(await screen.findByRole("dialog", { name: "New access token" }));
    expect(dialog.getByRole("checkbox", { name: /^Administer/ })).toBeTruthy();
    await user.type(dialog.getByLabelText("Name"), "CI{Enter}");
    await dialog.findByText("You have 50 tokens: revoke one first");
  });

  it("are revoked once that is confirmed", async () => {
    const from = server();
    from.reply({ "DELETE /api/tokens/t1": { ok: true } });
    const { user } = await show(from, "tokens");
    const section = region("Access tokens");
    expect(section.getByText("sop_pat_abcd…wxyz")).toBeTruthy();
    expect(section.getByText("Write SOPs")).toBeTruthy();
    await user.click(section.getByRole("button", { name: "Revoke Import pipeline" }));
    const question = within(await screen.findByRole("alertdialog", { name: "Revoke 'Import pipeline'?" }));
    from.reply({ "GET /api/tokens": [] });
    await user.click(question.getByRole("button", { name: "Revoke" }));
    await section.findByText("No access tokens yet.");
  });
});

describe("an address that is not confirmed", () => {
  const row = "POST /api/auth/email-confirmation";

  it("says so in the profile and sends the link", async () => {
    const from = fakeServer({
      ...signedInReplies(),
      "GET /api/auth/me": { user: aUser({ email: "ann@acme.test" }) },
      "GET /api/user/settings": settings(),
      "GET /api/sessions": sessions,
      "GET /api/tokens": [token],
      [row]: { ok: true },
    });
    const { user } = await show(from, "profile");
    await user.click(region("Profile").getByRole("button", { name: "Send confirmation link" }));
    await toasted("Confirmation link sent");
    from.reply({ [row]: new FakeRefusal("rate_limited", undefined, { retryAfterSeconds: 60 }) });
    await user.click(region("Profile").getByRole("button", { name: "Send confirmation link" }));
    await toasted("Couldn't send the link. Try again.");
    expect(from.requestsFor(row)).toHaveLength(2);
    await user.click(screen.getByRole("link", { name: "Email notifications" }));
    await screen.findByText("Confirm it there to receive emails.");
  });
});

describe("a server without email", () => {
  it("asks for no confirmation and promises no emails", async () => {
    const from = server();
    from.reply({ ...noMailServer, "GET /api/auth/me": { user: aUser({ email: "ann@acme.test" }) } });
    const { user } = await show(from, "profile");
    await region("Profile").findByText("This server sends no email.");
    expect(screen.queryByRole("button", { name: "Send confirmation link" })).toBeNull();
    await user.click(screen.getByRole("link", { name: "Email notifications" }));
    await screen.findByText("You find all notifications here in the app.");
    expect(screen.queryByText("Emails go to ann@acme.test.")).toBeNull();
  });
});

describe("mails and theme", () => {
  it("saves each choice at once, and takes back what was refused", async () => {
    const from = server();
    from.reply({ "PUT /api/user/settings": settings({ mailChoices: { ...mailChoices, comment: true } }) });
    const { user } = await show(from, "mail");
    const mail = region("Email notifications");
    expect(mail.getByText("Your profile has no email address")).toBeTruthy();
    const comments = mail.getByRole("switch", { name: /^Comments/ });
    expect(comments).toHaveProperty("checked", false);
    await user.click(comments);
    expect(comments).toHaveProperty("checked", true);
    expect(from.requestsFor("PUT /api/user/settings")[0]?.body).toEqual({ mailChoices: { comment: true } });
    from.reply({ "PUT /api/user/settings": new FakeRefusal("busy", "Come back later") });
    await user.click(mail.getByRole("switch", { name: /^Mentions/ }));
    (await toasted("Update Failed")).getByText("Come back later");
    expect(mail.getByRole("switch", { name: /^Mentions/ })).toHaveProperty("checked", true);
  });

  it("changes the theme at once, and remembers", async () => {
    const { user } = await show(server(), "appearance");
    const theme = region("Appearance");
    expect(theme.getByRole("radio", { name: "Same as system" })).toHaveProperty("checked", true);
    await user.click(theme.getByRole("radio", { name: "Dark" }));
    expect(document.documentElement.className).toBe("dark");
    expect(localStorage.getItem("theme")).toBe("dark");
    expect(screen.getByRole("button", { name: "Switch to light theme" })).toBeTruthy();
  });
});
