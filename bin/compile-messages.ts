/** Compiles the messages of all catalogs at the build, so that the page needs no parser of them. */
import compile from "icu-minify/compile";
import { parseSync, type Plugin } from "vite";

export interface Node {
  type: string;
  start: number;
  end: number;
  [key: string]: unknown;
}

const isNode = (value: unknown): value is Node =>
  typeof value === "object" && value !== null && typeof (value as Node).type === "string";

/** A node, and all below it. */
export function* walk(node: Node): Generator<Node> {
  yield node;
  for (const value of Object.values(node)) for (const child of [value].flat()) if (isNode(child)) yield* walk(child);
}

/** The calls of `catalog` and `sentences` in a source, each with the name and the messages that it writes. */
export function catalogsIn(file: string, source: string): { name: string; messages: Node }[] {
  if (!/\b(?:catalog|sentences)\(/.test(source)) return [];
  const { program, errors } = parseSync(file, source);
  if (errors.length > 0) throw new Error(`${file}: ${errors[0]?.message}`);
  return [...walk(program as unknown as Node)]
    .filter(
      ({ type, callee }) =>
        type === "CallExpression" && /^(?:catalog|sentences)$/.test(String((callee as Node)["name"])),
    )
    .map((call) => {
      const [name, messages] = call["arguments"] as [Node?, Node?];
      if (typeof name?.["value"] !== "string" || messages?.type !== "ObjectExpression") {
        throw new Error(`${file}: a catalog needs a name and an object, written there`);
      }
      return { name: name["value"], messages };
    });
}

/** The literals of a catalog's messages. Anything else could hide a text from translators. */
export function literalsOf(file: string, messages: Node): { path: string[]; literal: Node }[] {
  return (messages["properties"] as Node[]).flatMap((property) => {
    const key = property["key"] as Node | undefined;
    const name = key?.["name"] ?? key?.["value"];
    let value = property["value"] as Node | undefined;
    if (value?.type === "TSSatisfiesExpression") value = value["expression"] as Node;
    if (property["computed"] === true || typeof name !== "string" || value === undefined) {
      throw new Error(`${file}: a catalog has names and texts only`);
    }
    if (value.type === "ObjectExpression") {
      return literalsOf(file, value).map(({ path, literal }) => ({ path: [name, ...path], literal }));
    }
    if (value.type !== "Literal" || typeof value["value"] !== "string") {
      throw new Error(`${file}: ${name} is not a text`);
    }
    return [{ path: [name], literal: value }];
  });
}

function compiledTexts(texts: unknown): unknown {
  if (typeof texts === "string") return texts.includes("{") ? compile(texts) : texts;
  return Object.fromEntries(Object.entries(texts as object).map(([name, value]) => [name, compiledTexts(value)]));
}

export function compileMessages(): Plugin {
  return {
    name: "compile-messages",
    enforce: "pre",
    transform(source, id) {
      if (/\/languages\/[\w-]+\.json$/.test(id)) return JSON.stringify(compiledTexts(JSON.parse(source)));
      if (!/\.tsx?$/.test(id)) return null;
      let made = source;
      const literals = catalogsIn(id, source).flatMap(({ messages }) => literalsOf(id, messages));
      for (const { literal } of literals.toReversed()) {
        const text = String(literal["value"]);
        if (!text.includes("{")) continue;
        made = made.slice(0, literal.start) + JSON.stringify(compile(text)) + made.slice(literal.end);
      }
      return made === source ? null : { code: made, map: null };
    },
  };
}
