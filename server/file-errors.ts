/** Why the file system refused, by the code of its error. */
const among =
  (...codes: string[]) =>
  (error: unknown): boolean =>
    codes.includes((error as NodeJS.ErrnoException | null)?.code ?? "");

/** Of files and of both databases. */
export const lacksSpace = among("ENOSPC", "EDQUOT");
/** This user can't read or write it. That says nothing of what is in it. */
export const isDenied = among("EACCES", "EPERM");
const isReadOnly = among("EROFS");
/** There is a file in the place of a folder. */
const isInTheWay = among("ENOTDIR", "EEXIST");

export function cantBeWritten(error: unknown): boolean {
  return lacksSpace(error) || isDenied(error) || isReadOnly(error) || isInTheWay(error);
}
