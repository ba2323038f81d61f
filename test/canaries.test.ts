/**
 * Passwords, tokens and keys are only where they belong: in no other log, answer, database, file, repository or email.
 */
import { randomBytes } from "node:crypto";
import pino from "pino";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { redactionOptions } from "../server/log-redaction.ts";
import {
  answerText,
  databasePlaces,
  filePlaces,
  mailPlaces,
  missingCanaries,
  repositoryPlaces,
  leakedCanaries,
  type Canary,
  type Place,
} from "./canaries.ts";
import { draftAnswer, editAnswer } from "./ai-answers.ts";
import { startFakeProvider, type FakeProvider } from "./fake-provider.ts";
import type { Received } from "./http.ts";
import { recordFigure } from "./proof.ts";
import { describeServer, json, type TestServer } from "./server.ts";

const secret = (start: string) => `${start}${randomBytes(18).toString("base64url").replaceAll("-", "x")}`;
const appKey = randomBytes(32).toString("base64");
const keys = { personal: secret("sk-proj-"), wrong: secret("sk-wrong-"), global: secret("sk-global-") };
const env: Record<string, string> = { APP_KEYS: `k1:${appKey}`, OPENAI_API_KEY: keys.global };
const logged: string[] = [];
const log = pino({ ...redactionOptions, level: "trace" }, { write: (line: string) => void logged.push(line) });
let provider: FakeProvider;

beforeAll(async () => {
  provider = await startFakeProvider(keys.personal);
  env["OPENAI_BASE_URL"] = provider.url;
});
afterAll(() => provider.stop());

test("the search finds a canary in every spelling, and misses one that is not where it belongs", () => {
  const canary = (belongs: string[]): Canary => ({ name: "c", value: 'a+/"sécret 1', belongs });
  const { value } = canary([]);
  for (const text of [
    `x${value}y`,
    `?token=${encodeURIComponent(value)}&`,
    JSON.stringify({ value }),
    Buffer.from(value).toString("hex"),
    Buffer.from(`pa:${value};`).toString("base64"),
    Buffer.from(`p:${value};`).toString("base64"),
    Buffer.from(`${value};..`).toString("base64"),
  ]) {
    expect([text, leakedCanaries([canary([])], [{ name: "p", text }])]).toEqual([text, ["c in p"]]);
  }
  expect(leakedCanaries([canary(["p"])], [{ name: "p", text: value }])).toEqual([]);
  expect(missingCanaries([canary(["p"])], [{ name: "p", text: "" }])).toEqual(["c not in p"]);
});

/** Sends requests as a person would. Keeps every answer, and every secret sent or received. */
function scribe(server: TestServer) {
  const answers: Place[] = [];
  const canaries: Canary[] = [];
  const keep = (name: string, value: string, ...belongs: string[]) => {
    expect(value.length).toBeGreaterThan(12);
    canaries.push({ name, value, belongs });
    return value;
  };
  let last = "";
  async function say(method: string, path: string, body?: unknown, headers: Record<string, string> = {}) {
    const answer = await server.send({
      method,
      path,
      // an idempotency key makes the server keep its answer
      headers: { ...json, "idempotency-key": `key ${answers.length}`, ...headers },
      ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
    });
    last = `answer ${answers.length} ${method} ${path.split("?")[0]}`;
    answers.push({ name: last, text: answerText(answer) });
    // the session cookie belongs in the answer that sets it
    for (const cookie of answer.headers.all("set-cookie")) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      if (value.length > 12) keep(`cookie ${name}`, value, last);
    }
    return answer;
  }
  return { answers, canaries, keep, say, lastAnswer: () => last };
}

const cookieIn = (answer: Received) =>
  answer.headers
    .all("set-cookie")
    .map((line) => line.split(";")[0] ?? "")
    .find((line) => line.startsWith("sid=")) ?? "";

