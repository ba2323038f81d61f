/** What holds for every row of the contract table, tested on a running server. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { tokenScopeOf } from "#core/contract/route.ts";
import { tokenScopes, type TokenScope } from "#core/tokens/scopes.ts";
import {
  fieldsOf,
  isRaw,
  isWrite,
  paramNames,
  pathOf,
  rowNamed,
  rows,
  unknownId,
  wrongValues,
  type Row,
} from "./contract-rows.ts";
import { draftAnswer, editAnswer } from "./ai-answers.ts";
import { startFakeProvider, type FakeProvider } from "./fake-provider.ts";
import { exchange } from "./http.ts";
import { leastBody, person } from "./least-bodies.ts";
import { sendNotice } from "./notices.ts";
import { propose } from "./propose.ts";
import { describeServer, json, password, type Company, type TestUser } from "./server.ts";

const closed = rows.filter(({ route }) => route.access !== "public");
const png = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);
const document = { title: "A", description: "B", markdown: "C\n" };

const env: Record<string, string> = { OPENAI_API_KEY: "sk-known-to-the-fake" };
let provider: FakeProvider;
beforeAll(async () => {
  provider = await startFakeProvider(env["OPENAI_API_KEY"] ?? "");
  env["OPENAI_BASE_URL"] = provider.url;
});
afterAll(() => provider.stop());

/** A request that passes the row's parser. */
function requestOf(row: Row, params: Record<string, string | number> = {}, body: unknown = leastBody(row)) {
  const { route } = row;
  const headers: Record<string, string> = isRaw(row) ? { "content-type": "image/png" } : json;
  const content = isRaw(row) ? png : JSON.stringify(body);
  return { method: route.method, path: pathOf(row, params), ...(isWrite(row) ? { headers, body: content } : {}) };
}

