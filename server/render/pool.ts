import { AppError } from "#core/errors.ts";
import type { SopDraft } from "#core/ai/draft.ts";
import type { CheckedDraft, DraftRequest } from "#core/ai/generate.ts";
import type { EditRunner, ImprovedText } from "#core/ai/improve.ts";
import { mayLinkAssets, type AssetLinks } from "#core/markdown/assets.ts";
import { mayLinkSops, type SopLinkPlace } from "#core/markdown/sop-links.ts";
import type { SopMention } from "#core/markdown/sop-mentions.ts";
import type { Finding } from "#core/lint/finding.ts";
import type { ConvertedHtml } from "#core/markdown/from-html.ts";
import { limits } from "#core/limits.ts";
import { assertSize, utf8Length } from "#core/markdown/limits.ts";
import { currentCaller } from "../capacity/caller.ts";
import { createFairQueue, type QueueLimits } from "../capacity/fair-queue.ts";
import { serverLimits, resources } from "../capacity/resources.ts";
import { createHtmlCache } from "./html-cache.ts";
import { startThread, type WorkerThread } from "./thread.ts";
import type {
  ComposedText,
  ComposeOptions,
  HtmlPage,
  TextToPublish,
  TextWithMentions,
  PageInPieces,
  ReadMarkdown,
  SubmittedSource,
  TaskName,
  Tasks,
  TextDiff,
} from "./tasks.ts";
import { refusals } from "./refusals.ts";

export interface RenderPoolOptions {
  /**
   * The number of threads, and the share of each company and user. Threads start when they are first needed, and stay.
   */
  bounds?: QueueLimits;
  /** Milliseconds of CPU time that a task may take; 2,000. */
  cpu?: number;
  /** Milliseconds that a task may take, with its time in the queue; 10,000. */
  wall?: number;
  /** The maximum number of characters of rendered HTML in the cache; 32 million. */
  cache?: number;
}

/**
 * Works on texts in threads, so that this work never blocks the event loop. Methods reject with `too_large` or
 * `unprocessable` for texts that no worker can finish.
 */
export interface RenderPool {
  render(markdown: string): Promise<string>;
  format(markdown: string): Promise<string>;
  /**
   * Converts a body to its stored form: canonical, without an H1, and certain to be rendered in time. Notes name what
   * the conversion lost.
   */
  compose(source: SubmittedSource, options: ComposeOptions): Promise<ComposedText>;
  fromHtml(html: string): Promise<ConvertedHtml>;
  readDocument(file: { path: string; text: string }): Promise<ReadMarkdown>;
  assetLinks(markdown: string): Promise<AssetLinks>;
  /** @param origin the server's own address */
  sopLinks(markdown: string, origin: string): Promise<SopLinkPlace[]>;
  /** Turns SOP numbers in running text into links. */
  linkMentions(text: TextWithMentions): Promise<{ markdown: string; mentions: SopMention[] }>;
  /** Checks a text by the rules that the company chose. Lines and offsets begin at the body, below the front matter. */
  findings(text: TextToPublish): Promise<Finding[]>;
  /** Checks a draft that a model wrote. */
  checkDraft(draft: SopDraft, request: DraftRequest): Promise<CheckedDraft>;
  edits: EditRunner;
  /** Makes the fixes that rules alone can make. */
  tidy(markdown: string): Promise<ImprovedText>;
  /** Renders an SOP as one HTML file that needs no other file, with a gap for each image. */
  documentAsHtmlFile(page: HtmlPage): Promise<PageInPieces>;
  /** Compares two texts, as readers see them and line by line. */
  diff(before: string, after: string): Promise<TextDiff>;
  /** Starts all threads now, so that no request waits for one. */
  warm(): void;
  /** Returns the numbers of running and waiting tasks. */
  load(): { running: number; waiting: number };
  close(): Promise<void>;
}

const largestHtml = 4 * limits.document;

function assertHtmlSize(content: string): void {
  if (utf8Length(content) > largestHtml)
    throw new AppError("too_large", refusals.largeHtml({ mebibytes: largestHtml / 1024 / 1024 }));
}

/**
 * Returns the number of pieces in a task's longest text, up to the largest stored text. Each piece gets the CPU time of
 * one task.
 */
function renderPieceCount(input: unknown): number {
  return Math.ceil(Math.min(Math.max(1, longestTextLength(input)), limits.document) / limits.renderPiece);
}

