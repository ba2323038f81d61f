/**
 * The page of security tests names the test of each promise. The tests exist, and each item of OWASP ASVS 5.0 is listed
 * once.
 */
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { parts } from "../bench/proof.ts";
import {
  citedTests,
  missingTests,
  newName,
  readEvidence,
  securityTestsPage,
  wholeTitle,
  withNames,
  type Item,
} from "./security-tests.ts";

const root = path.join(import.meta.dirname, "..");

/** `1.2:1-5` = 1.2.1 … 1.2.5 */
function ids(...ranges: string[]): string[] {
  return ranges.flatMap((range) => {
    const [, section, from, to] = /^(\d+\.\d+):(\d+)(?:-(\d+))?$/.exec(range) ?? [];
    if (section === undefined) throw new Error(`${range} is no range`);
    const first = Number(from);
    return Array.from({ length: Number(to ?? from) - first + 1 }, (_, step) => `${section}.${first + step}`);
  });
}

// oxfmt-ignore
const level1 = ids("1.2:1-5", "1.3:1-2", "1.5:1", "2.1:1", "2.2:1-2", "2.3:1", "3.2:1-2", "3.3:1", "3.4:1-2", "3.5:1-3", "4.1:1", "4.4:1",
  "5.2:1-2", "5.3:1-2", "6.1:1", "6.2:1-8", "6.3:1-2", "6.4:1-2", "7.2:1-4", "7.4:1-2", "8.1:1", "8.2:1-2", "8.3:1", "9.1:1-3", "9.2:1",
  "10.4:1-5", "11.3:1-2", "11.4:1", "12.1:1", "12.2:1-2", "13.4:1", "14.2:1", "14.3:1", "15.1:1", "15.2:1", "15.3:1");

// oxfmt-ignore
const level2 = ids("1.1:1-2", "1.2:6-9", "1.3:3-11", "1.4:1-3", "1.5:2", "2.1:2-3", "2.2:3", "2.3:2-4", "2.4:1", "3.3:2-4", "3.4:3-6",
  "3.5:4-5", "3.7:1-2", "4.1:2-3", "4.2:1", "4.3:1-2", "4.4:2-4", "5.1:1", "5.2:3", "5.4:1-3", "6.1:2-3", "6.2:9-12", "6.3:3-4", "6.4:3-4",
  "6.5:1-5", "6.6:1-3", "6.8:1-4", "7.1:1-3", "7.3:1-2", "7.4:3-5", "7.5:1-2", "7.6:1-2", "8.1:2", "8.2:3", "8.4:1", "9.2:2-4",
  "10.1:1-2", "10.2:1-2", "10.3:1-4", "10.4:6-11", "10.5:1-5", "10.6:1-2", "10.7:1-3", "11.1:1-2", "11.2:1-3", "11.3:3", "11.4:2-4",
  "11.5:1", "11.6:1", "12.1:2-3", "12.3:1-4", "13.1:1", "13.2:1-5", "13.3:1-2", "13.4:2-5", "14.1:1-2", "14.2:2-4", "14.3:2-3",
  "15.1:2-3", "15.2:2-3", "15.3:2-7", "16.1:1", "16.2:1-5", "16.3:1-4", "16.4:1-3", "16.5:1-3", "17.1:1", "17.2:1-4", "17.3:1-2");

const reasons = /^(not held|by configuration|does not apply|by construction|by documentation): (.+)$/;

/** Faults in the items of a level. */
function itemFaults(items: readonly Item[], wanted: readonly string[]): string[] {
  const found = items.flatMap((item) => item.items.split(", "));
  const faults = [
    ...wanted.filter((id) => !found.includes(id)).map((id) => `${id} is missing`),
    ...found.filter((id, at) => found.indexOf(id) !== at).map((id) => `${id} is there twice`),
    ...found.filter((id) => !wanted.includes(id)).map((id) => `${id} is not in this level`),
  ];
  for (const { items: named, tests, unless = "" } of items) {
    const [, kind, why = ""] = reasons.exec(unless) ?? [];
    if ((tests === undefined) !== (kind !== undefined)) faults.push(`${named}: needs either tests or a reason`);
    if (kind !== "by construction" && kind !== "by documentation") continue;
    const files = [...why.matchAll(/`([\w./-]+)`/g)].map(([, file = ""]) => file);
    if (files.length === 0 || !files.every((file) => existsSync(path.join(root, file))))
      faults.push(`${named}: ${why} names no file`);
  }
  return faults;
}

