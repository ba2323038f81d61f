// @vitest-environment node
/** Every text of a screen comes from a catalog, and is read when it is shown. */
import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { parseSync } from "vite";
import { describe, expect, it } from "vitest";
import { buildWeb, loadedFor } from "../bench/web-size.ts";
import { catalogsIn, type Node } from "../bin/compile-messages.ts";
import { englishTexts } from "../bin/texts.ts";

const root = path.join(import.meta.dirname, "..");

interface Place {
  node: Node;
  /** The nearest first. */
  above: readonly Node[];
}

function* places(node: Node, above: readonly Node[] = []): Generator<Place> {
  yield { node, above };
  for (const value of Object.values(node)) {
    for (const child of [value].flat()) {
      if (typeof child === "object" && child !== null && "type" in child) {
        yield* places(child as Node, [node, ...above]);
      }
    }
  }
}

const nameOf = (node: unknown): string => {
  const { name, value, property } = (node ?? {}) as { name?: unknown; value?: unknown; property?: unknown };
  if (typeof name === "object") return nameOf(name);
  return property === undefined ? String(name ?? value ?? "") : nameOf(property);
};

/** People read, or hear, the values of these attributes and properties. */
const shown =
  /^(?:aria-(?:label|description|roledescription|valuetext)|ariaLabel|placeholder|title|alt|label|hint|text|description|subtitle|error|message|tooltip)$/;
/** Their strings are for machines or developers. */
const machineCalls =
  /^(?:catalog|clsx|cva|querySelector(?:All)?|matches|closest|matchMedia|replaceSync|split|DOMException)$/;
const machineAttributes = /^(?:class|className|style|key|rel|d|viewBox|.*ClassName)$/;

function isForMachines({ node, above }: Place): boolean {
  return above.some(
    (one, at) =>
      /^(?:Import|ExportAll|TS(?!As|Satisfies|NonNull))/.test(one.type) ||
      (one.type === "JSXAttribute" && machineAttributes.test(nameOf(one))) ||
      (one.type === "Property" && one["key"] === (at === 0 ? node : above[at - 1])) ||
      (one.type === "CallExpression" && machineCalls.test(nameOf(one["callee"]))) ||
      (one.type === "NewExpression" && nameOf(one["callee"]).endsWith("Error")),
  );
}

const wordsOf = ({ node }: Place): string | null => {
  if (node.type === "JSXText") return String(node["value"]).trim();
  if (node.type === "Literal") return typeof node["value"] === "string" ? node["value"] : null;
  if (node.type !== "TemplateLiteral") return null;
  return (node["quasis"] as { value: { cooked: string } }[]).map(({ value }) => value.cooked).join("…");
};

const sentence = /^…?[\s,·;]*\p{Lu}[\p{L}’']*[\s…].*\p{L}/su;
const blanks = /…,? \p{L}{2,}|\p{L}{2,} …/u;
const word = /^\p{Lu}\p{Ll}+…?$/u;
const phrase = /^[a-z']+(?: [a-z']+)+[.,:]?$/;

/** A child of an element, a value that people read, or a text by its looks: words after a capital letter. */
function isText(place: Place, words: string): boolean {
  const { node, above } = place;
  if (node.type === "JSXText") return /\p{L}/u.test(words);
  const [parent] = above.filter(({ type }) => !/^(?:Conditional|Logical|JSXExpression)/.test(type));
  const isNamed =
    (parent?.type === "JSXAttribute" || parent?.type === "Property") && shown.test(nameOf(parent["key"] ?? parent));
  const isChild = parent?.type === "JSXElement" || parent?.type === "JSXFragment";
  if (isNamed || isChild) return /\p{L}{2}/u.test(words) && !/^[a-z]+(?:-[a-z]+)*$/.test(words);
  // code, and what has no words around its blank
  if (/[{}<>=[\]]|^\p{L}+ …$/u.test(words)) return false;
  return [sentence, blanks, word, phrase].some((pattern) => pattern.test(words));
}

interface Found {
  file: string;
  line: number;
  text: string;
}

function textsIn(file: string, source: string): Found[] {
  const program = parseSync(file, source).program as unknown as Node;
  return [...places(program)].flatMap((place) => {
    const text = wordsOf(place);
    if (text === null || !isText(place, text) || isForMachines(place)) return [];
    return [{ file, line: source.slice(0, place.node.start).split("\n").length, text }];
  });
}

