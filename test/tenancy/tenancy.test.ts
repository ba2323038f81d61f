/**
 * Probes made from the contract table: every route × every place for an id × eight roles × two companies. Another
 * company's id gets the same status and bytes as an unknown id, and nothing changes in either company.
 */
import { beforeAll, describe, expect, test } from "vitest";
import { roles, type Role } from "#core/permissions/roles.ts";
import { fieldsOf, isRaw, isWrite, pathOf, rows, unknownId, type Row } from "../contract-rows.ts";
import type { Received } from "../http.ts";
import { count, isProof, recordFigure } from "../proof.ts";
import { describeServer, json, type TestUser } from "../server.ts";
import { sampleBody } from "./sample-body.ts";
import { kindOf, slotsOf, type Slot } from "./slots.ts";
import { fingerprint, createTenant, type Tenant } from "./world.ts";

/**
 * Left out: system_admin's rows, which cover all companies; the library's templates, which all companies share; rows
 * without a sign-in.
 */
const probed = rows.filter(
  ({ route }) =>
    !route.path.startsWith("/api/admin/") &&
    !route.path.startsWith("/api/templates") &&
    route.access !== "public" &&
    route.kind !== "stream" &&
    // refusals, including these probes, are in the own company's log, which is tested separately
    !route.path.includes("/audit"),
);
const probedSlots = probed.flatMap((row) => slotsOf(row).map((slot) => ({ row, slot })));
const askers: readonly Role[] = isProof ? roles : ["company_admin", "editor", "viewer"];

interface Probe {
  row: Row;
  slot: Slot;
  /** Own ids for all other places. */
  own: Tenant;
}

let samples = 0;

function requestFor({ row, slot, own }: Probe, value: string) {
  const { route } = row;
  const params = Object.fromEntries(
    [...route.path.matchAll(/:([a-zA-Z0-9]+)/g)]
      .map(([, name = ""]) => name)
      .filter((name) => name !== "version")
      .map((name) => [name, own.ids[kindOf(route.path, name)]?.[0] ?? unknownId]),
  );
  if (slot.where === "path") params[slot.name] = value;
  const query = slot.where === "query" ? `?${slot.name}=${encodeURIComponent(value)}` : "";
  const path = pathOf(row, params) + query;
  if (!isWrite(row)) return { path };
  if (isRaw(row)) return { method: route.method, path, headers: { "content-type": "image/png" }, body: "" };
  const body = sampleBody(row) ?? {};
  // some names must be unique
  for (const key of ["username", "slug"]) if (typeof body[key] === "string") body[key] = `sample-${++samples}`;
  if (typeof body["name"] === "string") body["name"] = `Sample ${++samples} Person`;
  if (slot.where === "body") body[slot.name] = takesList(row, slot) ? [value] : value;
  return { method: route.method, path, headers: json, body: JSON.stringify(body) };
}

function takesList(row: Row, slot: Slot): boolean {
  return fieldsOf(row.schema.body)[slot.name]?.safeParse([unknownId]).success === true;
}

/** Replaces times, versions and new ids, which differ between two answers to the same request. */
function settled(body: string): string {
  return body
    .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}/g, "<id>")
    .replaceAll(/[0-9a-f]{64}/g, "<hash>")
    .replaceAll(/sample-\d+/gi, "<name>")
    .replaceAll(/Sample \d+ Person/g, "<name>")
    .replaceAll(/sop_pat_\w+(?:…\w+)?/g, "<token>")
    .replaceAll(/(?:invite|token)=[\w-]+/g, "<secret>")
    .replaceAll(/"(?:version|number|readTime)":(?:\d+|"[^"]*")/g, "")
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "<time>");
}

/** The first difference of two answers. */
function apart(unknown: Received, theirs: Received): string {
  const [left, right] = [unknown, theirs].map(({ status, body }) => `${status} ${settled(body)}`) as [string, string];
  let at = 0;
  while (at < left.length && left[at] === right[at]) at++;
  const around = (text: string) => text.slice(Math.max(0, at - 40), at + 80);
  return left === right ? `both ${around(left)}` : `${around(left)} ≠ ${around(right)}`;
}

let probes = 0;
let differences = 0;

