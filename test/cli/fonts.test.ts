/** Fonts of other scripts: fetched by npm, here from a registry in this process, and named where one is missing. */
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { createRequire } from "node:module";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { fontSets } from "#core/export/fonts.ts";
import { npmEnv } from "./npm.ts";
import { makeFolder, runSop, type Folder } from "./run-sop.ts";

const { name, version } = fontSets.thai.package;
const { resolve } = createRequire(import.meta.url);

let folder: Folder;
let registry: Server;
let address: string;
const at = (...names: string[]) => join(folder.path, ...names);
const env = (more: Record<string, string> = {}) => ({
  ...npmEnv(folder.path),
  npm_config_registry: address,
  npm_config_cache: at("cache"),
  npm_config_fetch_retries: "0",
  XDG_DATA_HOME: at("data"),
  SOP_SERVER: "http://127.0.0.1:9",
  ...more,
});
const sop = (args: string[], more?: Record<string, string>) => runSop(args, { cwd: folder.path, env: env(more) });

/** As the package is, with other fonts in it. Its script would run at an installation. */
function aPackage(): Buffer {
  const script = "node -e \"require('fs').writeFileSync(process.env.HOME+'/ran','')\"";
  const manifest = { name, version, scripts: { install: script, postinstall: script } };
  for (const weight of ["400Regular", "700Bold", "900Black"]) {
    mkdirSync(at("made/package", weight), { recursive: true });
    const font = weight === "700Bold" ? "700Bold/NotoSansHebrew_700Bold" : "400Regular/NotoSansHebrew_400Regular";
    copyFileSync(
      resolve(`@expo-google-fonts/noto-sans-hebrew/${font}.ttf`),
      at("made/package", weight, `NotoSansThai_${weight}.ttf`),
    );
  }
  writeFileSync(at("made/package/LICENSE_FONT"), "SIL Open Font License 1.1\n");
  writeFileSync(at("made/package/package.json"), JSON.stringify(manifest));
  expect(spawnSync("tar", ["-czf", at("made.tgz"), "-C", at("made"), "package"]).status).toBe(0);
  return readFileSync(at("made.tgz"));
}

beforeAll(async () => {
  folder = makeFolder({
    "docs/beyond.md": "---\ntitle: Pump\ndescription: d\n---\n\n## Steps\n\nOpen \uff00\n\nClose \u{3fff0} \uff00\n",
    "docs/plain.md": "---\ntitle: Plain\ndescription: d\n---\n\nOpen\n",
    "docs/other.md": "---\ntitle: Pump\ndescription: d\n---\n\nOpen \u{3fff0}\n",
  });
  const tgz = aPackage();
  const integrity = `sha512-${createHash("sha512").update(tgz).digest("base64")}`;
  registry = createServer((request, response) => {
    const path = decodeURIComponent(request.url ?? "");
    if (path === `/${name}.tgz`) return void response.end(tgz);
    if (path !== `/${name}`) return void response.writeHead(404).end("{}");
    const one = { name, version, dist: { tarball: `${address}/${name}.tgz`, integrity } };
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify({ name, "dist-tags": { latest: version }, versions: { [version]: one } }));
  });
  await new Promise<void>((done) => registry.listen(0, "127.0.0.1", done));
  address = `http://127.0.0.1:${(registry.address() as AddressInfo).port}`;
});
afterAll(() => {
  registry.close();
  folder.remove();
});

