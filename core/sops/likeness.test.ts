import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { closestText, relationToSopAtPath, nearestTexts, type ComparedText } from "./likeness.ts";

const text = (title: string | undefined, markdown: string, more: Partial<ComparedText> = {}) => ({
  title,
  markdown,
  hasOwnTitle: title !== undefined,
  hasSameName: false,
  hasSameDescription: false,
  isEqual: false,
  ...more,
});
const frame = "Keep the room dry.\n\nWear gloves.\n\nSign the card.\n";
const framed = (...own: string[]) => `${frame}\n${own.map((line, at) => `${at + 1}. ${line}\n`).join("")}`;
const likenessOf = (...args: Parameters<typeof nearestTexts>) => nearestTexts(...args)?.likeness ?? null;

test.each([
  ["the same text and title", text("Tea", framed("Boil it.")), "text and title"],
  ["the same text", text("Tee", framed("Boil it.")), "text"],
  ["a text of one line and another title", text("Tee", "To be written.\n"), null],
  ["the same title and one line", text("Tea", "Sign the card.\n\nGo home.\n"), "title and lines"],
  [
    "all lines of the shorter text, and its title",
    text("Tea", framed("Boil it.", "a", "b", "c", "d", "e")),
    "title and lines",
  ],
  ["the same title alone", text("Tea", "Go home.\n"), "title"],
  ["half of the lines and no title", text(undefined, framed("Freeze it.")), "lines"],
  ["half of the lines and another title", text("Ice", framed("Freeze it.")), "some lines"],
  ["less than half", text("Ice", "Sign the card.\n\nGo home.\n\nSleep.\n\nEat.\n"), null],
])("a file is compared with one text: %s", (_, file, likeness) => {
  expect(likenessOf(file, [text("Tea", framed("Boil it."))])).toBe(likeness);
});

test("the file name decides between an edited file and a new document with another title", () => {
  const known = text("Tea", framed("Boil it."), { hasSameName: true });
  expect(likenessOf(text("Ice", framed("Freeze it.")), [known])).toBe("lines");
});

test("a text of one line is in many documents", () => {
  const known = text("Tea", "To be written.\n");
  expect(likenessOf(text("Ice", "To be written.\n"), [known])).toBe("some lines");
  expect(likenessOf(text("Tea", "To be written.\n"), [known])).toBe("text and title");
});

test.each([
  ["a sentence", "This is for the day.\n", "This is for the night.\n", "lines"],
  ["a step", "- Boil it.\n", "- Freeze it.\n", "some lines"],
  ["a number", "The limit is 5 bar.\n", "The limit is 9 bar.\n", "some lines"],
])(
  "nearly the whole text with another title is the text if it differs in no step and number: %s",
  (_, was, now, is) => {
    const long = Array.from({ length: 20 }, (__, at) => `${at + 1}. Do the part ${at} of it.\n`).join("");
    expect(likenessOf(text("Ice", `${long}\n${now}`), [text("Tea", `${long}\n${was}`)])).toBe(is);
  },
);

test("lines that three texts have don't count", () => {
  const known = ["Boil it.", "Freeze it.", "Bake it."].map((own, at) => text(`${at}`, framed(own)));
  expect(nearestTexts(text(undefined, framed("Wash it.")), known)).toBeNull();
  expect(nearestTexts(text(undefined, framed("Bake it.", "Eat it.")), known)?.nearest).toEqual([known[2]]);
});

test("lines of three equal texts count, and all of the texts are named", () => {
  const lines = framed("Boil it.", "Pour it.", "Drink it.");
  const same = ["Tea", "Coffee", "Cocoa"].map((title) => text(title, lines));
  const others = ["Freeze it.", "Bake it.", "Fry it."].map((own) => text(own, framed(own)));
  const edited = text(undefined, lines.replace("Pour", "Fill"));
  for (const known of [same, [...others, ...same]])
    expect(nearestTexts(edited, known)).toEqual({ likeness: "lines", nearest: same });
});