const files = globSync("web/**/*.{ts,tsx}", { cwd: root }).filter((file) => !/\.test\.tsx?$|\/testing\//.test(file));
const sources = new Map(files.map((file) => [file, readFileSync(path.join(root, file), "utf8")]));

/** What looks like a text, and is none of a language: names of keys, programs and code, and an address as an example. */
const exceptions: readonly (readonly [file: RegExp, text: RegExp])[] = [
  [/./, /^(?:Enter|Escape|Tab|Shift|Backspace|Delete|Home|End|Mod|Ctrl)$/],
  [/shortcuts\/registry/, /^g \w$/],
  [/settings\/device-name/, /./],
  [/sops\/view\/(?:colour-code|Diagram)/, /^(?:Mermaid|TB TD BT RL LR|No diagram type)$/],
  [/proposed-changes\/InlineDiff/, /^image … …$/],
  [/mirror\/MirrorPage/, /^https:/],
  [/editor\/(?:show-in-source|RichEditor)/, /^(?:… invisible absolute|reading numbered)$/],
  // the category that the AI's calls name where none is chosen
  [/ai\/use-generation/, /^General$/],
];

/** Catalogs by the file that declares them. */
const declared = new Map(
  [...sources].map(([file, source]) => [
    file,
    new Set([...source.matchAll(/^(?:export )?const (\w+)(?:: [^=]+)? = catalog\(/gm)].map(([, name = ""]) => name)),
  ]),
);

/** Reads of texts while a module loads. */
function earlyReads(file: string, source: string, own: ReadonlySet<string>): Found[] {
  const program = parseSync(file, source).program as unknown as Node;
  const known = new Set(own);
  for (const [, names = "", from = ""] of source.matchAll(/^import \{([^}]*)\} from "(\.[^"]*)";/gm)) {
    for (const one of names.split(",")) {
      const [name = "", local = name] = one.trim().split(" as ");
      if (declared.get(path.join(path.dirname(file), from))?.has(name)) known.add(local);
    }
  }
  return [...places(program)].flatMap(({ node, above }) => {
    const object = node["object"] as Node | undefined;
    const isRead = node.type === "MemberExpression" && object?.type === "Identifier" && known.has(nameOf(object));
    if (!isRead || above.some(({ type }) => /Function|^TS(?!As|Satisfies|NonNull)/.test(type))) return [];
    const line = source.slice(0, node.start).split("\n").length;
    return [{ file, line, text: source.slice(node.start, node.end) }];
  });
}

describe("the guard finds", () => {
  const found = (code: string) => textsIn("a.tsx", code).map(({ text }) => text);

  it("texts between tags, in attributes, in values and in sentences", () => {
    expect(found("<p>Read it</p>")).toEqual(["Read it"]);
    expect(found("<p>{isNew && 'new'}{`${count} of ${all}`}</p>")).toEqual(["… of …"]);
    expect(found('<a title="Close" aria-label={`Close ${name}`} />')).toEqual(["Close", "Close …"]);
    expect(found('toast({ title: "Saved" })')).toEqual(["Saved"]);
    expect(found('const why = isOld ? "Too old to read" : `Version ${version} is new`')).toHaveLength(2);
  });

  it("no names, classes, paths and messages of catalogs", () => {
    expect(found('<Box className="Wide box" size="sm" to={`/sop/${id}`} key={`Row ${id}`}>{" · "}</Box>')).toEqual([]);
    expect(found('catalog("a", { b: "Read it", c: { d: "Write it" } })')).toEqual([]);
    expect(found('throw new Error("Nothing is here")')).toEqual([]);
  });
});

describe("the screens", () => {
  it("have no text outside catalogs", () => {
    const found = [...sources].flatMap(([file, source]) => textsIn(file, source));
    const isException = ({ file, text }: Found) =>
      exceptions.some(([files, texts]) => files.test(file) && texts.test(text));
    expect(found.filter((one) => !isException(one)).map(({ file, line, text }) => `${file}:${line} ${text}`)).toEqual(
      [],
    );
    expect(
      exceptions.filter(([files, texts]) => !found.some(({ file, text }) => files.test(file) && texts.test(text))),
    ).toEqual([]);
  });

  it("read no text before the language is known, which is when the page's first script has run", async () => {
    const late = "const a = () => texts.b;\nconst c: keyof typeof texts = names(texts);";
    expect(earlyReads("a.ts", late, new Set(["texts"]))).toEqual([]);
    expect(earlyReads("a.ts", "const a = { b: texts.b };", new Set(["texts"]))).toHaveLength(1);
    const { chunks } = await buildWeb();
    const first = loadedFor(chunks, []).flatMap(({ moduleIds }) => moduleIds);
    const early = [...sources].filter(([file]) => first.includes(path.join(root, file)));
    expect(early.length).toBeGreaterThan(20);
    const found = early.flatMap(([file, source]) => earlyReads(file, source, declared.get(file) ?? new Set()));
    expect(found.map(({ file, line, text }) => `${file}:${line} ${text}`)).toEqual([]);
  }, 240_000);

  it("have catalogs with a name of their own, of texts alone", () => {
    expect(Object.keys(englishTexts("web")).length).toBeGreaterThan(100);
    expect(() => catalogsIn("a.ts", "catalog(name, {})")).toThrow("a catalog needs a name");
  });
});