describe("sop fonts", { timeout: 60_000 }, () => {
  test("add fetches two weights and the license, runs no script and leaves nothing else", async () => {
    const folder = at("data/sopwright/fonts");
    const added = await sop(["fonts", "add", "thai"]);
    expect(added).toEqual({ code: 0, stdout: `Added Thai (0.1 MB) to ${folder}\n`, stderr: "" });
    expect(readdirSync(folder).sort()).toEqual([
      "NotoSansThai_400Regular.ttf",
      "NotoSansThai_700Bold.ttf",
      "NotoSansThai_LICENSE.txt",
    ]);
    expect(readdirSync(at())).not.toContain("ran");
    const listed = await sop(["fonts", "list", "--json"]);
    const { data } = JSON.parse(listed.stdout) as { data: { sets: { name: string; added: boolean }[] } };
    expect(data.sets.filter((set) => set.added).map((set) => set.name)).toEqual(["thai"]);
  });

  test("add puts them where the server looks: FONTS_DIR, or fonts in DATA_DIR", async () => {
    for (const [settings, place] of [
      [{ FONTS_DIR: at("fonts-dir") }, "fonts-dir"],
      [{ DATA_DIR: at("data-dir") }, "data-dir/fonts"],
    ] as const) {
      expect(await sop(["fonts", "add", "thai"], settings)).toMatchObject({ code: 0 });
      expect(readdirSync(at(place))).toContain("NotoSansThai_700Bold.ttf");
    }
  });

  test("add names what is wrong, and what else to do", async () => {
    expect(await sop(["fonts", "add", "klingon"])).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/klingon is not a set of fonts\n {2}sets: chinese, /),
    });
    const absent = await sop(["fonts", "add", "khmer", "--fonts", "absent"]);
    expect(absent).toMatchObject({
      code: 5,
      stderr: expect.stringMatching(/npm can't fetch the fonts: .*404.*\n {2}without network: .* --fonts <folder>/),
    });
    expect(readdirSync(at("absent"))).toEqual([]);
    const none = await sop(["fonts", "add", "thai"], { PATH: at(".node") });
    expect(none).toMatchObject({ code: 2, stderr: expect.stringContaining("npm is not installed") });
  });
});

describe("a PDF with characters that no font has", { timeout: 60_000 }, () => {
  test("is not written: exit 2, the line of the file, and the command that adds fonts", async () => {
    const ran = await sop(["export", "beyond", "--from-dir", "docs", "--format", "pdf", "-o", "beyond.pdf"]);
    expect(ran).toEqual({
      code: 2,
      stdout: "",
      stderr:
        "error: beyond.md:8: No font has \uff00 (U+FF00), \u{3fff0} (U+3FFF0) in lines 8, 10\n  sop fonts add chinese\n",
    });
    expect(readdirSync(at())).not.toContain("beyond.pdf");
  });

  test("keeps no other document from being made: exit 3, and a list of those without", async () => {
    const ran = await sop(["export", "beyond", "other", "plain", "--from-dir", "docs", "--format", "pdf", "-o", "out"]);
    expect(ran).toMatchObject({ code: 3, stdout: "Exported 1 of 3 SOPs to out\n" });
    expect(ran.stderr).toContain("error: beyond.md:8: No font has");
    expect(ran.stderr).toContain("error: other.md:6: No font has");
    expect(readdirSync(at("out"))).toEqual([".sop-export.json", "plain.pdf"]);
    const none = await sop(["export", "beyond", "other", "--from-dir", "docs", "--format", "pdf", "-o", "none"]);
    expect(none).toMatchObject({ code: 2, stderr: expect.stringContaining("No font has") });
    expect(readdirSync(at())).not.toContain("none");
  });

  test("of a script without a set names the folder", async () => {
    const ran = await sop(["export", "other", "--from-dir", "docs", "--format", "pdf", "-o", "other.pdf"]);
    expect(ran).toMatchObject({
      code: 2,
      stderr:
        "error: other.md:6: No font has \u{3fff0} (U+3FFF0) in line 6\n  name a folder with a font that has them: --fonts <folder>\n",
    });
  });

  test("--fonts is for files", async () => {
    const ran = await sop(["export", "SOP-0001", "--fonts", "data", "--format", "pdf"]);
    expect(ran).toMatchObject({ code: 2, stderr: expect.stringContaining("--fonts is for files") });
  });
});