test.each([
  ["no own line", ["", "Cool it.", "Eat it."]],
  ["one own line among twenty", ["Wash it.", "Cool it.", "Eat it."]],
])("a text with %s beside the usual ones is compared as a whole", (_, own) => {
  const long = Array.from({ length: 20 }, (__, at) => `${at + 1}. Do the part ${at} of it.\n`).join("");
  const known = own.map((line) => text("Tea", `${long}\n${line}\n`));
  const found = nearestTexts(text(undefined, `${long.replace("part 3", "item 3")}\nGo home.\n`), known);
  expect(found?.likeness).toBe("lines");
  expect(found?.nearest).toContain(known[0]);
});

test("a new document of a long template, with its own title and sentence, is none of three others", () => {
  const long = Array.from({ length: 20 }, (__, at) => `${at + 1}. Do the part ${at} of it.\n`).join("");
  const of = (name: string) => text(name, `${long}\nThis is for the ${name}.\n`);
  const known = ["day", "evening", "night"].map(of);
  expect(likenessOf(of("weekend"), known)).toBe("some lines");
  const edited = text("weekend", of("night").markdown.replace("Do the part 3 of it.\n", "Do it.\n"));
  expect(likenessOf({ ...of("night"), title: "weekend" }, known)).toBe("text");
  expect(nearestTexts({ ...edited, title: undefined, hasOwnTitle: false }, known)?.nearest).toEqual([known[2]]);
});

test("an edited text of one line is the one with its title and description", () => {
  const known = text("Tea", "Boil the water.\n", { hasSameDescription: true });
  expect(likenessOf(text("Tea", "Heat the water.\n"), [known])).toBe("title and lines");
  expect(likenessOf(text("Ice", "Heat the water.\n"), [known])).toBeNull();
  expect(likenessOf(text("Tea", "Go home.\n"), [{ ...known, markdown: framed("Boil it.") }])).toBe("title");
});

test("the nearest text is found at every place, and equally near ones are all named", () => {
  const far = text("Tea", framed("Boil it.", "Pour it."));
  const twins = [text("Tea", framed("Cool it.")), text("Tea", framed("Cool it."))];
  for (const known of [
    [far, ...twins],
    [...twins, far],
  ]) {
    expect(nearestTexts(text("Tea", framed("Cool it.")), known)).toEqual({
      likeness: "text and title",
      nearest: twins,
    });
    expect(nearestTexts(text("Tea", framed("Cool it.", "Drink.")), known)?.nearest).toEqual(twins);
    expect(nearestTexts(text("Ice", framed("Boil it.", "Pour it.")), known)).toEqual({
      likeness: "text",
      nearest: [far],
    });
  }
  const exact = text("Tea", framed("Cool it."), { isEqual: true });
  expect(nearestTexts(exact, [...twins, exact])).toEqual({ likeness: "equal", nearest: [exact] });
});

const valve = text("Valve", "## Steps\n\n1. Turn it left.\n2. Read the gauge.\n3. Note it.\n4. Go home.\n");
const gate = text("Gate", "## Steps\n\n1. Push the lever.\n2. Lock the gate.\n3. Hang up the sign.\n4. Go home.\n");

test.each([
  ["its text", valve, "its SOP"],
  ["its text and another title", { ...valve, title: "Main valve" }, "its SOP"],
  ["half of its text and another title", text("Main valve", valve.markdown.replace(/1.*\n2.*/, "1. Call.")), "its SOP"],
  ["its title and one line", text("Valve", "1. Go home.\n\nEat.\n"), "its SOP"],
  ["its title and no line", text("Valve", "Valves of the library are here.\n"), "another document"],
  ["its title and heading", text("Valve", "## Steps\n\nCall the library.\n"), "another document"],
  ["no title and no line", text(undefined, "Call the library.\n"), "another document"],
  ["another title and one line of four", text("Lunch", "1. Eat.\n2. Pay.\n3. Go home.\n"), "another document"],
  ["the text of the other one", gate, "another text"],
  ["the edited text of the other one", text("Gate", gate.markdown.replace("lever", "knob")), "another text"],
  ["the text of the other one under its title", text("Valve", gate.markdown), "another text"],
  ["no title and the text of the other one", text(undefined, gate.markdown), "another text"],
  ["the steps of both", text("Valve", valve.markdown + gate.markdown), "its SOP"],
])("a file at the path of an SOP is compared with it and another one: %s", (_, file, is) => {
  expect(relationToSopAtPath(file, valve, [gate]).is).toBe(is);
});

