import { AppError } from "#core/errors.ts";
import type { SopDraft } from "#core/ai/draft.ts";
import type { CheckedDraft, DraftRequest } from "#core/ai/generate.ts";
import type { EditWork, ImprovedText } from "#core/ai/improve.ts";
import { mayLinkAssets, type AssetLinks } from "#core/markdown/assets.ts";
import type { Finding } from "#core/lint/rule.ts";
import type { ConvertedHtml } from "#core/markdown/from-html.ts";
import { limits } from "#core/limits.ts";
import { guardMarkdown, utf8Length } from "#core/markdown/limits.ts";
import { createHtmlCache } from "./html-cache.ts";
import { startThread, type Thread } from "./thread.ts";
import type { Ask, JudgedText, ReadMarkdown, TaskName, Tasks, TextDiff } from "./tasks.ts";

export interface RenderPoolOptions {
  /** Worker threads; 2. They start with the first task and stay. */
  workers?: number;
  /** Milliseconds of CPU a task may take; 2,000 (design security.md). */
  cpu?: number;
  /** Milliseconds a task may take, waiting for a worker not counted; 10,000. */
  wall?: number;
  /** Tasks that may wait; beyond that the answer is `busy`; 1,000. */
  queue?: number;
  /** Characters of rendered HTML kept; 32 million. */
  cache?: number;
}

/** Every method rejects with `too_large` or `unprocessable` for texts no worker could finish, never blocks the event loop. */
export interface RenderPool {
  render(markdown: string): Promise<string>;
  format(markdown: string): Promise<string>;
  /** A body as it is stored: canonical, without an H1, and sure to be rendered in time. */
  body(markdown: string, title: string): Promise<string>;
  fromHtml(html: string): Promise<ConvertedHtml>;
  readDocument(file: { path: string; text: string }): Promise<ReadMarkdown>;
  assetLinks(markdown: string): Promise<AssetLinks>;
  /** What the rules of a preset find; lines and offsets count in the body. */
  findings(text: JudgedText): Promise<Finding[]>;
  /** Work on what a model wrote, or is to be shown. */
  checkDraft(draft: SopDraft, request: Omit<DraftRequest, "prompt">): Promise<CheckedDraft>;
  edits: EditWork;
  /** What rules alone can put right. */
  tidy(markdown: string): Promise<ImprovedText>;
  /** What differs between two texts, as readers see it and line by line. */
  diff(before: string, after: string): Promise<TextDiff>;
  close(): Promise<void>;
}

const largestHtml = 2 * 1024 * 1024;

interface Waiting {
  ask: Ask;
  resolve(output: unknown): void;
  reject(error: unknown): void;
}

/** Markdown work off the event loop, under a deadline: an overrun kills its worker and the task is `unprocessable`. */
export function createRenderPool(options: RenderPoolOptions = {}): RenderPool {
  const {
    workers = 2,
    cpu = limits.renderCpuMs,
    wall = limits.renderWallMs,
    queue = 1_000,
    cache = 32_000_000,
  } = options;
  const threads = new Map<Thread, "idle" | "busy">();
  const waiting: Waiting[] = [];
  const html = createHtmlCache(cache);
  let closed = false;

  function idleThread(): Thread | undefined {
    for (const [thread, state] of threads) {
      if (!thread.alive) threads.delete(thread);
      else if (state === "idle") return thread;
    }
    return threads.size < workers ? startThread({ cpu, wall }) : undefined;
  }

  function next(): void {
    while (waiting.length > 0) {
      const thread = idleThread();
      const task = thread === undefined ? undefined : waiting.shift();
      if (thread === undefined || task === undefined) return;
      threads.set(thread, "busy");
      const free = (): void => {
        if (thread.alive) threads.set(thread, "idle");
        else threads.delete(thread);
        next();
      };
      thread.run(task.ask).then(task.resolve, task.reject).finally(free);
    }
  }

  function run<Name extends TaskName>(task: Name, input: Tasks[Name]["input"]): Promise<Tasks[Name]["output"]> {
    if (closed || waiting.length >= queue) return Promise.reject(new AppError("busy"));
    return new Promise<unknown>((resolve, reject) => {
      waiting.push({ ask: { task, input }, resolve, reject });
      next();
    }) as Promise<Tasks[Name]["output"]>;
  }

  async function render(markdown: string): Promise<string> {
    guardMarkdown(markdown);
    return html.get(markdown, () => run("render", markdown));
  }

  return {
    render,
    async format(markdown) {
      guardMarkdown(markdown);
      return run("format", markdown);
    },
    async body(markdown, title) {
      guardMarkdown(markdown);
      const canonical = await run("body", { markdown, title });
      html.keep(canonical.markdown, canonical.html);
      return canonical.markdown;
    },
    async fromHtml(content) {
      if (utf8Length(content) > largestHtml) throw new AppError("too_large", "The HTML is larger than 2 MiB");
      return run("fromHtml", content);
    },
    readDocument: (file) => run("readDocument", file),
    assetLinks: async (markdown) =>
      mayLinkAssets(markdown) ? run("assetLinks", markdown) : { assets: [], places: [] },
    findings: (text) => run("findings", text),
    checkDraft: (draft, { language, sources, frontMatter }) =>
      run("checkDraft", {
        draft,
        request: { language, ...(sources ? { sources } : {}), ...(frontMatter ? { frontMatter } : {}) },
      }),
    edits: {
      async read(markdown) {
        guardMarkdown(markdown);
        return run("readText", markdown);
      },
      attempt: (trial) => run("tryEdits", trial),
      findings: (markdown) => run("findingsIn", markdown),
    },
    async tidy(markdown) {
      guardMarkdown(markdown);
      return run("tidy", markdown);
    },
    async diff(before, after) {
      const [old, now] = await Promise.all([render(before), render(after)]);
      return run("diff", { before: { markdown: before, html: old }, after: { markdown: after, html: now } });
    },
    async close() {
      closed = true;
      for (const { reject } of waiting.splice(0)) reject(new AppError("busy", "The server is stopping"));
      await Promise.all([...threads.keys()].map((thread) => thread.close()));
      threads.clear();
    },
  };
}
