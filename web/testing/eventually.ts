import { vi } from "vitest";

/** Waits until a check holds; the default of `vi.waitFor`, a second, is too short for a busy machine. */
export const waitUntilPasses = <T>(check: () => T | Promise<T>): Promise<T> => vi.waitFor(check, { timeout: 20_000 });