function figureFaults(proofs: readonly string[]): string[] {
  return [
    ...proofs.filter((part) => !Object.hasOwn(parts, part)).map((part) => `no proof is called ${part}`),
    ...Object.keys(parts)
      .filter((part) => !proofs.includes(part))
      .map((part) => `no figure of ${part}`),
  ];
}

const evidence = readEvidence();
const levels = [
  ["level 1", evidence.level1, level1, 70],
  ["level 2", evidence.level2, level2, 183],
] as const;

describe("the page of security tests", () => {
  test("names only tests that exist (node bin/renamed-tests.ts follows renamed ones)", () => {
    expect(citedTests(evidence).length).toBeGreaterThan(150);
    expect(missingTests(evidence)).toEqual([]);
  });

  test("has each promise, threat, figure and item with its tests", () => {
    const page = securityTestsPage(evidence);
    const { promises, threats, figures, level1: first, level2: second } = evidence;
    const rows = [...promises, ...threats, ...figures].map(({ what }) => what);
    for (const named of [...rows, ...first, ...second].map((one) => (typeof one === "string" ? one : one.items)))
      expect(page).toContain(`\n| ${named} | `);
    for (const file of citedTests(evidence).map((one) => one.split(" › ")[0])) expect(page).toContain(`\`${file} › `);
  });

  test.each(levels)(
    "has every item of OWASP's %s once, each with a test or a reason",
    (_level, items, wanted, count) => {
      expect(new Set(wanted).size).toBe(count);
      expect(itemFaults(items, wanted)).toEqual([]);
    },
  );

  test("has a figure of every proof, with the command that prints it", () => {
    expect(figureFaults(evidence.figures.map(({ proof }) => proof))).toEqual([]);
  });
});

test("docs/security.md names only tests that exist", () => {
  const page = readFileSync(path.join(root, "docs/security.md"), "utf8");
  const named = [...page.matchAll(/`([\w./-]+\.test\.tsx? › [^`]+)`/g)].map(([, one = ""]) => one);
  expect(named.length).toBeGreaterThan(2);
  expect(named.filter((one) => wholeTitle(one) === null)).toEqual([]);
});

describe("the check finds", () => {
  test("a test that is gone, and a title that no test has", () => {
    expect(wholeTitle("test/gone.test.ts › a title")).toBeNull();
    expect(wholeTitle("test/kill.test.ts › a title that no test has")).toBeNull();
    // a word of the file, but of no title
    expect(wholeTitle("test/kill.test.ts › SIGKILL")).toBeNull();
    expect(wholeTitle("test/security-doc.test.ts › a test that is gone")).toContain("and a title");
  });

  test("the new name of a test that was renamed, or whose file was moved", () => {
    const title = "the new name of a test that was renamed, or whose file was moved";
    const name = `test/security-doc.test.ts › ${title}`;
    expect(newName("test/security-doc.test.ts › the name of a renamed test")).toBe(name);
    expect(newName(`server/security-doc.test.ts › ${title}`)).toBe(name);
    expect(newName("test/gone.test.ts › a title")).toBeNull();
    const old = "test/gone.test.ts › isn't here";
    expect(withNames(`tests:\n  - 'test/gone.test.ts › isn''t here'\n`, new Map([[old, name]]))).toContain(title);
  });

  test("items that are missing, doubled or of another level, and empty reasons", () => {
    const sound = { items: "1.2.1, 1.2.2", how: "so", unless: "does not apply: none" };
    expect(itemFaults([sound], ["1.2.1", "1.2.2"])).toEqual([]);
    const doubled = { items: "1.2.2", how: "so", unless: "not held: why" };
    expect(itemFaults([sound, doubled], ["1.2.1", "1.2.2", "1.2.3"])).toEqual([
      "1.2.3 is missing",
      "1.2.2 is there twice",
    ]);
    expect(itemFaults([{ items: "9.9.9", how: "so", unless: "surely" }], [])).toEqual([
      "9.9.9 is not in this level",
      "9.9.9: needs either tests or a reason",
    ]);
    const gone = { items: "1.2.1", how: "so", unless: "by construction: `server/gone.ts`" };
    expect(itemFaults([gone], ["1.2.1"])).toHaveLength(1);
  });

  test("figures whose command prints nothing", () => {
    expect(figureFaults(["nothing"])).toContain("no proof is called nothing");
    expect(figureFaults(["nothing"])).toContain("no figure of tenancy");
  });
});
