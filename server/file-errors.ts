/** Recognizes why a file system refused an operation, by the code of the error. */
const createErrorCodeCheck =
  (...codes: string[]) =>
  (error: unknown): boolean =>
    codes.includes((error as NodeJS.ErrnoException | null)?.code ?? "");

/** True if there is no space left. Works for errors of files and of both databases. */
export const isOutOfSpaceError = createErrorCodeCheck("ENOSPC", "EDQUOT");
/** True if this user can't read or write the file. The content may be intact. */
export const isAccessDeniedError = createErrorCodeCheck("EACCES", "EPERM");
const isReadOnly = createErrorCodeCheck("EROFS");
/** True if a file exists where a folder is needed. */
const isInTheWay = createErrorCodeCheck("ENOTDIR", "EEXIST");

/** True if a write was refused: no space is left, access is denied, the disk is read-only, or a file is in the way. */
export function isUnwritableError(error: unknown): boolean {
  return isOutOfSpaceError(error) || isAccessDeniedError(error) || isReadOnly(error) || isInTheWay(error);
}
