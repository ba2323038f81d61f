/**
 * Replaces `compile.ts` in the browser: the build compiles all messages (`bin/compile-messages.ts`), so the page loads
 * no parser.
 */
export function compileMessage(message: string): never {
  throw new Error(`The build didn't compile this message: ${message}`);
}
