/** The site that `npm run docs` makes of `docs/`: every link leads somewhere, and the search finds. */
import { globSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import path from "node:path";
import vm from "node:vm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { makeDocs } from "../bin/docs.ts";
import { madePages } from "../bin/pages.ts";

let folder: string;
const site = (...names: string[]) => path.join(folder, "site", ...names);
const read = (...names: string[]) => readFileSync(site(...names), "utf8");

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), "sopwright-docs-"));
  await makeDocs(site());
}, 120_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("has each page once, as a page and not as an SOP", () => {
  const pages = globSync("docs/**/*.md", { cwd: path.join(import.meta.dirname, "..") });
  const home = read("index.html");
  const listed = [...home.matchAll(/href="sops\/([^"]+)"/g)].map(([, name = ""]) => name);
  expect(new Set(listed).size).toBe(listed.length);
  expect(listed.length).toBe(pages.length + Object.keys(madePages).length + 6);
  expect(read("sops", "cli.html")).toContain('id="user-content-sop-push"');
  expect(home).toContain("<title>Sopwright</title>");
  for (const name of listed) expect(read("sops", name)).not.toMatch(/Not approved|Printed = uncontrolled/);
});

test("every link and image leads to a file of the site, and every anchor to a heading", () => {
  const ids = new Map<string, Set<string>>();
  const idsOf = (name: string) => {
    if (!ids.has(name))
      ids.set(name, new Set([...read("sops", name).matchAll(/ id="([^"]+)"/g)].map(([, id = ""]) => id)));
    return ids.get(name);
  };
  const dead: string[] = [];
  const files = new Set(globSync("**/*", { cwd: site() }));
  for (const name of globSync("*.html", { cwd: site("sops") })) {
    for (const [, link = ""] of read("sops", name).matchAll(/<[^<>]*?\s(?:href|src)="([^"]+)"/g)) {
      if (/^(https?:|mailto:)/.test(link)) continue;
      const [file = "", anchor = ""] = link.split("#");
      const target = file === "" ? `sops/${name}` : path.posix.normalize(`sops/${file}`);
      const page = path.posix.basename(target);
      if (!files.has(target)) dead.push(`${name}: ${link}`);
      else if (anchor !== "" && !idsOf(page)?.has(decodeURIComponent(anchor))) dead.push(`${name}: ${link}`);
    }
  }
  expect(dead).toEqual([]);
});

test("the search finds a page by its words", () => {
  // as the page reads it: a script that hands over its text
  const self: { sopIndex?: string } = {};
  vm.runInNewContext(read("site/index.js"), { self });
  const { MiniSearch } = loadLibrary();
  const index = MiniSearch.loadJSON(self.sopIndex ?? "", {
    idField: "name",
    fields: ["number", "title", "description", "text"],
  });
  expect(index.search("rotate keys", { combineWith: "AND" }).map(({ id }) => id)).toContain("security-2");
});

function loadLibrary() {
  const require = createRequire(import.meta.url);
  return { MiniSearch: require("minisearch") as typeof import("minisearch").default };
}
