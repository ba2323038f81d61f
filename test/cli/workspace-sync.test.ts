/** `sop pull`, `push` and `status` against the real server. */
import { existsSync, readdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { startServer, type Company, type TestServer, type TestUser } from "../server.ts";
import { interruptingProxy } from "./interrupting-proxy.ts";
import { callSop, makeFolder, runSop, type Folder } from "./run-sop.ts";

let server: TestServer;
let company: Company;
let editor: TestUser;
let manager: TestUser;
let token: string;
let folder: Folder;

beforeAll(async () => {
  server = await startServer("sqlite");
}, 60_000);
afterAll(() => server.stop());
beforeEach(async () => {
  company = await server.company();
  editor = await company.user("editor", { name: "Eve Editor" });
  manager = await company.user("manager", { name: "Max Manager" });
  const scopes = ["sops:read", "sops:write", "approvals"] as const;
  token = (await editor.client.tokens.create({ body: { name: "cli", scopes: [...scopes] } })).token;
  folder = makeFolder({ "sop.config.yaml": "schema: 1\npreset: minimal\n" });
});
afterEach(() => folder.remove());

const sop = (...args: string[]) =>
  callSop(args, { cwd: folder.path, env: { SOP_SERVER: server.url, SOP_TOKEN: token } });
const read = (path: string) => readFileSync(join(folder.path, path), "utf8");
const change = (path: string, from: string, to: string) => folder.write({ [path]: read(path).replace(from, to) });
const make = (title: string, markdown: string) =>
  editor.client.sops.create({ body: { title, description: "D", markdown } });
const save = (id: string, markdown: string) => editor.client.sops.update({ params: { id }, body: { markdown } });
const document = (title: string, body: string) =>
  `---\ntitle: "${title}"\ndescription: "Why."\nowner: "eve"\n---\n\n${body}`;
const steps = "## Procedure\n\n1. Fill the kettle.\n2. Boil the water.\n3. Pour it.\n4. Wait.\n5. Drink.\n";
const file = "sops/uncategorized/sop-0001-tea.md";
const leftovers = () =>
  readdirSync(folder.path, { recursive: true })
    .map(String)
    .filter((name) => name.endsWith(".tmp"));

/** The server, but after this many exports it stops answering them, or says that the SOP is missing. */
async function slowAfter(exports: number, isGone = false) {
  let reach = () => {};
  const reached = new Promise<void>((resolve) => (reach = resolve));
  let ask = () => {};
  const asked = new Promise<void>((resolve) => (ask = resolve));
  let seen = 0;
  const proxy = createServer((request, response) => {
    ask();
    if (request.url?.includes("/export") && (seen += 1) > exports) {
      if (isGone) response.writeHead(404, { "content-type": "application/json" }).end("{}");
      return reach();
    }
    const headers = { authorization: request.headers.authorization ?? "" };
    void fetch(server.url + request.url, { headers }).then(async (answer) => {
      response.writeHead(answer.status, { "content-type": answer.headers.get("content-type") ?? "" });
      response.end(await answer.bytes());
    });
  });
  await new Promise<void>((ready) => proxy.listen(0, "127.0.0.1", ready));
  const close = () => {
    proxy.closeAllConnections();
    proxy.close();
  };
  return { url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`, reached, asked, close };
}

describe("sop push and pull", { timeout: 60_000 }, () => {
  test("keep the number that a file chooses, and refuse one that is taken or doesn't fit", async () => {
    const admin = await company.user("company_admin");
    await admin.client.company.update({ body: { settings: { numberScheme: "QM.{seq:2}" } } });
    const chosen = (number: string) => document("Tea", steps).replace("---\n", `---\nnumber: ${number}\n`);
    folder.write({ "sops/tea.md": chosen("qm.5") });
    expect((await sop("push", "--yes")).code).toBe(0);
    const [row] = (await editor.client.sops.list({ query: {} })).data;
    expect(row?.number).toBe("QM.05");
    expect(read("sops/uncategorized/qm.05-tea.md")).toContain('sop: "QM.05"');
    expect((await sop("status", "--short")).stdout).toBe("");
    expect((await sop("pull", "--yes")).code).toBe(0);
    expect((await sop("lint")).stdout).not.toContain("id-format");
    folder.write({ "sops/again.md": chosen("QM.05"), "sops/odd.md": chosen("12") });
    const refused = await sop("push", "--yes");
    expect(refused.code).toBe(2);
    const told = refused.stdout + refused.stderr;
    expect(told).toContain("QM.05 is taken");
    expect(told).toContain(`"12" doesn't fit the company's numbers. Write one such as QM.07`);
  });

  test("a new document gets its number; what changed here is the next version; what changed there comes back", async () => {
    folder.write({ "sops/it-operations/tea.md": document("Tea", steps) });
    expect((await sop("status")).stdout).toBe(
      "Nothing was pulled or pushed from here yet.\nsops/it-operations/tea.md  new here  Tea\n0 of 1 document unchanged; --remote compares with the server.\n",
    );
    const { name } = (await editor.client.auth.me()).user.company;
    const first = await sop("push", "--note", "First draft");
    expect(first).toMatchObject({ code: 0, stderr: `Company ${name} on ${server.url}\n` });
    expect(first.stdout).toBe(
      "+ create  sops/it-operations/sop-0001-tea.md  SOP-0001 Tea (v1)\nnote  sops/it-operations/sop-0001-tea.md  The owner eve is not a user here: you are the owner, the name is kept as x-owner\nPush: 1 created.\n",
    );
    const path = "sops/it-operations/sop-0001-tea.md";
    expect(existsSync(join(folder.path, "sops/it-operations/tea.md"))).toBe(false);
    expect(read(path)).toMatch(/^---\nsop: "SOP-0001"\nid: "[0-9a-f-]{36}"\nversion: 1\ntitle: "Tea"\n/);
    expect((await sop("push")).stdout).toBe("Push: nothing to do.\n");
    expect((await sop("status", "--short")).stdout).toBe("");

    change(path, "Wait.", "Wait 4 minutes.");
    expect((await sop("status", "-s")).stdout).toBe(`M  ${path}\n`);
    expect((await sop("push", "--dry-run", "--detailed-exitcode")).code).toBe(10);
    expect((await sop("push", "--note", "How long")).stdout).toBe(
      `~ update  ${path}  SOP-0001 Tea (v2)\nPush: 1 updated.\n`,
    );
    const [row] = (await editor.client.sops.list()).data;
    const versions = await editor.client.sops.versions({ params: { id: row?.id ?? "" } });
    expect(versions.map(({ version, changeNote }) => [version, changeNote])).toEqual([
      [2, "How long"],
      [1, "First draft"],
    ]);

    await save(row?.id ?? "", `${steps}6. Wash the cup.\n`);
    expect((await sop("status", "-s", "--remote")).stdout).toBe(` M ${path}\n`);
    expect((await sop("pull", "-n", "--detailed-exitcode")).code).toBe(10);
    const pulled = await sop("pull");
    expect(pulled).toMatchObject({ code: 0, stdout: `~ update  ${path}  SOP-0001 Tea (v3)\nPull: 1 updated.\n` });
    expect(read(path)).toContain("6. Wash the cup.");
    expect((await sop("pull")).stdout).toBe("Pull: 1 unchanged.\n");
    expect(leftovers()).toEqual([]);
  });

  test("counts files that it doesn't read; --ext pushes them", async () => {
    folder.write({ "sops/it/tea.md.tmpl": document("Tea", steps), ".gitignore": "old/\n", "sops/old/x.md": "x\n" });
    expect((await sop("push")).stderr).toContain("1 file and 1 folder left out: 1 by extension, 1 by .gitignore");
    const ran = await sop("push", "--ext", ".md.tmpl", "--json");
    expect(JSON.parse(ran.stdout)).toMatchObject({
      data: { leftOut: [{ path: "sops/old/", reason: ".gitignore" }], results: [{ outcome: "create", title: "Tea" }] },
    });
    expect(existsSync(join(folder.path, "sops/it/tea.md.tmpl"))).toBe(false);
    expect(read(file)).toContain("Boil the water.");
  });

  test("pulls only the SOPs that the filters choose", async () => {
    await make("Tea", steps);
    await editor.client.sops.create({ body: { title: "Coffee", description: "D", markdown: steps, tags: ["hot"] } });
    expect((await sop("pull", "--tag", "hot")).stdout).toMatch(/^\+ \S+ +\S+coffee\.md .*\nPull: 1 \S+\.\n$/);
    expect((await sop("pull", "--tag", "cold")).stdout).toMatch(/^Pull: /);
  });

  test("changes of both sides in other places are merged; the result goes up as the next version", async () => {
    const { id } = await make("Tea", steps);
    await sop("pull");
    change(file, 'title: "Tea"', 'title: "Green tea"');
    change(file, "5. Drink.", "5. Drink slowly.");
    await save(id, steps.replace("Fill the kettle", "Fill the big kettle"));
    const refused = await sop("push");
    expect(refused.code).toBe(6);
    expect(refused.stdout).toBe(
      `! conflict  ${file}  the server has version 2, yours is based on 1; run \`sop pull\` to merge them\nPush: 1 in conflict.\n`,
    );
    expect((await sop("pull")).stdout).toBe(`~ merge  ${file}  SOP-0001 Tea (v2)\nPull: 1 merged.\n`);
    expect(read(file)).toContain('version: 2\ntitle: "Green tea"');
    expect(read(file)).toMatch(/big kettle[^]*Drink slowly/);
    expect((await sop("push")).stdout).toBe(`~ update  ${file}  SOP-0001 Green tea (v3)\nPush: 1 updated.\n`);
    expect(await editor.client.sops.get({ params: { id } })).toMatchObject({ title: "Green tea", version: 3 });
  });

  test("keeps a file whose words changed on both sides, writes a merge beside it, and ends with the decision there", async () => {
    const { id } = await make("Tea", steps);
    await sop("pull");
    change(file, "4. Wait.", "4. Wait 3 minutes.");
    const mine = read(file);
    await save(id, steps.replace("Wait", "Wait 5 minutes"));
    const pulled = await sop("pull", "--json");
    expect(pulled.code).toBe(6);
    expect(JSON.parse(pulled.stdout)).toMatchObject({
      schema: "sop.pull/1",
      ok: false,
      data: { totals: { conflict: 1 }, results: [{ outcome: "conflict", path: file, id, number: "SOP-0001" }] },
      errors: [{ code: "conflict", path: file, message: "1 place changed here and on the server" }],
    });
    expect(read(file)).toBe(mine);
    expect(read(`${file}.merge`)).toContain(
      "<<<<<<< yours\n4. Wait 3 minutes.\n=======\n4. Wait 5 minutes.\n>>>>>>> server, version 2\n",
    );
    expect((await sop("status", "-s")).stdout).toBe(`C  ${file}\n`);
    expect((await sop("push")).code).toBe(6);
    expect((await sop("pull")).code).toBe(6);
    change(`${file}.merge`, /<<<<<<< [^]*>>>>>>> .*\n/.exec(read(`${file}.merge`))?.[0] ?? "", "4. Wait 4 minutes.\n");
    expect((await sop("push")).stdout).toBe(`~ update  ${file}  SOP-0001 Tea (v3)\nPush: 1 updated.\n`);
    expect(existsSync(join(folder.path, `${file}.merge`))).toBe(false);
    expect((await editor.client.sops.get({ params: { id } })).markdown).toContain("Wait 4 minutes");
    expect((await sop("status", "-s", "--remote")).stdout).toBe("");
  });

  test("a conflict is decided by a flag too, and a file written to after its merge was made is not taken over", async () => {
    const { id } = await make("Tea", steps);
    await sop("pull");
    change(file, "4. Wait.", "4. Wait 3 minutes.");
    await save(id, steps.replace("Wait", "Wait 5 minutes"));
    await sop("pull");
    change(file, "3 minutes", "2 minutes");
    folder.write({ [`${file}.merge`]: read(file) });
    const late = await sop("pull");
    expect(late.code).toBe(2);
    expect(late.stderr).toContain(`${file} changed after ${file}.merge was written`);
    rmSync(join(folder.path, `${file}.merge`));
    expect((await sop("pull", "--on-conflict", "mine")).stdout).toContain("~ merge");
    expect(read(file)).toMatch(/version: 2\n[^]*2 minutes/);
    change(file, "2 minutes", "1 minute");
    await save(id, steps.replace("Wait", "Wait 6 minutes"));
    expect((await sop("pull", "--on-conflict", "theirs")).code).toBe(0);
    expect(read(file)).toContain("Wait 6 minutes");
    expect((await sop("push")).stdout).toBe("Push: nothing to do.\n");
  });

  test("a clone without .sop/ finds its base on the server", async () => {
    const { id } = await make("Tea", steps);
    await make("Coffee", "Beans.\n");
    await sop("pull");
    rmSync(join(folder.path, ".sop"), { recursive: true });
    change(file, "5. Drink.", "5. Enjoy.");
    await save(id, steps.replace("Fill", "Fill up"));
    expect((await sop("status", "-s")).stdout).toBe(`?  ${file}\n?  sops/uncategorized/sop-0002-coffee.md\n`);
    expect((await sop("push")).code).toBe(6);
    expect((await sop("pull")).stdout).toBe(`~ merge  ${file}  SOP-0001 Tea (v2)\nPull: 1 merged, 1 unchanged.\n`);
    expect(read(file)).toMatch(/Fill up[^]*Enjoy/);
  });

  test("git brings older and newer copies of a file: each is based on the version it names", async () => {
    const { id } = await make("Tea", steps);
    await sop("pull");
    const first = read(file);
    await save(id, steps.replace("Fill", "Fill up"));
    await sop("pull");
    const second = read(file);
    // an older copy: first unchanged, then changed elsewhere
    folder.write({ [file]: first });
    expect((await sop("push")).code).toBe(6);
    expect((await sop("pull")).stdout).toContain("~ update");
    expect(read(file)).toBe(second);
    folder.write({ [file]: first.replace("Drink", "Enjoy") });
    expect((await sop("pull")).stdout).toContain("~ merge");
    expect(read(file)).toMatch(/version: 2\n[^]*Fill up[^]*Enjoy/);
    // newer than the last pull: another user pulled and committed it
    folder.write({ [file]: second });
    await save(id, steps.replace("Fill", "Refill"));
    const third = read(file).replace("version: 2", "version: 3").replace("Fill up", "Refill");
    folder.write({ [file]: third.replace("Drink", "Sip") });
    expect((await sop("push")).stdout).toBe(`~ update  ${file}  SOP-0001 Tea (v4)\nPush: 1 updated.\n`);
    expect((await editor.client.sops.get({ params: { id } })).markdown).toMatch(/Refill[^]*Sip/);
  });

  test("a date that can't be read refuses the file; a number in another spelling finds its SOP", async () => {
    const wrong = document("Tea", steps).replace("---\n", '---\nreview_by: "01.02.2028"\n');
    folder.write({ "sops/tea.md": wrong });
    const refused = await sop("push");
    expect(refused.code).toBe(2);
    expect(refused.stdout + refused.stderr).toContain(
      "line 2: review_by: 01.02.2028 can't be read. Write the date as YYYY-MM-DD, from 1900 to 2999",
    );
    // an import keeps what it can't read, and always says so
    expect((await sop("import", "--dry-run", "sops")).stdout).toContain("review_by: 01.02.2028 can't be read");
    const listed = document("Tea", steps).replace("---\n", "---\ncategory: [Tea]\n");
    folder.write({ "sops/tea.md": listed });
    expect((await sop("import", "--dry-run", "sops")).stdout).toMatch(
      /tea\.md:2 +category: \["Tea"\] can't be read\. Write the name of one category/,
    );
    folder.write({ "sops/tea.md": wrong.replace("01.02.2028", "2028-02-01") });
    expect((await sop("push")).code).toBe(0);
    expect((await editor.client.sops.list({ query: {} })).data[0]?.reviewBy).toBe("2028-02-01");
    expect((await sop("log", "sop 1", "--json")).code).toBe(0);
    expect((await sop("log", "1", "--json")).code).toBe(0);
    expect((await sop("export", "SOP–0001", "--drafts", "--format", "md", "--output", "out")).code).toBe(0);
    expect((await sop("import", "--dry-run", "sops")).stdout).not.toContain("create");
  });

  test("a file that was moved to another folder is named, also beside a change", async () => {
    await make("Tea", steps);
    await sop("pull");
    const there = "sops/it-operations/sop-0001-tea.md";
    folder.write({ [there]: read(file) });
    rmSync(join(folder.path, file));
    const note = `note  ${there}  its folder changes nothing: SOP-0001 stays in sops/uncategorized/. Move or archive it in the app\n`;
    expect((await sop("push")).stdout).toBe(`${note}Push: 1 unchanged.\n`);
    expect((await sop("push", "-v")).stdout).toContain(note);
    change(there, "Drink.", "Drink it.");
    expect((await sop("push")).stdout).toBe(`~ update  ${there}  SOP-0001 Tea (v2)\n${note}Push: 1 updated.\n`);
  });

  test("moved, archived, deleted: files follow, nothing of the writer's is deleted", async () => {
    const { id } = await make("Tea", steps);
    const { id: other } = await make("Coffee", "Beans.\n");
    const admin = await company.user("company_admin");
    await sop("pull");
    const [category] = await manager.client.categories.list();
    await manager.client.sops.update({ params: { id }, body: { categoryId: category?.id ?? null } });
    const there = `sops/${category?.slug}/sop-0001-tea.md`;
    expect((await sop("pull")).stdout).toBe(`> move  ${file}  to ${there}\nPull: 1 moved, 1 unchanged.\n`);
    await manager.client.sops.archive({ params: { id }, body: {} });
    expect((await sop("pull")).stdout).toContain(`to archive/${category?.slug}/sop-0001-tea.md`);
    const coffee = "sops/uncategorized/sop-0002-coffee.md";
    await admin.client.sops.remove({ params: { id: other } });
    const gone = await sop("pull");
    expect(gone.stdout).toContain(
      `? gone  ${coffee}  SOP-0002 is deleted, or you can't see it anymore; --prune removes the file`,
    );
    change(coffee, "Beans", "Good beans");
    expect((await sop("pull", "--prune")).stdout).toContain("it has your changes");
    expect((await sop("push")).stdout).toContain("x refused  " + coffee);
    change(coffee, "Good beans", "Beans");
    expect((await sop("pull", "--prune")).stdout).toContain("- remove");
    expect(existsSync(join(folder.path, coffee))).toBe(false);
  });

  test("a file its writer renamed is still the same SOP; one deleted here comes back", async () => {
    const { id } = await make("Tea", steps);
    await sop("pull");
    folder.write({ "sops/mine/x.md": "" });
    renameSync(join(folder.path, file), join(folder.path, "sops/mine/x.md"));
    expect((await sop("status", "-s")).stdout).toBe("R  sops/mine/x.md\n");
    await save(id, "New.\n");
    expect((await sop("pull")).stdout).toContain("~ update  sops/mine/x.md");
    rmSync(join(folder.path, "sops/mine/x.md"));
    expect((await sop("status", "-s")).stdout).toBe("D  sops/mine/x.md\n");
    expect((await sop("pull")).stdout).toContain("+ create  sops/mine/x.md");
  });

  test("refuses a known file that lost its id and number, unless another file has them", async () => {
    const { id } = await make("Tea", steps);
    await sop("pull");
    const whole = read(file);
    const lost = whole.replace(/^(?:sop|id): .*\n/gm, "");
    folder.write({ [file]: lost.replace("Wait.", "Wait longer.") });
    const refused = await sop("push");
    expect(refused.code).not.toBe(0);
    expect(refused.stdout + refused.stderr).toContain("it was the file of SOP-0001 and lost its id");
    expect(refused.stdout + refused.stderr).toContain(
      `put back sop: "SOP-0001" and id: "${id}", or give a new SOP another path`,
    );
    folder.write({ [file]: whole.replace(/^id: .*\n/m, "").replace("Wait.", "Wait longer.") });
    expect((await sop("push")).stdout).toContain(`~ update  ${file}  SOP-0001 Tea (v2)`);
    const kept = read(file);
    folder.write({ "sops/uncategorized/tea.md": kept, [file]: document("Coffee", "## Steps\n\n1. Grind it.\n") });
    expect((await sop("push")).stdout).toContain("SOP-0002 Coffee (v1)");
    expect((await editor.client.sops.list({ query: { total: "true" } })).total).toBe(2);
  });

  test("names the SOP whose text a file without keys has, and notes a text of another SOP", async () => {
    await make("Tea", steps);
    await make("Coffee", "## Procedure\n\n1. Grind the beans.\n2. Heat the press.\n3. Press the sieve down.\n");
    await sop("pull");
    const other = "sops/uncategorized/sop-0002-coffee.md";
    const [tea, coffee] = [read(file), read(other)];
    const bare = (text: string) => text.replace(/^(?:sop|id|version): .*\n/gm, "");
    const advice = "and has no id; put back sop and id of the SOP that it is, or give a new SOP another path";
    for (const edit of ["", "again"]) {
      folder.write({ [file]: bare(coffee).replace("beans", `beans ${edit}`.trim()), [other]: bare(tea) });
      const { code, stdout } = await sop("push");
      expect(code).not.toBe(0);
      expect(stdout).toContain(`it was the file of SOP-0001, but resembles SOP-0002, ${advice}`);
      expect(stdout).toContain(`it was the file of SOP-0002, but resembles SOP-0001, ${advice}`);
    }
    rmSync(join(folder.path, other));
    folder.write({ [file]: tea, "sops/uncategorized/c.md": bare(coffee) });
    expect((await sop("push")).stdout).toContain(
      `it resembles ${other}, the file of SOP-0002, and has no id; put back`,
    );
    rmSync(join(folder.path, "sops/uncategorized/c.md"));

    const textOf = (whole: string) => whole.slice(whole.indexOf("## Procedure"));
    folder.write({
      [file]: tea.replace(textOf(tea), textOf(coffee)),
      [other]: coffee.replace(textOf(coffee), textOf(tea)),
    });
    const { stdout } = await sop("push");
    expect(stdout.replaceAll(/ {2,}/g, "  ")).toContain(`note  ${file}  It has the text of SOP-0002\n`);
    expect(stdout.replaceAll(/ {2,}/g, "  ")).toContain(`note  ${other}  It has the text of SOP-0001\n`);
  });

  test("takes a known file without its version as an edit of the version that was pulled", async () => {
    const { id } = await make("Tea", steps);
    await sop("pull");
    const pulled = read(file);
    for (const [turn, keys] of [/^version: .*\n/m, /^(?:id|version): .*\n/gm, /(?<=^version:) .*/m].entries()) {
      folder.write({
        [file]: read(file)
          .replace(keys, "")
          .replace(/Wait.*\./, `Wait ${turn}.`),
      });
      expect((await sop("push")).stdout).toContain(`~ update  ${file}  SOP-0001 Tea (v${turn + 2})`);
      expect(read(file)).toContain(`version: ${turn + 2}\n`);
    }
    await save(id, "Changed there.\n");
    folder.write({
      [file]: read(file)
        .replace(/^version: .*\n/m, "")
        .replace("Drink.", "Sip."),
    });
    expect((await sop("push")).code).toBe(6);
    expect((await editor.client.sops.get({ params: { id } })).markdown).toBe("Changed there.\n");
    // an older copy that git brings back, without its version
    await sop("pull", "--on-conflict", "theirs");
    folder.write({ [file]: pulled.replace(/^version: .*\n/m, "") });
    expect((await sop("push")).stdout).toContain(`~ update  ${file}  SOP-0001 Tea (v6)`);
  });

  test("names the key that can't be read of a known file, and no lost id", async () => {
    await make("Tea", steps);
    await sop("pull");
    const whole = read(file);
    const faults = {
      "version: v1": "line 4: version: v1 can't be read. Write a whole number from 1 on",
      "template: maybe": "template: maybe can't be read. Write true or false",
      "tags: {a: b}": 'tags: {"a":"b"} can\'t be read. Write a list of texts',
      "title: [": "line",
    };
    for (const [line, reason] of Object.entries(faults)) {
      const key = line.replace(/:.*/, "");
      const others = whole.replace(new RegExp(`^${key}:.*\n`, "m"), "");
      folder.write({ [file]: others.replace(/(?<=^id:.*\n)/m, `${line}\n`).replace("Wait.", "Wait longer.") });
      const { code, stdout, stderr } = await sop("push");
      expect([line, code]).toEqual([line, 2]);
      expect(stdout + stderr).toContain(reason);
      expect(stdout + stderr).not.toContain("lost its id");
    }
  });

  test("pull names the key that can't be read of a file, moved or not, and makes no second file of its SOP", async () => {
    const { id } = await make("Tea", steps);
    await sop("pull");
    const whole = read(file);
    await save(id, steps.replace("Wait.", "Wait longer."));
    const faults = {
      "version: v1": "version: v1 can't be read. Write a whole number",
      'version: "1"': 'version: "1" can\'t be read. Write a whole number, without quotes',
      'read_minutes: "5"': 'read_minutes: "5" can\'t be read. Write a whole number, without quotes',
      "template: 'true'": 'template: "true" can\'t be read. Write true or false, without quotes',
      "title: [a]": 'title: ["a"] can\'t be read. Write a text',
    };
    for (const path of [file, "sops/mine/tea.md"]) {
      if (path !== file) rmSync(join(folder.path, file));
      for (const [line, reason] of Object.entries(faults)) {
        const others = whole.replace(new RegExp(`^${line.replace(/:.*/, "")}:.*\n`, "m"), "");
        const broken = others.replace(/(?<=^id:.*\n)/m, `${line}\n`);
        folder.write({ [path]: broken });
        const { code, stdout } = await sop("pull");
        expect([line, code]).toEqual([line, 2]);
        expect(stdout).toContain(`x refused  ${path}  ${reason}; correct it, then pull`);
        expect([read(path), existsSync(join(folder.path, file))]).toEqual([broken, path === file]);
      }
    }
    folder.write({ "sops/mine/tea.md": whole });
    expect((await sop("pull")).stdout).toContain("~ update  sops/mine/tea.md  SOP-0001 Tea (v2)");
  });

  test("refuses a file that lost all keys under another path", async () => {
    const { id } = await make("Tea", steps);
    await sop("pull");
    const whole = read(file);
    const bare = whole.replace(/^---\n[^]*?\n---\n\n/, "").replace("Wait.", "Wait longer.");
    rmSync(join(folder.path, file));
    folder.write({ "sops/mine/tea.md": bare });
    const refused = await sop("push");
    expect(refused.code).toBe(2);
    expect(refused.stdout + refused.stderr).toContain(`it resembles ${file}, the file of SOP-0001, and has no id`);
    expect(refused.stdout + refused.stderr).toContain(
      `put back sop: "SOP-0001" and id: "${id}". For a new SOP, run \`sop pull\` first: it brings back ${file}`,
    );
    folder.write({ "sops/mine/cup.md": document("Cup", "## Procedure\n\n1. Wash the cup.\n2. Wait.\n3. Dry it.\n") });
    expect((await sop("push", "sops/mine/cup.md")).stdout).toContain("SOP-0002 Cup (v1)");
    await sop("pull");
    expect((await sop("push")).stdout).toContain("SOP-0003");
  });

  test("--only takes paths, folders, globs, numbers and ids", async () => {
    folder.write({
      "sops/a/one.md": document("One", steps),
      "sops/a/two.md": document("Two", steps),
      "sops/b/three.md": document("Three", steps),
    });
    expect((await sop("push", "--only", "sops/b")).stdout).toContain("Push: 1 created.");
    expect((await sop("push", "--only", "sops/*/o*.md", "-n")).stdout).toContain("Plan: 1 to create.");
    expect((await sop("pull", "--only", "sop-0001")).stdout).toBe("Pull: 1 unchanged.\n");
    expect(await sop("push", "--only", "nowhere")).toMatchObject({ code: 2, stdout: "" });
    expect((await sop("push", "--only", "sops/uncategorized")).stdout).toBe("Push: nothing to do.\n");
  });

  test("issues don't stop a draft: it's pushed, they are shown, and submitting it is refused", async () => {
    folder.write({ "sops/a/good.md": document("Good", steps), "sops/a/bad.md": document("Bad", "## Steps\n\nTODO\n") });
    const ran = await sop("push");
    expect(ran).toMatchObject({ code: 0, stdout: expect.stringContaining("Push: 2 created.") });
    expect(ran.stderr).toMatch(
      /^Company .+ on http:.*\n(?:.*\n)*warning: sops\/a\/bad\.md:\d+: .*\(text\/placeholder\)\n/m,
    );
    expect(ran.stderr).toContain("2 issues to fix before publishing.");
    const json = await sop("push", "--json");
    expect(JSON.parse(json.stdout)).toMatchObject({
      data: { server: server.url, company: expect.any(String), issues: [] },
    });
    const bad = readdirSync(join(folder.path, "sops/uncategorized")).find((name) => name.endsWith("-bad.md")) ?? "";
    folder.write({ [`sops/uncategorized/${bad}`]: `${read(`sops/uncategorized/${bad}`)}\nMore.\n` });
    const submitted = await sop("push", "--submit", "--approver", "Max Manager");
    expect(submitted.code).toBe(3);
    expect(submitted.stdout).toContain("Push: 1 updated.");
    expect(submitted.stderr).toContain("it is saved as a draft");
  });

  test("pushes every document that an import accepts", async () => {
    const rough = "# Fix it\n\nSee [that](nowhere.md).\n\n#### Deep\n\nTODO [insert name]\n";
    folder.write({ "sop.config.yaml": "schema: 1\npreset: regulated\n", "in/a.md": rough, "sops/a/a.md": `${rough}x` });
    expect((await sop("import", "in/a.md")).code).toBe(0);
    expect(await sop("push", "sops/a/a.md")).toMatchObject({ code: 0, stdout: expect.stringContaining("1 created") });
  });

  test("one bad file stops no other one", async () => {
    await make("Tea", steps);
    await make("Cup", steps);
    await sop("pull");
    const cup = "sops/uncategorized/sop-0002-cup.md";
    folder.write({
      "sops/a/good.md": document("Good", steps),
      "sops/a/broken.md": "---\ntitle: [\n---\n\nText\n",
      "sops/a/large.md": document("Large", "word ".repeat(220_000)),
      "sops/a/bytes.md": Buffer.from([0xff, 0xfe, 0x00, 0x80]).toString("latin1"),
      "sops/a/copy.md": read(file),
    });
    change(cup, "version: 1", "version: 7");
    const ran = await sop("push");
    expect(ran.code).toBe(3);
    expect(ran.stdout).toContain("SOP-0003 Good (v1)");
    for (const name of ["a/broken.md", "a/large.md", "a/copy.md", "uncategorized/sop-0001-tea.md"])
      expect(ran.stdout).toMatch(new RegExp(`x refused +sops/${name}`));
    expect(ran.stdout).toMatch(/x refused +sops\/uncategorized\/sop-0002-cup\.md +version is the server's: put back 1/);
  });

  test("names what became of another tool's markup, with file and line", async () => {
    const path = "sops/a/a.md";
    const body = `${steps}\n!!! warning\n    Hot.\n\n{{< chart id="1" >}}\n`;
    folder.write({ [path]: document("Boxes", body) });
    expect((await sop("push", "-n")).stdout).toContain(
      "Plan: 1 to create. 1 with notes: 1 admonition, 1 template tag; -v shows them.",
    );
    const json = JSON.parse((await sop("push", "-n", "--json")).stdout) as { data: { results: unknown[] } };
    expect(json.data.results).toMatchObject([{ path, notes: [{ line: 15 }, { line: 18 }, { code: "owner-unknown" }] }]);
    const { stdout } = await sop("push", "-v");
    expect(stdout).toMatch(/note +sops\/\S+:15 +!!! warning became /);
    expect(stdout).toMatch(/note +sops\/\S+:18 +\{\{< chart/);
    expect((await sop("push")).stdout).toBe("Push: nothing to do.\n");
  });

  test("takes files: only these are pushed, and a name that fits nothing is 2", async () => {
    folder.write({ "sops/a/one.md": document("One", steps), "sops/a/two.md": document("Two", steps) });
    expect((await sop("push", "sops/a/two.md")).stdout).toContain("Push: 1 created.");
    expect(await sop("push", "sops/a/none.md")).toMatchObject({ code: 2, stdout: "" });
    expect((await editor.client.sops.list()).data.map(({ title }) => title)).toEqual(["Two"]);
  });

  test("^C ends after the request under way, and the server says what it has", async () => {
    const files = Object.fromEntries(
      Array.from({ length: 120 }, (_, at) => [`sops/a/d${at}.md`, document(`Number ${at}`, steps)]),
    );
    folder.write(files);
    let kill: (signal: NodeJS.Signals) => void = () => {};
    const proxy = await interruptingProxy(server.url, () => kill("SIGINT"));
    const env = { SOP_SERVER: proxy.url, SOP_TOKEN: token };
    const ran = await runSop(["push"], { cwd: folder.path, env, started: (end) => (kill = end) });
    proxy.close();
    const there = await editor.client.sops.list({ query: { total: "true" } });
    expect(there.total).toBe(50);
    expect(ran.code).toBe(130);
    expect(ran.stderr).toContain("interrupted: the server has 50 of 120 documents");
    expect(ran.stdout).toContain("Push: 50 created.");
    rmSync(join(folder.path, ".sop/state.json"));
    expect((await sop("push")).stdout).toContain("Push: 70 created.");
  });

  test("^C in an import waits for the request under way, and the server says what it has", async () => {
    const many = Array.from({ length: 110 }, (_, at) => [`in/d${at}.md`, `# Interrupted ${at}\n\nText.\n`]);
    folder.write(Object.fromEntries(many));
    let kill: (signal: NodeJS.Signals) => void = () => {};
    const proxy = await interruptingProxy(server.url, () => kill("SIGINT"));
    const env = { SOP_SERVER: proxy.url, SOP_TOKEN: token };
    const ran = await runSop(["import", "in"], { cwd: folder.path, env, started: (end) => (kill = end) });
    proxy.close();
    expect(ran.code).toBe(130);
    expect(ran.stderr).toContain("interrupted: the server has 50 of 110 documents");
    expect((await sop("import", "in")).stdout).toContain("60 created, 50 unchanged");
  });

  test("--submit asks for approval of what was pushed; who can't decide leaves a draft and exit 3", async () => {
    folder.write({ "sops/a/one.md": document("One", steps) });
    expect((await sop("push", "--submit")).code).toBe(2);
    expect((await sop("push", "--approver", "x")).code).toBe(2);
    const ran = await sop("push", "--submit", "--approver", "Max Manager", "--note", "Please");
    expect(ran).toMatchObject({ code: 0, stderr: expect.stringMatching(/^Company .+ on http:\S+\n$/) });
    expect(ran.stdout).toContain("SOP-0001 version 1 (One) waits for Max Manager");
    const [sopRow] = (await editor.client.sops.list()).data;
    expect(sopRow).toMatchObject({ status: "under_review" });
    folder.write({ "sops/a/two.md": document("Two", steps) });
    const late = await sop("push", "--submit", "--approver", "Nobody Here", "--json");
    expect(late.code).toBe(3);
    expect(JSON.parse(late.stdout)).toMatchObject({
      ok: false,
      data: { totals: { create: 1 } },
      errors: [{ code: "no_approver" }],
    });
  });

  test("pictures that documents link come along", async () => {
    const png = Buffer.from(
      "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
      "base64",
    );
    const { json } = await editor.send({
      method: "POST",
      path: "/api/assets",
      headers: { "content-type": "image/png" },
      body: png,
    });
    const { url } = json() as { url: string };
    const { id } = await make("Tea", `![A kettle](${url})\n`);
    await sop("pull");
    const name = /assets\/[0-9a-f]{2}\/[0-9a-f]{64}\.png/.exec(read(file))?.[0] ?? "";
    expect(readFileSync(join(folder.path, name)).equals(png)).toBe(true);
    change(file, "A kettle", "The kettle");
    expect((await sop("push")).code).toBe(0);
    expect((await editor.client.sops.get({ params: { id } })).markdown).toBe(`![The kettle](${url})\n`);
  });
});

describe("what documents show and link", { timeout: 60_000 }, () => {
  const png = Buffer.from(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
    "base64",
  );

  test("new documents that link each other, with a picture beside them", async () => {
    folder.write({
      "sops/a/tea.md": document("Tea", `${steps}\nThen [wash up](wash-up.md#procedure). ![A cup](img/cup.png)\n`),
      "sops/a/wash-up.md": document("Wash up", `${steps}\nAfter [tea](../a/tea.md).\n`),
      "sops/a/img/cup.png": png,
    });
    expect((await sop("push", "-n")).stdout).toContain("Plan: 2 to create.");
    const ran = await sop("push");
    expect(ran).toMatchObject({ code: 0, stderr: expect.stringMatching(/^Company .+ on http:\S+\n$/) });
    const tea = read("sops/uncategorized/sop-0001-tea.md");
    expect(tea).toContain("[wash up](/sop/SOP-0002#procedure)");
    expect(read("sops/uncategorized/sop-0002-wash-up.md")).toContain("[tea](/sop/SOP-0001)");
    const name = /!\[A cup\]\(\.\.\/\.\.\/(assets\/[0-9a-f]{2}\/[0-9a-f]{64}\.png)\)/.exec(tea)?.[1] ?? "";
    expect(readFileSync(join(folder.path, name)).equals(png)).toBe(true);
    expect((await sop("lint", "sops")).code).toBe(0);
    expect((await sop("push")).stdout).toBe("Push: nothing to do.\n");
    expect((await sop("pull")).stdout).toBe("Pull: 2 unchanged.\n");
    // a link to an SOP that exists
    folder.write({ "sops/a/milk.md": document("Milk", `${steps}\nFor [tea](../uncategorized/sop-0001-tea.md).\n`) });
    expect((await sop("push")).code).toBe(0);
    expect(read("sops/uncategorized/sop-0003-milk.md")).toContain("[tea](/sop/SOP-0001)");
  });
});

describe("what goes wrong", { timeout: 60_000 }, () => {
  test("outside a workspace 2, without a token or with a wrong one 4, server down 5", async () => {
    const other = makeFolder();
    for (const command of ["pull", "push", "status"]) {
      const ran = await callSop([command], { cwd: other.path, env: { SOP_SERVER: server.url, SOP_TOKEN: token } });
      expect(ran).toMatchObject({ code: 2, stdout: "" });
      expect(ran.stderr).toContain("run `sop init`");
    }
    other.remove();
    const as = (env: Record<string, string>, ...args: string[]) => callSop(args, { cwd: folder.path, env });
    for (const command of ["pull", "push"]) {
      expect((await as({ SOP_SERVER: server.url }, command)).code).toBe(4);
      expect((await as({ SOP_SERVER: server.url, SOP_TOKEN: "sop_pat_x" }, command)).code).toBe(4);
      expect((await as({ SOP_SERVER: "http://127.0.0.1:1", SOP_TOKEN: token }, command)).code).toBe(5);
    }
    expect((await as({ SOP_SERVER: "http://127.0.0.1:1", SOP_TOKEN: token }, "status", "--remote")).code).toBe(5);
    expect((await as({}, "status")).code).toBe(0);
  });

  test("another server, another company, a state file that is none", async () => {
    await make("Tea", steps);
    await sop("pull");
    const elsewhere = await callSop(["pull"], {
      cwd: folder.path,
      env: { SOP_SERVER: "http://127.0.0.1:1", SOP_TOKEN: token },
    });
    expect(elsewhere).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(`this workspace belongs to ${server.url}`),
    });
    const stranger = await (await server.company()).user("editor");
    const theirs = (await stranger.client.tokens.create({ body: { name: "x", scopes: ["sops:read", "sops:write"] } }))
      .token;
    const ran = await callSop(["push"], { cwd: folder.path, env: { SOP_SERVER: server.url, SOP_TOKEN: theirs } });
    expect(ran).toMatchObject({ code: 2, stderr: expect.stringContaining("isn't in the company of this workspace") });
    const escape = { number: "SOP-1", path: "../../x.md", remotePath: "x", version: 1, sha256: "x" };
    const id = "00000000-0000-7000-8000-000000000001";
    for (const text of ["{", "{}", JSON.stringify({ schema: 1, server: "x", company: "y", sops: { [id]: escape } })]) {
      folder.write({ ".sop/state.json": text });
      expect(await sop("pull")).toMatchObject({ code: 2, stderr: expect.stringContaining("delete .sop/state.json") });
    }
  });

  test("^C in the middle is 130 and leaves whole files; the same command goes on", async () => {
    const names = ["One", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight"];
    for (const name of names) await make(name, `${name}.\n`);
    // four at a time: the sixth begins when two have finished
    const slow = await slowAfter(5);
    let kill: (signal: NodeJS.Signals) => void = () => {};
    const running = runSop(["pull"], {
      cwd: folder.path,
      env: { SOP_SERVER: slow.url, SOP_TOKEN: token },
      started: (how) => (kill = how),
    });
    await slow.reached;
    kill("SIGINT");
    expect(await running).toMatchObject({ code: 130, stderr: expect.stringContaining("interrupted") });
    slow.close();
    const there = () => readdirSync(join(folder.path, "sops/uncategorized"));
    const done = there().length;
    expect(done).toBeGreaterThanOrEqual(2);
    expect(done).toBeLessThan(names.length);
    for (const name of there())
      expect(read(`sops/uncategorized/${name}`)).toMatch(/^---\n[^]*\n---\n\n[A-Z][a-z]+\.\n$/);
    expect(leftovers()).toEqual([]);
    change(".sop/state.json", slow.url, server.url);
    expect((await sop("pull")).stdout).toContain(`Pull: ${names.length - done} created, ${done} unchanged.\n`);
    expect(there()).toHaveLength(names.length);
    expect((await sop("status", "--short", "--remote")).stdout).toBe("");
  });

  test("an SOP that went between the list and its text leaves no file, and none is emptied", async () => {
    const { id } = await make("Tea", steps);
    const gone = await slowAfter(0, true);
    const pull = () => callSop(["pull"], { cwd: folder.path, env: { SOP_SERVER: gone.url, SOP_TOKEN: token } });
    expect((await pull()).stdout).toBe("Pull: nothing to do.\n");
    expect(existsSync(join(folder.path, "sops"))).toBe(false);
    rmSync(join(folder.path, ".sop"), { recursive: true });
    await sop("pull");
    await save(id, "New.\n");
    change(".sop/state.json", server.url, gone.url);
    expect((await pull()).stdout).toContain("? gone");
    expect(read(file)).toContain("Boil the water");
    gone.close();
  });

  test("a token goes to no server that a file of the folder names", async () => {
    const theirs = await slowAfter(0);
    const state = { schema: 1, server: theirs.url, company: "x", sops: {} };
    folder.write({ ".sop/state.json": JSON.stringify(state) });
    const asked: Promise<string> = theirs.asked.then(() => "asked");
    for (const command of ["pull", "push"]) {
      expect(await callSop([command], { cwd: folder.path, env: { SOP_TOKEN: token } })).toMatchObject({ code: 2 });
    }
    expect(await Promise.race([asked, Promise.resolve("silent")])).toBe("silent");
    theirs.close();
  });

  test("does not overwrite a file at the path of a new one", async () => {
    await make("Tea", steps);
    folder.write({ [file]: document("My own tea", steps) });
    const ran = await sop("pull");
    expect(ran).toMatchObject({ code: 6, stdout: expect.stringContaining("another file is in its place") });
    expect(read(file)).toContain("My own tea");
  });

  test("gives a reader's pull the published versions, and refuses a push of them with 4 or 2, never half done", async () => {
    const { id } = await make("Tea", steps);
    await manager.client.sops.publish({ params: { id }, body: {} });
    await save(id, "A draft.\n");
    const viewer = await company.user("viewer");
    const scopes = ["sops:read", "sops:write"] as const;
    const { token: theirs } = await viewer.client.tokens.create({ body: { name: "x", scopes: [...scopes] } });
    const asViewer = (...args: string[]) =>
      callSop(args, { cwd: folder.path, env: { SOP_SERVER: server.url, SOP_TOKEN: theirs } });
    expect((await asViewer("pull")).stdout).toContain("(v1)");
    expect(read(file)).toContain("Boil the water");
    change(file, "Boil", "Cook");
    expect((await asViewer("push")).code).toBe(4);
    expect(await editor.client.sops.get({ params: { id } })).toMatchObject({ version: 2 });
  });
});