test("a short text is edited as a whole under its title", () => {
  const short = text("Tea", "Boil it.\n");
  expect(relationToSopAtPath(text("Tea", "Heat the water.\n"), short, [valve]).is).toBe("its SOP");
  expect(relationToSopAtPath(text(undefined, "Heat the water.\n"), short, [valve]).is).toBe("its SOP");
  expect(relationToSopAtPath(text("Soup", "Heat the soup.\n"), short, [valve]).is).toBe("another document");
});

test.each([
  [
    "the only line of another text",
    "Press the red button.\n",
    "Press the green button.\n",
    "Press the green button.\n",
  ],
  [
    "a line of another text, and an edited one",
    "Open it.\n\nWait.\n",
    "Drain it.\n\nDry it.\n",
    "Drain it.\n\nDry it well.\n",
  ],
  [
    "the table of another text",
    "| 10 | 20 |\n|---|---|\n| 30 | 40 |\n",
    "| 11 | 21 |\n|---|---|\n| 31 | 41 |\n",
    "| 11 | 21 |\n|---|---|\n| 31 | 42 |\n",
  ],
])("a short text under its title with %s is another text", (_, own, other, now) => {
  const found = relationToSopAtPath(text("Stop it", now), text("Stop it", own), [text("Start it", other)]);
  expect(found).toMatchObject({ is: "another text", nearest: [{ title: "Start it" }] });
  expect(
    relationToSopAtPath(text("Stop it", own.replace("\n", " Now.\n")), text("Stop it", own), [text("Start it", other)])
      .is,
  ).toBe("its SOP");
});

test("of several versions, the one with the fewest other lines is the closest, then the one with the title", () => {
  const [old, now] = [text("Tea", framed("Boil it.")), text("Tea", framed("Boil it.", "Pour it."))];
  expect(closestText(text("Ice", old.markdown), [now, old])).toBe(old);
  expect(closestText(now, [old, { ...now, title: "Ice" }, now])).toBe(now);
  expect(closestText(now, [])).toBeUndefined();
});

