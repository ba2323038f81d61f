/** Files without keys at the paths of an earlier import: none of them silently gets the text of another SOP. */
import { createHash, randomUUID } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { ImportRequest } from "#core/sops/import-schema.ts";
import { describeServer, type TestUser } from "../../../test/server.ts";

const file = (path: string, text: string) => ({
  path,
  text,
  sha256: createHash("sha256").update(text).digest("hex"),
});
type File = ReturnType<typeof file>;

const guide = (title: string, ...own: string[]) =>
  `# ${title}\n\n## Purpose\n\nKeep the plant safe.\n\n## Steps\n\n${own.map((line, at) => `${at + 1}. ${line}\n`).join("")}`;
const open = guide("Open the valve", "Turn the red wheel left.", "Read the gauge.", "Note the pressure.");
const close = guide("Close the gate", "Push the lever down.", "Lock the gate.", "Hang up the sign.");
const clean = guide("Clean the tank", "Drain the tank.", "Scrub the walls.", "Rinse it twice.");
const both = (one: string, other: string) => [file("docs/01-open.md", one), file("docs/02-close.md", other)];

describeServer("files at the paths of an earlier import", (server) => {
  const run = async (user: TestUser, documents: readonly File[], options: Partial<ImportRequest> = {}) =>
    (await user.client.sops.import({ body: { importId: randomUUID(), documents: [...documents], ...options } }))
      .results;
  const versions = async (user: TestUser, count: number) => {
    const found = [];
    for (let at = 1; at <= count; at++)
      found.push((await user.client.sops.get({ params: { id: `SOP-000${at}` } })).version);
    return found;
  };
  const start = async (...documents: readonly File[]) => {
    const company = await server().company();
    const user = await company.user("manager");
    await run(user, documents);
    return { company, user };
  };
  const namesBoth = (path: string, other: string) => ({
    outcome: "conflict",
    resembling: "text",
    reason: expect.stringContaining(`path or name of a file of ${path}, but resembles ${other},`),
  });

  test("with swapped texts are conflicts that name both SOPs, and replace neither", async () => {
    const { user } = await start(...both(open, close));
    for (const onConflict of ["skip", "theirs"] as const)
      for (const dryRun of [true, false]) {
        const results = await run(user, both(close, open), { onConflict, dryRun });
        expect(results).toMatchObject([namesBoth("SOP-0001", "SOP-0002"), namesBoth("SOP-0002", "SOP-0001")]);
        for (const result of results) expect(result).not.toHaveProperty("id");
      }
    expect(await versions(user, 2)).toEqual([1, 1]);
    const copied = await run(user, both(close, open), { onConflict: "copy" });
    expect(copied.map(({ outcome, number }) => [outcome, number])).toEqual([
      ["create", "SOP-0003"],
      ["create", "SOP-0004"],
    ]);
    expect((await run(user, both(open, close))).map(({ outcome }) => outcome)).toEqual(["unchanged", "unchanged"]);
  });

  test.each([
    ["one line", "Press the red button.\n", "Press the green button.\n"],
    ["two lines", "Open the tap.\n\nWait for the float.\n", "Open the drain.\n\nWait for the bell.\n"],
    ["numbers", "| 10 | 20 |\n|---|---|\n| 30 | 40 |\n", "| 11 | 21 |\n|---|---|\n| 31 | 41 |\n"],
  ])("with swapped texts of %s under their titles are conflicts", async (_, one, other) => {
    const [fill, empty] = ["# Fill the tank\n\n", "# Empty the tank\n\n"];
    const { user } = await start(...both(fill + one, empty + other));
    for (const dryRun of [true, false])
      expect(await run(user, both(fill + other, empty + one), { dryRun })).toMatchObject([
        namesBoth("SOP-0001", "SOP-0002"),
        namesBoth("SOP-0002", "SOP-0001"),
      ]);
    expect(await versions(user, 2)).toEqual([1, 1]);
  });

  test.each([
    ["the exact text of another SOP", close, clean, ["SOP-0002"]],
    ["an edited text of a third SOP", clean.replace("twice", "three times"), close, ["SOP-0003"]],
    [
      "an edited text of a third SOP under the old title",
      clean.replace("twice", "three times").replace("Clean the tank", "Open the valve"),
      close,
      ["SOP-0003"],
    ],
    [
      "the text of a third SOP under a new title",
      clean.replace("Clean the tank", "Wash the tank"),
      close,
      ["SOP-0003"],
    ],
  ])("with %s are conflicts", async (_, text, second, [other = ""]) => {
    const { user } = await start(...both(open, close), file("docs/03-clean.md", clean));
    for (const onConflict of ["skip", "theirs"] as const)
      expect((await run(user, both(text, second), { onConflict }))[0]).toMatchObject(namesBoth("SOP-0001", other));
    expect(await versions(user, 3)).toEqual([1, 1, 1]);
  });

  test.each([
    [
      "a heading",
      guide("Lunch", "Order the soup.", "Pay at the desk.", "Bring the tray back.").replace(/Keep.*/, "Eat."),
    ],
    ["one sentence", guide("Lunch", "Order the soup.", "Pay at the desk.", "Bring the tray back.", "Wash up.")],
    ["no line", "# Lunch\n\nOrder the soup.\n\nPay at the desk.\n"],
    ["its title", "# Open the valve\n\nThis part of the library opens valves of pipes.\n\nCall it once.\n"],
  ])("of another repository that share %s are another document", async (_, text) => {
    const { user } = await start(file("docs/guide.md", open));
    const other = file("docs/guide.md", text);
    expect(await run(user, [other])).toMatchObject([
      { outcome: "conflict", reason: expect.stringContaining("“Open the valve” came from this path and shares") },
    ]);
    expect(await versions(user, 1)).toEqual([1]);
    // a user can choose to go on with the other document
    expect((await run(user, [other], { onConflict: "theirs" }))[0]?.outcome).toBe("update");
  });

  test.each([
    ["one other step", open.replace("left", "right")],
    ["one step less", open.replace("2. Read the gauge.\n", "")],
    ["most steps rewritten", open.replace("Turn the red wheel left.", "Call.").replace("Read the gauge.", "Wait.")],
    ["another title", open.replace("Open the valve", "Open the main valve")],
    ["another title and step", open.replace("Open the valve", "Open it").replace("left", "right")],
    ["many more steps", `${open}${Array.from({ length: 20 }, (_, at) => `${at + 4}. Check part ${at}.\n`).join("")}`],
    ["a step of another SOP", `${open}4. Lock the gate.\n`],
  ])("with %s are the next version", async (_, text) => {
    const { user } = await start(...both(open, close), file("docs/03-clean.md", clean));
    const results = await run(user, both(text, close));
    expect(results.map(({ outcome }) => outcome)).toEqual(["update", "unchanged"]);
  });

  test.each([
    ["a title", "# Note\n\nBuy a pump.\n", "# Note\n\nBuy two valves.\n"],
    ["no title", "Buy a pump.\n", "Buy two valves.\n"],
    ["a new title", "# Note\n\nBuy a pump.\n", "# Order\n\nBuy a pump.\n"],
  ])("of one line with %s are edited as a whole", async (_, before, after) => {
    const { user } = await start(...both(before, close));
    expect((await run(user, both(after, close)))[0]?.outcome).toBe("update");
  });

  test("in any order of their texts, and with one edit each", { timeout: 120_000 }, async () => {
    const words = fc.stringMatching(/^[a-z]{3,8}( [a-z]{3,8}){2,4}$/);
    const family = fc.record({
      template: fc.uniqueArray(words, { minLength: 1, maxLength: 8 }),
      titles: fc.uniqueArray(words, { minLength: 2, maxLength: 5 }),
      hasTitles: fc.boolean(),
      steps: fc.integer({ min: 1, max: 4 }),
      seed: fc.nat(),
    });
    await fc.assert(
      fc.asyncProperty(family, async ({ template, titles, hasTitles, steps, seed }) => {
        const textOf = (title: string) =>
          `${hasTitles ? `# ${title}\n\n` : ""}## Purpose\n\n${template.map((line) => `The ${line}.\n\n`).join("")}${Array.from({ length: steps }, (_, at) => `${at + 1}. Do part ${at} of ${title}.\n`).join("")}`;
        const texts = titles.map(textOf);
        const at = (order: readonly string[]) => order.map((text, place) => file(`docs/${place}-guide.md`, text));
        const { user } = await start(...at(texts));
        const by = 1 + (seed % (texts.length - 1));
        const moved = texts.map((_, place) => texts[(place + by) % texts.length] ?? "");
        for (const onConflict of ["skip", "theirs"] as const)
          for (const { outcome } of await run(user, at(moved), { onConflict, dryRun: true }))
            expect(outcome).toBe("conflict");
        const edits = [
          (text: string) => text.replace("Do part 0", "Start with item 0"),
          (text: string) => `${text}\nAsk the lead.\n`,
          (text: string) => text.replace(/^The .*\n/m, "That is what counts.\n"),
          (text: string) => text.replace(/^# .*/, "# Another name"),
        ];
        const edited = texts.map((text, place) => edits[(seed + place) % edits.length]?.(text) ?? text);
        const results = await run(user, at(edited), { dryRun: true });
        for (const [place, { outcome }] of results.entries())
          expect([outcome, edited[place]]).toEqual([
            edited[place] === texts[place] ? "unchanged" : "update",
            edited[place],
          ]);
      }),
      { numRuns: 25 },
    );
  });

  test("are decided as in the plan, in any number of requests of one import", { timeout: 120_000 }, async () => {
    const title = fc.stringMatching(/^[A-Z][a-z]{3,8} [a-z]{3,8}$/);
    const family = fc.record({
      titles: fc.uniqueArray(title, { minLength: 3, maxLength: 6 }),
      at: fc.nat(),
      ways: fc.array(fc.constantFrom("edited", "another text", "another line", "unchanged", "retitled"), {
        minLength: 6,
        maxLength: 6,
      }),
      onConflict: fc.constantFrom("skip" as const, "theirs" as const, "copy" as const),
    });
    await fc.assert(
      fc.asyncProperty(family, async ({ titles, at, ways, onConflict }) => {
        const textOf = (name: string, more = "") =>
          guide(name, `Open tap ${name}.`, `Wait for ${name}.`, `Close tap ${name}.`, "Sign the sheet.") + more;
        const path = (place: number) => `docs/${place}-guide.md`;
        const { user } = await start(...titles.map((name, place) => file(path(place), textOf(name))));
        const other = titles[at % titles.length] ?? "";
        const sent = titles.map((name, place) => {
          const text = {
            edited: textOf(name, "5. Wash your hands.\n"),
            "another text": textOf(other, "5. Wash your hands.\n"),
            "another line": textOf(name).replace(`Wait for ${name}`, `Wait for ${other}`),
            unchanged: textOf(name),
            retitled: textOf(name).replace(`# ${name}`, `# ${other}`),
          }[ways[place] ?? "edited"];
          return file(path(place), text);
        });
        const shown = (results: Awaited<ReturnType<typeof run>>) =>
          results.map(({ path: name, outcome, reason, version }) => [name, outcome, reason, version]);
        const importId = randomUUID();
        const planned = await run(user, sent, { importId, onConflict, dryRun: true });
        const done = [];
        for (const document of sent) done.push(...(await run(user, [document], { importId, onConflict })));
        expect(shown(done)).toEqual(shown(planned));
      }),
      { numRuns: 25 },
    );
  });
});
