import type { Position, RowText } from "./index-file.ts";
import type { Source } from "./source.ts";
/** What the thread is told; it answers each message once. */
export type BuilderAsk = {
    kind: "add";
    texts: RowText[];
} | {
    kind: "finish";
    position: Position;
};
export type BuilderReply = {
    error: string | null;
};
/** An index of all SOPs at `path`; an old one there is replaced when the new one is complete. */
export declare function rebuildIndex(path: string, source: Source): Promise<void>;
export declare function removeIndex(path: string): Promise<void>;
