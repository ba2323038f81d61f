/**
 * The attribute of elements that the screen adds to an SOP's text, such as the label of a collapsed section. Comments
 * never refer to words in these elements.
 */
export const notOfTextAttribute = "data-not-of-text";