describe("in each family of documents from one template", () => {
  const words = fc.stringMatching(/^[a-z]{2,8}( [a-z]{2,8}){0,5}$/);
  const family = fc
    .record({
      template: fc.uniqueArray(words, { maxLength: 20 }),
      titles: fc.uniqueArray(words, { minLength: 2, maxLength: 7 }),
      steps: fc.integer({ min: 1, max: 4 }),
      isNumbered: fc.boolean(),
    })
    .map(({ template, titles, steps, isNumbered }) =>
      titles.map((title) => {
        const own = Array.from(
          { length: steps },
          (_, at) => `${isNumbered ? "1." : "-"} Clean part ${at} of ${title}\n`,
        );
        return text(title, [...template.map((line) => `The ${line}.\n`), ...own].join("\n"));
      }),
    );

  test("a file with an unchanged text is its own, with any title and file name", () => {
    fc.assert(
      fc.property(family, fc.nat(), fc.boolean(), (members, pick, isRenamed) => {
        const own = members[pick % members.length];
        if (own === undefined) return;
        expect(nearestTexts(text(own.title, own.markdown), members)).toEqual({
          likeness: "text and title",
          nearest: [own],
        });
        const found = nearestTexts(text(isRenamed ? "Other title" : undefined, own.markdown), members);
        if (own.markdown.trim().includes("\n")) expect(found).toEqual({ likeness: "text", nearest: [own] });
      }),
    );
  });

  test("an edited file without a title is never unnoticed, with any number of equal texts", () => {
    fc.assert(
      fc.property(family, fc.nat(), fc.integer({ min: 1, max: 5 }), (members, pick, copies) => {
        const own = members[pick % members.length];
        if (own === undefined || own.markdown.split("\n\n").length < 4) return;
        const twins = Array.from({ length: copies }, (_, at) => ({ ...own, title: `Copy ${at}` }));
        const [first = ""] = own.markdown.split("\n");
        const edited = own.markdown.replace(first, "Ask the supplier first.");
        const found = nearestTexts(text(undefined, edited), [...members.filter((one) => one !== own), ...twins]);
        expect(found).toEqual({ likeness: "lines", nearest: twins });
      }),
    );
  });

  test("a title counts in other capitals and with other spaces", () => {
    fc.assert(
      fc.property(family, (members) => {
        const [own] = members;
        const title = ` ${own?.title?.toUpperCase().replaceAll(" ", "  ")} `;
        expect(nearestTexts(text(title, own?.markdown ?? ""), members)).toEqual({
          likeness: "text and title",
          nearest: [own],
        });
        expect(likenessOf(text(title, "Go home.\n"), members)).toBe("title");
      }),
    );
  });

  test("a new document is none of them, and one with a known title is never unnoticed", () => {
    fc.assert(
      fc.property(family, ([fresh, ...known]) => {
        if (fresh === undefined) return;
        expect([null, "some lines"]).toContain(likenessOf(fresh, known));
        const [first] = known;
        const found = nearestTexts(text(first?.title, fresh.markdown), known);
        expect(found?.nearest).toEqual([first]);
        expect(["title", "title and lines"]).toContain(found?.likeness);
      }),
    );
  });

  test("no member at the path of another one is its SOP, and each stays its own with one edit", () => {
    fc.assert(
      fc.property(family, fc.nat(), fc.nat({ max: 3 }), fc.boolean(), (members, pick, way, hasTitle) => {
        const at = pick % members.length;
        const own = members[at];
        const other = members[(at + 1) % members.length];
        if (own === undefined || other === undefined || own === other) return;
        const others = members.filter((one) => one !== own);
        const asFile = ({ title, markdown }: ComparedText) => text(hasTitle ? title : undefined, markdown);
        expect(relationToSopAtPath(asFile(other), own, others)).toMatchObject({ is: "another text", nearest: [other] });
        const lines = own.markdown.split("\n");
        const place = pick % lines.length;
        const edited = [
          own.markdown.replace("Clean part 0", "Begin with item 0"),
          `${own.markdown}\n\nAsk the lead.\n`,
          lines.with(place, "Ask the lead.").join("\n"),
          own.markdown,
        ][way];
        const file = asFile({ ...own, markdown: edited ?? "", title: way === 3 ? "Another name" : own.title });
        expect(relationToSopAtPath(file, own, others)).toEqual({ is: "its SOP" });
      }),
    );
  });

  const textOf = (title: string | undefined, template: readonly string[], steps: readonly string[]) =>
    text(title, [...template, ...steps].map((line) => `- ${line}\n`).join("\n"));
  const limits = fc.record({
    template: fc.uniqueArray(words, { minLength: 6, maxLength: 12 }),
    count: fc.integer({ min: 3, max: 6 }),
    members: fc.integer({ min: 2, max: 6 }),
  });

  test("new limits under the title are an edit, also if one of them is another member's", () => {
    fc.assert(
      fc.property(limits, fc.boolean(), ({ template, count, members }, isShared) => {
        const stepsOf = (from: number) => Array.from({ length: count }, (_, at) => `Set part ${at} to ${from + at}`);
        const [own, ...others] = Array.from({ length: members }, (_, at) =>
          textOf(`Lathe ${at}`, template, stepsOf(at * 100)),
        );
        const now = stepsOf(1_000);
        const file = textOf("Lathe 0", template, isShared ? now.with(0, "Set part 0 to 100") : now);
        expect(own && relationToSopAtPath(file, own, others)).toEqual({ is: "its SOP" });
      }),
    );
  });

  test("a title and fewer lines than those of another member are the other one", () => {
    fc.assert(
      fc.property(limits, fc.nat(), fc.boolean(), ({ template, count, members }, pick, hasTitle) => {
        const stepsOf = (member: number) => Array.from({ length: count }, (_, at) => `Set ${at} of ${member}`);
        const [own, ...others] = Array.from({ length: members }, (_, at) =>
          textOf(`Lathe ${at}`, template, stepsOf(at)),
        );
        const kept = pick % Math.ceil(count / 2);
        const steps = stepsOf(1).map((step, at) => (at < kept ? `Set ${at} of 0` : step));
        const file = textOf(hasTitle ? "Lathe 0" : undefined, template, steps);
        expect(own && relationToSopAtPath(file, own, others)).toMatchObject({
          is: "another text",
          nearest: [others[0]],
        });
      }),
    );
  });
});
