/**
 * Every list that reads Postgres: its reader, the filters that are tried with every ordering and the first, third and last page,
 * and the number of rows of large tables that an answer may read. `rows` come from the tables, `entries` from an index alone, as a
 * count should be made: a count from the table would exceed the bound of `rows`.
 */
import { COMMENTS_PER_POST } from '../../../development/seeding/large/forums.js';
import { GIFTS_PER_DONOR, PLEDGES } from '../../../development/seeding/large/gifts.js';
import { MAX_TARGETS } from '../../../models/processes/bulk-actions/ProcessBulkAction.js';
import { TESTED } from '../../support/environment/largeScale.js';

export interface Ids {
  organization: string;
  slug: string;
  chapter: string;
  term: string;
  region: string;
  rollover: string;
  import: string;
  bulkAction: string;
  /** The period in which all prospects arrived. */
  recruitment: string;
  pnm: string;
  invoice: string;
  /** A form for all members; some have signed it. */
  consents: string;
  foundation: string;
  /** The campaign of every third gift, its fund, and its last gift with the donor. */
  campaign: string;
  fund: string;
  donor: string;
  donation: string;
  /** A bulletin that was sent to all donors. */
  bulletin: string;
  /** A forum of all members, its thread with most comments, and one of these. */
  forum: string;
  thread: string;
  comment: string;
  /** A member with credit, who reads their own data. */
  membership: string;
  user: string;
}

export interface Bound {
  rows: number;
  entries: number;
}

export interface List {
  as: 'admin' | 'officer' | 'member' | 'platformAdmin';
  filters?: (ids: Ids) => string[];
  bound: Bound;
  /** For queries that cannot stay within that. The last matching one counts. */
  unless?: [RegExp, Bound][];
}

/** Threads of the forum of all people, and comments on one of them. */
const THREADS = (TESTED.posts * 3) / 5;
const COMMENTS = (TESTED.posts * COMMENTS_PER_POST) / 6;
/** One forum of each chapter, and one of the organization. */
const FORUMS = TESTED.chapters + 1;
const CHAPTER = TESTED.members;
const CHAPTER_INVOICES = 5 * CHAPTER;
const ORGANIZATION = TESTED.chapters * CHAPTER;
const ORGANIZATION_INVOICES = TESTED.chapters * CHAPTER_INVOICES;
/** Eight settled ones and a draft in each chapter. */
const ORGANIZATION_REMITTANCES = 9 * TESTED.chapters;
/** People with an application: a fifth of the members. */
const INTAKE = ORGANIZATION / 5;
const GIFTS = GIFTS_PER_DONOR * TESTED.donors;
/** Some gifts have a second receipt. */
const RECEIPTS = 1.05 * GIFTS;
/** The rows of a page with their joined rows, twice over, and the reader's own. */
const PAGE = 25 * 8;
/** A last page is reached over all entries before it, after they were counted. */
const twice = (entries: number): number => 2 * entries + PAGE;
const SMALL: Bound = { rows: PAGE, entries: PAGE };

/** Requests of each kind that are pending in one organization, and how many rows of their reviewers may be read. */
export const APPROVALS = {
  waiting: ORGANIZATION,
  /** A person may want to transfer from any chapter to any other. */
  ofChapter: 2 * 4 * CHAPTER,
  requests: ['account_requests', 'member_add_requests', 'status_change_requests', 'transfer_requests'],
  deciders: ['memberships', 'regional_admins', 'organization_admins', 'chapters', 'users'],
  asked: 3 * TESTED.chapters * 10,
} as const;

const each = (name: string, values: string[]): string[] => values.map((value) => `${name}=${value}`);
const INVOICE_STATUSES = ['open', 'overdue', 'partially_paid', 'paid', 'void'];
const SEARCHES = each('search', ['maya', 'a', 'nobody%20at%20all', 'fee']);
const DAYS = ['due_before=2026-01-01', 'due_after=2026-01-01'];
/**
 * Filters of the queue by other tables' columns: membership, person, invitation and application of each prospect are read, to count
 * them and to find the page.
 */
