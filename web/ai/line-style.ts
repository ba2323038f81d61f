/** The style of a link on its own line: aligned with the text and tall enough to tap. */
export const linkLineStyle =
  "flex min-h-6 max-w-full items-center justify-self-start text-xs font-medium text-primary underline-offset-4 hover:underline pointer-coarse:min-h-11";
