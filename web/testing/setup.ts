/** Runs before each test file of the web. Milkdown's timers, three seconds each, are never taken back: not even by `destroy()`. */
import { afterAll } from "vitest";
import { holdTimers } from "./page-timers.ts";

afterAll(holdTimers(globalThis));
