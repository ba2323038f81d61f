/** What `npm run release` checks first, and the form of the changelog. */
import { readFileSync, statSync, utimesSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { stamp } from "../bin/build.ts";
import { changesOf, versionFaults, waitingChanges } from "../bin/release.ts";
import { version } from "../core/version.ts";
import { project } from "./node-program.ts";

const read = (name: string) => readFileSync(path.join(project, name), "utf8");

test("every file has the version, and a file with another one is named", () => {
  expect(versionFaults(version)).toEqual([]);
  const older = (name: string) => (name === "package-lock.json" ? read(name).replace(version, "0.0.9") : read(name));
  expect(versionFaults(version, older)).toEqual([`package-lock.json doesn't have ${version}`]);
});

test("a change of any packed file needs another build", async () => {
  const before = await stamp();
  for (const name of ["CHANGELOG.md", "deploy/sopwright.service", "docs/backup.md", "templates/workspace/gitignore"]) {
    const file = path.join(project, name);
    const { atime, mtime } = statSync(file);
    utimesSync(file, atime, new Date());
    const after = await stamp().finally(() => utimesSync(file, atime, mtime));
    expect([name, after === before]).toEqual([name, false]);
  }
});

test("a change that waits for the next version is found", () => {
  const changelog = `# Changelog\n\n## [Unreleased]\n\n### Fixed\n\n- A\n\n## [1.0.0] - 2026-11-28\n\n- B\n`;
  expect(waitingChanges(changelog)).toEqual(["- A"]);
  expect(changesOf("1.0.0", changelog)).toBe("- B\n");
});

test("the changelog has the newest version first, in the groups of Keep a Changelog", () => {
  const changelog = read("CHANGELOG.md");
  const versions = [...changelog.matchAll(/^## \[([^\]]+)\](?: - (\d{4}-\d{2}-\d{2}))?$/gm)];
  expect(versions[0]?.[1]).toBe("Unreleased");
  expect(versions[1]?.[1]).toBe(version);
  expect(changelog.match(/^## /gm)).toHaveLength(versions.length);
  for (const [, , day] of versions.slice(1)) expect(day).toMatch(/^\d{4}-/);
  const groups = [...changelog.matchAll(/^### (.+)$/gm)].map(([, name]) => name);
  const known = ["Added", "Changed", "Deprecated", "Removed", "Fixed", "Security"];
  expect(groups.filter((name) => !known.includes(name ?? ""))).toEqual([]);
  expect(changesOf(version, changelog)).toContain("### Added");
});
