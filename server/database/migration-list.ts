/** Forward-only steps, run once each in this order and recorded; never edited after a release. */
import type { Collections } from "./documents.ts";
import type { Migration } from "./port.ts";

export const migrations: readonly Migration<Collections>[] = [];
