/** A description of a few lines on a phone is in view; a longer one folds. */
export const isShort = (description: string): boolean => description.length <= 160;