const OF_OTHERS = /search|status|flagged|unverified|missing/;
const QUEUE_FILTERS = [
  'flagged=true',
  'unverified=true',
  'missing=true',
  'stage=approved',
  'status=pnm',
  'status=undergrad',
];
const invoiceFilters = ({ term, membership }: Ids): string[] => [
  ...each('status', INVOICE_STATUSES),
  ...each('payer_type', ['chapter', 'member']),
  `term=${term}`,
  `membership=${membership}`,
  ...DAYS,
  ...SEARCHES,
];

export const LISTS: Record<string, List> = {
  '/api/auth/me/organizations/': { as: 'admin', bound: SMALL },
  '/api/processes/bulk-actions/': { as: 'admin', bound: SMALL },
  // With a filter, all targets of the bulk action are read.
  '/api/processes/bulk-actions/:id/targets/': {
    as: 'admin',
    filters: () => each('outcome', ['completed', 'refused']),
    bound: { rows: 2 * MAX_TARGETS + PAGE, entries: twice(MAX_TARGETS) },
  },
  '/api/auth/me/invitations/': { as: 'admin', bound: SMALL },
  '/api/socialnet/accounts/': { as: 'admin', bound: SMALL },
  '/api/auth/sessions/': { as: 'admin', bound: SMALL },
  '/api/auth/passkeys/': { as: 'admin', bound: SMALL },
  '/api/auth/emails/': { as: 'admin', bound: SMALL },
  '/api/auth/security-events/': { as: 'admin', filters: () => ['kind=session.started'], bound: SMALL },
  '/api/platform/admins/': { as: 'platformAdmin', bound: SMALL },
  '/api/platform/audit-log/': {
    as: 'platformAdmin',
    filters: () => ['action=organization.updated', 'subject_type=organization', 'request_id=none'],
    bound: SMALL,
  },
  '/api/platform/alerts/': {
    as: 'platformAdmin',
    filters: () => [...each('status', ['running', 'done', 'cancelled']), ...each('audience', ['admins', 'everyone'])],
    bound: SMALL,
  },
  // Without a search text, everybody is counted in an index; matching rows are sorted.
  '/api/platform/organizations/:organization_id/verified-domains/': { as: 'platformAdmin', bound: SMALL },
  '/api/platform/organizations/:organization_id/storage-migrations/': { as: 'platformAdmin', bound: SMALL },
  '/api/platform/users/': {
    as: 'platformAdmin',
    filters: () => each('q', ['maya', 'nobody%20at%20all']),
    bound: { rows: 4 * ORGANIZATION + PAGE, entries: 4 * twice(ORGANIZATION) },
    unless: [[/^(?!.*q=)/, { rows: PAGE, entries: twice(TESTED.organizations * ORGANIZATION + 1_000) }]],
  },
  '/api/organizations/:organization_id/users/:user_id/sessions/': { as: 'admin', bound: SMALL },
  '/api/organizations/': { as: 'platformAdmin', filters: () => ['is_active=true', ...SEARCHES], bound: SMALL },
  '/api/organizations/:organization_id/oauth-configurations/': { as: 'admin', bound: SMALL },
  '/api/auth/sso/organizations/:organization_id/identity-providers/': { as: 'admin', bound: SMALL },
  '/api/organizations/:organization_id/saml-configurations/': { as: 'admin', bound: SMALL },
  '/api/foundation/admins/': { as: 'admin', bound: SMALL },
  '/api/foundation/funds/': { as: 'admin', filters: () => ['is_active=true'], bound: SMALL },
  '/api/foundation/campaigns/': {
    as: 'admin',
    filters: () => [...each('status', ['draft', 'active', 'closed']), ...each('visibility', ['internal', 'public'])],
    bound: SMALL,
  },
  '/api/foundation/public/campaigns/:foundation_id/:slug/donors/': { as: 'member', bound: SMALL },
  '/api/foundation/internal/campaigns/:slug/donors/': { as: 'member', bound: SMALL },
  '/api/foundation/me/': { as: 'member', bound: SMALL },
  '/api/foundation/me/donations/': { as: 'member', bound: SMALL },
  '/api/foundation/me/receipts/': { as: 'member', bound: SMALL },
  '/api/foundation/me/pledges/': { as: 'member', bound: SMALL },
  '/api/foundation/donations/': {
    as: 'admin',
    filters: ({ campaign, fund, donor }) => [
      ...each('status', ['pending', 'completed', 'failed', 'refunded']),
      `campaign=${campaign}`,
      `fund=${fund}`,
      `donor=${donor}`,
      ...each('from', ['2020-01-01', '2100-01-01']),
      ...each('to', ['2020-01-01', '2100-01-01']),
    ],
    bound: { rows: PAGE, entries: twice(GIFTS) },
    // The handler reads an empty page again.
    unless: [[/from=2100|to=2020/, { rows: PAGE, entries: 2 * twice(GIFTS) }]],
  },
  '/api/foundation/pledges/': {
    as: 'admin',
    filters: ({ campaign, donor }) => [
      ...each('status', ['active', 'past_due', 'paused', 'cancelled']),
      `campaign=${campaign}`,
      `donor=${donor}`,
    ],
    bound: { rows: PAGE, entries: twice(PLEDGES) },
  },
  '/api/foundation/donors/': {
    as: 'admin',
    filters: () => [...SEARCHES, 'search=donors.example.org'],
    bound: { rows: PAGE, entries: twice(TESTED.donors) },
    // A text search reads all donors: once to count, once for the page.
    unless: [[/search=/, { rows: 2 * TESTED.donors + PAGE, entries: PAGE }]],
  },
  '/api/foundation/receipts/': {
    as: 'admin',
    filters: ({ donor, donation }) => [
      ...each('status', ['valid', 'superseded', 'void']),
      ...each('kind', ['gift', 'annual']),
      `year=${new Date().getFullYear() - 1}`,
      `donor=${donor}`,
      `donation=${donation}`,
    ],
    bound: { rows: PAGE, entries: twice(RECEIPTS) },
  },
  '/api/foundation/annual-receipts/': {
    as: 'admin',
    filters: () => [...each('status', ['running', 'issued', 'cancelled', 'stopped_right_lost']), 'year=2025'],
    bound: SMALL,
  },
  '/api/foundation/bulletins/': {
    as: 'admin',
    filters: () => [
      ...each('status', ['draft', 'scheduled', 'sending', 'sent']),
      ...each('audience', ['all_donors', 'organization_members']),
    ],
    bound: SMALL,
  },
  '/api/foundation/bulletins/:id/recipients/': {
    as: 'admin',
    filters: () => [
      ...each('status', ['pending', 'sent', 'failed', 'bounced', 'skipped']),
      ...each('reason', ['refused', 'unsubscribed']),
    ],
    bound: { rows: PAGE, entries: twice(TESTED.donors) },
    // The few failed and skipped recipients of a reason are found among all of the bulletin.
    unless: [[/reason=/, { rows: 2 * TESTED.donors + PAGE, entries: PAGE }]],
  },
  '/api/foundation/unmatched-payments/': {
    as: 'admin',
    filters: () => each('resolved', ['true', 'false']),
    bound: SMALL,
  },
  '/api/foundation/money-cases/': {
    as: 'admin',
    filters: () => ['status=open', 'kind=refund_unknown'],
    bound: SMALL,
  },
  '/api/organizations/:organization_id/admins/': { as: 'admin', filters: () => ['is_active=true'], bound: SMALL },
  '/api/organizations/:organization_id/regions/': { as: 'admin', bound: SMALL },
  '/api/organizations/:organization_id/regional-admins/': {
    as: 'admin',
    filters: ({ region }) => ['is_active=true', `region=${region}`],
    bound: SMALL,
  },
  '/api/organizations/:organization_id/chapters/': {
    as: 'admin',
    filters: ({ region }) => ['status=active', `region=${region}`, ...SEARCHES],
    bound: SMALL,
  },
  '/api/chapters/:id/officer-terms/': { as: 'officer', filters: () => ['running=true'], bound: SMALL },
  '/api/chapters/:id/advisors/': { as: 'officer', bound: SMALL },
  '/api/organizations/public/directory/': { as: 'admin', filters: () => SEARCHES, bound: SMALL },
  '/api/organizations/public/:slug/chapters/': { as: 'admin', filters: () => ['state=OH', ...SEARCHES], bound: SMALL },
  '/api/organizations/:organization_id/terms/': { as: 'admin', bound: SMALL },
  '/api/organizations/:organization_id/approvals/': { as: 'admin', bound: SMALL },
  '/api/organizations/:organization_id/approvals/items/': {
    as: 'admin',
    filters: ({ chapter }) => [...each('kind', ['member_add', 'refund', 'plan']), `chapter=${chapter}`],
    bound: SMALL,
  },
  '/api/chapters/:id/approvals/': { as: 'officer', bound: SMALL },
  '/api/organizations/:organization_id/social-posts/': { as: 'admin', filters: () => ['status=draft'], bound: SMALL },
  '/api/organizations/:organization_id/bulletins/': { as: 'admin', filters: () => ['state=draft'], bound: SMALL },
  '/api/bulletins/': { as: 'member', bound: SMALL },
  // Each forum's access is evaluated, once to count and once for the page.
  '/api/forums/': {
    as: 'member',
    filters: () => ['discover=true'],
    bound: { rows: 2 * FORUMS * 12, entries: 2 * FORUMS * 4 },
  },
  '/api/forums/:forum_id/members/': { as: 'member', bound: { rows: PAGE, entries: twice(ORGANIZATION) } },
  '/api/forums/:forum_id/invitations/': { as: 'admin', bound: SMALL },
  '/api/forums/:forum_id/join-requests/': { as: 'admin', bound: SMALL },
  '/api/forums/review-queue/': { as: 'admin', bound: SMALL },
  '/api/organizations/:organization_id/moderation-rules/': { as: 'admin', bound: SMALL },
  // Whether a thread is unread is looked up for each.
  '/api/forums/:forum_id/posts/': {
    as: 'member',
    filters: ({ user }) => [`author=${user}`, 'unread=true'],
    bound: { rows: PAGE, entries: twice(THREADS) },
    unless: [[/author|unread/, { rows: 4 * THREADS, entries: 4 * THREADS }]],
  },
  '/api/forums/:forum_id/posts/:post_id/comments/': { as: 'member', bound: { rows: PAGE, entries: twice(COMMENTS) } },
  '/api/forums/:forum_id/posts/:post_id/revisions/': { as: 'admin', bound: SMALL },
  '/api/forums/:forum_id/posts/:post_id/comments/:comment_id/revisions/': { as: 'admin', bound: SMALL },
  '/api/organizations/:organization_id/consent-templates/': {
    as: 'admin',
    filters: () => ['audience=members'],
    bound: SMALL,
  },
  '/api/organizations/:organization_id/consent-templates/:id/versions/': { as: 'admin', bound: SMALL },
  // Signed and unsigned people are counted, which reads all members of the organization.
  '/api/organizations/:organization_id/consent-templates/:id/people/': {
    as: 'admin',
    filters: ({ chapter }) => [...each('state', ['due', 'given']), `chapter=${chapter}`],
    bound: { rows: 4 * ORGANIZATION + PAGE, entries: twice(ORGANIZATION) },
  },
  '/api/organizations/:organization_id/pnm/': {
    as: 'admin',
    filters: ({ recruitment }) => [...QUEUE_FILTERS, `period=${recruitment}`, ...SEARCHES],
    bound: { rows: PAGE, entries: twice(INTAKE) },
    unless: [[OF_OTHERS, { rows: 10 * INTAKE + PAGE, entries: 10 * INTAKE + PAGE }]],
  },
  '/api/organizations/:organization_id/pnm-applications/': {
    as: 'admin',
    filters: ({ recruitment }) => [
      'state=received',
      'flagged=true',
      'unverified=true',
      `period=${recruitment}`,
      ...SEARCHES,
    ],
    bound: { rows: 2 * INTAKE + PAGE, entries: 2 * INTAKE + PAGE },
  },
  '/api/chapters/:id/pnm-applications/': {
    as: 'officer',
    filters: () => ['state=received', ...SEARCHES],
    bound: SMALL,
  },
  '/api/pnm/:id/reference-letters/': { as: 'admin', bound: SMALL },
  '/api/pnm/public/:slug/chapters/': { as: 'admin', bound: SMALL },
  '/api/pnm/public/:slug/consents/': { as: 'admin', bound: SMALL },
  // Counts its members.
  '/api/recruitment-periods/:id/statistics/': {
    as: 'admin',
    bound: { rows: 3 * INTAKE + PAGE, entries: 3 * INTAKE + PAGE },
  },
  '/api/organizations/:organization_id/recruitment-periods/': {
    as: 'admin',
    filters: () => ['status=active'],
    bound: SMALL,
  },
  '/api/organizations/:organization_id/provisioning-records/': {
    as: 'admin',
    filters: () => ['status=active'],
    bound: SMALL,
  },
  '/api/organizations/:organization_id/name-assignments/': {
    as: 'admin',
    filters: () => ['status=proposed'],
    bound: SMALL,
  },
  '/api/chapters/:id/pnm/': {
    as: 'officer',
    filters: ({ recruitment }) => [...QUEUE_FILTERS, `period=${recruitment}`, ...SEARCHES],
    bound: SMALL,
    unless: [
      [OF_OTHERS, { rows: (10 * INTAKE) / TESTED.chapters + PAGE, entries: (10 * INTAKE) / TESTED.chapters + PAGE }],
    ],
  },
  // Sorting by columns without an index reads the chapter: its members, and the person of each.
  '/api/chapters/:id/members/': {
    as: 'officer',
    filters: () => [
      ...each('status', ['undergrad', 'alumni']),
      'role=officer',
      'pledge_class=Beta%20class',
      'graduation_year=2027',
      'on=2025-03-01',
      'on=2025-03-01&status=undergrad',
      ...SEARCHES,
    ],
    bound: { rows: 4 * CHAPTER + PAGE, entries: twice(CHAPTER) },
  },
  '/api/memberships/:id/history/': { as: 'officer', bound: SMALL },
  '/api/memberships/:id/scheduled-changes/': { as: 'officer', filters: () => ['state=scheduled'], bound: SMALL },
  // The average covers the whole chapter: a name, membership, person, profile and the person's addresses for each member.
  '/api/chapters/:id/completeness/': {
    as: 'officer',
    bound: { rows: 7 * CHAPTER + PAGE, entries: 3 * CHAPTER + PAGE },
  },
  '/api/chapters/:id/member-add-requests/': { as: 'officer', filters: () => ['status=approved'], bound: SMALL },
  '/api/organizations/:organization_id/account-requests/': {
    as: 'admin',
    filters: () => ['status=pending'],
    bound: SMALL,
  },
  '/api/chapters/:id/planned-terms/': { as: 'officer', filters: () => ['state=scheduled'], bound: SMALL },
  '/api/chapters/:id/hand-over-requests/': { as: 'officer', filters: () => ['status=pending'], bound: SMALL },
  '/api/organizations/:organization_id/hand-over-requests/': {
    as: 'admin',
    filters: () => ['status=pending'],
    bound: SMALL,
  },
  '/api/memberships/:id/status-change-requests/': { as: 'admin', filters: () => ['status=approved'], bound: SMALL },
  '/api/organizations/:organization_id/status-change-requests/': {
    as: 'admin',
    filters: () => ['status=pending_officer'],
    bound: SMALL,
  },
  '/api/memberships/:id/transfer-requests/': { as: 'officer', filters: () => ['status=approved'], bound: SMALL },
  '/api/organizations/:organization_id/transfer-requests/': {
    as: 'officer',
    filters: () => ['status=pending_destination'],
    bound: SMALL,
  },
  '/api/organizations/:organization_id/member-add-requests/': {
    as: 'admin',
    filters: () => ['status=pending_regional'],
    bound: SMALL,
  },
  '/api/organizations/:organization_id/roster-exports/': { as: 'admin', filters: () => ['status=ready'], bound: SMALL },
  '/api/organizations/:organization_id/invoice-exports/': { as: 'admin', bound: SMALL },
  '/api/organizations/:organization_id/ledger-checks/': { as: 'admin', filters: () => ['status=failed'], bound: SMALL },
  '/api/chapters/:id/invoice-exports/': { as: 'officer', bound: SMALL },
  '/api/organizations/:organization_id/rollovers/': { as: 'admin', filters: () => ['status=completed'], bound: SMALL },
  '/api/rollovers/:id/lines/': {
    as: 'admin',
    filters: () => each('outcome', ['waiting', 'moved']),
    bound: { rows: PAGE, entries: twice(ORGANIZATION) },
  },
  '/api/organizations/:organization_id/imports/': {
    as: 'admin',
    filters: () => ['stage=mapping', 'outcome=cancelled'],
    bound: SMALL,
  },
  '/api/imports/:id/rows/': {
    as: 'admin',
    filters: () => [...each('outcome', ['create', 'error']), ...each('result', ['waiting', 'failed'])],
    bound: { rows: PAGE, entries: twice(ORGANIZATION) },
  },
  '/api/organizations/:organization_id/sso-refusals/': {
    as: 'admin',
    filters: ({ user }) => [`connection=${user}`, 'reason=no_account'],
    bound: SMALL,
  },
  '/api/organizations/:organization_id/audit-log/': {
    as: 'admin',
    filters: ({ user, membership }) => [
      `actor=${user}`,
      ...each('action', ['remittance.settled', 'nothing.of.this']),
      ...each('subject_type', ['invoice', 'membership']),
      `subject_id=${membership}`,
      'request_id=none',
      ...each('until', ['2024-01-01T00:00:00Z', '2100-01-01T00:00:00Z']),
      ...each('since', ['2024-01-01T00:00:00Z', '2100-01-01T00:00:00Z']),
    ],
    bound: { rows: PAGE, entries: twice(ORGANIZATION) },
  },
  '/api/hq/dues/:organization_id/rates/': {
    as: 'admin',
    filters: ({ term }) => [`term=${term}`, 'status=undergrad'],
    bound: SMALL,
  },
  '/api/hq/dues/:organization_id/billing-overrides/': {
    as: 'admin',
    filters: ({ chapter }) => [`chapter=${chapter}`],
    bound: SMALL,
  },
  '/api/hq/dues/:organization_id/runs/': {
    as: 'admin',
    filters: ({ term }) => [`term=${term}`, 'status=completed'],
    bound: SMALL,
  },
  '/api/organizations/:organization_id/invoices/': {
    as: 'admin',
    filters: (ids) => [...invoiceFilters(ids), `chapter=${ids.chapter}`],
    bound: { rows: PAGE, entries: twice(ORGANIZATION_INVOICES) },
    unless: [
      // No index contains amounts, which every payment changes; a status with another order than its index has is sorted.
      [/ordering=-?(balance_due|total)_cents/, { rows: ORGANIZATION_INVOICES + PAGE, entries: ORGANIZATION_INVOICES }],
      [/status=.*ordering=-?created_at/, { rows: ORGANIZATION_INVOICES + PAGE, entries: ORGANIZATION_INVOICES }],
      // A text search reads all invoices and people of the organization, and of no other: once to count, once for the page, and
      // both again when nothing matches.
      [
        /search=/,
        { rows: 4 * (ORGANIZATION_INVOICES + 2 * ORGANIZATION) + PAGE, entries: twice(ORGANIZATION_INVOICES) },
      ],
    ],
  },
  '/api/chapters/:id/invoices/': {
    as: 'officer',
    filters: invoiceFilters,
    bound: { rows: 2 * CHAPTER_INVOICES + PAGE, entries: twice(CHAPTER_INVOICES) },
    unless: [[/search=/, { rows: 2 * (CHAPTER_INVOICES + 2 * CHAPTER) + PAGE, entries: twice(CHAPTER_INVOICES) }]],
  },
  // The newest fifty are counted, and shown with their joined rows.
  '/api/notifications/': {
    as: 'member',
    filters: ({ user }) => [
      ...each('is_read', ['true', 'false']),
      ...each('category', ['billing', 'forum']),
      ...each('requires_action', ['true', 'false']),
      `before=${user}`,
    ],
    bound: SMALL,
  },
  '/api/push-tokens/': { as: 'member', bound: SMALL },
  '/api/organizations/:organization_id/mail-suppressions/': { as: 'admin', bound: SMALL },
  // The threads of which the reader hears are sorted.
  '/api/notifications/forum-subscriptions/': { as: 'member', bound: { rows: THREADS, entries: THREADS } },
  '/api/notifications/digests/': { as: 'member', bound: SMALL },
  '/api/notifications/preferences/': { as: 'member', bound: SMALL },
  '/api/invoices/:id/discounts/': { as: 'admin', bound: SMALL },
  '/api/invoices/:id/refunds/': { as: 'admin', bound: SMALL },
  '/api/hq/dues/:organization_id/plan-requests/': {
    as: 'admin',
    filters: ({ chapter }) => ['status=pending', 'in_policy=true', 'is_frozen=true', `chapter=${chapter}`],
    bound: SMALL,
  },
  '/api/billing/plan-requests/': { as: 'officer', filters: () => ['status=pending'], bound: SMALL },
  '/api/billing/me/plan-requests/': { as: 'member', filters: () => ['status=pending'], bound: SMALL },
  '/api/hq/dues/:organization_id/payment-plans/': {
    as: 'admin',
    filters: () => ['status=active', 'late=true'],
    bound: SMALL,
  },
  '/api/billing/me/good-standing/': { as: 'member', bound: SMALL },
  '/api/billing/me/payment-plans/': { as: 'member', filters: () => ['status=active'], bound: SMALL },
  '/api/organizations/:organization_id/money-cases/': {
    as: 'admin',
    filters: () => ['status=open', 'kind=refund_unknown', 'kind=remittance_flagged'],
    bound: SMALL,
  },
  '/api/organizations/:organization_id/refund-requests/': {
    as: 'admin',
    filters: () => ['status=pending'],
    bound: SMALL,
  },
  '/api/billing/me/invoices/': { as: 'member', filters: () => each('status', INVOICE_STATUSES), bound: SMALL },
  '/api/billing/me/ledger/': { as: 'member', bound: SMALL },
  // A bucket depends on all debts and credits of a chapter's members.
  '/api/billing/roster/': {
    as: 'officer',
    filters: () => [...each('bucket', ['delinquent', 'settled', 'none']), ...SEARCHES],
    bound: { rows: 2 * CHAPTER_INVOICES + 4 * CHAPTER + PAGE, entries: 2 * twice(CHAPTER_INVOICES) },
  },
  '/api/billing/roster/:membership_id/ledger/': { as: 'officer', bound: SMALL },
  // Each running balance depends on all earlier entries: the chapter's own invoices, which are few.
  '/api/chapters/:id/finances/ledger/': {
    as: 'officer',
    filters: ({ term }) => [`term=${term}`, 'from=2026-01-01&to=2026-06-30'],
    bound: { rows: 2 * CHAPTER + PAGE, entries: twice(CHAPTER) },
  },
  '/api/hq/dues/:organization_id/credit-shortfalls/': { as: 'admin', bound: SMALL },
  '/api/hq/dues/:organization_id/chapters/:chapter_id/credit/': {
    as: 'admin',
    filters: ({ membership }) => [`member=${membership}`],
    bound: SMALL,
  },
  '/api/organizations/:organization_id/payment-processors/': { as: 'admin', bound: SMALL },
  '/api/organizations/:organization_id/disputes/': {
    as: 'admin',
    filters: () => each('status', ['open', 'won', 'lost']),
    bound: SMALL,
  },
  '/api/organizations/:organization_id/unmatched-payments/': {
    as: 'admin',
    filters: () => each('resolved', ['true', 'false']),
    bound: SMALL,
  },
  // A remittance's status depends on its rows, so all of the organization's are read; for those of the page, allocations are
  // counted.
  '/api/billing/remittances/': {
    as: 'admin',
    filters: ({ chapter }) => [
      ...each('status', ['settled', 'draft', 'processing', 'needs_reconciliation']),
      `chapter=${chapter}`,
    ],
    bound: { rows: PAGE, entries: 25 * 25 + twice(ORGANIZATION_REMITTANCES) },
    unless: [
      [
        /status=|ordering=-?total_cents/,
        { rows: 2 * ORGANIZATION_REMITTANCES + PAGE, entries: 25 * 25 + twice(ORGANIZATION_REMITTANCES) },
      ],
    ],
  },
};

/** Lists that Postgres does not answer, or that answer only with a parameter. */
export const ELSEWHERE: Record<string, string> = {
  '/api/processes/': 'asked of Temporal',
  '/api/pnm/public/:slug/questions/': 'one row of the organization',
  '/api/public/good-standing/': 'needs a code: one row by its digest',
  '/.well-known/assetlinks.json': 'made of the configuration',
  '/api/organizations/:organization_id/member-search/':
    'needs words; test/large/query-plans/memberSearch.test.ts bounds it',
  '/api/organizations/:organization_id/admin-search/':
    'looks at the few who administer the organization; bounded there too',
  '/api/platform/user-search/': 'needs words; bounded there too',
  '/api/forums/search/': 'needs words; queryPlans.test.ts bounds it',
  '/api/forums/:forum_id/mention-search/': 'needs words; looks at the people of one forum',
};
