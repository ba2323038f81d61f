/** The attribute of elements that the screen adds to the text, such as the label of a collapsed section. */
export const notOfTextAttribute = "data-not-of-text";
