/** Whether this is the nightly run (`NIGHTLY=1`). Tests that take minutes and rarely find a fault run only then. */
export const isNightly = process.env["NIGHTLY"] === "1";
