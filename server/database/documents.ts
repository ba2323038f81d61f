/** Every stored document: `docs/spec/entities.md` with `_id` for `id`, plus the server's own documents. */
import type { AiCallDocument, AiMeterDocument } from "./documents/ai.ts";
import type {
  CompanyDocument,
  UserDocument,
  SessionDocument,
  TokenDocument,
  TeamDocument,
  TeamMemberDocument,
  EmailConfirmationDocument,
  PasswordResetDocument,
  InvitationDocument,
  KnownDeviceDocument,
} from "./documents/people.ts";
import type {
  PublishedPeriodDocument,
  ApprovalRequestDocument,
  ReviewDocument,
  DeadlineMarkDocument,
  CommentDocument,
  AcknowledgementAskDocument,
  AcknowledgementDocument,
  NotificationDocument,
  SopUseDocument,
} from "./documents/life-cycle.ts";
import type { MirrorDocument } from "./documents/mirror.ts";
import type { MissedSearchDocument, SuggestionDocument } from "./documents/suggestions.ts";
import type {
  CategoryDocument,
  SopDocument,
  SopVersionDocument,
  ReservedNumberDocument,
  SopSourceDocument,
  AssetDocument,
} from "./documents/sops.ts";
import type { ProposalDocument } from "./documents/proposals.ts";
import type {
  CounterDocument,
  AuditDocument,
  CheckpointDocument,
  EventDocument,
  PresenceDocument,
  OutboxDocument,
  LeaseDocument,
  IdempotencyDocument,
  SystemDocument,
  LimiterDocument,
  RepoEventDocument,
  SnapshotDocument,
  SnapshotPartDocument,
} from "./documents/running.ts";

export type * from "./documents/ai.ts";
export type * from "./documents/people.ts";
export type * from "./documents/life-cycle.ts";
export type * from "./documents/mirror.ts";
export type * from "./documents/sops.ts";
export type * from "./documents/proposals.ts";
export type * from "./documents/suggestions.ts";
export type * from "./documents/running.ts";

export interface Collections {
  companies: CompanyDocument;
  users: UserDocument;
  sessions: SessionDocument;
  tokens: TokenDocument;
  categories: CategoryDocument;
  teams: TeamDocument;
  team_members: TeamMemberDocument;
  sops: SopDocument;
  sop_versions: SopVersionDocument;
  sop_sources: SopSourceDocument;
  reserved_numbers: ReservedNumberDocument;
  sop_uses: SopUseDocument;
  published_periods: PublishedPeriodDocument;
  approval_requests: ApprovalRequestDocument;
  comments: CommentDocument;
  reviews: ReviewDocument;
  deadline_marks: DeadlineMarkDocument;
  acknowledgement_asks: AcknowledgementAskDocument;
  acknowledgements: AcknowledgementDocument;
  notifications: NotificationDocument;
  proposals: ProposalDocument;
  ai_suggestions: SuggestionDocument;
  missed_searches: MissedSearchDocument;
  ai_calls: AiCallDocument;
  ai_meters: AiMeterDocument;
  assets: AssetDocument;
  snapshots: SnapshotDocument;
  snapshot_parts: SnapshotPartDocument;
  counters: CounterDocument;
  audit_logs: AuditDocument;
  audit_checkpoints: CheckpointDocument;
  email_confirmations: EmailConfirmationDocument;
  password_resets: PasswordResetDocument;
  invitations: InvitationDocument;
  known_devices: KnownDeviceDocument;
  repo_events: RepoEventDocument;
  mirrors: MirrorDocument;
  events: EventDocument;
  presences: PresenceDocument;
  outbox: OutboxDocument;
  leases: LeaseDocument;
  idempotency: IdempotencyDocument;
  limiters: LimiterDocument;
  system: SystemDocument;
}
