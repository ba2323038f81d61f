/** An effective date before the publication is marked wherever it is shown. */
import { globSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { unzipSync } from "fflate";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { controlBlockRows } from "#core/export/document.ts";
import { exportDocumentOfSop, type ExportedSop } from "#core/export/of-sop.ts";
import type { Sop } from "#core/sops/schema.ts";
import { renderDocumentPage } from "../../cli/preview/pages.ts";
import { effectiveDay } from "../../web/sops/history/version-texts.ts";
import { makeFolder, runSop, type Folder } from "../cli/run-sop.ts";
import { project } from "../node-program.ts";
import { git } from "../git.ts";
import { canReadPdfs, pdfPages } from "../pdf-text.ts";
import { startServer, type TestServer, type TestUser } from "../server.ts";

const day = "2020-03-01";
const mark = "before its publication";
const markOfFile = "as its file states";

let server: TestServer;
let folder: Folder;
let boss: TestUser;
let token = "";
/** Backdated, published; of today; and a draft with a day of the past. */
const sops: Sop[] = [];

beforeAll(async () => {
  server = await startServer("sqlite");
  folder = makeFolder();
  boss = await (await server.company()).user("company_admin");
  token = (await boss.client.tokens.create({ body: { name: "t", scopes: ["sops:read"], expiresInDays: 1 } })).token;
  const today = server.clock.now().slice(0, 10);
  for (const [title, effectiveAt, status] of [
    ["Past", day, "published"],
    ["Today", today, "published"],
    ["Draft", day, "draft"],
  ] as const) {
    const body = { title, description: "D", markdown: "## Steps\n\n1. Rinse\n", effectiveAt, status };
    const { id } = await boss.client.sops.create({ body });
    sops.push(await boss.client.sops.get({ params: { id } }));
  }
}, 60_000);
afterAll(async () => {
  folder.remove();
  await server.stop();
});

const exported = (sop: Sop, format: string) => boss.send({ path: `/api/sops/${sop.id}/export?format=${format}` });
const bytesOf = async (sop: Sop, format: string) => (await exported(sop, format)).bytes;
const wordText = (file: Uint8Array) =>
  Buffer.from(unzipSync(file)["word/document.xml"] ?? [])
    .toString()
    .replaceAll(/<[^>]+>/g, " ");
const sop = (...args: string[]) =>
  runSop(args, { cwd: folder.path, env: { SOP_SERVER: server.url, SOP_TOKEN: token } });
const warningsOf = (header: string | undefined) => decodeURIComponent(header ?? "");

/** What each place shows of an SOP of the server. */
const places: Record<string, (sop: Sop) => Promise<string>> = {
  "the view, its header and its print": async (one) => String(effectiveDay(one)),
  "the facts of exports": async (one) =>
    controlBlockRows(exportDocumentOfSop((await exported(one, "json")).json() as ExportedSop)).join("\n"),
  HTML: async (one) => (await exported(one, "html")).body,
  Word: async (one) => wordText(await bytesOf(one, "docx")),
  ...(canReadPdfs && { PDF: async (one: Sop) => pdfPages(await bytesOf(one, "pdf")).join("\n") }),
  "a site": async (one) => {
    const target = `site-${one.number}`;
    await sop("export", one.number, "--format", "site", "-o", target);
    return globSync(path.join(folder.path, target, "sops/*.html"))
      .map((file) => readFileSync(file, "utf8"))
      .join("");
  },
  "the header of Markdown": async (one) =>
    warningsOf((await exported(one, "md")).headers.get("x-export-warnings") ?? ""),
  "sop export of Markdown": async (one) => (await sop("export", one.number, "-o", `${one.number}.md`)).stderr,
  "sop export of a bundle": async (one) =>
    (await sop("export", one.number, "--format", "bundle", "-o", `${one.number}.zip`)).stderr,
};

describe.each(Object.entries(places))("%s", (_, show) => {
  test("marks a day before the publication, and no other", async () => {
    const [past, now] = sops as [Sop, Sop];
    expect((await show(past)).replaceAll(/\s+/g, " ")).toContain(mark);
    expect(await show(now)).not.toContain(mark);
  });
});

test("JSON has a field for it: of the API, of the export and of sop export", async () => {
  const [past, now, draft] = sops as [Sop, Sop, Sop];
  for (const [one, backdated] of [
    [past, true],
    [now, undefined],
    [draft, true],
  ] as const) {
    expect(one.control.backdated).toBe(backdated);
    expect(((await exported(one, "json")).json() as ExportedSop).control.backdated).toBe(backdated);
    const { stdout } = await sop("export", one.number, "--format", "json", "--drafts");
    expect(JSON.parse(stdout)).toMatchObject({ data: [{ control: { effective: one.control.effective } }] });
    expect(stdout.includes('"backdated": true')).toBe(backdated === true);
  }
});

test("Markdown keeps the bytes that git has", async () => {
  const [past] = sops as [Sop];
  const { companyId } = boss;
  await server.running.services.repositories.drain(companyId);
  const at = server.running.services.repositories.path(companyId);
  const name = (await git(at, "ls-tree", "-r", "--name-only", "main", "sops"))
    .toString()
    .split("\n")
    .find((line) => line.includes("-past"));
  expect((await exported(past, "md")).body).toBe((await git(at, "show", `main:${name}`)).toString());
});

describe("a file, which doesn't know its publication", () => {
  const text = `---\ntitle: "Rinse"\ndescription: "D"\neffective: "${day}"\n---\n\n## Steps\n\n1. Rinse\n`;
  beforeAll(() => {
    mkdirSync(path.join(folder.path, "files/sops"), { recursive: true });
    writeFileSync(path.join(folder.path, "files/sop.config.yaml"), "preset: minimal\n");
    writeFileSync(path.join(folder.path, "files/sops/rinse.md"), text);
  });
  const root = () => path.join(folder.path, "files");
  const written = async (format: string) => {
    const { code, stderr } = await runSop(["export", "--from-dir", "files", "--format", format, "-o", `of-${format}`], {
      cwd: folder.path,
    });
    expect([code, stderr]).toEqual([0, expect.any(String)]);
    return globSync(path.join(folder.path, `of-${format}/**/*.${format === "site" ? "html" : format}`)).map((file) =>
      readFileSync(file),
    );
  };

  test.each(["html", "site"])("says so: %s", async (format) => {
    expect(Buffer.concat(await written(format)).toString()).toContain(markOfFile);
  });

  test("says so: Word", async () => {
    expect((await written("docx")).map(wordText).join("")).toContain(markOfFile);
  });

  test("says so: sop serve", async () => {
    const preview = {
      root: root(),
      name: "files",
      images: { addressOf: () => Promise.resolve(null), read: () => Promise.resolve(null) },
      optionsOf: () => Promise.resolve({ preset: "minimal" as const }),
    };
    const page = await renderDocumentPage(preview, "sops/rinse.md");
    expect(page).toContain(`effective ${day}, ${markOfFile}`);
  });
});

/** All that handles an effective date, and how it marks one of the past. */
const known: Record<string, string> = {
  "core/export/document.ts": "marks",
  "cli/preview/pages.ts": "marks",
  "web/sops/history/version-texts.ts": "marks",
  "web/sops/view/ControlBlock.tsx": "marks",
  "web/sops/view/PrintFrame.tsx": "shows what version-texts.ts marks",
  "web/sops/view/ViewHeader.tsx": "shows what version-texts.ts marks",
  "server/sops/view/document-control.ts": "marks for programs",
  "server/sops/view/export.ts": "marks beside Markdown",
  "core/sops/control.ts": "has the mark",
  "core/life-cycle/decide.ts": "stores the day that was asked for",
  "core/life-cycle/publish.ts": "stores the day that was entered",
  "core/life-cycle/records.ts": "stores the day that was entered",
  "core/approvals/refusals.ts": "names the day in a message",
  "core/life-cycle/update.ts": "stores the day that was entered",
  "server/sops/view/present.ts": "a field that is filled in",
  "core/export/of-sop.ts": "hands the day on",
  "core/export/of-file.ts": "hands the day on",
  "web/sops/view/PublicationFields.tsx": "a field that is filled in",
  "web/sops/view/PublishDialog.tsx": "a field that is filled in",
  "web/approvals/SubmitForApprovalDialog.tsx": "a field that is filled in",
  "web/approvals/CasePane.tsx": "days ahead alone",
  "cli/commands/approvals.ts": "days ahead alone",
  "core/lint/rules/dates.ts": "checks the form",
  "core/lint/rules/review-overdue.ts": "compares with the review date",
  "core/lint/facts.ts": "checks the form",
  "core/lint/declared-changes.ts": "names the key",
  "core/lint/presets.ts": "names a rule",
  "core/import/markdown/foreign-front-matter.ts": "reads files of others",
  "core/import/docx/docx-file.ts": "reads files of others",
  "server/sops/handlers.ts": "stores the day that was entered",
  "server/sops/history/periods.ts": "stores the day that was entered",
  "server/sops/history/published-on.ts": "hands the day on",
  "server/database/documents/life-cycle.ts": "stores the day that was entered",
  "server/approvals/handlers.ts": "stores the day that was entered",
  "core/sop-fields.ts": "names the field",
  "core/markdown/sop-links.ts": "reads the mark in the name of an exported file",
};
const otherMeaning = /permission|role-permissions|user-permissions|-texts\.ts$/i;

/** A file without its comments, and without the name of a status. */
const code = (file: string) =>
  readFileSync(path.join(project, file), "utf8").replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*$|not yet effective/gim, "");

test("no other file handles an effective date", () => {
  const files = globSync("{core,server,web,cli}/**/*.{ts,tsx}", { cwd: project })
    .filter((file) => !/\.test\.tsx?$|\/testing\//.test(file))
    .filter((file) => /\beffective\b/.test(code(file)))
    .filter((file) => !otherMeaning.test(file) || file in known);
  expect(files.sort()).toEqual(Object.keys(known).sort());
});