describeServer("another company's ids", (server, engine) => {
  let tenants: readonly [Tenant, Tenant];
  beforeAll(async () => {
    tenants = [await createTenant(server()), await createTenant(server())];
  });

  async function compare(user: TestUser, probe: Probe, foreign: string): Promise<string | null> {
    probes++;
    const unknown = await user.send(requestFor(probe, unknownLike(foreign)));
    const theirs = await user.send(requestFor(probe, foreign));
    const same =
      unknown.status === theirs.status &&
      unknown.headers.get("etag") === theirs.headers.get("etag") &&
      (theirs.status >= 400 ? unknown.body === theirs.body : settled(unknown.body) === settled(theirs.body));
    const leaks = theirs.status < 400 && probe.slot.where !== "path" && theirs.body.includes(foreign);
    const found = probe.slot.where === "path" && theirs.status < 400;
    if (same && !leaks && !found) return null;
    differences++;
    return `${user.role} ${probe.row.name} ${probe.slot.where} ${probe.slot.name}: ${apart(unknown, theirs)}`;
  }

  /** An unknown id of the same form, so that its form reveals nothing. */
  const unknownLike = (foreign: string) =>
    /^[0-9a-f]{8}-/.test(foreign) ? unknownId : foreign.replaceAll(/[0-9A-Za-z]/g, "0");

  /** Ids of the slot's own kind; a proof tries all kinds everywhere. */
  function foreignIds(theirs: Tenant, { row, slot }: Probe): string[] {
    const all = Object.values(theirs.ids).flat();
    if (isProof) return all;
    if (slot.where !== "path")
      return [theirs.ids["user"]?.[0] ?? "", theirs.ids["team"]?.[0] ?? "", theirs.ids["category"]?.[0] ?? ""];
    return theirs.ids[kindOf(row.route.path, slot.name)] ?? [];
  }

  async function probeAs(role: Role, mine: Tenant, theirs: Tenant, where: readonly Slot["where"][]): Promise<string[]> {
    const user = mine.people[role];
    const found: string[] = [];
    for (const { row, slot } of probedSlots) {
      if (!where.includes(slot.where)) continue;
      const probe = { row, slot, own: mine };
      for (const id of foreignIds(theirs, probe)) {
        const difference = await compare(user, probe, id);
        if (difference) found.push(difference);
      }
    }
    return found;
  }

  const pairs = askers.flatMap((role) => [[role, 0] as const, [role, 1] as const]);

  test.each(pairs)(
    "in addresses and filters, as %s of company %i",
    async (role, index) => {
      const [mine, theirs] = [tenants[index], tenants[1 - index]] as [Tenant, Tenant];
      const before = [await fingerprint(server(), mine.company.id), await fingerprint(server(), theirs.company.id)];
      expect(await probeAs(role, mine, theirs, ["path", "query"])).toEqual([]);
      expect([await fingerprint(server(), mine.company.id), await fingerprint(server(), theirs.company.id)]).toEqual(
        before,
      );
    },
    900_000,
  );

  // these can change the user's own company, so they run last
  test.each(pairs)(
    "in what is sent, as %s of company %i",
    async (role, index) => {
      const [mine, theirs] = [tenants[index], tenants[1 - index]] as [Tenant, Tenant];
      const before = await fingerprint(server(), theirs.company.id);
      expect(await probeAs(role, mine, theirs, ["body"])).toEqual([]);
      expect(await fingerprint(server(), theirs.company.id)).toBe(before);
    },
    900_000,
  );

  test("asked about another company's id, the audit log shows only the company's own refusals", async () => {
    const [mine, theirs] = tenants;
    for (const id of Object.values(theirs.ids).flat()) {
      const { data } = await mine.people.company_admin.client.audit.list({ query: { entityId: id } });
      const own = server().db.forCompany(mine.company.id).collection("audit_logs");
      for (const row of data) expect(await own.countDocuments({ _id: row.id, action: row.action })).toBe(1);
    }
  });

  test("system administration is closed to every other role, for any id", async () => {
    const [mine, theirs] = tenants;
    for (const role of roles.filter((one) => one !== "system_admin")) {
      for (const row of rows.filter(({ route }) => route.path.startsWith("/api/admin/"))) {
        const answer = await mine.people[role].send(adminRequest(row, theirs.ids["company"]?.[0] ?? ""));
        expect([role, row.name, answer.status]).toEqual([role, row.name, 403]);
      }
    }
  });

  test("and that was enough of them", () => {
    recordFigure({ name: `tenancy.probes.${engine}`, value: probes, unit: "probes", goal: ">= 5000" });
    recordFigure({ name: `tenancy.differences.${engine}`, value: differences, unit: "answers that tell", goal: "= 0" });
    expect(probes).toBeGreaterThan(count({ usual: 300, proof: 5000 }));
    probes = 0;
    differences = 0;
  });
});

function adminRequest(row: Row, id: string) {
  const path = pathOf(row, { id, permissionId: id, userId: id });
  return isWrite(row)
    ? { method: row.route.method, path, headers: json, body: JSON.stringify(sampleBody(row) ?? {}) }
    : { path };
}

describe("the probes", () => {
  test("find the places where ids stand", () => {
    const found = probedSlots.map(({ row, slot }) => `${row.name} ${slot.where} ${slot.name}`);
    expect(found).toContain("sops.get path id");
    expect(found).toContain("sops.list query category");
    expect(found).toContain("sops.create body categoryId");
    expect(found.length).toBeGreaterThan(60);
  });

  test("send bodies that get past the door", () => {
    for (const row of probed) expect(() => sampleBody(row)).not.toThrow();
  });
});
