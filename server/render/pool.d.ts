import type { MarkdownDocument } from "#core/convert/markdown-file.ts";
import type { ConvertedHtml } from "#core/markdown/from-html.ts";
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
  /** A body as it is stored: canonical, without an H1. */
  body(markdown: string, title: string): Promise<string>;
  fromHtml(html: string): Promise<ConvertedHtml>;
  readDocument(file: { path: string; text: string }): Promise<MarkdownDocument>;
  close(): Promise<void>;
}
/** Markdown work off the event loop, under a deadline: an overrun kills its worker and the task is `unprocessable`. */
export declare function createRenderPool(options?: RenderPoolOptions): RenderPool;
