/** Kysely's types of the tables that the reference uses. */
import type { ColumnType } from 'kysely';

type Moment = ColumnType<Date, never, never>;

interface Versioned {
  id: string;
  version: number;
  created_at: Moment;
  updated_at: Moment;
}

interface OrganizationTable extends Versioned {
  name: string;
  slug: string;
  org_type: string;
  is_active: boolean;
  primary_color: string | null;
  accepts_account_requests: boolean;
  listed: boolean;
  name_check_threshold: number;
  officers_add_members: string;
  timezone: string;
  impersonation_notices: boolean;
}

interface ChapterTable extends Versioned {
  organization_id: string;
  name: string;
}

interface UserTable extends Versioned {
  email: string | null;
  typed_email: string | null;
  placeholder_in: string | null;
  first_name: string;
  last_name: string;
  phone_number: string | null;
}

interface MembershipTable extends Versioned {
  organization_id: string;
  user_id: string;
  chapter_id: string;
  role: string;
  status: string;
  joined_date: string | null;
  graduation_year: number | null;
  graduation_season: string | null;
  pledge_class: string | null;
  line_number: number | null;
  crossing_semester: string | null;
  crossing_date: string | null;
}

interface InvitationTable {
  organization_id: string;
  membership_id: string | null;
  state: string;
  mailed_at: Moment;
  expires_at: Moment;
}

interface InvoiceTable {
  id: string;
  organization_id: string;
  chapter_id: string;
  membership_id: string | null;
  payer_type: string;
  payer_name: string | null;
  term_id: string | null;
  status: string;
  description: string;
  is_recurring: boolean;
  currency: string;
  issue_date: string;
  due_date: string;
  total_cents: number;
  discount_cents: number;
  credit_cents: number;
  paid_cents: number;
  overpaid_cents: number;
  balance_due_cents: number;
  overdue_at: Moment | null;
  paid_at: Moment | null;
  voided_at: Moment | null;
  created_at: Moment;
}

interface NotificationTable {
  id: string;
  organization_id: string;
  recipient_id: string;
  notification_type: string;
  event_type: string;
  category: string;
  title: string;
  body: string;
  target_url: string;
  read_at: Moment | null;
  requires_action: boolean;
  action_label: string | null;
  scheduled_for: Moment | null;
  unlisted_reason: string | null;
  subject_type: string;
  subject_id: string;
  actor_id: string | null;
  created_at: Moment;
}

interface AllocationTable {
  organization_id: string;
  invoice_id: string;
  reserved_by_attempt_id: string | null;
}

interface RecruitmentPeriodTable {
  id: string;
  organization_id: string;
  status: string;
}

interface ApplicationTable {
  id: string;
  organization_id: string;
  recruitment_period_id: string;
  chapter_id: string;
  email: string;
  first_name: string;
  last_name: string;
}

interface ApplicationVersionTable {
  organization_id: string;
  application_id: string;
  chapter_id: string;
  contents: string;
  token_hash: string;
  confirm_hash: string;
  confirm_until: Date;
}

interface NoticeTable {
  id: string;
  kind: string;
  email: string;
  facts: string;
  secret_encrypted: string;
  expires_at: Date;
}

interface OutboxTable {
  process: string;
  workflow_id: string;
  input: string;
  dispatched_at: Date;
}

export interface Tables {
  recruitment_periods: RecruitmentPeriodTable;
  pnm_applications: ApplicationTable;
  pnm_application_versions: ApplicationVersionTable;
  account_notices: NoticeTable;
  outbox: OutboxTable;
  organizations: OrganizationTable;
  chapters: ChapterTable;
  users: UserTable;
  memberships: MembershipTable;
  invitations: InvitationTable;
  chapter_invoices: InvoiceTable;
  chapter_remittance_allocations: AllocationTable;
  notifications: NotificationTable;
}
