/** Sends an answer with progress, as server-sent events. The last event is the answer or the error. */
import type { Context } from "koa";
import type { Route } from "#core/contract/route.ts";

export interface AnswerProgress {
  /** Sends an event. Before the first event, the answer hasn't begun, so a refusal still gets its own HTTP status. */
  send(event: string, data: unknown): void;
}

export interface OpenProgress extends AnswerProgress {
  readonly begun: boolean;
  /** Sends the last event and ends the answer. */
  end(event: "done" | "error", data: unknown): void;
}

/** Milliseconds between two empty messages: less than the silence after which a proxy closes a connection. */
const beatMs = 15_000;

/**
 * Opens the events of an answer.
 * @returns null for clients that don't accept events, and for routes without progress
 */
export function openProgress(ctx: Context, route: Route): OpenProgress | null {
  if (route.progress !== true || !ctx.get("accept").includes("text/event-stream")) return null;
  let begun = false;
  let beat: NodeJS.Timeout | undefined;
  const writeText = (text: string) => {
    if (ctx.res.writable) ctx.res.write(text);
  };
  const beginStream = () => {
    if (begun) return;
    begun = true;
    ctx.status = route.success ?? 200;
    ctx.set({ "Content-Type": "text/event-stream", "Cache-Control": "no-store", "X-Accel-Buffering": "no" });
    // from here on, this module writes the answer instead of Koa
    ctx.respond = false;
    ctx.res.flushHeaders();
    beat = setInterval(() => writeText(": beat\n\n"), beatMs);
    beat.unref();
    ctx.res.once("close", () => clearInterval(beat));
  };
  const sendEvent = (event: string, data: unknown) => {
    beginStream();
    writeText(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
  };
  return {
    get begun() {
      return begun;
    },
    send: sendEvent,
    end(event, data) {
      sendEvent(event, data);
      clearInterval(beat);
      ctx.res.end();
    },
  };
}
