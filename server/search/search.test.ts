import { readdirSync, rmSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import path from "node:path";
import { expect, test } from "vitest";
import { parseQuery } from "#core/search/query.ts";
import type { SearchQuery } from "#core/search/schema.ts";
import { currentActor } from "../../test/random-writes.ts";
import { describeServer, type TestUser } from "../../test/server.ts";
import { createSearchIndexes, type SearchIndexes } from "./indexes.ts";
import { questionForAllTerms } from "./match.ts";

describeServer("search", (server) => {
  const manager = async () => (await server().company()).user("manager");
  const make = async (user: TestUser, title: string, fields: object = {}) =>
    (await user.client.sops.create({ body: { title, description: "D", markdown: "M", ...fields } })).id;
  const ask = (user: TestUser, q: string, query: Partial<SearchQuery> & Record<string, unknown> = {}) =>
    user.client.search.find({ query: { q, ...query } });
  const titles = async (user: TestUser, q: string, query = {}) =>
    (await ask(user, q, query)).data.map(({ sop }) => sop.title);

  const steps = (...texts: string[]) => texts.map((text, n) => `${n + 1}. ${text}`).join("\n");
  const body = `## Before\n\nRead this.\n\n## Do it\n\n${steps(
    "Open the cover.",
    "Stop the pump.",
    "Wait.",
    "Take the filter out.",
    "Rinse it.",
    "Put it back.",
    "Tighten the wingnut by **hand** with a torque of 5 Nm.",
  )}\n`;

  test("counts two letters that changed places as the nearest slip", async () => {
    const user = await manager();
    await make(user, "Patch the Linux servers", { markdown: "Restart the servers. The servers reboot.\n" });
    await make(user, "Clean the kettles", { markdown: "1. Lift the sieves.\n2. Rinse all sieves.\n" });
    const { data, showingFor } = await ask(user, "seive");
    expect([showingFor, data.map(({ sop }) => sop.title)]).toEqual(["sieves", ["Clean the kettles"]]);
  });

  test("finds and shows words without their marks", async () => {
    const user = await manager();
    const markdown =
      "| Part | Limit |\n| --- | --- |\n| Oil<br>Water | 40 l<br>60 °C |\n\nDruck\u00adventil, H<sub>2</sub>O, こ&#x306E;水。\n";
    await make(user, "Fill up", { markdown });
    const snippet = async (q: string) => (await ask(user, q)).data[0]?.snippet?.text ?? null;
    expect(await snippet("water")).toBe("Oil Water 40 l 60 °C");
    expect(await snippet("H2O")).toContain("H2O");
    expect(await snippet("druckventil")).toContain("ventil");
    expect(await snippet("この")).toContain("この水");
  });

  test("for published SOPs shows the version that readers have, and no SOP that has none yet", async () => {
    const user = await manager();
    const later = { status: "published" as const, effectiveAt: "2099-01-01" };
    await make(user, "Descale the kettle", later);
    const id = await make(user, "Fill the kettle", { status: "published", markdown: "Use the jug.\n" });
    await user.client.sops.update({ params: { id }, body: { ...later, title: "Refill the kettle" } });
    for (const query of [{ status: "published" as const }, { view: "published" as const }]) {
      const { data } = await ask(user, "kettle", query);
      expect(data.map(({ sop, title }) => [title.text, sop.title, sop.version, sop.scheduled])).toEqual([
        ["Fill the kettle", "Fill the kettle", 1, null],
      ]);
      expect(await titles(user, "refill", query)).toEqual([]);
    }
    expect((await titles(user, "kettle", { status: "scheduled" })).toSorted()).toEqual([
      "Descale the kettle",
      "Refill the kettle",
    ]);
  });

  test("finds an SOP by its number, and not those whose numbers begin so", async () => {
    const user = await manager();
    for (let number = 1; number <= 21; number++) await make(user, `Procedure ${number}`);
    for (const [number, title] of [
      ["SOP-0001", "Procedure 1"],
      ["SOP-2", "Procedure 2"],
      ["sop 0012", "Procedure 12"],
    ] as const)
      expect([number, await titles(user, number)]).toEqual([number, [title]]);
    await make(user, "Dated 12");
    for (const digits of ["12", "0012", "#12"])
      expect([digits, (await titles(user, digits))[0]]).toEqual([digits, "Procedure 12"]);
  });

  test("takes no number for another one: neither of an SOP nor of a limit", async () => {
    const company = await server().company();
    const [boss, viewer] = [await company.user("manager"), await company.user("viewer")];
    for (let number = 1; number <= 12; number++)
      await make(boss, `Procedure ${number}`, { markdown: `Turn it to ${number}0um and H2O2.\n`, status: "published" });
    await boss.client.sops.archive({ params: { id: "SOP-0012" } });
    for (const q of ["SOP-0012", "SOP-0013", "SOP-019", "12", "#13"])
      expect(await ask(viewer, q)).toMatchObject({ data: [] });
    for (const q of ["SOP-0012", "15um", "H2O3", "turn 15"]) {
      const { showingFor, didYouMean } = await ask(viewer, q);
      expect([q, showingFor, didYouMean]).toEqual([q, undefined, undefined]);
    }
  });

  test("finds each part of Korean text without spaces", async () => {
    const user = await manager();
    const text = "밸브를잠그고전원을차단하십시오";
    await make(user, "Korean", { markdown: `${text}\n` });
    await make(user, "Other", { markdown: "고객 불만 처리\n" });
    for (let start = 0; start + 2 <= text.length; start++)
      for (const length of [2, 3, 5]) {
        const part = text.slice(start, start + length);
        const { data, showingFor } = await ask(user, part);
        expect([part, showingFor, data.map(({ sop }) => sop.title)]).toEqual([part, undefined, ["Korean"]]);
        expect(data[0]?.snippet?.ranges.some(([from, to]) => text.slice(from, to).includes(part))).toBe(true);
      }
    expect(await titles(user, "불만")).toEqual(["Other"]);
  });

  test("answers with the step that contains the words, their positions, and its anchor", async () => {
    const user = await manager();
    const id = await make(user, "Clean the intake filter", { markdown: body, description: "Weekly, by the operator." });
    await make(user, "Answer a complaint", { markdown: "Wingspan." });
    const { data, showingFor } = await ask(user, "tighten wingnuts");
    expect(showingFor).toBeUndefined();
    expect(data).toMatchObject([
      {
        sop: { id, number: "SOP-0001", title: "Clean the intake filter", favorite: false },
        title: { text: "Clean the intake filter", ranges: [] },
        snippet: {
          text: "Tighten the wingnut by hand with a torque of 5 Nm.",
          ranges: [
            [0, 7],
            [12, 19],
          ],
        },
        step: {
          anchor: expect.stringMatching(/^user-content-step\.\w+$/),
          heading: "Do it",
          number: "7",
          text: "Tighten the wingnut by hand with a torque of 5 Nm.",
          words: "Tighten",
        },
        missing: [],
      },
    ]);
    const { content } = await user.client.sops.get({ params: { id } });
    expect(content).toContain(`<li id="${data[0]?.step?.anchor}">Tighten the wingnut`);
    expect(await titles(user, "tight")).toEqual(["Clean the intake filter"]);
    expect(await titles(user, "SOP-0002")).toEqual(["Answer a complaint"]);
    expect((await ask(user, "SOP-2")).data[0]).toMatchObject({ missing: [], step: null });
  });

  test("ranks titles above texts; shows most of the words when no SOP has all, and the missing ones", async () => {
    const user = await manager();
    await make(user, "Inspect ladders", { markdown: "Mention of the harness." });
    await make(user, "Inspect the harness", { markdown: "Look at the webbing." });
    await make(user, "Something else");
    expect(await titles(user, "harness")).toEqual(["Inspect the harness", "Inspect ladders"]);
    const { data } = await ask(user, "harness webbing ladders");
    expect(new Map(data.map(({ sop, missing }) => [sop.title, missing]))).toEqual(
      new Map([
        ["Inspect the harness", ["ladders"]],
        ["Inspect ladders", ["webbing"]],
      ]),
    );
  });

  test("gives lists the same partial matches, and says so", async () => {
    const user = await manager();
    await make(user, "Inspect ladders", { markdown: "Mention of the harness.", status: "published" });
    await make(user, "Inspect the harness", { markdown: "Look at the webbing." });
    await make(user, "Something else");
    const list = (search: string, query = {}) => user.client.sops.list({ query: { search, ...query } });
    const shown = async (search: string) => (await list(search)).data.map(({ title }) => title).sort();
    for (const words of [
      "harness webbing ladders",
      "how do I inspect the harness by ship",
      "hraness webbing ladders",
    ]) {
      expect([words, await shown(words)]).toEqual([words, (await titles(user, words)).sort()]);
      expect((await list(words)).mostWords).toBe(true);
    }
    expect((await list("hraness webbing ladders")).showingFor).toBe("harness webbing ladders");
    expect(await list("harness webbing")).not.toHaveProperty("mostWords");
    // within the list's own filters, and for whom they are
    expect((await list("harness webbing ladders", { status: "published" })).data.map(({ title }) => title)).toEqual([
      "Inspect ladders",
    ]);
    expect(await list("harness zeppelin quasar")).toEqual({ data: [], nearTitles: expect.any(Array) });
    const reader = await (await server().company()).user("viewer");
    expect(await reader.client.sops.list({ query: { search: "harness webbing ladders" } })).toEqual({ data: [] });
  });

  test("gives lists the same answers, order, corrections and steps as the top bar", async () => {
    const user = await manager();
    const [hr] = await user.client.categories.list();
    await make(user, "Clean the kettles", { markdown: "1. Rinse the kettle.\n2. Dry it.\n", tags: ["daily"] });
    await make(user, "Measure the pH", { markdown: "Clean the probe. Put it into the kettle.", categoryId: hr?.id });
    await make(user, "Change over after an allergen", { markdown: "Clean all.", status: "published" });
    await make(user, "Report sickness", { markdown: "Call your lead. The staff room has a list." });
    await make(user, "Answer staff questions");
    for (const q of [
      "clean kettle",
      "clean",
      "kettle allergen",
      "clening ketle",
      "clening staff",
      "staff sickness",
      "rinse",
      "sick",
      "xyzzyplugh",
      "call stuff",
      "how do I clean a probe",
    ]) {
      const { data, showingFor, didYouMean } = await ask(user, q, { limit: 50 });
      const list = await user.client.sops.list({ query: { search: q, limit: 50 } });
      expect([q, list.showingFor, list.didYouMean]).toEqual([q, showingFor, didYouMean]);
      expect([q, list.data.map(({ match, ...row }) => ({ sop: row, ...match }))]).toEqual([q, data]);
      const pages: string[] = [];
      let cursor: string | undefined;
      do {
        const page = await user.client.sops.list({ query: { search: q, limit: 1, cursor } });
        pages.push(...page.data.map(({ id }) => id));
        cursor = page.nextCursor;
      } while (cursor);
      expect([q, pages]).toEqual([q, data.map(({ sop }) => sop.id)]);
    }
    const kettles = await user.client.sops.list({ query: { search: "clean kettle", sort: "-title" } });
    expect(kettles.data[0]).toMatchObject({ title: "Measure the pH" });
    expect((await user.client.sops.list({ query: { search: "rinse" } })).data[0]?.match?.step?.number).toBe("1");
  });

  test("puts SOPs with all words first, and offers a near word where all words are known", async () => {
    const user = await manager();
    await make(user, "Lock lock lock", { markdown: "Lock the lock." });
    await make(user, "Leave", { markdown: "Fill in the form. Then turn the handle of the lock from inside." });
    expect(await titles(user, "lock inside")).toEqual(["Leave", "Lock lock lock"]);
    await make(user, "Lights", { markdown: "Use the candle." });
    const { data, showingFor, didYouMean } = await ask(user, "inside candle");
    expect([showingFor, didYouMean]).toEqual([undefined, "inside handle"]);
    expect(data.map(({ sop }) => sop.title).toSorted()).toEqual(["Leave", "Lights"]);
  });

  test("corrects no word that is known outside the list's filters", async () => {
    const user = await manager();
    const [hr] = await user.client.categories.list();
    await make(user, "Stuff bags", { categoryId: hr?.id });
    await make(user, "Staff rooms");
    const list = await user.client.sops.list({ query: { search: "stuff", category: "none" } });
    expect(list).toEqual({ data: [], nearTitles: expect.any(Array) });
  });

  test("counts facets, each as the other filters leave them, without a trace of drafts for readers", async () => {
    const company = await server().company();
    const [user, viewer] = [await company.user("manager", { name: "Mei" }), await company.user("viewer")];
    const [hr, safety] = await user.client.categories.list();
    await make(user, "Pump one", { categoryId: hr?.id, status: "published", tags: ["a"] });
    const id = await make(user, "Pump two", { categoryId: hr?.id, status: "published", tags: ["b"] });
    await make(user, "Pump three", { categoryId: safety?.id, tags: ["secret"] });
    const old = await make(user, "Pump four", { categoryId: hr?.id, status: "published", tags: ["old"] });
    await user.client.sops.archive({ params: { id: old }, body: {} });
    await user.client.sops.update({ params: { id }, body: { tags: ["secret"], status: "draft" } });
    const facets = async (who: TestUser, query = {}) => {
      const { facets: found } = await who.client.sops.list({ query: { facets: "true", ...query } });
      return Object.entries(found ?? {}).map(([name, values]) => [
        name,
        ...values.map(({ label, count }) => `${label} ${count}`),
      ]);
    };
    const all = [
      ["category", "HR Procedures 2", "Safety Protocols 1"],
      ["status", "all 3", "draft 2", "published 2", "archived 1"],
      ["owner", `Mei (${user.username}) 3`],
      ["tag", "secret 2", "a 1"],
      ["team"],
      ["lang"],
    ];
    expect([await facets(user), await facets(user, { search: "pump" })]).toEqual([all, all]);
    const inHr = [
      ["category", "HR Procedures 2", "Safety Protocols 1"],
      ["status", "all 2", "published 2", "archived 1", "draft 1"],
      ["owner", `Mei (${user.username}) 2`],
      ["tag", "a 1", "secret 1"],
      ["team"],
      ["lang"],
    ];
    const query = { category: hr?.id };
    expect([await facets(user, query), await facets(user, { ...query, search: "pump" })]).toEqual([inHr, inHr]);
    const read = [
      ["category", "HR Procedures 2"],
      ["status", "all 2", "published 2"],
      ["owner", `Mei (${user.username}) 2`],
      ["tag", "a 1", "b 1"],
      ["team"],
      ["lang"],
    ];
    expect([await facets(viewer), await facets(viewer, { search: "pump" })]).toEqual([read, read]);
    await user.client.sops.update({ params: { id }, body: { lang: "de-AT", status: "published" } });
    const languages = async (query = {}) => (await facets(viewer, query)).at(-1);
    expect([await languages(), await languages({ search: "pump", lang: "de" })]).toEqual([
      ["lang", "Austrian German 1"],
      ["lang", "Austrian German 1", "German 0"],
    ]);
    // written like a tag, but none
    expect(await languages({ lang: "de-1x" })).toEqual(["lang", "Austrian German 1", "de-1x 0"]);
    expect((await facets(viewer, { lang: "de" }))[0]).toEqual(["category", "HR Procedures 1"]);
    // what was chosen keeps its name
    expect(await facets(user, { status: "archived", tag: "a" })).toEqual([
      ["category"],
      ["status", "all 1", "published 1", "archived 0"],
      ["owner"],
      ["tag", "old 1", "a 0"],
      ["team"],
      ["lang"],
    ]);
  });

  test("corrects a typing error when no SOP has the word, and says so", async () => {
    const user = await manager();
    await make(user, "Calibrate the balance", { markdown: "Calibration weights are in the drawer." });
    for (const [typed, shown] of [
      ["calibrtae balance", "calibrate balance"],
      ["balence", "balance"],
      ["the wieghts", "the weights"],
      ["calbrat", "calibrate"],
    ] as const) {
      const { data, showingFor } = await ask(user, typed);
      expect([typed, showingFor, data.map(({ sop }) => sop.title)]).toEqual([typed, shown, ["Calibrate the balance"]]);
    }
    expect(await ask(user, "balance")).not.toHaveProperty("showingFor");
    expect(await ask(user, "xyzzyplugh")).toEqual({ data: [] });
  });

  test("corrects typing errors in lists too, within their filters, without question words", async () => {
    const user = await manager();
    await make(user, "Calibrate the balance", { status: "published" });
    await make(user, "Answer the phone");
    const list = (search: string, query = {}) => user.client.sops.list({ query: { search, ...query } });
    expect(await list("calibrtae balance")).toMatchObject({
      data: [{ title: "Calibrate the balance" }],
      showingFor: "calibrate balance",
    });
    const exact = await list("calibr bal");
    expect([exact.data.length, exact.showingFor]).toEqual([1, undefined]);
    expect((await list("how do I calibrate a balance")).data.length).toBe(1);
    // what the filter leaves out corrects nothing
    expect(await list("balence", { status: "draft" })).toEqual({ data: [], nearTitles: expect.any(Array) });
    expect((await list("phnoe", { status: "draft" })).showingFor).toBe("phone");
    const reader = await (await server().company()).user("viewer");
    expect(await reader.client.sops.list({ query: { search: "balence" } })).toEqual({ data: [] });
  });

  test("finds an SOP by the terms of the company's glossary, and marks them", async () => {
    const company = await server().company();
    const [admin, user] = [await company.user("company_admin"), await company.user("manager")];
    await make(user, "Enter the mill", { markdown: "## Before\n\n1. Wait.\n2. Put on your protective equipment.\n" });
    await make(user, "Enter the silo", { markdown: "1. Wear PPE.\n" });
    await make(user, "Equipment list");
    const list = async (search: string) =>
      (await user.client.sops.list({ query: { search } })).data.map(({ title }) => title).toSorted();
    expect([await titles(user, "ppe"), await list("ppe")]).toEqual([["Enter the silo"], ["Enter the silo"]]);
    const glossary = [["PPE", "protective equipment", "safety gear"]];
    await admin.client.company.update({ body: { settings: { glossary } } });
    const both = ["Enter the mill", "Enter the silo"];
    for (const q of ["ppe", "safety gear", "protective equipment", "Safety-Gear enter"]) {
      expect([q, (await titles(user, q)).toSorted(), await list(q)]).toEqual([q, both, both]);
    }
    const { data, showingFor } = await ask(user, "safety gear");
    expect(showingFor).toBeUndefined();
    const mill = data.find(({ sop }) => sop.title === "Enter the mill");
    expect(mill).toMatchObject({ missing: [], step: { number: "2", heading: "Before" } });
    expect(mill?.snippet.ranges.map(([start, end]) => mill.snippet.text.slice(start, end))).toEqual([
      "protective equipment",
    ]);
    const { alsoCalled } = await user.client.sops.list({ query: { search: "enter with PPE" } });
    expect(alsoCalled).toEqual(["protective equipment", "safety gear"]);
    const stranger = await manager();
    await make(stranger, "Their protective equipment");
    expect(await titles(stranger, "ppe")).toEqual([]);
  });

  test("names titles spelled like a search without results, none of them a draft to readers", async () => {
    const company = await server().company();
    const [user, viewer] = [await company.user("manager"), await company.user("viewer")];
    await make(user, "Refrigeration check", { status: "published" });
    await make(user, "Refrigerator repair");
    await make(user, "Sweep the yard", { status: "published" });
    const near = async (who: TestUser) => {
      const { data, nearTitles } = await who.client.sops.list({ query: { search: "refrigobox" } });
      return [data, nearTitles?.map(({ title }) => title).toSorted()];
    };
    expect(await near(user)).toEqual([[], ["Refrigeration check", "Refrigerator repair"]]);
    expect(await near(viewer)).toEqual([[], ["Refrigeration check"]]);
  });

  test("is narrowed by filters like a list, with pages to the end", async () => {
    const user = await manager();
    const [hr] = await user.client.categories.list();
    for (let n = 0; n < 5; n++)
      await make(user, `Pump ${n}`, n === 0 ? { categoryId: hr?.id, status: "published" } : {});
    expect(await titles(user, "pump", { category: hr?.id })).toEqual(["Pump 0"]);
    expect(await titles(user, "pump", { status: "published" })).toEqual(["Pump 0"]);
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await ask(user, "pump", { limit: 2, cursor, total: "true" });
      expect(page.total).toBe(5);
      seen.push(...page.data.map(({ sop }) => sop.title));
      cursor = page.nextCursor;
    } while (cursor);
    expect(seen.toSorted()).toEqual([0, 1, 2, 3, 4].map((n) => `Pump ${n}`));
    await expect(ask(user, "pump", { cursor: "x" })).rejects.toMatchObject({ status: 400 });
    for (const q of ["", " ", "%%", '"', "NEAR(", "title:pump OR", "*", "pump) OR (x"]) {
      expect((await ask(user, q)).data.length).toBeLessThanOrEqual(5);
    }
  });

  test("finds published SOPs by their own words for readers, and drafts for their authors", async () => {
    const company = await server().company();
    const [author, reader, granted] = [
      await company.user("manager"),
      await company.user("viewer"),
      await company.user("viewer"),
    ];
    const id = await make(author, "Receive goods", { markdown: "Check the pallet.", status: "published" });
    await author.client.sops.update({ params: { id }, body: { markdown: "Check the forklift and the zirconium." } });
    await author.client.sops.grant({ params: { id }, body: { userId: granted.id, permission: "read" } });
    const secret = await make(author, "Secret draft", { markdown: "Nothing but molybdenum." });
    expect(await titles(author, "zirconium")).toEqual(["Receive goods"]);
    expect(await titles(granted, "zirconium")).toEqual(["Receive goods"]);
    expect(await titles(author, "pallet")).toEqual([]);
    expect(await titles(author, "molybdenum")).toEqual(["Secret draft"]);
    for (const q of ["zirconium", "forklift", "molybdenum", "molybdenun", "zirconim"]) {
      expect([q, await ask(reader, q)]).toEqual([q, { data: [] }]);
      expect((await reader.client.sops.list({ query: { search: q, total: "true" } })).total).toBe(0);
    }
    const { data } = await ask(reader, "pallet");
    expect(data).toMatchObject([{ sop: { id, version: 1 }, snippet: { text: "Check the pallet." } }]);
    await author.client.sops.publish({ params: { id }, body: {} });
    expect(await titles(reader, "zirconium")).toEqual(["Receive goods"]);
    expect(await titles(reader, "pallet")).toEqual([]);
    await author.client.sops.unpublish({ params: { id }, body: {} });
    expect(await titles(reader, "zirconium")).toEqual([]);
    const admin = await company.user("admin");
    await admin.client.sops.remove({ params: { id: secret } });
    expect(await titles(author, "molybdenum")).toEqual([]);
    await admin.client.sops.undelete({ params: { id: secret } });
    expect(await titles(author, "molybdenum")).toEqual(["Secret draft"]);
  });

  test("reveals no words of drafts by a correction or a score", async () => {
    const company = await server().company();
    const [author, reader] = [await company.user("manager"), await company.user("viewer")];
    for (const n of [1, 2]) {
      await make(author, `Pump ${n}`, { markdown: "The zirconial valve.", status: "published" });
    }
    const questions: [string, { limit?: number }][] = [
      ["zirconiol", {}],
      ["zirconiol", { limit: 1 }],
      ["zirconiol pump absent", {}],
      ["zirconial", {}],
      ["pump zirconial", {}],
    ];
    const answers = async () => {
      const told: unknown[] = [];
      for (const [q, query] of questions) {
        const first = await ask(reader, q, query);
        const pages = first.nextCursor
          ? [first, await ask(reader, q, { ...query, cursor: first.nextCursor })]
          : [first];
        told.push([q, pages.map(({ data, showingFor }) => [showingFor, data.map(({ sop: _sop, ...hit }) => hit)])]);
      }
      return told;
    };
    const before = await answers();
    expect(before).not.toEqual([]);
    // nearer by count: the word of the drafts comes first among those near what was typed
    for (const n of [1, 2, 3])
      await make(author, `Draft ${n}`, { markdown: "The zirconiel pump, the zirconiel valve." });
    expect(await answers()).toEqual(before);
  });

  test("rebuilds an index that is missing, damaged, far behind, of another version or of another ledger", async () => {
    const user = await manager();
    const id = await make(user, "Inspect the gantry");
    const { db } = server();
    const actor = await currentActor(server(), user);
    const gantry = questionForAllTerms(parseQuery("gantry ").terms ?? []);
    const dir = path.join(server().dataDir, "search-again");
    const file = path.join(dir, `${user.companyId}.db`);
    const log = { warn: () => undefined, error: () => undefined };
    const gantries = async (harm: (indexes: SearchIndexes) => void | Promise<void> = () => undefined) => {
      const indexes = createSearchIndexes({ dir, db, log, rebuildFrom: 3 });
      try {
        await harm(indexes);
        return await indexes.ask(actor, async (reading) => {
          const rows = (await reading.matchingRows(gantry)) ?? [];
          expect(
            (await reading.readExcerpts(rows, gantry.terms)).every((text) => text?.title.text.includes("antry")),
          ).toBe(true);
          return rows;
        });
      } finally {
        await indexes.close();
      }
    };
    const inFile = (sql: string) => {
      const raw = new DatabaseSync(file);
      raw.exec(sql);
      raw.close();
    };
    const found = [{ sopId: id, version: 1, seen: 1 }];
    expect(await gantries()).toEqual(found);
    const { mtimeMs } = statSync(file);
    expect(await gantries()).toEqual(found);
    expect(statSync(file).mtimeMs).toBe(mtimeMs);
    const harms: Record<string, () => void> = {
      missing: () => rmSync(file),
      "not a database": () => writeFileSync(file, "not a database at all ".repeat(100)),
      empty: () => writeFileSync(file, ""),
      "cut off": () => truncateSync(file, 9_000),
      "another version": () => inFile("DELETE FROM rows; UPDATE meta SET value = '0.0' WHERE key = 'version'"),
      "another ledger": () =>
        inFile(`DELETE FROM rows; UPDATE meta SET value = '{"seq":1,"eventId":"another"}' WHERE key = 'position'`),
      "ahead of the ledger": () =>
        inFile(`DELETE FROM rows; UPDATE meta SET value = '{"seq":99,"eventId":null}' WHERE key = 'position'`),
    };
    for (const [name, harm] of Object.entries(harms)) expect([name, await gantries(harm)]).toEqual([name, found]);
    // a little behind it catches up, far behind it is rebuilt
    await make(user, "Another gantry");
    expect((await gantries()).length).toBe(2);
    for (let n = 0; n < 5; n++) await make(user, `Gantry ${n}`);
    expect((await gantries()).length).toBe(7);
    // while it is open
    const damaged = await gantries(async (indexes) => {
      await indexes.ask(actor, async () => undefined);
      writeFileSync(file, "overwritten under a running server".repeat(2_000));
    });
    expect(damaged.length).toBe(7);
  });

  test("loads an index that is on disk with the first question or change, not before", async () => {
    const user = await manager();
    await make(user, "Inspect the derrick");
    const { db } = server();
    const actor = await currentActor(server(), user);
    const derrick = questionForAllTerms(parseQuery("derrick ").terms ?? []);
    const opened = async (work: (indexes: SearchIndexes) => Promise<unknown>) => {
      const dir = path.join(server().dataDir, "search-later");
      const indexes = createSearchIndexes({ dir, db, log: { warn: () => undefined, error: () => undefined } });
      try {
        await work(indexes);
        return indexes.load().open;
      } finally {
        await indexes.close();
      }
    };
    const ask = (indexes: SearchIndexes) => indexes.ask(actor, (reading) => reading.matchingRows(derrick));
    expect(await opened(ask)).toBe(1);
    if (db.engine === "sqlite") {
      expect(await opened((indexes) => indexes.tidy())).toBe(0);
      const changed = async (indexes: SearchIndexes) => {
        await make(user, "Paint the derrick");
        await expect.poll(() => indexes.load().open).toBe(1);
      };
      expect(await opened(changed)).toBe(1);
    }
    expect(
      await opened(async (indexes) => expect(await ask(indexes)).toHaveLength(db.engine === "sqlite" ? 2 : 1)),
    ).toBe(1);
  });

  test("deletes the index of a deleted company", async () => {
    const company = await server().company();
    const user = await company.user("manager");
    await make(user, "Inspect the crane");
    await titles(user, "crane");
    const name = `${user.companyId}.db`;
    const dir = path.join(server().dataDir, "search");
    expect(readdirSync(dir)).toContain(name);
    await company.set({ status: "deleted" });
    await server().running.services.search.tidy();
    expect(readdirSync(dir).filter((one) => one.startsWith(user.companyId))).toEqual([]);
  });
});