function longestTextLength(input: unknown): number {
  if (typeof input === "string") return input.length;
  return typeof input === "object" && input !== null ? Math.max(0, ...Object.values(input).map(longestTextLength)) : 0;
}

/**
 * Creates a pool of threads for Markdown. Companies share the threads fairly. A task that overruns is `unprocessable`,
 * and its thread is killed. A caller with too much waiting work gets `rate_limited`, after too long a wait `busy`.
 */
export function createRenderPool(options: RenderPoolOptions = {}): RenderPool {
  const {
    bounds = resources.render,
    cpu = limits.renderCpuMs,
    wall = limits.renderWallMs,
    cache = serverLimits.htmlCache.atMost,
  } = options;
  const queue = createFairQueue(bounds);
  const threads = new Map<WorkerThread, "idle" | "busy">();
  const html = createHtmlCache(cache);
  let closed = false;

  function idleOrNewThread(): WorkerThread {
    for (const [thread, state] of threads) {
      if (!thread.alive) threads.delete(thread);
      else if (state === "idle") return thread;
    }
    return startThread({ cpu, wall });
  }

  /**
   * Frees the queue slot of a thread. If the thread was killed, its company's task holds the slot until another thread
   * has started, so that no other company waits for the start.
   */
  async function releaseThread(thread: WorkerThread, leave: () => void): Promise<void> {
    let ready = thread;
    if (!thread.alive) threads.delete(thread);
    if (!thread.alive && !closed) {
      ready = startThread({ cpu, wall });
      threads.set(ready, "busy");
      await ready.started().catch(() => undefined);
    }
    if (ready.alive && !closed) threads.set(ready, "idle");
    leave();
  }

  async function run<Name extends TaskName>(task: Name, input: Tasks[Name]["input"]): Promise<Tasks[Name]["output"]> {
    const queuedAt = performance.now();
    const leave = await queue.enter();
    const thread = idleOrNewThread();
    threads.set(thread, "busy");
    try {
      return (await thread.run({ task, input }, queuedAt, renderPieceCount(input))) as Tasks[Name]["output"];
    } finally {
      void releaseThread(thread, leave);
    }
  }

  async function renderMarkdown(markdown: string): Promise<string> {
    assertSize(markdown);
    return html.get(markdown, currentCaller().companyId, () => run("render", markdown));
  }

  return {
    render: renderMarkdown,
    async format(markdown) {
      assertSize(markdown);
      return run("format", markdown);
    },
    async compose(source, options) {
      if ("content" in source) assertHtmlSize(source.content);
      else assertSize(source.markdown);
      // the task has rendered the text too, so cache the HTML
      const { html: shown, ...text } = await run("compose", { ...source, ...options });
      html.keep(text.markdown, shown);
      return text;
    },
    async fromHtml(content) {
      assertHtmlSize(content);
      return run("fromHtml", content);
    },
    readDocument: (file) => run("readDocument", file),
    assetLinks: async (markdown) =>
      mayLinkAssets(markdown) ? run("assetLinks", markdown) : { assets: [], places: [] },
    sopLinks: async (markdown, origin) => (mayLinkSops(markdown) ? run("sopLinks", { markdown, origin }) : []),
    linkMentions: (text) => run("linkMentions", text),
    findings: (text) => run("findings", text),
    checkDraft: (draft, { prompt, language, sources, frontMatter }) =>
      run("checkDraft", {
        draft,
        request: { prompt, language, ...(sources ? { sources } : {}), ...(frontMatter ? { frontMatter } : {}) },
      }),
    edits: {
      async read(markdown) {
        assertSize(markdown);
        return run("readText", markdown);
      },
      attempt: (trial) => run("tryEdits", trial),
      findings: (markdown) => run("findingsIn", markdown),
    },
    async tidy(markdown) {
      assertSize(markdown);
      return run("tidy", markdown);
    },
    documentAsHtmlFile: (page) => run("documentAsHtmlFile", page),
    async diff(before, after) {
      const [old, now] = await Promise.all([renderMarkdown(before), renderMarkdown(after)]);
      return run("diff", { before: { markdown: before, html: old }, after: { markdown: after, html: now } });
    },
    warm() {
      while (threads.size < bounds.atOnce) threads.set(startThread({ cpu, wall }), "idle");
    },
    load: queue.load,
    async close() {
      closed = true;
      queue.close();
      await Promise.all([...threads.keys()].map((thread) => thread.close()));
      threads.clear();
    },
  };
}
