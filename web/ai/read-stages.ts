/** An answer that comes as events (`progress` of its row): stages on the way, then the answer or the refusal. */
import { ApiError, type Answer } from "#core/api/client.ts";
import { errorTable, isErrorCode } from "#core/errors.ts";

export interface Stage {
  stage: "drafting" | "checking" | "repairing";
  /** null: not known yet. */
  title: string | null;
  /** Of the answer so far, while it is written. */
  characters?: number;
  steps?: number;
  faults?: number;
}

/**
 * For `read` of a call. What is refused before it begins comes as ever.
 * @throws ApiError for an `error` event; TypeError when the stream ends without an answer
 */
export function readStages(onStage: (stage: Stage) => void): (answer: Answer) => Promise<string> {
  return async (answer) => {
    const { body } = answer as { body?: ReadableStream<Uint8Array> | null };
    if (!body || !answer.headers.get("content-type")?.includes("event-stream")) return answer.text();
    for await (const [event, data] of eventsOf(body.getReader())) {
      if (event === "stage") onStage(JSON.parse(data) as Stage);
      if (event === "error") throw refusalOf(data);
      if (event === "done") return data;
    }
    throw new TypeError("the answer was cut off");
  };
}

/** Ours alone: one `event:` and one `data:` line each; what begins with a colon is a beat. */
async function* eventsOf(reader: ReadableStreamDefaultReader<Uint8Array>) {
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

function refusalOf(data: string): ApiError {
  const { code } = JSON.parse(data) as { code?: unknown };
  return new ApiError(isErrorCode(code) ? errorTable[code].status : 500, data, "");
}
