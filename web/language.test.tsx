/** Another language is one file of messages: with it, no text of a screen is left in English. */
import { screen, waitFor } from "@testing-library/react";
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { languageCode } from "#core/language/spoken.ts";
import { keyRefusals } from "#core/settings/ai-key.ts";
import { pseudo, pseudoLanguage, untranslatedPart } from "../test/pseudo-language.ts";
import { loadLanguage } from "./language.ts";
import { FakeRefusal, fakeServer, signedInReplies, signedOutReplies, type Replies } from "./testing/fake-server.ts";
import { aSop, aTeam, aUser } from "./testing/records.ts";
import { resetBrowser, showApp } from "./testing/render-app.tsx";
import type { MessageWithId } from "#core/language/catalog.ts";

beforeAll(async () => {
  const { code, texts } = pseudoLanguage("core", "server", "web");
  // before the screens load, as on the page
  await loadLanguage(["fr", code, "de"], new Map([[code, async () => texts]]));
});
afterEach(resetBrowser);

/** Everything that people see or hear of the page, each once. */
function shownTexts(): string[] {
  const found = new Set<string>();
  const nodes = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (nodes.nextNode()) found.add(nodes.currentNode.textContent ?? "");
  for (const element of document.body.querySelectorAll("*")) {
    for (const name of ["aria-label", "placeholder", "title", "alt"]) found.add(element.getAttribute(name) ?? "");
  }
  return [...found];
}

/** Strings of the answers. */
function stringsOf(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(stringsOf) : [];
}

/** Names that are the same in all languages, and keys. */
const names = ["Sopwright", "Ctrl+K"];

async function leftOn(path: string, heading: string, replies: Replies): Promise<string[]> {
  showApp(fakeServer(replies), path);
  await waitFor(() => expect(shownTexts().some((text) => text.includes(heading))).toBe(true));
  const data = [...stringsOf(replies), ...names];
  return shownTexts()
    .map((text) => untranslatedPart(text, data))
    .filter((left) => left !== "");
}

describe("in a pseudo-language, no text of these screens is left in English:", () => {
  const sop = aSop({ title: "4711", status: "published" });
  const lists: Replies = {
    ...signedInReplies(),
    "GET /api/auth/me": { user: aUser({ role: "company_admin" }) },
    "GET /api/sops": { data: [sop] },
    "GET /api/teams": [aTeam()],
  };
  it.each<[path: string, heading: string, replies: Replies]>([
    ["/login", "⟦Sígn ín⟧", signedOutReplies()],
    ["/", "⟦Récéntly Updátéd⟧", lists],
    ["/sops", "⟦Stándárd Ópérátíng Prócédúrés⟧", lists],
    ["/admin/teams", "⟦Téáms⟧", lists],
    ["/settings/appearance", "⟦Ápp", lists],
    ["/pending", "⟦Péndíng Áppróvál⟧", lists],
    ["/favorites", "⟦Fávórítés⟧", lists],
  ])("%s", async (path, heading, replies) => {
    expect(languageCode()).toBe("en-XA");
    expect(document.documentElement.lang).toBe("en-XA");
    expect(await leftOn(path, heading, replies)).toEqual([]);
  });
});

describe("in a pseudo-language, a refusal is written in it:", () => {
  /** A sentence without values, as the server sends it. */
  const sent = (id: string, text: string): MessageWithId => ({ id, values: {}, text });

  it.each([
    [
      "the server's own sentence",
      new FakeRefusal(
        "unauthenticated",
        sent("server.sign-in.refusals.wrongSignIn", "The username or the password is wrong"),
      ),
      "The username or the password is wrong",
    ],
    [
      "the sentence of the code, where the server gives no reason",
      new FakeRefusal("busy"),
      "The server is busy. Try again in a moment",
    ],
  ])("%s", async (_, refusal, text) => {
    const { user } = showApp(fakeServer({ ...signedOutReplies(), "POST /api/auth/login": refusal }), "/login");
    await user.type(await screen.findByLabelText(pseudo("Username")), "ann");
    await user.type(screen.getByLabelText(pseudo("Password")), "secret");
    await user.click(screen.getByRole("button", { name: pseudo("Sign in") }));
    await screen.findByText(pseudo(text));
  });

  it("the sentence under a field, of the form's schema and of the server", async () => {
    const closed = new FakeRefusal("conflict", sent("server.http.refusals.someoneElse", "Someone else just did this"), {
      name: sent("server.teams.refusals.nameTaken", "This team name is taken"),
    });
    const replies: Replies = {
      ...signedInReplies(),
      "GET /api/auth/me": { user: aUser({ role: "company_admin" }) },
      "GET /api/users": [],
      "GET /api/teams": [aTeam()],
      "POST /api/teams": closed,
    };
    const { user } = showApp(fakeServer(replies), "/admin/teams");
    await user.click(await screen.findByRole("button", { name: pseudo("New Team") }));
    const name = await screen.findByLabelText(pseudo("Team name"));
    await user.type(name, "A{Enter}");
    await screen.findByText(pseudo("Team name must be at least 2 characters"));
    await user.type(name, "udit{Enter}");
    await screen.findByText(pseudo("This team name is taken"));
  });
});