describeServer(
  "the contract",
  (server) => {
    let admin: TestUser;
    let stranger: TestUser;
    let root: TestUser;
    let company: Company;
    let elsewhere: Company;
    /** A user who can call the row. */
    const askerOf = ({ route }: Row) => (route.path.startsWith("/api/admin/") ? root : admin);

    beforeAll(async () => {
      company = await server().company();
      admin = await company.user("company_admin");
      root = await company.user("system_admin");
      elsewhere = await server().company();
      stranger = await elsewhere.user("company_admin");
    });

    describe("without a session", () => {
      test.each(closed.map((row) => [row.name, row] as const))("%s is 401", async (_, row) => {
        const answer = await server().send(requestOf(row));
        expect(answer.status).toBe(401);
        expect(answer.json()).toEqual({ code: "unauthenticated", message: "Sign in first" });
        const headers = { authorization: "Bearer sop_pat_nonsense" };
        expect((await server().send({ ...requestOf(row), headers: { ...json, ...headers } })).status).toBe(401);
      });
    });

    describe("what is asked wrongly", () => {
      test.each(rows.filter(({ schema }) => schema.body).map((row) => [row.name, row] as const))(
        "%s refuses an unknown key and every wrong type",
        async (_, row) => {
          const put = async (body: unknown) => askerOf(row).send(requestOf(row, {}, body));
          const unknown = await put({ nonsense: 1 });
          expect(unknown.status).toBe(400);
          expect(unknown.json()).toMatchObject({
            code: "invalid_input",
            details: { nonsense: "“nonsense” is not known here" },
          });
          const fields = Object.entries(fieldsOf(row.schema.body));
          for (const [name, field] of fields) {
            const wrong = wrongValues(field);
            expect([name, wrong.length > 0]).toEqual([name, true]);
            for (const value of wrong) {
              const answer = await put({ [name]: value });
              expect([name, value, answer.status]).toEqual([name, value, 400]);
            }
          }
          for (const body of [[], "text", 1, null]) expect([body, (await put(body)).status]).toEqual([body, 400]);
        },
      );

      test.each(
        rows.filter((row) => isWrite(row) && !row.schema.body && !isRaw(row)).map((row) => [row.name, row] as const),
      )("%s takes no body", async (_, row) => {
        expect((await askerOf(row).send(requestOf(row, {}, { nonsense: 1 }))).status).toBe(400);
      });

      test.each(rows.map((row) => [row.name, row] as const))("%s refuses an unknown parameter", async (_, row) => {
        const request = requestOf(row);
        const answer = await askerOf(row).send({ ...request, path: `${request.path}?nonsense=1` });
        expect(answer.status).toBe(400);
        expect(answer.json()).toMatchObject({ code: "invalid_input" });
      });

      test.each(rows.filter(({ schema }) => schema.query).map((row) => [row.name, row] as const))(
        "%s refuses wrong, doubled and nested parameters",
        async (_, row) => {
          for (const [name, field] of Object.entries(fieldsOf(row.schema.query))) {
            const wrong = ["true", "-1", "x".repeat(500), "\u0000"].filter((value) => !field.safeParse(value).success);
            for (const query of [
              ...wrong.map((value) => `${name}=${encodeURIComponent(value)}`),
              `${name}=1&${name}=2`,
              `${name}[$gt]=`,
            ]) {
              const answer = await askerOf(row).send({ ...requestOf(row), path: `${pathOf(row)}?${query}` });
              expect([query, answer.status]).toEqual([query, 400]);
            }
          }
        },
      );
    });

    /** @returns the id of a proposal for the SOP, or else for a new one */
    const proposedBy = async (user: TestUser, sop: { id?: string } = {}) => {
      const number = await propose(server().running.services, user, { ...sop, markdown: "Open it twice.\n" });
      return (await user.client.proposals.get({ params: { id: String(number) } })).id;
    };

    describe("tenants", () => {
      // system administrators work across companies
      const withId = rows.filter(
        ({ route, ...row }) =>
          paramNames({ route, ...row }).length > 0 &&
          !row.name.startsWith("templates.") &&
          !route.path.startsWith("/api/admin/"),
      );

      test.each(withId.map((row) => [row.name, row] as const))(
        "%s answers a foreign id as an unknown one",
        async (_, row) => {
          const foreign = await foreignIds();
          const known = foreign[row.name.split(".")[0] ?? ""];
          if (!known) throw new Error(`tell the test what an id of ${row.name} is`);
          const mine = await admin.send(requestOf(row));
          const theirs = await admin.send(requestOf(row, known));
          expect(theirs.status).toBe(404);
          expect([theirs.status, theirs.body]).toEqual([mine.status, mine.body]);
          expect(theirs.headers.get("etag")).toBeNull();
        },
      );

      let ids: Promise<Record<string, Record<string, string>>> | null = null;
      const foreignIds = () => (ids ??= makeForeign());

      async function foreignRequest(): Promise<string> {
        const approver = await elsewhere.user("reviewer");
        const { id } = await stranger.client.sops.create({ body: document });
        const body = { approverIds: [approver.id] };
        return (await stranger.client.sops.requestApproval({ params: { id }, body })).id;
      }

      async function makeForeign(): Promise<Record<string, Record<string, string>>> {
        const { client } = stranger;
        const image = await stranger.send(requestOf(rowNamed("assets.upload")));
        const { sha256 } = image.json() as { sha256: string };
        const sop = await client.sops.create({ body: { ...document, status: "published" } });
        const comment = await client.comments.create({ params: { id: sop.id }, body: { content: "Why?" } });
        const token = await client.tokens.create({ body: { name: "ci" } });
        const team = await client.teams.create({ body: { name: "Theirs" } });
        const [category] = await client.categories.list();
        await sendNotice(server(), [stranger], { kind: "published" });
        const [notice] = (await client.notifications.list({})).data;
        return {
          notifications: { id: notice?.id ?? "" },
          sops: { id: sop.id },
          comments: { id: sop.id, commentId: comment.id },
          sessions: { id: (await client.sessions.list())[0]?.id ?? "" },
          teams: { id: team.id },
          companyPermissions: { id: stranger.id },
          companyUsers: { id: stranger.id },
          invitations: { id: (await client.invitations.create({ body: {} })).id },
          tokens: { id: token.id },
          categories: { id: category?.id ?? "" },
          assets: { sha256 },
          approvals: { id: await foreignRequest() },
          acknowledgements: { id: sop.id },
          presence: { id: sop.id },
          suggestions: { id: (await client.suggestions.create({ body: { title: "Theirs" } })).id },
          proposals: { id: await proposedBy(stranger) },
        };
      }

      test("gives templates to everyone, and 404 for an unknown one", async () => {
        expect((await admin.send(requestOf(rowNamed("templates.get")))).status).toBe(404);
      });

      test("ids of others in queries and bodies are like unknown ones too", async () => {
        const [foreign] = await stranger.client.categories.list();
        const ask = async (category: string) =>
          (await admin.send({ path: `/api/sops?total=true&category=${category}` })).body;
        expect(await ask(foreign?.id ?? "")).toBe(await ask(unknownId));
        for (const field of ["categoryId", "ownerId", "teamId"]) {
          const create = async (id: string) => {
            const answer = await admin.send(requestOf(rowNamed("sops.create"), {}, { ...document, [field]: id }));
            return [answer.status, answer.body];
          };
          const known = field === "categoryId" ? (foreign?.id ?? "") : stranger.id;
          expect(await create(known)).toEqual(await create(unknownId));
        }
      });
    });

    describe("tokens", () => {
      const bearers = new Map<string, Promise<Record<string, string>>>();
      const bearer = (scopes: readonly TokenScope[]) => {
        const key = scopes.join();
        const made = bearers.get(key) ?? makeBearer(scopes);
        bearers.set(key, made);
        return made;
      };
      const makeBearer = async (scopes: readonly TokenScope[]) => {
        // a user whom no row refuses because of a role
        const { token } = await root.client.tokens.create({ body: { name: scopes.join(" "), scopes: [...scopes] } });
        return { authorization: `Bearer ${token}` };
      };

      test.each(closed.map((row) => [row.name, row] as const))("%s is open to its scope alone", async (_, row) => {
        const scope = tokenScopeOf(row.route);
        const request = requestOf(row);
        const ask = async (scopes: readonly TokenScope[]) => {
          // a stream never ends
          if (row.route.kind === "stream" && scopes.includes("sops:read")) return { status: 200, code: undefined };
          const answer = await server().send({
            ...request,
            headers: { ...request.headers, ...(await bearer(scopes)) },
          });
          return {
            status: answer.status,
            code: answer.status === 403 ? (answer.json() as { code: string }).code : undefined,
          };
        };
        const others = tokenScopes.filter((one) => one !== scope);
        expect(await ask(others)).toEqual({ status: 403, code: "forbidden" });
        if (scope === "session") expect(await ask(tokenScopes)).toEqual({ status: 403, code: "forbidden" });
        else expect([401, 403]).not.toContain((await ask([scope])).status);
      });
      test("a cookie beside a token does not widen it", async () => {
        const headers = { ...(await bearer(["sops:read"])), cookie: admin.cookie, ...json };
        const answer = await server().send({
          method: "POST",
          path: "/api/sops",
          headers,
          body: JSON.stringify(document),
        });
        expect(answer.status).toBe(403);
      });
    });

    describe("forgery", () => {
      const sites = [undefined, "same-origin", "same-site", "cross-site", "none"] as const;
      const origins = ["own", "loopback", "other port", "foreign", "null", undefined] as const;
      const credentials = ["cookie", "nothing", "token"] as const;

      /** Sec-Fetch-Site decides; for an old browser, Origin decides; a request without a cookie can't be forged. */
      function allowed(site: string | undefined, origin: string | undefined, credential: string): boolean {
        if (credential === "token") return true;
        if (site === "same-origin" || site === "none") return true;
        if (site !== undefined) return false;
        if (origin !== undefined) return origin === "own" || origin === "loopback";
        return credential === "nothing";
      }

      test.each(rows.filter(isWrite).map((row) => [row.name, row] as const))(
        "%s says where it comes from",
        async (_, row) => {
          const own = new URL(server().url);
          const texts = {
            own: own.origin,
            loopback: `http://127.0.0.1:${own.port}`,
            "other port": `http://localhost:${Number(own.port) + 1}`,
            foreign: "https://evil.example",
            null: "null",
          };
          const request = requestOf(row, {}, { nonsense: 1 });
          for (const site of sites) {
            for (const origin of origins) {
              for (const credential of credentials) {
                const headers = {
                  ...request.headers,
                  ...(site ? { "sec-fetch-site": site } : {}),
                  ...(origin ? { origin: texts[origin] } : {}),
                  ...(credential === "cookie" ? { cookie: "sid=unknown" } : {}),
                  ...(credential === "token" ? { authorization: "Bearer sop_pat_unknown" } : {}),
                };
                // without a sign-in, a request that passes this guard is refused by the next one
                const answer = await exchange(server().url, { ...request, headers });
                expect([site, origin, credential, answer.status === 403]).toEqual([
                  site,
                  origin,
                  credential,
                  !allowed(site, origin, credential),
                ]);
              }
            }
          }
        },
      );
    });

    describe("answers", () => {
      /** One success for each row that answers JSON, in the table's order. */
      const successes: Record<
        string,
        () => Promise<{ params?: Record<string, string | number>; body?: unknown; query?: string }>
      > = {
        "auth.check": async () => ({}),
        "auth.me": async () => ({}),
        "auth.invitation": async () => {
          await unbrake();
          return { query: "?token=unknown" };
        },
        "auth.validateResetToken": async () => {
          await unbrake();
          return { query: "?token=unknown" };
        },
        "account.update": async () => ({ body: { title: "Head of everything", email: "head@lab.example" } }),
        "account.prove": async () => {
          await unbrake();
          return { body: { currentPassword: password } };
        },
        "account.sendConfirmation": async () => {
          await unbrake();
          await server()
            .db.collection("users")
            .updateOne({ _id: admin.id }, { $set: { email: "head@lab.example", emailVerified: false } });
          return {};
        },
        "sessions.list": async () => ({}),
        "sessions.end": async () => ({ params: { id: await otherSession() } }),
        "sessions.endOthers": async () => {
          await otherSession();
          return {};
        },
        "tokens.list": async () => ({}),
        "tokens.create": async () => ({ body: { name: "x" } }),
        "tokens.revoke": async () => ({
          params: { id: (await admin.client.tokens.create({ body: { name: "y" } })).id },
        }),
        "sops.list": async () => {
          await admin.client.sops.create({ body: document });
          await admin.client.sops.create({ body: document });
          return { query: "?total=true&limit=1" };
        },
        "search.find": async () => {
          await admin.client.sops.create({ body: { ...document, markdown: "1. Mind the quokka.\n" } });
          return { query: "?q=quokkas&total=true" };
        },
        "search.ask": async () => ({ body: { q: "narwhals" } }),
        "sops.create": async () => ({ body: { ...document, status: "published" } }),
        "sops.import": async () => ({
          body: {
            importId: unknownId,
            documents: [{ path: "a/b.md", sha256: "1".repeat(64), text: "# A\n\nB {{ c }}\n" }],
          },
        }),
        "sops.convertFile": async () => ({ query: "?name=a.md&store=true" }),
        "sops.get": async () => ({ params: await sop() }),
        "sops.update": async () => ({ params: await sop(), body: { title: "Z" } }),
        "sops.remove": async () => ({ params: await sop() }),
        "sops.undelete": async () => {
          const params = await sop();
          await admin.client.sops.remove({ params });
          return { params };
        },
        "sops.preview": async () => ({ body: { markdown: "# Hello" } }),
        "sops.check": async () => ({ body: { markdown: "# Hello", title: "Hello", description: "" } }),
        "sops.links": async () => ({ params: await sop() }),
        "sops.versions": async () => ({ params: await sop() }),
        "sops.version": async () => ({ params: { ...(await sop()), version: 1 } }),
        "sops.diff": async () => {
          const params = await sop();
          await admin.client.sops.update({ params, body: { title: "Z", markdown: "Another text\n" } });
          return { params, query: "?from=1&to=2" };
        },
        "sops.publishedPeriods": async () => ({ params: await sop("published") }),
        "sops.restore": async () => {
          const params = await sop();
          await admin.client.sops.update({ params, body: { title: "Z" } });
          return { params: { ...params, version: 1 } };
        },
        "sops.publish": async () => ({ params: await sop() }),
        "sops.unpublish": async () => ({ params: await sop("published") }),
        "sops.archive": async () => ({ params: await sop("published") }),
        "sops.unarchive": async () => ({ params: await sop("archived") }),
        "sops.requestApproval": async () => ({
          params: await sop(),
          body: { approverIds: [(await editor()).id], requestNote: "Please" },
        }),
        "presence.list": async () => ({ params: await sop() }),
        "presence.announce": async () => ({ params: await sop(), body: { tab: unknownId, state: "here" } }),
        "acknowledgements.mine": async () => {
          await toRead();
          return {};
        },
        "acknowledgements.overview": async () => ((await toRead()) ? { query: "?search=a&limit=1" } : {}),
        "acknowledgements.remind": async () => ((await toRead()) ? { body: { userIds: [(await editor()).id] } } : {}),
        "acknowledgements.get": async () => ({ params: await toRead(), query: "?state=open&search=some&limit=1" }),
        "acknowledgements.ask": async () => ({
          params: await sop("published"),
          body: { userIds: [(await editor()).id], teamIds: [(await team("Readers")).id], dueDays: 14 },
        }),
        "acknowledgements.confirm": async () => ({ params: await toRead(), body: { version: 1 } }),
        "approvals.list": async () => {
          await asked();
          return { query: "?status=pending" };
        },
        "approvals.candidates": async () => ({ params: await sop() }),
        "approvals.approve": async () => ({ params: await asked(), body: { comment: "Good" } }),
        "approvals.reject": async () => ({ params: await asked() }),
        "approvals.requestChanges": async () => ({ params: await asked(), body: { comment: "Name the valve" } }),
        "approvals.withdraw": async () => ({ params: await asked() }),
        "approvals.replaceApprover": async () => ({
          params: await asked(),
          body: { replace: admin.id, with: (await editor()).id },
        }),
        "comments.list": async () => ({ params: { id: (await commented()).id } }),
        "comments.create": async () => ({
          params: await sop("published"),
          body: { content: `@${(await editor()).username} why?`, anchor: { block: "", quote: "C" } },
        }),
        "comments.people": async () => ({ params: await sop("published") }),
        "comments.update": async () => ({ params: await commented(), body: { content: "Why not?" } }),
        "comments.remove": async () => ({ params: await commented() }),
        "comments.resolve": async () => ({ params: await commented(), body: { resolved: true } }),
        "notifications.list": async () => {
          await told();
          return { query: "?unread=true&limit=1" };
        },
        "notifications.count": async () => ({}),
        "notifications.read": async () => ({ params: { id: await told() } }),
        "notifications.readAll": async () => {
          await told();
          return {};
        },
        "categories.list": async () => ({}),
        "categories.create": async () => ({ body: { name: "Quality" } }),
        "categories.update": async () => ({
          params: { id: (await admin.client.categories.list())[0]?.id ?? "" },
          body: { color: "accent" },
        }),
        "assets.upload": async () => {
          // uploading known bytes again has no effect
          await server().db.forCompany(admin.companyId).collection("assets").deleteMany({});
          return {};
        },
        "users.list": async () => ({}),
        "companyUsers.list": async () => ({ query: "?limit=1&total=true" }),
        "companyUsers.create": async () => ({ body: { username: "without-password", name: "No Password" } }),
        "companyUsers.update": async () => ({ params: { id: (await editor()).id }, body: { title: "Writer" } }),
        "companyUsers.remove": async () => ({ params: { id: (await editor()).id } }),
        "companyUsers.resetPassword": async () => ({ params: { id: (await editor()).id } }),
        "adminUsers.list": async () => ({ query: `?companyId=${stranger.companyId}` }),
        "adminUsers.create": async () => ({
          body: { ...person, username: "elsewhere", companyId: stranger.companyId },
        }),
        "adminUsers.update": async () => ({ params: { id: (await editor()).id }, body: { role: "viewer" } }),
        "adminUsers.remove": async () => ({ params: { id: (await editor()).id } }),
        "adminUsers.resetPassword": async () => ({ params: { id: stranger.id } }),
        "companies.list": async () => ({ query: "?search=company&limit=1" }),
        "companies.get": async () => ({ params: { id: stranger.companyId } }),
        "companies.create": async () => ({
          body: { name: "Lab", slug: "lab-of-many", website: "https://lab.example" },
        }),
        "companies.update": async () => ({ params: { id: stranger.companyId }, body: { industry: "Care" } }),
        "companies.remove": async () => ({ params: { id: (await server().company()).id } }),
        "company.get": async () => ({}),
        "company.update": async () => ({ body: { settings: { reviewMonths: 24 } } }),
        "mirror.get": async () => ({}),
        "mirror.update": async () => ({
          body: { url: "http://127.0.0.1:9/sops.git", username: "x", token: "t", incoming: "changes" },
        }),
        "mirror.check": async () => ({}),
        "mirror.take": async () => {
          const diverged = [{ ref: "refs/heads/main", theirs: "a", ours: "b" }];
          await server().db.collection("mirrors").updateOne({ _id: company.id }, { $set: { diverged } });
          return {};
        },
        "mirror.secret": async () => ({}),
        "mirror.remove": async () => ({}),
        "invitations.list": async () => ({}),
        "invitations.create": async () => ({ body: { role: "editor", email: "new@lab.example" } }),
        "invitations.revoke": async () => ({
          params: { id: (await admin.client.invitations.create({ body: {} })).id },
        }),
        "sops.permissions": async () => ({ params: await sop() }),
        "sops.grant": async () => ({ params: await sop(), body: { userId: root.id, permission: "edit" } }),
        "sops.revoke": async () => {
          const params = await sop();
          const { permissions } = await admin.client.sops.grant({
            params,
            body: { userId: root.id, permission: "read" },
          });
          return { params: { ...params, permissionId: permissions[0]?.id ?? "" } };
        },
        "sops.restrict": async () => ({ params: await sop(), body: { restricted: true } }),
        "sops.review": async () => ({ params: await sop("published"), body: { verdict: "keep", note: "Still right" } }),
        "sops.favorite": async () => ({ params: await sop() }),
        "sops.unfavorite": async () => {
          const params = await sop();
          await admin.client.sops.favorite({ params });
          return { params };
        },
        "sops.reviews": async () => {
          const params = await sop("published");
          await admin.client.sops.review({ params, body: { verdict: "revise" } });
          return { params };
        },
        "teams.list": async () => ({}),
        "teams.create": async () => ({ body: { name: "Makers" } }),
        "teams.update": async () => ({ params: await team("Old"), body: { name: "New" } }),
        "teams.remove": async () => ({ params: await team("Short-lived") }),
        "teams.members": async () => ({ params: await team("Members") }),
        "teams.addMember": async () => ({ params: await team("Joined"), body: { userId: root.id } }),
        "teams.removeMember": async () => {
          const params = await team("Left");
          await admin.client.teams.addMember({ params, body: { userId: root.id } });
          return { params: { ...params, userId: root.id } };
        },
        "companyPermissions.list": async () => ({ params: { id: (await editor()).id } }),
        "companyPermissions.set": async () => ({
          params: { id: (await editor()).id },
          body: { permission: "sop.publish", granted: true, expiresAt: "2030-01-01T00:00:00Z" },
        }),
        "companyPermissions.clear": async () => ({ params: await ownRight() }),
        "adminPermissions.list": async () => ({ params: { id: stranger.id } }),
        "adminPermissions.set": async () => ({
          params: { id: stranger.id },
          body: { permission: "sop.delete", granted: false },
        }),
        "adminPermissions.clear": async () => ({ params: await ownRight() }),
        "roles.list": async () => ({}),
        "roles.set": async () => ({ body: { role: "editor", permission: "sop.publish", granted: true } }),
        "audit.list": async () => ({}),
        "audit.state": async () => ({}),
        "audit.adminList": async () => ({ query: `?companyId=${stranger.companyId}` }),
        "ai.generateSop": async () => {
          provider.answerChat = () => draftAnswer;
          return { body: { prompt: "Drain tank 4", category: "General" } };
        },
        "ai.improveSop": async () => {
          provider.answerChat = () => editAnswer("b1", "Open it now.");
          return { body: { title: "Valve", content: "<p>Open it.</p>" } };
        },
        "ai.enhanceContent": async () => {
          provider.answerChat = () => editAnswer("b1", "Open it now.");
          return { body: { markdown: "Open it.", enhancementType: "clarity" } };
        },
        "ai.usage": async () => ({}),
        "stats.get": async () => ({}),
        "stats.overview": async () => ({}),
        "stats.needs": async () => ({}),
        "templates.list": async () => ({}),
        "templates.get": async () => ({ params: { id: (await admin.client.templates.list())[0]?.id ?? "" } }),
        "repository.get": async () => ({}),
        "status.get": async () => ({}),
        "assistant.draft": async () => ({ body: { prompt: "Write an SOP for a fire drill", category: "General" } }),
        "assistant.improve": async () => ({ body: { content: "<p>Open it.</p>" } }),
        "assistant.suggest": async () => ({}),
        "suggestions.list": async () => ({ query: "?status=all" }),
        "suggestions.create": async () => ({ body: { title: "Greet visitors", content: "Smile.\n" } }),
        "suggestions.setStatus": async () => {
          const { id } = await admin.client.suggestions.create({ body: { title: "Greet visitors" } });
          return { params: { id }, body: { status: "accepted" } };
        },
        "proposals.list": async () => ({ query: "?state=all" }),
        "proposals.get": async () => ({ params: { id: await proposedBy(admin, await sop()) } }),
        "proposals.accept": async () => ({ params: { id: await proposedBy(admin, await sop()) } }),
        "proposals.merge": async () => ({
          params: { id: await proposedBy(admin, await sop()) },
          body: { markdown: "Open it twice.\n", version: 1, fields: ["title"] },
        }),
        "proposals.dismiss": async () => ({
          params: { id: await proposedBy(admin, await sop()) },
          body: { reason: "Not now" },
        }),
        "settings.get": async () => ({}),
        "settings.update": async () => ({ body: { openaiApiKey: "sk-x", mailChoices: { mention: false } } }),
      };
      const sop = async (status: "draft" | "published" | "archived" = "draft") => {
        const { id } = await admin.client.sops.create({ body: { ...document, status } });
        return { id };
      };
      const team = async (name: string) => ({ id: (await admin.client.teams.create({ body: { name } })).id });
      const editor = () => company.user("editor");
      /** @returns the id of an unread notification */
      const told = async () => {
        await sendNotice(server(), [admin], { kind: "published" });
        return (await admin.client.notifications.list({})).data[0]?.id ?? "";
      };
      /** An SOP that waits for the administrator's read confirmation. */
      const toRead = async () => {
        const params = await sop("published");
        await admin.client.acknowledgements.ask({ params, body: { everyone: true, dueDays: 7 } });
        return params;
      };
      /** An editor's request that waits for the administrator. */
      const asked = async () => {
        const { client } = await editor();
        const { id } = await client.sops.create({ body: document });
        const request = await client.sops.requestApproval({ params: { id }, body: { approverIds: [admin.id] } });
        return { id: request.id };
      };
      const ownRight = async () => {
        const { id } = await editor();
        const body = { permission: "sop.publish", granted: true } as const;
        const { permissions } = await admin.client.companyPermissions.set({ params: { id }, body });
        return { id, permissionId: permissions[0]?.id ?? "" };
      };
      /** Every resource that a row says it changes is announced to open browsers. */
      const toldEvents = () => server().db.collection("events").find({});
      const auditRows = () =>
        server()
          .db.collection("audit_logs")
          .countDocuments({ action: { $ne: "access.denied" } });
      /** These rows set cookies, and are tested below. */
      const signing = ["auth.login", "auth.register", "auth.logout", "auth.setup"];
      /** Earlier tests of this file have used up the attempts of this address. */
      const unbrake = () => server().db.collection("limiters").deleteMany({});
      const otherSession = async () => {
        await unbrake();
        await server().signIn(admin.username);
        return (await admin.client.sessions.list()).find(({ current }) => !current)?.id ?? "";
      };
      async function commented() {
        const params = await sop("published");
        const { id } = await admin.client.comments.create({ params, body: { content: "Why?" } });
        return { id: params.id, commentId: id };
      }
      /** Reading, starring and opening concern one user, and viewing changes nothing: the log leaves them out. */
      const untold = [
        "notifications.read",
        "notifications.readAll",
        "presence.announce",
        "sops.preview",
        "sops.convertFile",
        "sops.check",
        "assistant.improve",
      ];
      /** These need an AI provider or an emailed link, or end the session. They are tested with settings and accounts. */
      const otherwhere = [
        "settings.testApiKey",
        "suggestions.suggest",
        "auth.forgotPassword",
        "auth.resetPassword",
        "auth.confirmEmail",
        "account.changePassword",
      ];

      test("there is one for every row", () => {
        const others = [...signing, ...otherwhere];
        const withJson = rows.filter(({ schema, name }) => schema.output !== null && !others.includes(name));
        expect(Object.keys(successes).sort()).toEqual(withJson.map(({ name }) => name).sort());
      });

      test.each(Object.entries(successes))(
        "%s answers what its schema says and nothing else",
        async (name, prepare) => {
          const row = rowNamed(name);
          const { params = {}, body, query = "" } = await prepare();
          const request = requestOf(row, params, body);
          const before = await auditRows();
          const events = new Set((await toldEvents()).map(({ _id }) => _id));
          const answer = await askerOf(row).send({ ...request, path: request.path + query });
          const since = (await toldEvents())
            .filter(({ _id }) => !events.has(_id))
            .flatMap(({ resources }) => resources);
          expect((row.route.touches ?? []).filter((resource) => !since.includes(resource))).toEqual([]);
          expect([answer.status, answer.status < 300 ? "" : answer.body]).toEqual([row.route.success ?? 200, ""]);
          if (isWrite(row)) expect([name, (await auditRows()) > before]).toEqual([name, !untold.includes(name)]);
          expect(answer.headers.get("content-type")).toBe("application/json; charset=utf-8");
          expect(answer.headers.get("cache-control")).toBe("no-store");
          expect(row.schema.output?.parse(answer.json())).toEqual(answer.json());
        },
      );

      test("signing up, in and out answer what their schemas say and nothing else", async () => {
        const { username } = stranger;
        // setup works only without an administrator
        await server()
          .db.collection("users")
          .updateOne({ _id: root.id }, { $set: { role: "viewer" } });
        const person = { username: "somebody-new", password, name: "Some Body" };
        const calls: Record<string, object> = {
          "auth.setup": { ...person, username: "the-first", token: server().running.setupToken },
          "auth.register": person,
          "auth.login": { username, password },
          "auth.logout": {},
        };
        expect(Object.keys(calls).sort()).toEqual([...signing].sort());
        for (const [name, body] of Object.entries(calls)) {
          const row = rowNamed(name);
          // earlier tests of this file have used up the attempts of this address
          await server().db.collection("limiters").deleteMany({});
          const before = await auditRows();
          const answer = await server().send(requestOf(row, {}, body));
          expect([name, answer.status]).toEqual([name, row.route.success ?? 200]);
          if (name !== "auth.logout") expect([name, (await auditRows()) > before]).toEqual([name, true]);
          expect(row.schema.output?.parse(answer.json())).toEqual(answer.json());
        }
      });

      test("every answer with an SOP names its version as the ETag", async () => {
        const made = await admin.send(requestOf(rowNamed("sops.create"), {}, document));
        expect(made.headers.get("etag")).toBe('"v1"');
        const { id } = made.json() as { id: string };
        const saved = await admin.send(requestOf(rowNamed("sops.update"), { id }, { title: "Z" }));
        expect(saved.headers.get("etag")).toBe('"v2"');
        expect((await admin.send({ path: `/api/sops/${id}` })).headers.get("etag")).toBe('"v2"');
      });
    });

    test("the OpenAPI document holds every row, and every reference in it leads somewhere", async () => {
      const answer = await server().send({ path: "/api/openapi.json" });
      const api = answer.json() as {
        openapi: string;
        paths: Record<string, Record<string, { operationId: string; responses: object }>>;
        components: { schemas: object };
      };
      expect(api.openapi).toMatch(/^3\.1\./);
      const operations = Object.entries(api.paths).flatMap(([path, methods]) =>
        Object.entries(methods).map(([method, { operationId }]) => `${operationId} ${method.toUpperCase()} ${path}`),
      );
      const wanted = rows.map(
        ({ name, route }) => `${name} ${route.method} ${route.path.replaceAll(/:(\w+)/g, "{$1}")}`,
      );
      expect(operations.sort()).toEqual(wanted.sort());
      const references = [...answer.body.matchAll(/"\$ref":"([^"]+)"/g)].map(([, reference = ""]) => reference);
      expect(references.length).toBeGreaterThan(20);
      for (const reference of new Set(references)) {
        const name = /^#\/components\/schemas\/(.+)$/.exec(reference)?.[1] ?? "";
        expect([reference, Object.hasOwn(api.components.schemas, name)]).toEqual([reference, true]);
      }
      for (const [path, methods] of Object.entries(api.paths)) {
        for (const [method, operation] of Object.entries(methods)) {
          const { parameters = [], requestBody } = operation as {
            parameters?: { in: string; name: string; required: boolean }[];
            requestBody?: object;
          };
          const inPath = parameters.filter((parameter) => parameter.in === "path").map(({ name }) => name);
          expect([path, inPath]).toEqual([path, [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)]);
          if (method === "get") expect([path, requestBody]).toEqual([path, undefined]);
        }
      }
    });
  },
  { env },
);
