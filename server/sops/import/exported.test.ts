/** An exported file says nothing new: importing it again changes nothing, for all fields and languages. */
import { createHash, randomUUID } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import { describeServer, type TestUser } from "../../../test/server.ts";

/** Texts whose language an import would detect. */
const texts = [
  ["Rinse the mill", "## Steps\n\n1. Rinse the mill with water and dry it with a cloth.\n2. Close the lid.\n"],
  ["שטיפת המטחנה", "## שלבים\n\n1. שטפו את המטחנה במים בטמפרטורה של 40 °C וייבשו אותה.\n2. סגרו את המכסה.\n"],
  ["تنظيف المطحنة", "## الخطوات\n\n1. اشطف المطحنة بالماء ثم جففها بقطعة قماش.\n\n> [!WARNING]\n> افصل التيار.\n"],
  ["清洗磨机", "## 步骤\n\n1. 用水冲洗磨机。\n2. 盖上盖子。\n"],
  ["ミルの洗浄", "## 手順\n\n1. ミルを水ですすぎます。\n2. ふたを閉めます。\n"],
  [
    "Die Mühle spülen",
    "## Schritte\n\n1. Spülen Sie die Mühle mit Wasser und trocknen Sie sie mit einem Tuch, bevor der Deckel wieder geschlossen wird.\n2. Der Deckel ist zu schließen, und die Mühle wird nicht ohne den Deckel gestartet.\n",
  ],
  [
    "Промывка мельницы",
    "## Шаги\n\n1. Промойте мельницу водой и высушите её.\n\n| Часть | Предел |\n| --- | --- |\n| Крышка | 5 |\n",
  ],
] as const;

const line = fc.stringMatching(/^[A-Za-zאשדéß0-9 .,:#"'\\/_*-]{1,40}$/).filter((text) => /\p{L}/u.test(text));
const likeOther = fc.constantFrom("01", "1", "1e3", "1.10", "true", "null", "2024-01-01", "~");
const maybe = <Value>(values: fc.Arbitrary<Value>) => fc.option(values, { nil: undefined });
const fields = fc.record({
  title: maybe(line),
  description: line,
  tags: maybe(fc.array(line, { maxLength: 3 })),
  lang: maybe(fc.constantFrom("he", "de-CH", "en", "zh-Hans", null)),
  readTime: maybe(fc.integer({ min: 1, max: 90 })),
  isTemplate: maybe(fc.boolean()),
  isAiGenerated: maybe(fc.boolean()),
  effectiveAt: maybe(fc.constantFrom("2031-02-03", null)),
  reviewBy: maybe(fc.constantFrom("2032-04-05", null)),
});
const extras = fc.dictionary(
  fc.constantFrom("x-cost", "x-name", "Category", "audience", "weight", "draft", "x-list"),
  fc.oneof(
    line,
    likeOther,
    fc.boolean(),
    fc.integer(),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.array(fc.oneof(line, likeOther), { minLength: 1, maxLength: 2 }),
  ),
);

describeServer("an exported file that is imported again", (server) => {
  async function imports(user: TestUser, path: string, text: string, resembling?: "create") {
    const sha256 = createHash("sha256").update(text).digest("hex");
    const body = { importId: randomUUID(), documents: [{ path, text, sha256 }], resembling };
    const [result] = (await user.client.sops.import({ body })).results;
    return result;
  }

  async function expectUnchanged(user: TestUser, id: string) {
    const exported = (await user.send({ path: `/api/sops/${id}/export?format=md` })).body.toString();
    const { version } = await user.client.sops.get({ params: { id } });
    expect([await imports(user, "exported.md", exported), exported]).toMatchObject([
      { outcome: "unchanged", id },
      exported,
    ]);
    expect((await user.client.sops.get({ params: { id } })).version).toBe(version);
  }

  test("changes nothing of what was written here", { timeout: 120_000 }, async () => {
    const user = await (await server().company()).user("manager");
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...texts), fields, async ([title, markdown], given) => {
        const body = { ...given, title: given.title ?? title, markdown };
        const { id } = await user.client.sops.create({ body });
        await expectUnchanged(user, id);
      }),
      { numRuns: 60 },
    );
  });

  test("changes nothing of what another import brought", { timeout: 120_000 }, async () => {
    const user = await (await server().company()).user("manager");
    let made = 0;
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...texts), extras, fc.boolean(), async ([title, markdown], front, isHeaded) => {
        const keys = Object.entries(front).map(([key, value]) => `${key}: ${JSON.stringify(value)}\n`);
        const header = isHeaded ? `---\ntitle: ${title}\n${keys.join("")}---\n\n` : `# ${title}\n\n`;
        const result = await imports(user, `file${made++}.md`, `${header}${made}\n\n${markdown}`, "create");
        expect(result?.outcome).toBe("create");
        await expectUnchanged(user, result?.id ?? "");
      }),
      { numRuns: 60 },
    );
  });

  test("that lost its language has none, and one that names another has that", async () => {
    const user = await (await server().company()).user("manager");
    const [title, markdown] = texts[1];
    const { id } = await user.client.sops.create({ body: { title, description: "D", markdown, lang: "he" } });
    const exported = (await user.send({ path: `/api/sops/${id}/export?format=md` })).body.toString();
    const without = exported.replace(/^lang: .*\n/m, "");
    expect(await imports(user, "a.md", without)).toMatchObject({ outcome: "update", notes: [] });
    expect((await user.client.sops.get({ params: { id } })).lang ?? null).toBeNull();
    const other = without.replace("version: 1", 'version: 2\nlang: "yi"');
    expect(await imports(user, "a.md", other)).toMatchObject({ outcome: "update" });
    expect((await user.client.sops.get({ params: { id } })).lang).toBe("yi");
  });
});
