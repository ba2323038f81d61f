import { spawnSync } from "node:child_process";
import path from "node:path";
import process from "node:process";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";

/** No system lists it. */
const unlisted = 54_321;

test.skipIf(process.getuid?.() !== 0).each(["cli", "server"])(
  "%s: a user whom the system doesn't list is at home in /",
  (layer) => {
    const file = pathToFileURL(path.join(import.meta.dirname, `../${layer}/home.ts`)).href;
    const script = `const { homeFolder } = await import("${file}"); process.setuid(${unlisted}); console.log(homeFolder());`;
    const ran = spawnSync(process.execPath, ["--input-type=module", "-e", script], { encoding: "utf8", env: {} });
    expect(ran).toMatchObject({ status: 0, stderr: "", stdout: "/\n" });
  },
);
