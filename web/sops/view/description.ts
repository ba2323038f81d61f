/** Says whether a description is short enough to be fully visible on a phone; a longer one is collapsed. */
export const isShortDescription = (description: string): boolean => description.length <= 160;
