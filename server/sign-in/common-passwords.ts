/** The 49,000 passwords that attackers try first. The list comes with @zxcvbn-ts and is loaded on first use. */
let list: Promise<ReadonlySet<string>> | null = null;

async function loadCommonPasswords(): Promise<ReadonlySet<string>> {
  const { dictionary } = await import("@zxcvbn-ts/language-common");
  return new Set(dictionary["passwords-common"] as readonly string[]);
}

/** @param folded the password in lower case */
export async function isCommonPassword(folded: string): Promise<boolean> {
  list ??= loadCommonPasswords();
  return (await list).has(folded);
}
