/** Finds the reason of a file system's refusal by the code of its error. */
const hasErrorCode =
  (...codes: string[]) =>
  (error: unknown): boolean =>
    codes.includes((error as NodeJS.ErrnoException | null)?.code ?? "");

/** True for errors of files and of both databases. */
export const lacksSpace = hasErrorCode("ENOSPC", "EDQUOT");
/** True if this user can't read or write the file. The content may be intact. */
export const isDenied = hasErrorCode("EACCES", "EPERM");
const isReadOnly = hasErrorCode("EROFS");
/** True if a file is in the place of a folder. */
const isInTheWay = hasErrorCode("ENOTDIR", "EEXIST");

export function isWriteDenied(error: unknown): boolean {
  return lacksSpace(error) || isDenied(error) || isReadOnly(error) || isInTheWay(error);
}
