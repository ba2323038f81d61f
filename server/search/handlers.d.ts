import type { Handlers } from "../http/call.ts";
import type { Services } from "../http/services.ts";
export declare function searchHandlers(services: Services): Handlers<"search">;
