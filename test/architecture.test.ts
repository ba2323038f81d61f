/** Each guard of the architecture must reject an example. A guard that accepts everything is worse than none. */
import { spawnSync } from "node:child_process";
import { globSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { routes } from "#core/api/routes.ts";
import { schemas } from "#core/api/schemas.ts";
import { Environment } from "../server/config.ts";
import { folderCycles, folderImports } from "./folder-graph.ts";
import { platformFolders } from "./platform-folders.ts";

const root = path.resolve(import.meta.dirname, "..");
const bin = (name: string) => path.join(root, "node_modules", ".bin", name);
const made: string[] = [];
afterAll(() => {
  for (const dir of made) rmSync(dir, { recursive: true, force: true });
});

/** A folder inside a layer. The test removes it. */
function roomIn(layer: string): string {
  const dir = mkdtempSync(path.join(root, layer, "guard-"));
  made.push(dir);
  return dir;
}

function lint(layer: string, name: string, source: string): string {
  const file = path.join(roomIn(layer), name);
  writeFileSync(file, source);
  const { stdout } = spawnSync(bin("oxlint"), ["--deny-warnings", file], { cwd: root, encoding: "utf8" });
  return stdout;
}

describe("oxlint refuses", () => {
  test.each([
    [
      "the MongoDB driver outside the engine",
      "server/sops",
      "a.ts",
      'import { MongoClient } from "mongodb";\nexport const client = MongoClient;\n',
      "no-restricted-imports",
    ],
    [
      "SQLite outside the engine",
      "server/sops",
      "a.ts",
      'import { DatabaseSync } from "node:sqlite";\nexport const db = DatabaseSync;\n',
      "no-restricted-imports",
    ],
    [
      "gray-matter outside its wrapper",
      "core/sops",
      "a.ts",
      'import matter from "gray-matter";\nexport const read = matter;\n',
      "no-restricted-imports",
    ],
    [
      "process.env outside the config",
      "server/sops",
      "a.ts",
      "export const port = process.env.PORT;\n",
      "no-process-env",
    ],
    ["default exports", "core/sops", "a.ts", "export default 1;\n", "no-default-export"],
    ["files over 400 lines", "core/sops", "a.ts", `export const a = 1;\n${"// x\n".repeat(401)}`, "max-lines"],
    ["file names in camelCase", "core/sops", "aName.ts", "export const a = 1;\n", "filename-case"],
    ["any", "core/sops", "a.ts", "export const a: any = 1;\n", "no-explicit-any"],
    [
      "a layer that reaches into another",
      "cli",
      "a.ts",
      'import { serve } from "../../server/serve.ts";\nexport const a = serve;\n',
      "no-restricted-imports",
    ],
    [
      "the web that reaches into the server",
      "web",
      "a.ts",
      'import { serve } from "../../server/serve.ts";\nexport const a = serve;\n',
      "no-restricted-imports",
    ],
    [
      "the server that reaches into the web",
      "server",
      "a.ts",
      'import { api } from "../../web/api.ts";\nexport const a = api;\n',
      "no-restricted-imports",
    ],
    [
      "core that reaches into a layer",
      "core",
      "a.ts",
      'import { serve } from "../../server/serve.ts";\nexport const a = serve;\n',
      "no-restricted-imports",
    ],
    [
      "a platform folder that reaches into a feature",
      "server/database",
      "a.ts",
      'import { listSops } from "../../sops/list.ts";\nexport const a = listSops;\n',
      "no-restricted-imports",
    ],
    [
      "primitives that know domain features",
      "web/ui",
      "a.ts",
      'import { SopList } from "../../sops/SopList.tsx";\nexport const a = SopList;\n',
      "no-restricted-imports",
    ],
  ])("%s", (_, layer, name, source, rule) => {
    expect(lint(layer, name, source)).toContain(rule);
  });

  test.each([
    ["import cycles", "import", "const a = (): unknown => b", "const b = (): unknown => a"],
    ["import cycles of types", "import type", "type a = b[]", "type b = a[] | null"],
  ])("%s", (_, imports, a, b) => {
    const dir = roomIn("core/sops");
    writeFileSync(path.join(dir, "a.ts"), `${imports} { b } from "./b.ts";\nexport ${a};\n`);
    writeFileSync(path.join(dir, "b.ts"), `${imports} { a } from "./a.ts";\nexport ${b};\n`);
    const { stdout } = spawnSync(bin("oxlint"), [dir], { cwd: root, encoding: "utf8" });
    expect(stdout).toContain("no-cycle");
  });

  test("nothing in a file that keeps the rules", () => {
    expect(lint("core/sops", "a.ts", "export const a = 1;\n")).toContain("Found 0 warnings and 0 errors");
  });
});

describe("folders", () => {
  /** `Services` lists what handlers use. The counts of SOPs check the ledger. */
  const known = ["server/http/services.ts", "server/integrity/ledger.ts"];
  const filesOf = (layer: string) =>
    globSync(`${layer}/**/*.ts`, { cwd: root }).filter((file) => !/\.test\.ts$|\/testing\/|\/guard-/.test(file));

  test("of the platform import no features", () => {
    const imports = folderImports(
      root,
      filesOf("server").filter((file) => !known.includes(file)),
    ).filter(({ from, to }) => platformFolders.includes(from) && !to.endsWith(".ts") && !platformFolders.includes(to));
    expect(imports).toEqual([]);
  });

  test("of core, and of the platform of the server, are in no cycle", () => {
    const ofCore = folderImports(root, filesOf("core"));
    expect(ofCore.length).toBeGreaterThan(100);
    expect(folderCycles(ofCore)).toEqual([]);
    const ofServer = folderImports(root, filesOf("server"));
    const ofPlatform = ofServer.filter(({ from, to }) => [from, to].every((one) => platformFolders.includes(one)));
    expect(ofPlatform.length).toBeGreaterThan(20);
    expect(folderCycles(ofPlatform)).toEqual([]);
  });

  test("are found in a cycle of values, not of types", () => {
    const imports = (...pairs: [string, string][]) => pairs.map(([from, to]) => ({ from, to, files: [] }));
    expect(folderCycles(imports(["a", "b"], ["b", "c"], ["c", "a"], ["c", "d"]))).toEqual([["a", "b", "c"]]);
    expect(folderCycles(imports(["a", "b"], ["b", "c"], ["a", "c"]))).toEqual([]);
    const dir = roomIn("core");
    mkdirSync(path.join(dir, "a"));
    mkdirSync(path.join(dir, "b"));
    const write = (name: string, source: string) => writeFileSync(path.join(dir, name), source);
    write("a/x.ts", 'import { type B, b } from "../b/x.ts";\nexport type A = B;\nexport const a = b;\n');
    write("b/x.ts", 'import type { A } from "../a/x.ts";\nexport type B = A[];\nexport const b = 1;\n');
    const read = () => folderImports(dir, ["a/x.ts", "b/x.ts"]).map(({ files }) => files);
    expect(read()).toEqual([["a/x.ts -> b/x.ts"]]);
    write("b/x.ts", 'export const b = () => import("../a/x.ts");\n');
    expect(read()).toEqual([["a/x.ts -> b/x.ts"], ["b/x.ts -> a/x.ts"]]);
  });
});

function compile(layer: "core" | "server", source: string): string {
  const dir = roomIn(layer);
  writeFileSync(path.join(dir, "a.ts"), source);
  writeFileSync(
    path.join(dir, "tsconfig.json"),
    JSON.stringify({
      extends: "../tsconfig.json",
      // checks only: the guards must work on a fresh checkout, and write nothing beside the sources
      compilerOptions: {
        rootDir: layer === "core" ? ".." : "../..",
        composite: false,
        incremental: false,
        emitDeclarationOnly: false,
        noEmit: true,
      },
      include: ["a.ts"],
    }),
  );
  return spawnSync(bin("tsc"), ["-p", dir, "--pretty", "false"], { cwd: root, encoding: "utf8" }).stdout;
}

describe("the compiler refuses", () => {
  test.each([
    ["process in core", "export const a = process.version;\n", "'process'"],
    ["window in core", "export const a = window;\n", "'window'"],
    ["node: imports in core", 'import { readFileSync } from "node:fs";\nexport const a = readFileSync;\n', "node:fs"],
    ["enums", "export enum A { B }\n", "erasableSyntaxOnly"],
    ["an index that may be missing", "export const a: string = ([] as string[])[0];\n", "not assignable"],
    ["another layer's file", 'import { serve } from "../../server/serve.ts";\nexport const a = serve;\n', "TS6"],
  ])("%s", (_, source, message) => {
    expect(compile("core", source)).toContain(message);
  });

  test("nothing in a file that keeps the rules", () => {
    expect(compile("core", "export const a = 1;\n")).toBe("");
  });
});

test("every row of the contract has a schema, and every schema a row", () => {
  const names = (table: object) =>
    Object.entries(table).flatMap(([group, rows]) => Object.keys(rows as object).map((name) => `${group}.${name}`));
  expect(names(schemas).sort()).toEqual(names(routes).sort());
});

test("a missing handler is a compile error", () => {
  const handlers = 'import type { Handlers } from "../http/call.ts";\nexport const users: Handlers<"users"> = {};\n';
  expect(compile("server", handlers)).toContain("'list' is missing");
});

describe("a query of stored documents", () => {
  const start = `
import type { Collections } from "../database/documents.ts";
import { atPath, type Collection, type CompanyStore, type Declarations, type Filter } from "../database/port.ts";
declare const company: CompanyStore<Collections>;
declare const name: string;
declare const untyped: Record<string, unknown>;
const sops = company.collection("sops");
const users = company.collection("users");
const counters = company.collection("counters");
`;
  const refused: [string, string][] = [
    ["a renamed field in a filter", "sops.find({ effectiveTitle: 1 })"],
    ["… inside a field", 'sops.find({ "published.effectiveTitle": "" })'],
    ["… inside an array's elements", 'sops.find({ "grants.user": "" })'],
    ["… beside others", "sops.find({ ...untyped, live: true, effectiveTitle: 1 })"],
    ["… in an alternative", "sops.find({ $or: [{ live: true }, { effectiveTitle: 1 }] })"],
    ["… in an update", 'sops.updateOne({}, { $set: { effectiveTitle: "" } })'],
    ["… in a removal", 'sops.updateOne({}, { $unset: { effectiveTitle: "" } })'],
    ["… in an increment", "counters.updateOne({}, { $inc: { sequence: 1 } })"],
    [
      "… in the update of many",
      'sops.bulkWrite([{ updateOne: { filter: {}, update: { $set: { effectiveTitle: "" } } } }])',
    ],
    ["… in a sort", "sops.find({}, { sort: { effectiveTitle: 1 } })"],
    ["… in a projection", "sops.find({}, { projection: { effectiveTitle: 1 } })"],
    ["… in a group", 'sops.aggregate([{ $group: { _id: "$effectiveTitle" } }])'],
    [
      "… in an index",
      'const a: Partial<Declarations<Collections>> = { sops: { tenant: true, indexes: [{ name: "a", keys: { effectiveTitle: 1 } }] } }',
    ],
    ["… under a condition", 'sops.find({ live: true, ...(name === "" ? {} : { effectiveTitle: 1 }) })'],
    ["… in a variable", "const a = { live: true, effectiveTitle: 1 }; sops.find(a)"],
    ["… in a variable of an update", "const a = { views: 1, effectiveTitle: 1 }; sops.updateOne({}, { $set: a })"],
    ["… that is computed", 'sops.find(atPath("effectiveTitle", 1))'],
    ["any computed field", "sops.find({ [name]: 1 })"],
    ["any object", "sops.find(untyped)"],
    ["a value of another type", "sops.find({ title: 1 })"],
    ["… in a list", 'sops.find({ version: { $in: ["1"] } })'],
    ["… inside a field", 'sops.find({ "published.version": "1" })'],
    ["… in an array", "sops.find({ tags: 1 })"],
    ["… in an update", "sops.updateOne({}, { $set: { title: 1 } })"],
    ["… in an update of a record", 'counters.updateOne({}, { $inc: { "byStatus.draft": "1" } })'],
    ["… under a computed field", 'sops.find(atPath("title", 1))'],
    ["a word that isn't one of the field's", 'sops.find({ status: "gone" })'],
    ["null for what is never null", "sops.updateOne({}, { $set: { title: null } })"],
    ["undefined", "sops.find({ title: undefined })"],
    ["the removal of what is always there", 'sops.updateOne({}, { $unset: { title: "" } })'],
    ["the increment of a text", "sops.updateOne({}, { $inc: { title: 1 } })"],
    ["an object as a value", "sops.find({ published: { version: 1 } })"],
    ["an unknown operator", 'sops.find({ title: { $regex: "a" } })'],
    ["… at the top", "sops.find({ $where: [] })"],
    ["… of an update", "sops.updateOne({}, { $rename: {} })"],
    ["an unknown stage", "sops.aggregate([{ $lookup: {} }])"],
  ];
  const accepted = [
    'sops.find({ title: "A", "published.version": { $gt: 1 }, tags: "a", "grants.userId": { $in: ["u"] }, requestId: null })',
    'sops.find({ published: { $ne: null } }, { sort: { "published.updatedAt": -1 }, projection: { "published.title": 1 } })',
    "sops.find({ $or: [{ live: true }, { $nor: [{ restricted: true }] }] })",
    'sops.find({ ...atPath("title" as "title" | "published.title", "A"), live: true } satisfies Filter<Collections["sops"]>)',
    'sops.updateOne({}, { $set: { "published.title": "A", requestId: null }, $unset: { linksTo: "" }, $inc: { revision: 1 } })',
    'sops.updateOne({}, { $addToSet: { tags: { $each: ["a"] } }, $pull: { grantees: "user:1", grants: { userId: "1" } } })',
    'users.updateOne({}, { $set: { "mailChoices.comment": false } })',
    'counters.updateOne({}, { $inc: { "categories.none.live": -1, "byStatus.draft": 1, published: 1 } })',
    'sops.aggregate([{ $match: { live: true } }, { $group: { _id: "$status", views: { $sum: "$views" } } }])',
  ];
  const statements = [...refused.map(([, statement]) => statement), ...accepted];

  test("compiles with the fields and types of its documents, and with nothing else", () => {
    const first = start.split("\n").length;
    const found = compile("server", `${start}${statements.map((one) => `{ ${one}; }`).join("\n")}\nexport {};\n`);
    const lines = new Set([...found.matchAll(/^server\/guard-\w+\/a\.ts\((\d+),/gm)].map(([, line]) => Number(line)));
    expect(statements.filter((_, at) => lines.has(first + at))).toEqual(refused.map(([, statement]) => statement));
    expect(found.split("\n").filter((line) => line.includes("error") && !line.includes("guard-"))).toEqual([]);
  });
});

test(".env.example names exactly what the server reads", () => {
  const named = readFileSync(path.join(root, ".env.example"), "utf8").match(/^[A-Z][A-Z0-9_]*(?==)/gm);
  expect(named?.sort()).toEqual(Object.keys(Environment.shape).sort());
});

test("only the node package may run an install script", () => {
  const manifest = JSON.parse(readFileSync(path.join(root, "package.json"), "utf8")) as {
    allowScripts: Record<string, boolean>;
  };
  const lock = JSON.parse(readFileSync(path.join(root, "package-lock.json"), "utf8")) as {
    packages: Record<string, { hasInstallScript?: boolean }>;
  };
  const scripted = Object.entries(lock.packages)
    .filter(([name, { hasInstallScript }]) => name !== "" && hasInstallScript === true)
    .map(([name]) => name.replace(/^.*node_modules\//, ""));
  for (const name of scripted) expect(manifest.allowScripts).toHaveProperty([name]);
  expect(
    Object.entries(manifest.allowScripts)
      .filter(([, allowed]) => allowed)
      .map(([name]) => name),
  ).toEqual(["node"]);
});

test("dependencies are pinned to exact versions", () => {
  const manifest = JSON.parse(readFileSync(path.join(root, "package.json"), "utf8")) as Record<
    "dependencies" | "devDependencies",
    Record<string, string>
  >;
  for (const version of Object.values({ ...manifest.dependencies, ...manifest.devDependencies })) {
    expect(version).toMatch(/^\d+\.\d+\.\d+(-[\w.]+)?$/);
  }
});

test("what ARCHITECTURE.md says is in a file is in it", () => {
  const text = readFileSync(path.join(root, "ARCHITECTURE.md"), "utf8");
  const named = [...text.matchAll(/`(\w+)`(?: and `(\w+)`)? in `([\w./-]+\.tsx?)`/g)];
  expect(named.length).toBeGreaterThan(10);
  for (const [, one = "", other = one, file = ""] of named) {
    const source = readFileSync(path.join(root, file), "utf8");
    for (const name of [one, other])
      expect(source, `${name} in ${file}`).toMatch(
        new RegExp(
          `(?:function\\*?|const|class|interface|type|let) ${name}\\b|^  (?:async )?${name}[(:]|[{,] ${name}[,:} ]`,
          "m",
        ),
      );
  }
});

/** Folders of a layer that aren't a feature of `core`. */
const own: Readonly<Record<string, string>> = {
  server:
    "admin backup blobs capacity data-folder database effects findings git http integrity jobs keys mail outgoing render snapshots",
  web: "dashboard editor fonts palette proposed-changes public shell shortcuts start testing ui",
};

test.each(Object.entries(own))("a feature of %s has the name that it has in core", (layer, names) => {
  const foldersOf = (name: string) =>
    readdirSync(path.join(root, name), { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && !entry.name.startsWith("guard-"))
      .map((entry) => entry.name);
  const inCore = foldersOf("core");
  expect(foldersOf(layer).filter((folder) => !inCore.includes(folder))).toEqual(names.split(" "));
});

test("names every layer's folder in ARCHITECTURE.md", () => {
  const text = readFileSync(path.join(root, "ARCHITECTURE.md"), "utf8");
  for (const layer of ["core", "server", "web", "cli"]) {
    const folders = readdirSync(path.join(root, layer), { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && !entry.name.startsWith("guard-"))
      .map(({ name }) => name);
    for (const folder of folders) expect(text, `${layer}/${folder}`).toContain(`${folder}/`);
  }
});

test("days are written and counted in one place: in the zone of the machine, a day can be another", () => {
  const places = new Set(["core/days.ts", "core/language/formats.ts", "web/ui/time.ts", "server/mail/compose.ts"]);
  const local =
    /DateTimeFormat|toLocale(?:Date|Time)String|toDateString|\.get(?:FullYear|Month|Date|Day|Hours)\(|`\$\{\w+\}T\d\d:\d\d:\d\d`/;
  const files = ["core", "server", "web", "cli"].flatMap((layer) =>
    globSync(`${layer}/**/*.{ts,tsx}`, { cwd: root }).filter((file) => !/\.test\.|testing\//.test(file)),
  );
  expect(files.length).toBeGreaterThan(1_000);
  const other = files.filter((file) => !places.has(file) && local.test(readFileSync(path.join(root, file), "utf8")));
  expect(other).toEqual([]);
});
