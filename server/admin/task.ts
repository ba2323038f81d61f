import type { Output, OutputFlags } from "./output.ts";

/** One operator command. @returns the exit code */
export type Run<Options extends OutputFlags> = (options: Options, output: Output) => Promise<number>;
