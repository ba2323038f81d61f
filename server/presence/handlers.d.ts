import type { Handlers } from "../http/call.ts";
import type { Services } from "../http/services.ts";
export declare function presenceHandlers(services: Pick<Services, "db" | "clock">): Handlers<"presence">;
