/** A link on a line of its own: flush with the text, and as tall as a finger needs. */
export const lineStyle =
  "flex min-h-6 max-w-full items-center justify-self-start text-xs font-medium text-primary underline-offset-4 hover:underline pointer-coarse:min-h-11";
