/** No other server knows a company that was just founded: the server that founded it makes the first commit. */
import { createHash } from "node:crypto";
import { expect, test, vi } from "vitest";
import { newId } from "#core/ids.ts";
import { describeServer, password, startServer } from "../../test/server.ts";

/** The tests' clock stays where it is, so the look for forgotten events finds none. */
describeServer("the first commit of a company", (server, engine) => {
  const committed = (companyId: string, seq = 0) =>
    vi.waitFor(
      async () => {
        const event = await server().db.forCompany(companyId).collection("repo_events").findOne({ seq });
        expect(event).toMatchObject({ state: "committed", oids: { history: expect.any(String) } });
      },
      { timeout: 20_000 },
    );

  test("follows a registration", async () => {
    await committed((await server().signUp()).companyId);
  });

  test("follows its creation by a system administrator", async () => {
    const root = await (await server().company()).user("system_admin");
    const body = { name: "Harbour", slug: `harbour-${engine}` };
    await committed((await root.client.companies.create({ body })).id);
  });

  test("follows a category that an import creates with reserved numbers", async () => {
    const company = await server().company();
    const admin = await company.user("company_admin");
    const text = "# Mooring\n\nTie it up.\n";
    const sha256 = createHash("sha256").update(text).digest("hex");
    const documents = [{ path: "boats/mooring.md", sha256, text }];
    const body = { importId: newId(), documents, createCategories: true, reserveNumbers: true };
    const answer = await admin.client.sops.import({ body });
    expect(answer.results).toMatchObject([{ outcome: "create" }]);
    await committed(company.id, 1);
  });

  test("follows the first administrator's account, given by the environment", async () => {
    const given = await startServer(engine, { env: { ADMIN_USERNAME: "root", ADMIN_PASSWORD: password } });
    try {
      await vi.waitFor(
        async () => expect(await given.db.collection("repo_events").find({})).toMatchObject([{ state: "committed" }]),
        { timeout: 20_000 },
      );
    } finally {
      await given.stop();
    }
  });
});
