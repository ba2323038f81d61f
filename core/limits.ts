/** One table for server, CLI and docs (`docs/limits.md`). Bytes unless the name says otherwise. */
export const limits = {
  document: 1024 * 1024,
  asset: 5 * 1024 * 1024,
  /** Images of one user who can't edit any SOP: profile pictures. */
  assetsOfReader: 5 * 1024 * 1024,
  /** Pixels of one image, or of one frame of an animation. */
  imagePixels: 40_000_000,
  /** Pixels of all frames of an animation. */
  animationPixels: 400_000_000,
  /** Bytes of all images in one PDF, Word or HTML file, as stored. */
  exportImages: 160 * 1024 * 1024,
  /** Pixels of all images in one PDF or Word file, as stored. */
  printSourcePixels: 600_000_000,
  /** Pixels of all images in one PDF or Word file, scaled down. */
  printPixels: 100_000_000,
  /** Pixels of one image in a PDF or Word file, scaled down: some 300 dpi across a page. */
  printImagePixels: 3_000_000,
  /** Room for a text of `document`, once as Markdown and once as HTML. */
  json: 4 * 1024 * 1024,
  signIn: 16 * 1024,
  importRequest: 16 * 1024 * 1024,
  jsonDepth: 32,
  importDocuments: 50,
  /** Images and PDFs named in one request of an import. */
  importFiles: 1_000,
  zipPacked: 200 * 1024 * 1024,
  zipUnpacked: 1024 * 1024 * 1024,
  zipEntries: 20_000,
  /** Unpacked for each packed byte, from 1 MiB unpacked on. */
  zipRatio: 100,
  /** Bytes of one Word or HTML file, unpacked. */
  importSource: 64 * 1024 * 1024,
  /** Bytes of the text of one file that an import splits; each part is a `document`. */
  splitSource: 8 * 1024 * 1024,
  /** A request of git to clone or fetch, unpacked: the ids it wants and has. */
  gitRequest: 4 * 1024 * 1024,
  /** SOPs in the clone of a user who can't read everything. */
  clonedSops: 5_000,
  /** Bytes of a push by git, packed. */
  pushPacked: 100 * 1024 * 1024,
  /** Objects in the pack of a push. */
  pushObjects: 50_000,
  /** Bytes of the files that a push adds or changes. */
  pushUnpacked: 256 * 1024 * 1024,
  /** Files that a push adds, changes or deletes. */
  pushFiles: 2_000,
  pushRefs: 200,
  /** Folders inside each other in a push. */
  pushDepth: 40,
  /** Open proposals in one company. */
  openProposals: 2_000,
  /** Open proposals of one user. */
  openProposalsOfUser: 200,
  /** Proposals that a fetch offers under `refs/proposals/`: the newest ones. */
  fetchedProposals: 200,
  pageSize: 50,
  pageSizeMax: 200,
  renderCpuMs: 2_000,
  renderWallMs: 10_000,
  /** Bytes of a text that have `renderCpuMs`: longer ones have it once for each such piece. */
  renderPiece: 256 * 1024,
  promptCharacters: 2_000,
  /** Characters of a text that is given to the AI: some twenty pages. */
  aiCharacters: 60_000,
  /** AI calls that one save may name as the source of its text. */
  aiCalls: 50,
  titleCharacters: 200,
  descriptionCharacters: 2_000,
  tags: 50,
  tagCharacters: 60,
  categoryCharacters: 80,
  readMinutes: 10_000,
  noteCharacters: 2_000,
  commentCharacters: 10_000,
  quoteCharacters: 2_000,
  /** On one SOP, replies counted. */
  comments: 1_000,
  approvers: 50,
  /** In one company. */
  teams: 1_000,
  categories: 1_000,
  /** In one company, neither used nor revoked nor expired. */
  openInvitations: 1_000,
  /** Named one by one as those who are to confirm that they have read an SOP. */
  audienceUsers: 1_000,
  audienceTeams: 100,
  dueDays: 365,
  /** Times a day that a user can change the own name: for a marriage, and for mistakes. */
  ownRenamesDay: 5,
  /** Emails a day to addresses that a user names: invitations and accounts. */
  emailsOfUserDay: 100,
  emailsOfCompanyDay: 300,
  /** In the first week of a company. */
  emailsOfNewCompanyDay: 20,
} as const;