it("in a pseudo-language, the test of an AI key says once what is wrong", async () => {
  const tested = "POST /api/user/settings/test-api-key";
  const server = fakeServer({
    ...signedInReplies(),
    "GET /api/user/settings": {
      openaiApiKey: null,
      hasApiKey: false,
      hasGlobalApiKey: false,
      aiFeaturesEnabled: true,
      companyAiEnabled: true,
      mailChoices: {},
    },
    [tested]: new FakeRefusal("invalid_input", keyRefusals.invalid()),
  } as Replies);
  const { user } = showApp(server, "/settings/ai");
  const test = await screen.findByRole("button", { name: pseudo("Test Key") });
  const noKey = pseudo("Invalid Key: Please enter a valid API key to test.");
  const shown = async () => (await screen.findByRole("alert")).textContent;
  await user.click(test);
  expect(await shown()).toBe(noKey);
  await user.type(screen.getByLabelText(pseudo("OpenAI API Key")), "sk-right");
  await user.click(test);
  expect(await shown()).toBe(noKey);
  server.reply({ [tested]: { message: "Valid API key" } });
  await user.click(test);
  await waitFor(async () => expect(await shown()).toBe(`${pseudo("Valid Key")}: ${pseudo("Valid API key")}`));
});

describe("in a pseudo-language, an answer is written in it:", () => {
  it("the sentence of a screen", async () => {
    const message = "If an account exists with this email address, a reset link has been sent. It is valid for 1 hour.";
    const answer = { ok: true, message, reason: { id: "server.sign-in.linkSent", values: {} } };
    const server = fakeServer({ ...signedOutReplies(), "POST /api/auth/forgot-password": answer });
    const { user } = showApp(server, "/forgot-password");
    await user.type(await screen.findByLabelText(pseudo("Email")), "ann@example.org{Enter}");
    await screen.findByText(pseudo(message));
  });

  it("a notification, with the SOP that the reader can't see", async () => {
    const notification = {
      id: "01980000-0000-7000-8000-000000000001",
      kind: "review_due",
      text: "An SOP is due for review by Aug 1, 2026",
      sentence: {
        id: "core.notifications.review_due_day",
        values: {
          what: { id: "core.notifications.some_sop_first", values: {}, text: "An SOP" },
          day: { day: "2026-08-01" },
        },
      },
      sop: null,
      actor: null,
      link: null,
      createdAt: "2026-07-01T00:00:00.000Z",
      readAt: "2026-07-01T00:00:00.000Z",
    };
    const server = fakeServer({
      ...signedInReplies(),
      "GET /api/notifications/count": { unread: 0 },
      "GET /api/notifications": { data: [notification] },
    });
    const { user } = showApp(server, "/settings/appearance");
    await user.click(await screen.findByRole("button", { name: pseudo("Notifications") }));
    await screen.findByText("⟦⟦Án SÓP⟧ ís dúé fór révíéw by Aug 1, 2026⟧");
  });
});

describe("the language", () => {
  it("stays as it is where the reader prefers English, or wants no language that exists", async () => {
    const known = new Map([["de", async () => expect.fail("not wanted")]]);
    await loadLanguage(["en-GB", "de"], known);
    await loadLanguage(["fr"], known);
    expect(languageCode()).toBe("en-XA");
  });

  it("is that of the region, or of any region, and English when its file doesn't load", async () => {
    const texts = { shell: { tryAgain: "Nochmal" } };
    await loadLanguage(["de-AT"], new Map([["de", async () => texts]]));
    expect(languageCode()).toBe("de");
    await loadLanguage(
      ["pt-BR", "de"],
      new Map([
        ["pt-BR", async () => texts],
        ["de", async () => texts],
      ]),
    );
    expect(languageCode()).toBe("pt-BR");
    await loadLanguage(["de"], new Map([["de", async () => Promise.reject(new TypeError("no network"))]]));
    expect(languageCode()).toBe("pt-BR");
  });
});
