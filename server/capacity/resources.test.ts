/** Requests wait for a place of a shared resource, and give it back. */
import { createHash, randomUUID } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test, vi } from "vitest";
import { describeServer, json, type TestUser } from "../../test/server.ts";
import type { FairQueue } from "./fair-queue.ts";

const idle = { running: 0, waiting: 0 };

/** Takes as many places as a user can have. */
async function takeAll(queue: FairQueue, { id, companyId }: TestUser, count: number): Promise<() => void> {
  const leave = await Promise.all(Array.from({ length: count }, () => queue.enter({ companyId, userId: id })));
  return () => leave.forEach((one) => one());
}

describeServer("a request for a shared resource", (server) => {
  const importing = (user: TestUser, body: object) =>
    user.send({ method: "POST", path: "/api/sops/import", headers: json, body: JSON.stringify(body) });
  const documents = (text: string) => ({
    importId: randomUUID(),
    documents: [{ path: "a.md", sha256: createHash("sha256").update(text).digest("hex"), text }],
  });
  const valve = "---\ntitle: Valve\ndescription: D\n---\n\nOpen it.\n";

  test("waits before its import's body is read, and keeps the place to the end", async () => {
    const { shares } = server().running.services;
    const user = await (await server().company()).user("manager");
    const leave = await takeAll(shares.importBodies, user, 2);
    const answer = importing(user, documents(`${valve}\n${"Turn it. ".repeat(9_000)}`));
    await vi.waitFor(() => expect(shares.importBodies.load()).toEqual({ running: 2, waiting: 1 }), 20_000);
    expect([shares.bodies.load(), shares.imports.load()]).toEqual([idle, idle]);
    leave();
    expect((await answer).status).toBe(200);
    expect(shares.importBodies.load()).toEqual(idle);
  });

  test("frees the place of an import after any answer", async () => {
    const { shares } = server().running.services;
    const user = await (await server().company()).user("manager");
    expect((await importing(user, documents(valve))).status).toBe(200);
    expect((await importing(user, {})).status).toBe(400);
    expect(shares.importBodies.load()).toEqual(idle);
  });

  test("waits for a place to export the audit log, and frees it when everything is sent", async () => {
    const { shares } = server().running.services;
    const user = await (await server().company()).user("company_admin");
    const leave = await takeAll(shares.auditExports, user, 1);
    const answer = user.send({ path: "/api/company/audit/export?format=csv" });
    await vi.waitFor(() => expect(shares.auditExports.load()).toEqual({ running: 1, waiting: 1 }), 20_000);
    leave();
    expect((await answer).status).toBe(200);
    await vi.waitFor(() => expect(shares.auditExports.load()).toEqual(idle), 20_000);
  });
});

test("every queue takes its limits from the table", () => {
  const root = path.join(import.meta.dirname, "..");
  const files = readdirSync(root, { recursive: true, encoding: "utf8" }).filter(
    (name) => name.endsWith(".ts") && !name.endsWith(".test.ts") && !name.startsWith("capacity"),
  );
  for (const file of files) {
    const source = readFileSync(path.join(root, file), "utf8");
    if (source.includes("createFairQueue(")) {
      expect([file, /\bresources\b/.test(source)]).toEqual([file, true]);
    }
  }
});