describeServer(
  "secrets",
  (server, engine) => {
    /** The newest email to an address that has a link of this kind. */
    const linkTo = (to: string, shape: RegExp) =>
      vi.waitFor(
        () => {
          const found = mailPlaces(server().dataDir).find(({ text }) => text.includes(to) && shape.test(text));
          const token = shape.exec(found?.text ?? "")?.[1];
          if (!found || token === undefined) throw new Error(`no mail to ${to} with ${shape.source} yet`);
          return { place: found.name, token };
        },
        { timeout: 20_000, interval: 50 },
      );

    test("are where they belong and nowhere else", async () => {
      const { answers, canaries, keep, say, lastAnswer } = scribe(server());
      const { running, dataDir, db } = server();
      const password = (of: string) => keep(`password of ${of}`, secret("pw-"));
      const ok = (answer: Received) => {
        expect([answers.at(-1)?.name, answer.status < 300, answer.body]).toEqual([
          answers.at(-1)?.name,
          true,
          answer.body,
        ]);
        return answer;
      };
      keep("key of the server", appKey);
      keep("key of the server, bare", Buffer.from(appKey, "base64").toString("base64url"));
      for (const [name, value] of Object.entries(keys)) keep(`AI key, ${name}`, value);

      // the first administrator
      const setupToken = keep("set-up token", running.setupToken ?? "");
      const root = { username: "root-of-all", password: password("root"), name: "Root Rooter" };
      await say("GET", `/setup?token=${setupToken}`);
      const rooted = ok(await say("POST", "/api/setup", { token: setupToken, ...root }));
      await say("POST", "/api/setup", { token: setupToken, ...root });
      const asRoot = { cookie: cookieIn(rooted) };

      // a founder registers, signs in, mistypes
      const founder = { username: "ada.founder", email: "ada@example.org", name: "Ada Founder" };
      const first = password("founder");
      ok(await say("POST", "/api/auth/register", { ...founder, password: first }));
      const mistyped = keep("mistyped password", secret("oops-"));
      await say("POST", "/api/auth/login", { username: founder.username, password: mistyped });
      await say("POST", "/api/auth/login", { username: "nobody.here", password: mistyped });
      await say("POST", "/api/auth/login", `{"username":"ada.founder","password":"${mistyped}"`);
      await say("POST", "/api/auth/login", { username: [mistyped], password: { $gt: mistyped } });
      await say("POST", "/api/auth/register", { ...founder, password: mistyped });
      let ada = {
        cookie: cookieIn(ok(await say("POST", "/api/auth/login", { username: founder.username, password: first }))),
      };

      // tokens
      const made = ok(await say("POST", "/api/tokens", { name: "ci", scopes: ["sops:read", "admin"] }, ada));
      const pat = keep("access token", (made.json() as { token: string }).token, lastAnswer());
      ok(await say("GET", "/api/sops", undefined, { authorization: `Bearer ${pat}` }));
      await say("GET", `/api/sops?token=${pat}`, undefined, ada);
      await say("GET", "/api/sops", undefined, { authorization: `Bearer ${pat.slice(0, -1)}x` });
      await say("PUT", "/api/user/settings", {}, { authorization: `Bearer ${pat}` });

      // AI keys
      ok(await say("PUT", "/api/user/settings", { openaiApiKey: keys.personal }, ada));
      await say("PUT", "/api/user/settings", { openaiApiKey: `${keys.wrong} and more` }, ada);
      ok(await say("POST", "/api/user/settings/test-api-key", { apiKey: keys.personal }, ada));
      await say("POST", "/api/user/settings/test-api-key", { apiKey: keys.wrong }, ada);
      expect(provider.requests.map(({ authorization }) => authorization)).toContain(`Bearer ${keys.wrong}`);

      // … in use: with the user's key, then with one that the provider quotes back
      provider.answerChat = ({ response_format: format }) =>
        format?.json_schema.name === "sop_draft" ? draftAnswer : editAnswer("b1", "Open it now.");
      const prompt = keep("AI prompt", secret("Drain the tank of "));
      const text = secret("Open the valve of ");
      ok(await say("POST", "/api/ai/generate-sop", { prompt }, ada));
      ok(await say("POST", "/api/ai/improve-sop", { markdown: `${text}.` }, ada));
      // the answer returns it, to compare it with the proposal
      keep("text for the AI", text, lastAnswer());
      provider.knownKey = "";
      for (const accept of ["application/json", "text/event-stream"]) {
        const refused = await say("POST", "/api/ai/generate-sop", { prompt }, { ...ada, accept });
        expect(refused.body).toContain("ai_key_rejected");
      }
      provider.knownKey = keys.personal;
      ok(await say("GET", "/api/ai/usage", undefined, ada));

      // a forgotten password
      ok(await say("POST", "/api/auth/forgot-password", { email: founder.email }));
      const reset = await linkTo(founder.email, /reset-password\?token=([\w-]{40,})/);
      const resetToken = keep("reset token", reset.token, reset.place);
      ok(await say("GET", `/reset-password?token=${resetToken}`));
      ok(await say("GET", `/api/auth/validate-reset-token?token=${resetToken}`));
      await say("POST", "/api/auth/reset-password", { token: resetToken, password: "short" });
      const second = password("founder, reset");
      ok(await say("POST", "/api/auth/reset-password", { token: resetToken, password: second }));
      await say("POST", "/api/auth/reset-password", { token: resetToken, password: second });
      ada = {
        cookie: cookieIn(ok(await say("POST", "/api/auth/login", { username: founder.username, password: second }))),
      };
      const third = password("founder, changed");
      const changed = ok(
        await say("POST", "/api/auth/change-password", { currentPassword: second, newPassword: third }, ada),
      );
      ada = { cookie: cookieIn(changed) };
      await say("POST", "/api/auth/change-password", { currentPassword: mistyped, newPassword: third }, ada);
      ok(await say("PUT", "/api/auth/me", { email: "ada@other.example" }, ada));

      const confirmation = await linkTo("ada@other.example", /confirm-email\?token=([\w-]{40,})/);
      const proof = keep("confirmation token", confirmation.token, confirmation.place);
      ok(await say("GET", `/confirm-email?token=${proof}`));
      ok(await say("POST", "/api/auth/confirm-email", { token: proof }));
      await say("POST", "/api/auth/confirm-email", { token: proof });

      // an invitation
      const guest = { username: "bea.guest", email: "bea@example.org", name: "Bea Guest" };
      const invited = ok(await say("POST", "/api/company/invitations", { role: "editor", email: guest.email }, ada));
      const inviting = lastAnswer();
      const { link, unsent } = invited.json() as { link: string; unsent?: string };
      expect(unsent).toBeUndefined();
      const mailed = await linkTo(guest.email, /register\?invite=([\w-]{20,})/);
      expect(link).toContain(mailed.token);
      const invite = keep("invitation", mailed.token, inviting, mailed.place);
      ok(await say("GET", `/register?invite=${invite}`));
      ok(await say("GET", `/api/auth/invitation?token=${invite}`));
      ok(await say("POST", "/api/auth/register", { ...guest, invite, password: password("guest") }));
      await say("POST", "/api/auth/register", { ...guest, username: "bea.again", invite, password: mistyped });

      // users created by an administrator
      const clerk = { username: "cyd.clerk", name: "Cyd Clerk", role: "viewer" };
      const created = ok(await say("POST", "/api/company/users", { ...clerk, password: password("clerk") }, ada));
      const { id } = created.json() as { id: string };
      ok(await say("PUT", `/api/company/users/${id}`, { password: password("clerk, set anew") }, ada));
      const handed = ok(await say("POST", `/api/company/users/${id}/reset-password`, {}, ada));
      const handedLink = (handed.json() as { link?: string }).link ?? "";
      keep("link to hand over", /token=([\w-]{40,})/.exec(handedLink)?.[1] ?? "", lastAnswer());

      // and every screen that could show one of them
      const sop = ok(
        await say("POST", "/api/sops", { title: "T", description: "D", markdown: "M", status: "published" }, ada),
      );
      expect((sop.json() as { id: string }).id).toBeTruthy();
      for (const path of [
        "/api/auth/check",
        "/api/auth/me",
        "/api/user/settings",
        "/api/tokens",
        "/api/sessions",
        "/api/users",
        "/api/company",
        "/api/company/users",
        "/api/company/invitations",
        "/api/company/audit?limit=200",
        "/api/company/audit/export?format=csv",
        "/api/company/audit/export?format=ndjson",
        "/api/company/audit/state",
      ]) {
        ok(await say("GET", path, undefined, ada));
      }
      for (const path of ["/api/admin/companies", "/api/admin/users", "/api/auth/me"]) {
        ok(await say("GET", path, undefined, asRoot));
      }
      const me = (await say("GET", "/api/auth/me", undefined, ada)).json() as { user: { companyId: string } };
      ok(await say("GET", `/api/admin/audit?companyId=${me.user.companyId}`, undefined, asRoot));
      await running.services.repositories.drain(me.user.companyId);
      ok(await say("POST", "/api/auth/logout", {}, ada));
      await vi.waitFor(async () => expect(await db.collection("outbox").find({ state: "pending" })).toEqual([]), {
        timeout: 20_000,
      });

      const logPlace = { name: "log", text: logged.join("") };
      const mails = mailPlaces(dataDir);
      const places = [
        ...answers,
        logPlace,
        ...(await databasePlaces(db)),
        ...filePlaces(dataDir),
        ...repositoryPlaces(dataDir),
        ...mails,
      ];
      const hits = leakedCanaries(canaries, places);
      recordFigure({
        name: `canaries.hits.${engine}`,
        value: hits.length,
        unit: `of ${canaries.length} secrets`,
        goal: "= 0",
      });
      expect(hits).toEqual([]);
      expect(missingCanaries(canaries, places)).toEqual([]);
      // the searched places are not empty
      expect(logPlace.text).toContain("/api/auth/validate-reset-token");
      expect(mails.length).toBeGreaterThan(3);
      expect(places.some(({ name, text }) => name.startsWith("repository") && text.includes("title"))).toBe(true);
      expect(new Set(canaries.map(({ value }) => value)).size).toBeGreaterThan(22);
    });
  },
  { env, log, sendsEmail: true },
);
