export const texts = {
  openElsewhere: "You have this open in another tab",
  editingElsewhere: "You are editing this in another tab",
  /** @param names one at least */
  editing: (names: readonly string[]): string => {
    const [first = "", second] = names;
    if (names.length === 1) return `${first} is editing`;
    if (names.length === 2) return `${first} and ${second} are editing`;
    return `${first} and ${names.length - 1} others are editing`;
  },
} as const;
