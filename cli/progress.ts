/** Long work on a terminal: one line that lives while it goes on. Off a terminal nothing is drawn. */
import type { Output } from "./output.ts";

export type Tell = (text: string) => void;

/** @param work is told how to say where it is; its result is passed on */
export async function withProgress<T>(out: Output, title: string, work: (tell: Tell) => Promise<T>): Promise<T> {
  if (process.stderr.isTTY !== true || out.quiet || out.json) return await work(() => {});
  const { Listr, ListrLogger, ProcessOutput } = await import("listr2");
  let result: { value: T } | undefined;
  const task = async (_: unknown, line: { output: string | undefined }) => {
    result = { value: await work((text) => (line.output = text)) };
  };
  const logger = new ListrLogger({ processOutput: new ProcessOutput(process.stderr, process.stderr) });
  await new Listr([{ title, task }], {
    renderer: "default",
    forceTTY: true,
    // ^C is the runner's: it lets the work end at a whole file.
    registerSignalListeners: false,
    rendererOptions: { logger, clearOutput: true },
  }).run();
  if (result === undefined) throw new Error(`${title}: ended without a result`);
  return result.value;
}
