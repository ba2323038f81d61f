/** A company with 30 gaps that are known, beside what looks like gaps and is none: how many are found, and what else is. */
import { expect, test } from "vitest";
import { createLikenessRanking, sameTitle } from "#core/assistant/similar.ts";
import { recordFigure } from "../../test/proof.ts";
import { describeServer, type TestUser } from "../../test/server.ts";

/** What the company has, and beside its text what that names. */
const sops: readonly (readonly [title: string, equipment: string, roles: string, references: string])[] = [
  ["Fill the acid tank", "drum pump, splash shield, pH strips", "Tank warden, Chemist", "Neutralise an acid spill"],
  ["Rinse the acid tank", "drum pump, splash shield, hose reel", "Tank warden, Chemist", "Fill the acid tank"],
  ["Empty the acid tank", "drum pump, splash shield, hose reel", "Tank warden, Chemist", "Dispose of spent acid"],
  ["Grease the gantry crane", "grease gun, work platform, torque wrench", "Rigger", "Report a crane defect"],
  ["Inspect the gantry crane", "work platform, torque wrench, inspection lamp", "Rigger", "Grease the gantry crane"],
  ["Replace a crane rope", "work platform, torque wrench, rope clamp", "Rigger, Crane examiner", "Scrap a wire rope"],
  ["Load a flatbed trailer", "lashing straps, edge protectors", "Loading supervisor", "Weigh a loaded trailer"],
  ["Unload a flatbed trailer", "lashing straps, edge protectors", "Loading supervisor", "Reject a damaged delivery"],
  ["Receive steel coils", "lashing straps, edge protectors", "Loading supervisor", "Store steel coils"],
  ["Slit a steel coil", "band cutter", "Slitter operator, Crane examiner", "Change slitter knives"],
  ["Pack slit rings", "band cutter", "Slitter operator", "Label finished rings"],
  ["Stage rings for dispatch", "band cutter", "Slitter operator, Crane examiner", "Unload a flatbed trailer"],
  ["Reset a forgotten password", "", "", ""],
  ["Approve supplier invoices for payment", "", "", ""],
  ["Welcome and onboard a new employee", "", "", ""],
  ["Work as a chemist in the pickling plant", "", "", ""],
  ["Maintain the hose reel", "", "", ""],
];
/** Looked for by enough people; the last one by two. */
const searches = [
  "visitor parking",
  "respirator fit test",
  "holiday swap",
  "generator refuelling",
  "lost keycard",
] as const;

/** A word or two by which each is known. */
const known: readonly RegExp[] = [
  "Neutralise an acid spill",
  "Dispose of spent acid",
  "Report a crane defect",
  "Scrap a wire rope",
  "Weigh a loaded trailer",
  "Reject a damaged delivery",
  "Store steel coils",
  "Change slitter knives",
  "Label finished rings",
  "Visitor parking",
  "Respirator fit test",
  "Holiday swap",
  "Generator refuelling",
  "drum pump",
  "splash shield",
  "work platform",
  "torque wrench",
  "lashing straps",
  "edge protectors",
  "band cutter",
  "tank warden",
  "rigger",
  "loading supervisor",
  "slitter operator",
  "crane examiner",
  "Hold an evacuation drill",
  "Control documents",
  "Back up a system and test the restore",
  "Handle a customer complaint",
  "Respond to an IT security incident",
].map((words) => new RegExp(`\\b${words}$`, "i"));

const listOf = (items: string) => items.split(", ").filter((item) => item !== "");

describeServer("of 30 known gaps", (server, engine) => {
  test("at least 27 are found, each with its evidence, without existing SOPs or duplicates", async () => {
    expect(known).toHaveLength(30);
    const company = await server().company();
    const boss = await company.user("manager");
    const people: TestUser[] = [boss, await company.user("viewer"), await company.user("editor")];
    for (const [title, equipment, roles, references] of sops) {
      const parts = [
        `${title}, in our works.`,
        ...(equipment === ""
          ? []
          : [
              "## Equipment",
              listOf(equipment)
                .map((item) => `- ${item}`)
                .join("\n"),
            ]),
        ...(roles === ""
          ? []
          : [
              "## Procedure",
              listOf(roles)
                .map((role, at) => `${at + 1}. **${role}:** Act.`)
                .join("\n"),
            ]),
        ...(references === "" ? [] : ["## References", `- SOP _${references}_`]),
      ];
      const description = `How we ${title.toLowerCase()}`;
      await boss.client.sops.create({ body: { title, description, markdown: `${parts.join("\n\n")}\n` } });
    }
    for (const [at, q] of searches.entries()) {
      for (const user of people.slice(0, at === searches.length - 1 ? 2 : 3))
        await user.client.search.find({ query: { q } });
    }
    const found = await boss.client.assistant.suggest();
    const missed = known.filter((gap) => !found.some(({ title }) => gap.test(title)));
    const heads = sops.map(([title]) => ({ title, description: `How we ${title.toLowerCase()}` }));
    const duplicates = found.filter(({ title, description }, at) => {
      const others = [...heads, ...found.slice(0, at).map((one) => ({ title: one.title }))];
      return (createLikenessRanking(others, heads)({ title, description })[0]?.score ?? 0) >= sameTitle;
    });
    if (missed.length > 3) expect(missed.map(String)).toEqual([]);
    expect(duplicates.map(({ title }) => title)).toEqual([]);
    expect(found.filter(({ evidence }) => evidence.length === 0)).toEqual([]);
    for (const no of [/password/, /invoice/, /onboard/i, /chemist$/, /hose reel/, /keycard/i])
      expect(found.map(({ title }) => title).filter((title) => no.test(title))).toEqual([]);
    const name = `suggestions: known gaps found, ${engine}`;
    recordFigure({ name, value: known.length - missed.length, unit: `of ${known.length}`, goal: ">= 27" });
  });
});
