/** What holds for every row of the contract table by itself. */
import { expect, test } from "vitest";
import { tokenScopeOf } from "#core/contract/route.ts";
import { rows } from "./contract-rows.ts";

const closed = rows.filter(({ route }) => route.access !== "public");

test("every public row has a limit by address, but for signing in and out and a read that reveals nothing", () => {
  const open = rows.filter(({ route }) => route.access === "public" && route.limiter === undefined);
  expect(open.map(({ name }) => name)).toEqual(["auth.check", "auth.login", "auth.logout"]);
});

test("every read needs sops:read, or admin where people are managed; what is about signing in needs a session", () => {
  const managed = /^\/api\/(?:admin|company|teams|users)(?:\/|$)/;
  for (const { name, route } of closed.filter((row) => row.route.method === "GET" && row.route.scope !== "session")) {
    const scope = tokenScopeOf(route);
    expect([name, scope === "sops:read" || (scope === "admin" && managed.test(route.path))]).toEqual([name, true]);
  }
  expect(
    rows.filter(({ route }) => route.scope === "session" && route.proven === undefined).map(({ name }) => name),
  ).toEqual([
    "account.update",
    "account.sendConfirmation",
    "account.prove",
    "account.changePassword",
    "sessions.list",
    "sessions.end",
    "sessions.endOthers",
    "presence.announce",
    "settings.update",
    "settings.testApiKey",
  ]);
});

test("what can open an account to someone needs the password a short while ago", () => {
  const proven = rows.filter(({ route }) => route.proven !== undefined);
  expect(proven.every(({ route }) => route.scope === "session")).toBe(true);
  expect(proven.map(({ name }) => name).sort()).toEqual([
    "adminPermissions.clear",
    "adminPermissions.set",
    "adminUsers.create",
    "adminUsers.resetPassword",
    "companyPermissions.clear",
    "companyPermissions.set",
    "companyUsers.create",
    "companyUsers.resetPassword",
    "invitations.create",
    "mirror.secret",
    "mirror.update",
    "roles.set",
    "tokens.create",
  ]);
});

test("every file says what it comes as", () => {
  for (const { name, route } of rows.filter((row) => row.route.kind === "file")) {
    expect([name, route.produces?.length ?? 0]).not.toEqual([name, 0]);
  }
});

test("no two rows share method and path, and no id takes the place of a fixed word", () => {
  const keys = rows.map(({ route }) => `${route.method} ${route.path.replaceAll(/:\w+/g, ":")}`);
  expect(new Set(keys).size).toBe(keys.length);
});
