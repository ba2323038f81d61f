/** The attribute of what the screen adds to the text, such as the words of a fold. */
export const notOfText = "data-not-of-text";
