/** The path on every server from which users download the package of the `sop` command. */
export const terminalPackagePath = "/cli/sopwright.tgz";
