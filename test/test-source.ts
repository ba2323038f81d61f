/** Reads the assertions of a file's tests from its syntax. Comments, titles and faked answers don't count. */
import { readFileSync } from "node:fs";
import { parseSync } from "vite";

export interface ReadTest {
  title: string;
  /** The strings and patterns that the test, and functions of its file that it calls, compare or look for. */
  strings: ReadonlySet<string>;
  /** The assertions as source text, on one line, without comments. */
  code: string;
}

export interface Node {
  type: string;
  start: number;
  end: number;
  [key: string]: unknown;
}

/** The tests of a file, as in `readTests("web/ui/ui.test.tsx")`. */
export function readTests(file: string): ReadTest[] {
  const source = readFileSync(file, "utf8");
  const { program, comments, errors } = parseSync(file, source);
  if (errors.length > 0) throw new Error(`${file}: ${errors[0]?.message}`);
  const tree = program as unknown as Node;
  const declared = declarations(tree);
  const bare = blankOut(source, comments);
  return testCalls(tree).map(({ call, title, parts }) => {
    const nodes = [...parts, ...reached(parts, declared, call)];
    const strings = new Set<string>();
    for (const node of nodes) collect(node, strings);
    const code = nodes.map(({ start, end }) => bare.slice(start, end)).join("\n");
    return { title, strings, code: code.replace(/\s+/g, " ") };
  });
}

function blankOut(source: string, comments: readonly { start: number; end: number }[]): string {
  let bare = source;
  for (const { start, end } of comments) bare = bare.slice(0, start) + " ".repeat(end - start) + bare.slice(end);
  return bare;
}

const isNode = (value: unknown): value is Node =>
  typeof value === "object" && value !== null && typeof (value as Node).type === "string";

function children(node: Node): Node[] {
  return Object.values(node)
    .flatMap((value) => (Array.isArray(value) ? (value as unknown[]) : [value]))
    .filter(isNode);
}

/** @param into returns false to leave out a node with all nodes below it */
export function* walk(node: Node, into: (node: Node) => boolean = () => true): Generator<Node> {
  if (!into(node)) return;
  yield node;
  for (const child of children(node)) yield* walk(child, into);
}

function declarations(tree: Node): Map<string, Node> {
  const found = new Map<string, Node>();
  for (const node of walk(tree)) {
    if (node.type !== "VariableDeclarator" && node.type !== "FunctionDeclaration") continue;
    const id = node["id"];
    if (isNode(id) && id.type === "Identifier") found.set(id["name"] as string, node);
  }
  return found;
}

/** The names of a file's tests and suites: `describe`, `it` and `test`, their `each` and `skipIf`, and our own suites. */
export function testNames(file: string): string[] {
  const { program, errors } = parseSync(file, readFileSync(file, "utf8"));
  if (errors.length > 0) throw new Error(`${file}: ${errors[0]?.message}`);
  return [...walk(program as unknown as Node)].flatMap((call) => {
    if (call.type !== "CallExpression" || !/^(?:describe\w*|it|test)$/.test(rootOf(call))) return [];
    const [first] = call["arguments"] as Node[];
    if (first?.type !== "TemplateLiteral") return (first && titleOf(first)) ?? [];
    return (first["quasis"] as { value: { cooked: string } }[]).map(({ value }) => value.cooked).join("…");
  });
}

/** Finds calls such as `it(title, run)`, `test.each(table)(title, run)` and `it.skipIf(x)(title, run)`. */
function testCalls(tree: Node): { call: Node; title: string; parts: Node[] }[] {
  return [...walk(tree)].flatMap((call) => {
    if (call.type !== "CallExpression" || !["it", "test"].includes(rootOf(call))) return [];
    const [first, ...rest] = call["arguments"] as Node[];
    const title = first && titleOf(first);
    if (title === undefined || rest.length === 0) return [];
    return [{ call, title, parts: [call["callee"] as Node, ...rest] }];
  });
}

function rootOf(node: Node): string {
  if (node.type === "Identifier") return node["name"] as string;
  const inner = node["callee"] ?? node["object"];
  return isNode(inner) ? rootOf(inner) : "";
}

function titleOf(node: Node): string | undefined {
  if (node.type === "Literal" && typeof node["value"] === "string") return node["value"];
  return undefined;
}

/** The declarations of the file that these nodes name, and those that the declarations name in turn. */
function reached(parts: readonly Node[], declared: ReadonlyMap<string, Node>, call: Node): Node[] {
  const known = new Set<Node>();
  const queue = [...parts];
  for (let node = queue.pop(); node; node = queue.pop()) {
    for (const { type, name } of walk(node)) {
      const found = type === "Identifier" ? declared.get(name as string) : undefined;
      const isOutside = found && (found.end <= call.start || found.start >= call.end);
      if (!isOutside || known.has(found)) continue;
      known.add(found);
      queue.push(found);
    }
  }
  return [...known];
}

function collect(node: Node, into: Set<string>) {
  const skipped = new Set<Node>();
  const inner = (child: Node) => {
    for (const one of provesNothing(child)) skipped.add(one);
    return !skipped.has(child);
  };
  for (const { type, value, regex } of walk(node, inner)) {
    if (type === "TemplateElement") into.add((value as { cooked: string }).cooked);
    if (type !== "Literal") continue;
    if (typeof value === "string") into.add(value);
    if (regex) into.add(plain((regex as { pattern: string }).pattern));
  }
}

/** The text of a pattern: `/^What\?$/` → 'What?'. */
function plain(pattern: string): string {
  return pattern.replace(/^\^|\$$/g, "").replace(/\\([^\w])/g, "$1");
}

/** The parts of this node that prove nothing: a fake server's answer, typed text, text expected to be absent. */
function provesNothing(node: Node): Node[] {
  if (node.type === "NewExpression" && rootOf(node) === "FakeRefusal") return [node];
  if (node.type === "Property" && /^"(GET|POST|PUT|DELETE) \//.test(keyText(node["key"] as Node))) return [node];
  if (node.type !== "CallExpression") return [];
  const name = lastNameOf(node["callee"] as Node);
  if (/^query(All)?By/.test(name)) return [node];
  const isInput = /^(type|fill|paste|keyboard|press|pressSequentially|showApp)$/.test(name);
  return isInput ? (node["arguments"] as Node[]).filter(({ type }) => type === "Literal") : [];
}

function lastNameOf(callee: Node): string {
  const property = callee["property"];
  return isNode(property) ? String(property["name"]) : rootOf(callee);
}

function keyText(key: Node): string {
  if (key.type === "Literal") return JSON.stringify(key["value"]);
  const [first] = (key["quasis"] ?? []) as Node[];
  return first ? JSON.stringify((first["value"] as { cooked: string }).cooked) : "";
}
