/**
 * What `bench hold` measures, without times. One company causes the highest load it can. Another company's requests are
 * not refused, and do not wait behind that queue.
 */
import { createHash, randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { describeServer, json, type TestUser } from "./server.ts";

/** Slow to render, but accepted. */
const slowText = `| a | b |\n|-|-|\n${"| a | b |\n".repeat(300)}`;

let made = 0;
const unique = () => `${++made}`;

const asJson = (user: TestUser, path: string, body: unknown) =>
  user.send({ method: "POST", path, headers: json, body: JSON.stringify(body) });

function documentOf(text: string) {
  return { path: `${unique()}.md`, text, sha256: createHash("sha256").update(text).digest("hex") };
}

const preview = (user: TestUser, markdown: string) =>
  asJson(user, "/api/sops/preview", { markdown: `${markdown}\n\n${unique()}` });

const importOf = (user: TestUser, documents: number, lines: number) =>
  asJson(user, "/api/sops/import", {
    importId: randomUUID(),
    documents: Array.from({ length: documents }, () =>
      documentOf(`# Import ${unique()}\n\n${"1. Open it.\n".repeat(lines)}`),
    ),
  });

const list = (user: TestUser) => user.send({ path: "/api/sops?limit=20" });
const search = (user: TestUser) => user.send({ path: "/api/search?q=valve" });

describeServer("a company beside one that does its worst", (server) => {
  const twoCompanies = async () => {
    const [loud, quiet] = [await server().company(), await server().company()];
    const attackers = [await loud.user("manager"), await loud.user("manager"), await loud.user("manager")];
    const person = await quiet.user("manager");
    for (const user of [attackers[0], person]) {
      const { id } = (await asJsonOk(user)) as { id: string };
      // the first requests start indexes, workers and the typesetter
      for (const path of ["/api/search?q=valve", `/api/sops/${id}/export?format=pdf`]) {
        expect((await user?.send({ path }))?.status).toBe(200);
      }
    }
    // both at once, so that each has its own thread
    const warm = await Promise.all([person, ...attackers].map((user) => preview(user, slowText)));
    expect(warm.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    const pdfOf = async (user: TestUser) => {
      const { data } = (await list(user)).json() as { data: { id: string }[] };
      const id = data[0]?.id ?? "";
      return () => user.send({ path: `/api/sops/${id}/export?format=pdf` });
    };
    return { attackers, person, pdfs: await Promise.all(attackers.map(pdfOf)), pdf: await pdfOf(person) };
  };
  const asJsonOk = async (user: TestUser | undefined) => {
    const markdown = "Open the valve.\n".repeat(50);
    return user?.client.sops.create({ body: { title: "Valve", description: "D", markdown } });
  };

  test("is answered before the work that waits there, and refused nothing", async () => {
    const { attackers, person } = await twoCompanies();
    const kinds = {
      preview: {
        times: 8,
        attack: (user: TestUser) => preview(user, slowText),
        once: () => preview(person, "Open it."),
      },
      import: { times: 2, attack: (user: TestUser) => importOf(user, 10, 100), once: () => importOf(person, 1, 1) },
      "list beside searches": { times: 18, attack: search, once: () => list(person) },
    };
    for (const [kind, { times, attack, once }] of Object.entries(kinds)) {
      let waiting = attackers.length * times;
      const attacks = attackers.flatMap((user) =>
        Array.from({ length: times }, () => attack(user).finally(() => (waiting -= 1))),
      );
      // all places that one company can have are taken
      await Promise.race(attacks);
      const { status } = await once();
      expect([kind, status < 300, waiting > 0]).toEqual([kind, true, true]);
      await Promise.all(attacks);
    }
  });

  test("is answered in everything at once, by all its users' worst", async () => {
    const { attackers, person, pdf, pdfs } = await twoCompanies();
    let over = false;
    const attack = attackers.flatMap((user, n) =>
      [
        () => preview(user, slowText),
        () => search(user),
        () => importOf(user, 10, 50),
        () => pdfs[n]?.() ?? list(user),
      ].map(async (once) => {
        while (!over) await once();
      }),
    );
    const statuses: [string, number][] = [];
    const work = {
      preview: () => preview(person, "Open it."),
      list: () => list(person),
      search: () => search(person),
      pdf,
    };
    for (let round = 0; round < 3; round++) {
      for (const [kind, once] of Object.entries({ ...work, import: () => importOf(person, 1, 1) }))
        statuses.push([kind, (await once()).status]);
    }
    over = true;
    await Promise.all(attack);
    expect(statuses.filter(([, status]) => status >= 300)).toEqual([]);
  });
});
