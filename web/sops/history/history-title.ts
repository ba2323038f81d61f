/** Beside the button: the dialog's other texts load with it. */
export const historyTitle = "Version history";
