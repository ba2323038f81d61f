/** Tabs that were not heard of any more, and those of sessions that ended: a lost connection leaves nobody editing for ever. */
import { type Deadline } from "../jobs/deadlines.ts";
export declare const endPresences: Deadline;
