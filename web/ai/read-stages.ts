/** Reads an answer that arrives as events (`progress` in its route): stages first, then the result or an error. */
import { ApiError, type ApiAnswer } from "#core/api/client.ts";
import { errorTable, isErrorCode } from "#core/errors.ts";

export interface GenerationStage {
  stage: "drafting" | "checking" | "repairing";
  /** The draft's title; null until the model has written it. */
  title: string | null;
  /** The number of characters that the model has written so far. */
  characters?: number;
  /** The number of steps in the draft; only while checking. */
  steps?: number;
  /** The number of problems that the model is repairing; only while repairing. */
  faults?: number;
}

/**
 * Returns a reader for the `read` option of a call. The reader returns the result as JSON text. An error before the
 * first event arrives as a normal answer.
 * @throws ApiError for an `error` event; TypeError when the stream ends without an answer
 */
export function createStageReader(onStage: (stage: GenerationStage) => void): (answer: ApiAnswer) => Promise<string> {
  return async (answer) => {
    const { body } = answer as { body?: ReadableStream<Uint8Array> | null };
    if (!body || !answer.headers.get("content-type")?.includes("event-stream")) return answer.text();
    for await (const [event, data] of serverEventsOf(body.getReader())) {
      if (event === "stage") onStage(JSON.parse(data) as GenerationStage);
      if (event === "error") throw streamErrorOf(data);
      if (event === "done") return data;
    }
    throw new TypeError("the answer was cut off");
  };
}

/**
 * Reads only the server's form of events: one `event:` and one `data:` line each. A line that begins with a colon keeps
 * the connection alive.
 */
async function* serverEventsOf(reader: ReadableStreamDefaultReader<Uint8Array>) {
  const decoder = new TextDecoder();
  let rest = "";
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    const pieces = (rest + decoder.decode(part.value, { stream: true })).split("\n\n");
    rest = pieces.pop() ?? "";
    for (const piece of pieces) {
      const [, event, data] = /^event: (.*)\ndata: (.*)$/.exec(piece) ?? [];
      if (event !== undefined && data !== undefined) yield [event, data] as const;
    }
  }
}

function streamErrorOf(data: string): ApiError {
  const { code } = JSON.parse(data) as { code?: unknown };
  return new ApiError(isErrorCode(code) ? errorTable[code].status : 500, data, "");
}
