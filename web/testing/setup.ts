/**
 * Runs before each test file of the web. Milkdown starts timers of three seconds and never stops them, not even in
 * `destroy()`.
 */
import { afterAll } from "vitest";
import { holdTimers } from "./page-timers.ts";

afterAll(holdTimers(globalThis));

/** The pages of these tests have no layout, so no element is at any point. */
if (typeof document !== "undefined") document.elementFromPoint = () => null;
