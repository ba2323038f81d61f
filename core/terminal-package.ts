/** Where every server has the package of the `sop` command. */
export const terminalPackagePath = "/cli/sopwright.tgz";
