import { createHash } from "node:crypto";
import { afterAll, describe, expect, it } from "vitest";
import type { AppError } from "#core/errors.ts";
import { documentAsHtmlFile } from "#core/export/html/page.ts";
import { renderHtml } from "#core/markdown/render.ts";
import { documentOf } from "../../test/export-words.ts";
import { withCaller } from "../capacity/caller.ts";
import { resources } from "../capacity/resources.ts";
import { createRenderPool, type RenderPool } from "./pool.ts";

const one = { ...resources.render, atOnce: 1, companyAtOnce: 1 };
const pool = createRenderPool({ bounds: one });
const strict = createRenderPool({ bounds: one, cpu: 100 });
const north = { companyId: "north", userId: "ann" };
const south = { companyId: "south", userId: "eve" };
/** Just inside the guard's limits, and still hundreds of milliseconds of work: the start leaves it to the slower parser. */
const heavy = `www. ${"*a_ ".repeat(1_900)}`;

afterAll(async () => {
  await Promise.all([pool.close(), strict.close()]);
});

describe("the render pool", () => {
  it("renders in pieces the same page as core once its images are in place", async () => {
    const [here, gone] = [`${"ab".repeat(32)}.png`, `${"cd".repeat(32)}.png`];
    const markdown = `Ä ![one](/api/assets/${here}) ![two](/api/assets/${gone}) ![three](/api/assets/${here})\n`;
    const [document, html] = [documentOf(markdown), renderHtml(markdown)];
    const { texts, names } = await pool.documentAsHtmlFile({ document, html, images: { [here]: "image/png" } });
    expect(names).toEqual([here, here]);
    const image = (name: string) => (name === here ? `data:image/png;base64,${name}` : undefined);
    const hash = (style: string) => createHash("sha256").update(style).digest("base64");
    expect(texts.map((text, n) => text + (names[n] ?? "")).join("")).toBe(
      documentAsHtmlFile(document, { html, image }, hash),
    );
  });

  it("returns the same as the functions of core", async () => {
    await expect(pool.render("**a** <script>1</script>")).resolves.toBe("<p><strong>a</strong> </p>");
    await expect(pool.format("* a")).resolves.toBe("- a\n");
    await expect(pool.compose({ markdown: "# T\n\n# A" }, { title: "T", origin: "" })).resolves.toMatchObject({
      markdown: "## A\n",
    });
    await expect(pool.fromHtml("<p>a<script>1</script></p>")).resolves.toEqual({
      markdown: "a\n",
      losses: ["<script> was removed"],
    });
    await expect(pool.diff("a b\n", "a c\n")).resolves.toEqual({
      blocks: [{ kind: "changed", html: "<p>a <del>b</del><ins>c</ins></p>" }],
      markdown: [
        { kind: "removed", text: "a b\n" },
        { kind: "added", text: "a c\n" },
      ],
    });
    await expect(pool.readDocument({ path: "a.md", text: "# A\n\ntext\n" })).resolves.toMatchObject({
      frontMatter: { title: "A", description: "text" },
      body: "text\n",
    });
  });

  it("returns refusals unchanged", async () => {
    await expect(pool.readDocument({ path: "a.md", text: "---js\n1\n---\n" })).rejects.toMatchObject({
      code: "invalid_input",
      details: { path: "a.md", line: 1 },
    });
  });

  it.each([
    ["20 KB of emphasis", "*a_ ".repeat(5_000), "unprocessable"],
    ["20 KB of quotes", ">".repeat(20_000), "unprocessable"],
    ["too many bytes", "a".repeat(1_200_000), "too_large"],
  ])("refuses %s without calling a worker", async (_, text, code) => {
    await expect(pool.render(text)).rejects.toMatchObject({ code });
    await expect(pool.format(text)).rejects.toMatchObject({ code });
    await expect(pool.diff("a", text)).rejects.toMatchObject({ code });
  });

  it("kills a worker that exceeds its CPU time, never blocks the event loop, and goes on with another", async () => {
    let ticks = 0;
    const timer = setInterval(() => (ticks += 1), 5);
    await expect(strict.format(heavy)).rejects.toMatchObject({ code: "unprocessable", status: 422 });
    clearInterval(timer);
    expect(ticks).toBeGreaterThan(5);
    await expect(strict.format("* a")).resolves.toBe("- a\n");
  });

  it("answers the others in the queue of a killed worker", async () => {
    const answers = await Promise.allSettled([strict.format(heavy), strict.format("* a"), strict.format("* b")]);
    expect(answers.map(({ status }) => status)).toEqual(["rejected", "fulfilled", "fulfilled"]);
  });

  it("refuses HTML nested deeper than the stack, and huge HTML", async () => {
    await expect(pool.fromHtml("<div>".repeat(50_000))).rejects.toMatchObject({ code: "unprocessable" });
    await expect(pool.fromHtml("a".repeat(5_000_000))).rejects.toMatchObject({ code: "too_large" });
  });

  it("renders a text once for any number of calls", async () => {
    const [first, ...others] = await Promise.all(Array.from({ length: 20 }, () => pool.render("same *text*")));
    expect(others.every((html) => html === first)).toBe(true);
    await expect(pool.render("same *text*")).resolves.toBe(first);
  });

  it("keeps a thread for other companies while one company's texts take all they can get", async () => {
    const shared = createRenderPool({
      bounds: { ...one, atOnce: 3, companyAtOnce: 2, userAtOnce: 2, waitMs: 600_000 },
      cpu: 500,
      wall: 600_000,
    });
    const order: string[] = [];
    const hostile = Array.from({ length: 6 }, (_, index) =>
      withCaller(north, () => shared.format(`${index}\n\n${heavy}\n\n${heavy}`).catch(() => undefined)).then(() =>
        order.push("north"),
      ),
    );
    await withCaller(south, () => shared.render("south's own text"));
    order.push("south");
    expect(shared.load()).toEqual({ running: 2, waiting: 4 });
    await Promise.all(hostile);
    expect(order).toEqual(["south", ...Array<string>(6).fill("north")]);
    await shared.close();
  });

  it("renders the same text for two companies, each in its own place", async () => {
    const shared = createRenderPool({ bounds: { ...one, atOnce: 2 } });
    const first = withCaller(north, () => shared.render("shared text"));
    const second = withCaller(south, () => shared.render("shared text"));
    const again = withCaller(south, () => shared.render("shared text"));
    expect(shared.load()).toEqual({ running: 2, waiting: 0 });
    expect(new Set(await Promise.all([first, second, again]))).toEqual(new Set(["<p>shared text</p>"]));
    await shared.close();
  });

  it("refuses a user with too much waiting, and all users once it is closed", async () => {
    const small = createRenderPool({ bounds: { ...one, userWaiting: 1 } });
    const asked = [small.format("a"), small.format("b"), small.format("c")];
    const states = await Promise.allSettled(asked);
    expect(states.map(({ status }) => status)).toEqual(["fulfilled", "fulfilled", "rejected"]);
    expect(states[2]).toMatchObject({ reason: { code: "rate_limited" } });
    await small.close();
    await expect(small.format("a")).rejects.toMatchObject({ code: "busy" });
  });

  it("counts a dense text's markup in a thread, after its turn has come", async () => {
    const closed = createRenderPool();
    await closed.close();
    const dense = "# a\n".repeat(50_000);
    const ask = (pool: RenderPool) =>
      Promise.allSettled([pool.render(dense), pool.format(dense), pool.tidy(dense), pool.edits.read(dense)]);
    const codes = (states: PromiseSettledResult<unknown>[]) =>
      states.map((state) => (state.status === "rejected" ? (state.reason as AppError).code : "none"));
    expect(codes(await ask(closed))).toEqual(Array.from({ length: 4 }, () => "busy"));
    const open = createRenderPool();
    expect(codes(await ask(open))).toEqual(Array.from({ length: 4 }, () => "unprocessable"));
    await open.close();
  });

  it("counts the time in the queue, and reports that it is busy when a text gets no time", async () => {
    const slow = createRenderPool({ bounds: one, cpu: 60_000, wall: 100 });
    await expect(slow.format(`${heavy}\n\n${heavy}`)).rejects.toMatchObject({ code: "busy" });
    await slow.close();
  });
});
