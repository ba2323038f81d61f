import type { Handlers } from "../http/call.ts";
import type { Services } from "../http/services.ts";
import { generateSop } from "./generate.ts";
import { improve, tidy } from "./improve.ts";
import { usageOf } from "./usage.ts";

export function aiHandlers(services: Services): Handlers<"ai"> {
  return {
    generateSop: (call) => generateSop(services, call),
    improveSop: (call) => improve(services, call, call.body, "improve"),
    enhanceContent(call) {
      const { enhancementType: kind, ...text } = call.body;
      return kind === "formatting" ? tidy(services, text) : improve(services, call, text, kind);
    },
    usage: ({ identity }) => usageOf(services, identity),
  };
}
