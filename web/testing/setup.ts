/** Runs before each test file of the web. Milkdown's timers, three seconds each, are never taken back: not even by `destroy()`. */
import { afterAll } from "vitest";
import { holdTimers } from "./page-timers.ts";

afterAll(holdTimers(globalThis));

/** The page of these tests has no layout, so nothing is at a point. */
if (typeof document !== "undefined") document.elementFromPoint = () => null;
