import type { Services } from "../http/services.ts";
import { type Deadline } from "../jobs/deadlines.ts";
import type { OutboxHandler } from "../jobs/outbox.ts";
type Needs = Pick<Services, "db" | "clock">;
export declare function noticesHandler(services: Needs): OutboxHandler;
/** Who joined the audience or a team since, and whose day comes near. */
export declare const remindOfAcknowledgements: Deadline;
/** What was told is known from the database alone: it may run at any time, on several servers, and again after a crash. */
export declare function tellReaders(services: Needs, companyId: string, sopId: string, now: string): Promise<void>;
export {};
