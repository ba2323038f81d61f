/** The limits of server, CLI and docs (`docs/limits.md`), in bytes unless the name says otherwise. */
export const limits = {
  document: 1024 * 1024,
  asset: 5 * 1024 * 1024,
  /** Bytes of images that a user without permission to edit can store, for profile pictures. */
  assetsOfReader: 5 * 1024 * 1024,
  /** Pixels of one image, or of one frame of an animation. */
  imagePixels: 40_000_000,
  /** Pixels of all frames of an animation. */
  animationPixels: 400_000_000,
  /** Bytes of all images in one PDF, Word or HTML file, as stored. */
  exportImages: 160 * 1024 * 1024,
  /** Pixels of all images in one PDF or Word file, before they are scaled down. */
  printSourcePixels: 600_000_000,
  /** Pixels of all images in one PDF or Word file, after they are scaled down. */
  printPixels: 100_000_000,
  /** Pixels of one image in a PDF or Word file, after it is scaled down: about 300 dpi across a page. */
  printImagePixels: 3_000_000,
  /** Bytes of a JSON body. It can contain a text of `document` size twice, as Markdown and as HTML. */
  json: 4 * 1024 * 1024,
  signIn: 16 * 1024,
  importRequest: 16 * 1024 * 1024,
  jsonDepth: 32,
  importDocuments: 50,
  /** The number of images and PDFs in one request of an import. */
  importFiles: 1_000,
  zipPacked: 200 * 1024 * 1024,
  zipUnpacked: 1024 * 1024 * 1024,
  zipEntries: 20_000,
  /** The maximum ratio of unpacked to packed bytes, checked from 1 MiB unpacked on. */
  zipRatio: 100,
  /** Bytes of one Word or HTML file, unpacked. */
  importSource: 64 * 1024 * 1024,
  /** Bytes of the text of one file that an import splits; each part is a `document`. */
  splitSource: 8 * 1024 * 1024,
  /** Unpacked bytes of a git request to clone or fetch: the ids that the client wants and has. */
  gitRequest: 4 * 1024 * 1024,
  /** The number of SOPs in the clone of a user who can't read every SOP. */
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
  /** The depth of nested folders in a push. */
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
  /** Bytes of text that may take `renderCpuMs` to render. A longer text gets this time for each piece of this size. */
  renderPiece: 256 * 1024,
  promptCharacters: 2_000,
  /** Characters of a text for the AI: about twenty pages. */
  aiCharacters: 60_000,
  /** The number of AI calls that a save can name as sources of its text. */
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
  /** The number of comments on one SOP, replies included. */
  comments: 1_000,
  approvers: 50,
  /** The number of teams in one company. */
  teams: 1_000,
  categories: 1_000,
  /** Invitations in one company that are neither used nor revoked nor expired. */
  openInvitations: 1_000,
  /** The number of users, and of teams, that a request for read confirmations can name one by one. */
  audienceUsers: 1_000,
  audienceTeams: 100,
  dueDays: 365,
  /** The number of times a day that users can change their own names. */
  ownRenamesDay: 5,
  /** Emails a day to addresses that a user names: invitations and accounts. */
  emailsOfUserDay: 100,
  emailsOfCompanyDay: 300,
  /** Emails a day of a company that is less than a week old. */
  emailsOfNewCompanyDay: 20,
} as const;

/** Requests that need no sign-in, by client address. A row of the contract names its limit. */
export const addressLimits = {
  register: { points: 60, seconds: 3600 },
  setup: { points: 30, seconds: 900 },
  "forgot-password": { points: 20, seconds: 3600 },
  "reset-password": { points: 60, seconds: 3600 },
  "confirm-email": { points: 60, seconds: 3600 },
} as const;
