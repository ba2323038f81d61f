import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ApiError } from "#core/api/client.ts";
import { createStageReader, type GenerationStage } from "./read-stages.ts";

const event = (name: string, data: unknown) => `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
const stages: GenerationStage[] = [
  { stage: "drafting", title: null },
  { stage: "drafting", title: "Größe prüfen — 測る" },
  { stage: "checking", title: "Größe prüfen — 測る", steps: 4 },
];
const before = `: beat\n\n${stages.map((stage) => event("stage", stage)).join("")}: beat\n\n`;

/** The text's bytes, cut into pieces of these lengths. */
function streamOf(text: string, lengths: readonly number[]) {
  const bytes = new TextEncoder().encode(text);
  return new ReadableStream<Uint8Array>({
    start(controller) {
      let at = 0;
      for (const length of lengths) controller.enqueue(bytes.slice(at, (at += length)));
      controller.enqueue(bytes.slice(at));
      controller.close();
    },
  });
}
async function read(text: string, lengths: readonly number[] = []) {
  const told: GenerationStage[] = [];
  const answer = {
    status: 201,
    statusText: "",
    headers: new Headers({ "content-type": "text/event-stream" }),
    text: () => Promise.resolve(text),
    body: streamOf(text, lengths),
  };
  const read = createStageReader((stage) => told.push(stage))(answer);
  return { told, answer: await read.catch((error: unknown) => error) };
}

describe("an answer in events", () => {
  it("is the same however its bytes are cut", async () => {
    const lengths = fc.array(fc.integer({ min: 1, max: 40 }), { maxLength: 30 });
    await fc.assert(
      fc.asyncProperty(lengths, async (cuts) => {
        const { told, answer } = await read(before + event("done", { id: "ü" }), cuts);
        expect(told).toEqual(stages);
        expect(answer).toBe('{"id":"ü"}');
      }),
      { numRuns: 60 },
    );
  });

  it("a refusal on the way is the same error as any other refusal", async () => {
    const { answer } = await read(before + event("error", { code: "ai_timeout", message: "It took too long" }));
    expect(answer).toBeInstanceOf(ApiError);
    expect(answer).toMatchObject({ status: 504, code: "ai_timeout", serverMessage: "It took too long" });
  });

  it("cut off, it is no answer", async () => {
    const { answer } = await read(`${before}event: done\ndata: {"id":`);
    expect(answer).toBeInstanceOf(TypeError);
  });

  it("what comes as JSON is read as it is", async () => {
    const text = '{"code":"ai_disabled"}';
    const headers = new Headers({ "content-type": "application/json" });
    const plain = { status: 403, statusText: "", headers, text: () => Promise.resolve(text), body: streamOf(text, []) };
    expect(await createStageReader(() => {})(plain)).toBe(text);
  });
});
