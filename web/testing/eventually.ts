import { vi } from "vitest";

/**
 * Repeats a check until it throws no error, for at most 20 seconds. The default of `vi.waitFor`, one second, is too
 * short for a busy machine.
 */
export const waitUntilPasses = <T>(check: () => T | Promise<T>): Promise<T> => vi.waitFor(check, { timeout: 20_000 });
