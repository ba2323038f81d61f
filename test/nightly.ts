/** Whether this is the nightly run (`NIGHTLY=1`): what costs minutes and rarely finds a fault runs only then. */
export const isNightly = process.env["NIGHTLY"] === "1";
