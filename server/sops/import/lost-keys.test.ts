/** Files of known SOPs that lost `sop`, `id` and `version`: an import makes no second SOP of them. */
import { createHash, randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import type { ImportRequest } from "#core/sops/import-schema.ts";
import { describeServer, type TestUser } from "../../../test/server.ts";

const file = (path: string, text: string) => ({
  path,
  text,
  sha256: createHash("sha256").update(text).digest("hex"),
});
type File = ReturnType<typeof file>;
const lost = (text: string) => text.replace(/^(?:sop|id|version): .*\n/gm, "");
const bare = (text: string) => text.replace(/^---\n[^]*?\n---\n\n/, "");
const steps = (name: string) =>
  ["Switch the NAME off.", "Pull the plug of the NAME.", "Wipe the NAME with a damp cloth.", "Sign the NAME's card."]
    .map((line, at) => `${at + 1}. ${line.replace("NAME", name)}\n`)
    .join("");

const nearNote = (key: "sameTitle" | "resembles") => ({
  code: "near-sop",
  message: key === "sameTitle" ? "It has the title of SOP-0001" : "It resembles SOP-0001",
  reason: { id: `server.sops.import.notes.${key}`, values: { numbers: "SOP-0001" } },
});

describeServer("files that lost their number, id and version", (server) => {
  const run = (user: TestUser, documents: readonly File[], options: Partial<ImportRequest> = {}) =>
    user.client.sops.import({ body: { importId: randomUUID(), documents: [...documents], ...options } });
  const outcomes = async (...args: Parameters<typeof run>) =>
    (await run(...args)).results.map(({ path, outcome, number }) => [path, outcome, number ?? null]);
  const total = async (user: TestUser) => (await user.client.sops.list({ query: { total: "true" } })).total;
  const make = async (user: TestUser, name: string, markdown = steps(name), isTemplate = false) => {
    const body = { title: `Clean the ${name}`, description: "D", markdown, isTemplate };
    const { id, number } = await user.client.sops.create({ body });
    return { id, number, name: `${number.toLowerCase()}-clean-the-${name}` };
  };
  const exported = async (user: TestUser, id: string) =>
    (await user.send({ path: `/api/sops/${id}/export?format=md` })).body.toString();
  const start = async () => {
    const company = await server().company();
    return { company, user: await company.user("manager") };
  };

  test("at the path of an earlier import are its SOP", async () => {
    const { user } = await start();
    const { id } = await make(user, "mill");
    const text = await exported(user, id);
    expect(await outcomes(user, [file("docs/mill.md", text)])).toEqual([["docs/mill.md", "unchanged", "SOP-0001"]]);
    const other = file("docs/mill.md", "# Sweep the yard\n\nUse the wide broom, from the gate on.\n");
    for (const dryRun of [true, false]) {
      const edited = file("docs/mill.md", lost(text).replace("Pull the plug", "Unplug the cable"));
      expect((await run(user, [edited], { dryRun })).results[0]).toMatchObject({
        outcome: "conflict",
        id,
        number: "SOP-0001",
        reason: `It was the file of SOP-0001 and lost its id. Put back sop: "SOP-0001", id: "${id}" and the version that you edited. Choose --on-conflict copy for a new SOP, or theirs to replace the text of SOP-0001`,
      });
      expect((await run(user, [other], { dryRun })).results[0]).toMatchObject({
        outcome: "conflict",
        reason: expect.stringContaining("“Clean the mill” came from this path and shares no line"),
      });
    }
    expect(await outcomes(user, [file("docs/mill.md", lost(text))])).toEqual([
      ["docs/mill.md", "unchanged", "SOP-0001"],
    ]);
    expect(await total(user)).toBe(1);
    // the SOP has another file in this import
    const moved = [file("docs/new/mill.md", text), file("docs/other.md", other.text)];
    expect((await outcomes(user, moved)).map(([, outcome]) => outcome)).toEqual(["unchanged", "create"]);
  });

  test.each([
    ["without the keys", lost],
    ["without front matter", bare],
    ["without front matter, with an edited step", (text: string) => bare(text).replace("damp", "dry")],
    ["with half of the text", (text: string) => lost(text).replace(/Switch.*|Wipe.*/g, "Ask the supplier first.")],
    ["with the version alone", (text: string) => text.replace(/^(?:sop|id): .*\n/gm, "").replace("damp", "dry")],
  ])("under another path are known by their text: %s", async (_, change) => {
    const { user } = await start();
    const { id } = await make(user, "mill");
    await make(user, "yard", "Use the wide broom, from the gate on.\n\nBegin where the wind comes from.\n");
    const moved = file("old/grinder.md", change(await exported(user, id)));
    for (const dryRun of [true, false]) {
      const [result] = (await run(user, [moved], { dryRun })).results;
      expect(result).toMatchObject({ id, number: "SOP-0001" });
      if (change === lost) expect(result?.outcome).toBe("unchanged");
      else
        expect(result).toMatchObject({
          outcome: "conflict",
          reason: `It resembles SOP-0001, “Clean the mill”, and has no id. If it is that SOP, put back sop: "SOP-0001", id: "${id}" and the version that you edited. For a new SOP, choose --on-conflict copy`,
        });
    }
    expect(await total(user)).toBe(2);
    const broom = file("old/broom.md", "# Order brooms\n\nAsk the office for two brooms each spring.\n");
    expect(await outcomes(user, [broom])).toEqual([["old/broom.md", "create", "SOP-0003"]]);
  });

  test("of two steps with one edited are known by their title and the other step", async () => {
    const { user } = await start();
    const { id } = await make(user, "mill", "1. Rinse it.\n2. Dry it.\n");
    const text = lost(await exported(user, id)).replace("Dry it", "Wipe both bowls");
    expect(await outcomes(user, [file("a.md", text)])).toEqual([["a.md", "conflict", "SOP-0001"]]);
    const other = text.replace("Rinse it", "Wash all of them");
    for (const dryRun of [true, false])
      expect((await run(user, [file("b.md", other)], { dryRun })).results).toMatchObject([
        {
          outcome: "create",
          notes: expect.arrayContaining([nearNote("sameTitle")]),
        },
      ]);
  });

  test("are known by an older text too, and by the name of their file", async () => {
    const { user } = await start();
    const { id, name } = await make(user, "mill");
    const old = await exported(user, id);
    await user.client.sops.update({ params: { id }, body: { markdown: "Ask the supplier to clean it.\n" } });
    const files = [
      file("a/older.md", bare(old)),
      file(`b/${name}.draft.md`, "# Sweep\n\nUse the wide broom.\n"),
      file("c/sop-0001-clean-the-yard.md", "# Rake\n\nTake the rake from the shed.\n"),
    ];
    expect((await run(user, files)).results).toMatchObject([
      { outcome: "conflict", number: "SOP-0001", reason: expect.stringContaining("It resembles SOP-0001") },
      { outcome: "conflict", number: "SOP-0001", reason: expect.stringContaining("came from this path") },
      { outcome: "create", number: "SOP-0002" },
    ]);
  });

  test("of a whole exported folder make no SOP, and no later edit counts without its keys", async () => {
    const { user } = await start();
    const names = ["mill", "press", "lathe", "saw", "drill", "oven"];
    const sops = [];
    for (const name of names) sops.push(await make(user, name));
    const folder = await Promise.all(
      sops.map(async ({ id }, at) => file(`export/${names[at]}.md`, lost(await exported(user, id)))),
    );
    const numbers = sops.map(({ number }, at) => [`export/${names[at]}.md`, "unchanged", number]);
    for (const dryRun of [true, false, false]) expect(await outcomes(user, folder, { dryRun })).toEqual(numbers);
    const edited = file("export/saw.md", (folder[3]?.text ?? "").replace("damp", "dry"));
    expect(await outcomes(user, [edited])).toEqual([["export/saw.md", "conflict", "SOP-0004"]]);
    expect(await total(user)).toBe(names.length);
  });

  test("become a copy if the import says so, and replace the text of no SOP that only resembles them", async () => {
    const { user } = await start();
    const { id } = await make(user, "mill");
    const text = bare(await exported(user, id)).replace("damp", "dry");
    expect(await outcomes(user, [file("a.md", text)], { onConflict: "copy" })).toEqual([
      ["a.md", "create", "SOP-0002"],
    ]);
    expect(await outcomes(user, [file("a.md", text)])).toEqual([["a.md", "unchanged", "SOP-0002"]]);
    // the copy is the SOP of its path
    const later = file("a.md", text.replace("plug", "cable"));
    expect(await outcomes(user, [later])).toEqual([["a.md", "update", "SOP-0002"]]);
    const other = file("b.md", lost(await exported(user, id)).replace("damp", "wet"));
    expect((await run(user, [other], { onConflict: "theirs" })).results).toMatchObject([
      {
        outcome: "conflict",
        number: "SOP-0001",
        resembling: "text",
        reason: expect.stringContaining("If it is that SOP"),
      },
    ]);
    expect(await user.client.sops.get({ params: { id } })).toMatchObject({ version: 1 });
    // a number of its own says that a file is a new SOP
    const chosen = file("c.md", `---\nnumber: SOP-0050\n---\n\n${text.replace("card", "list")}`);
    expect(await outcomes(user, [chosen])).toEqual([["c.md", "create", "SOP-0050"]]);
    const apart = file("d.md", text.replace("card", "sheet"));
    expect((await outcomes(user, [apart], { resembling: "create" }))[0]?.[1]).toBe("create");
    expect(await total(user)).toBe(4);
  });

  test("aren't compared with what the user can't read, nor with templates and documents of the same import", async () => {
    const { company, user } = await start();
    const writer = await company.user("contributor");
    const { id } = await make(user, "mill");
    const text = bare(await exported(user, id)).replace("damp", "dry");
    expect(await outcomes(writer, [file("a.md", text)])).toEqual([["a.md", "create", "SOP-0002"]]);
    await make(user, "press", steps("press"), true);
    expect(await outcomes(user, [file("b.md", steps("press"))])).toEqual([["b.md", "create", "SOP-0004"]]);
    const importId = randomUUID();
    const own = ["first", "second"].map((word) => file(`${word}.md`, `${steps("kiln")}\nThis is the ${word} kiln.\n`));
    for (const one of own) expect((await outcomes(user, [one], { importId }))[0]?.[1]).toBe("create");
    // a reader of the published version has no permission to change it, and learns what to do
    await user.client.sops.publish({ params: { id }, body: {} });
    expect((await run(writer, [file("c.md", text.replace("card", "list"))])).results[0]).toMatchObject({
      outcome: "conflict",
    });
    const theirs = await run(writer, [file("c.md", text.replace("plug", "cord"))], { onConflict: "theirs" });
    expect(theirs.results[0]?.outcome).not.toBe("create");
    expect((await user.client.sops.get({ params: { id } })).version).toBe(1);
  });

  test("differ from new documents that share the lines of a template", async () => {
    const { user } = await start();
    const frame = (own: string) =>
      `## Purpose\n\nKeeps everyone in the workshop safe.\n\n## Scope\n\nAll shifts and all visitors.\n\n## Steps\n\n${own}\n`;
    const names = ["mill", "press", "lathe", "saw"];
    for (const name of names) await make(user, name, frame(`Wash the ${name} with warm water.`));
    const fresh = file("kiln.md", frame("Let the kiln cool for a day, then sweep it."));
    expect(await outcomes(user, [fresh])).toEqual([["kiln.md", "create", "SOP-0005"]]);
    const moved = file("saw2.md", frame("Wash the saw with warm water."));
    expect((await outcomes(user, [moved]))[0]?.slice(1)).toEqual(["conflict", "SOP-0004"]);
  });

  test("replace the text of the SOP of their path if the import says so", async () => {
    const { user } = await start();
    const { id } = await make(user, "mill");
    const text = await exported(user, id);
    await run(user, [file("mill.md", text)]);
    const edited = file("mill.md", lost(text).replace("damp", "wet"));
    expect(await outcomes(user, [edited], { onConflict: "theirs" })).toEqual([["mill.md", "update", "SOP-0001"]]);
    expect((await user.client.sops.get({ params: { id } })).markdown).toContain("wet");
  });

  const framed = (...own: string[]) =>
    `## Purpose\n\nKeeps the machine safe.\n\n## Scope\n\nAll shifts.\n\n## Steps\n\n${[...own, "Sign the sheet."]
      .map((line, at) => `${at + 1}. ${line}\n`)
      .join("")}`;
  const titled = (title: string, text: string) => `---\ntitle: "${title}"\n---\n\n${text}`;

  test("are the SOP that has exactly their text, among all of a template", async () => {
    const { user } = await start();
    const names = Array.from({ length: 14 }, (_, at) => `press${at + 1}`);
    for (const [at, name] of names.entries()) await make(user, name, framed("Stop it.", `Fill ${at + 1} liters.`));
    const files = names.map((_, at) => titled(`Other title ${at}`, framed("Stop it.", `Fill ${at + 1} liters.`)));
    const found = await outcomes(
      user,
      files.map((text, at) => file(`m${at}.md`, text)),
      { dryRun: true },
    );
    expect(found.map(([, outcome, number]) => [outcome, number])).toEqual(
      names.map((_, at) => ["conflict", `SOP-${String(at + 1).padStart(4, "0")}`]),
    );
    const swapped = file("press1.md", titled("Clean the press2", framed("Stop it.", "Fill 99 liters.")));
    expect(await outcomes(user, [swapped])).toEqual([["press1.md", "conflict", "SOP-0002"]]);
  });

  test("are the SOP with their text and title, though another one had their path", async () => {
    const { user } = await start();
    const ids = [await make(user, "mill"), await make(user, "saw")];
    const [mill = "", saw = ""] = await Promise.all(ids.map(({ id }) => exported(user, id)));
    await run(user, [file("a.md", mill), file("b.md", saw)]);
    const swapped = [file("a.md", lost(saw)), file("b.md", lost(mill))];
    for (const onConflict of ["skip", "theirs"] as const)
      expect(await outcomes(user, swapped, { onConflict, dryRun: true })).toEqual([
        ["a.md", "unchanged", "SOP-0002"],
        ["b.md", "unchanged", "SOP-0001"],
      ]);
  });

  const linking = (number: string, name: string) =>
    `Ask the lead about [the ${name}](/sop/${number}) and [its form](/sop/${number}#form).\n\n${steps(name)}`;

  test("are known by their text also if it links SOPs, which files write in another way", async () => {
    const { user } = await start();
    const mill = await make(user, "mill");
    await user.client.sops.publish({ params: { id: mill.id }, body: {} });
    const saw = await make(user, "saw", linking(mill.number, "saw"));
    const oven = await make(user, "oven", `1. Do [this](/sop/${mill.number}).\n2. Do [that](/sop/${mill.number}#a).\n`);
    for (const [at, { id, number }] of [saw, oven].entries()) {
      const text = lost(await exported(user, id));
      expect(text).toContain(`](../../sops/uncategorized/${mill.name}.md)`);
      const named = file(`b/${mill.name}.md`, text);
      expect(await outcomes(user, [named])).toEqual([[named.path, "unchanged", number]]);
      const renamed = text.replace("Clean the", "Wash the");
      // an import of a whole folder links its new files by the ids that they get
      const relinked = id === saw.id ? [renamed.replaceAll(/\]\([^)]*\)/g, `](/sop/${randomUUID()})`)] : [];
      for (const [place, changed] of [renamed, bare(text).replace(/^# .*/m, ""), ...relinked].entries())
        expect((await outcomes(user, [file(`a/${at}-${place}.md`, changed)]))[0]?.slice(1)).toEqual([
          "conflict",
          number,
        ]);
    }
    expect(await total(user)).toBe(3);
  });

  test("of a published version are no new SOP if the draft has another title", async () => {
    const { user } = await start();
    const mill = await make(user, "mill");
    await user.client.sops.publish({ params: { id: mill.id }, body: {} });
    const sops = [await make(user, "saw", linking(mill.number, "saw")), await make(user, "oven", "Heat it.\n")];
    for (const [at, { id, number }] of sops.entries()) {
      await user.client.sops.publish({ params: { id }, body: {} });
      const text = await exported(user, id);
      await user.client.sops.update({ params: { id }, body: { title: `Wash part ${at}` } });
      expect((await outcomes(user, [file(`a/${at}.md`, lost(text))]))[0]?.slice(1)).toEqual(["conflict", number]);
    }
  });

  test("name all SOPs that are equally near, and no id", async () => {
    const { user } = await start();
    const { id } = await make(user, "mill");
    await make(user, "mill");
    const text = lost(await exported(user, id));
    for (const changed of [text, text.replace("damp", "wet")])
      for (const onConflict of ["skip", "theirs"] as const) {
        const [result] = (await run(user, [file("a.md", changed)], { onConflict })).results;
        expect(result).toMatchObject({
          outcome: "conflict",
          reason:
            "It resembles SOP-0001 and SOP-0002 equally and has no id. Export the SOP that you mean, and edit that file. For a new SOP, choose --on-conflict copy",
        });
        expect(result).not.toHaveProperty("id");
      }
    const described = text.replace('"D"', '"Another one"');
    expect((await outcomes(user, [file("b.md", described)]))[0]?.[1]).toBe("conflict");
    const copied = await outcomes(user, [file("a.md", text)], { onConflict: "copy" });
    expect(copied).toEqual([["a.md", "create", "SOP-0003"]]);
  });

  test("with the fields of one of two equal texts are that one", async () => {
    const { user } = await start();
    await make(user, "mill");
    const body = { title: "Clean the mill", description: "Of hall two", markdown: steps("mill") };
    const { id } = await user.client.sops.create({ body });
    expect(await outcomes(user, [file("a.md", lost(await exported(user, id)))])).toEqual([
      ["a.md", "unchanged", "SOP-0002"],
    ]);
  });

  test("differ from a new document with a title, file name and steps of its own, also beside one SOP", async () => {
    const { user } = await start();
    await make(user, "lathe", framed("Stop it.", "Brush the chips off."));
    const fresh = titled("Clean the saw", framed("Stop it.", "Take the blade out.", "Wipe the table."));
    expect((await run(user, [file("clean-the-lathe.md", fresh)])).results).toMatchObject([
      { outcome: "conflict", number: "SOP-0001" },
    ]);
    for (const dryRun of [true, false])
      expect((await run(user, [file("saw.md", fresh)], { dryRun, onConflict: "theirs" })).results).toMatchObject([
        { outcome: "create", notes: expect.arrayContaining([nearNote("resembles")]) },
      ]);
    expect(await total(user)).toBe(2);
  });

  test.each([
    ["one paragraph", "Before the shift starts, the lead looks at each machine.\n", ["each", "every"], "conflict"],
    [
      "two other paragraphs",
      "Look at each machine.\n\nSign the list.\n",
      [/Look[^]*list/, "Ask the lead.\n\nGo on"],
      "create",
    ],
    [
      "all lines and many more",
      framed("Stop it."),
      ["All shifts.", "All shifts.\n\nA.\n\nB.\n\nC.\n\nD.\n\nE.\n\nF.\n\nG."],
      "conflict",
    ],
  ] as const)("with the title of an SOP are never unnoticed: %s", async (_, markdown, [from, to], outcome) => {
    const { user } = await start();
    const { id } = await make(user, "mill", markdown);
    const text = lost(await exported(user, id)).replace(from, to);
    const [result] = (await run(user, [file("a.md", text)])).results;
    expect(result?.outcome).toBe(outcome);
    expect(`${result?.reason ?? ""} ${result?.notes.map(({ message }) => message).join() ?? ""}`).toContain("SOP-0001");
  });

  test.each([2, 3, 5])("name all of %i SOPs with one text", async (count) => {
    const { user } = await start();
    const names = ["mill", "press", "lathe", "saw", "drill"].slice(0, count);
    const sops = [];
    for (const name of names) sops.push(await make(user, name, steps("machine")));
    for (const onConflict of ["skip", "theirs"] as const) {
      const edited = file("a.md", steps("machine").replace("damp", "dry"));
      const [result] = (await run(user, [edited], { onConflict })).results;
      expect(result?.outcome).toBe("conflict");
      for (const { number } of sops) expect(result?.reason).toContain(number);
    }
    expect(await total(user)).toBe(count);
  });

  test.each([
    ["title and lines", (text: string) => lost(text).replace("damp", "wet")],
    [
      "title in capitals and lines",
      (text: string) => lost(text).replace("damp", "wet").replace("Clean the saw", "CLEAN  the Saw"),
    ],
    ["text and title", (text: string) => lost(text).replace('"D"', '"Another one"')],
    ["text", (text: string) => lost(text).replace("Clean the saw", "Clean the blade")],
    [
      "lines",
      (text: string) =>
        bare(text)
          .replace("damp", "wet")
          .replace(/^# .*\n/m, ""),
    ],
  ])("with the file name or path of one SOP and the %s of another one name both", async (_, change) => {
    const { user } = await start();
    const mill = await make(user, "mill");
    const saw = await make(user, "saw");
    await run(user, [file("docs/mill.md", await exported(user, mill.id))]);
    const text = change(await exported(user, saw.id));
    for (const path of [`b/${mill.name}.md`, "docs/mill.md"])
      for (const onConflict of ["skip", "theirs"] as const) {
        const [result] = (await run(user, [file(path, text)], { onConflict })).results;
        expect(result).toMatchObject({
          outcome: "conflict",
          resembling: "text",
          reason:
            "It has the path or name of a file of SOP-0001, but resembles SOP-0002, and has no id. Export the SOP that you mean, and edit that file. For a new SOP, choose --on-conflict copy",
        });
        expect(result).not.toHaveProperty("id");
      }
    for (const { id } of [mill, saw])
      expect(await user.client.sops.get({ params: { id } })).toMatchObject({ version: 1 });
    expect(await total(user)).toBe(2);
  });

  test("are known by their title in other capitals and with other spaces", async () => {
    const { user } = await start();
    await make(user, "mill", "Before the shift starts, the lead looks at each machine.\n");
    const fresh = file("a.md", titled("CLEAN  The Mill", "Ask the supplier.\n"));
    expect((await run(user, [fresh], { dryRun: true })).results).toMatchObject([
      {
        outcome: "create",
        notes: expect.arrayContaining([nearNote("sameTitle")]),
      },
    ]);
  });
});
