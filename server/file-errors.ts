/** Recognizes why a file system refused an operation, by the code of the error. */
const hasErrorCode =
  (...codes: string[]) =>
  (error: unknown): boolean =>
    codes.includes((error as NodeJS.ErrnoException | null)?.code ?? "");

/** True if there is no space left. Works for errors of files and of both databases. */
export const lacksSpace = hasErrorCode("ENOSPC", "EDQUOT");
/** True if this user can't read or write the file. The content may be intact. */
export const isDenied = hasErrorCode("EACCES", "EPERM");
const isReadOnly = hasErrorCode("EROFS");
/** True if a file exists where a folder is needed. */
const isInTheWay = hasErrorCode("ENOTDIR", "EEXIST");

export function isWriteDenied(error: unknown): boolean {
  return lacksSpace(error) || isDenied(error) || isReadOnly(error) || isInTheWay(error);
}
