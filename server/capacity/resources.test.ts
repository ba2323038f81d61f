/** Requests wait for a place of a shared resource, and give it back. */
import { createHash, randomUUID } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test, vi } from "vitest";
import { describeServer, json, type TestUser } from "../../test/server.ts";
import { withCaller } from "./caller.ts";
import { resources, type Shares } from "./resources.ts";

const idle = { running: 0, waiting: 0 };

describeServer("a request for a shared resource", (server) => {
  /** Takes as many places as a user can have. */
  const takeAll = async (name: keyof Shares, { id, companyId }: TestUser): Promise<() => void> => {
    const queue = server().running.services.shares[name];
    const places = Array.from({ length: resources[name].userAtOnce }, () => queue.enter({ companyId, userId: id }));
    const leave = await Promise.all(places);
    return () => leave.forEach((one) => one());
  };
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
    const leave = await takeAll("imports", user);
    const answer = importing(user, documents(`${valve}\n${"Turn it. ".repeat(9_000)}`));
    await vi.waitFor(() => expect(shares.imports.load()).toEqual({ running: 1, waiting: 1 }), 20_000);
    expect(shares.bodies.load()).toEqual(idle);
    leave();
    expect((await answer).status).toBe(200);
    expect(shares.imports.load()).toEqual(idle);
  });

  test("needs no second place for the body of an import", async () => {
    const user = await (await server().company()).user("manager");
    const leave = await takeAll("bodies", user);
    const text = `${valve}\n${"Turn it. ".repeat(9_000)}`;
    expect((await importing(user, documents(text))).status).toBe(200);
    leave();
  });

  test("is refused a place out of the order of the table", async () => {
    const { shares } = server().running.services;
    await withCaller({ companyId: "north", userId: "ann" }, async () => {
      const leave = await shares.downloads.enter();
      await shares.images.run(async () => undefined);
      for (const name of ["imports", "downloads"] as const) {
        const refusal = `a request with a place of downloads asks for one of ${name}`;
        await expect(shares[name].enter()).rejects.toThrow(refusal);
      }
      leave();
      await shares.imports.run(async () => undefined);
    });
  });

  test("frees the place of an import after any answer", async () => {
    const { shares } = server().running.services;
    const user = await (await server().company()).user("manager");
    expect((await importing(user, documents(valve))).status).toBe(200);
    expect((await importing(user, {})).status).toBe(400);
    expect(shares.imports.load()).toEqual(idle);
  });

  test("waits for a place to export the audit log, and frees it when everything is sent", async () => {
    const { shares } = server().running.services;
    const user = await (await server().company()).user("company_admin");
    const leave = await takeAll("downloads", user);
    const answer = user.send({ path: "/api/company/audit/export?format=csv" });
    await vi.waitFor(() => expect(shares.downloads.load()).toEqual({ running: 2, waiting: 1 }), 20_000);
    leave();
    expect((await answer).status).toBe(200);
    await vi.waitFor(() => expect(shares.downloads.load()).toEqual(idle), 20_000);
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
