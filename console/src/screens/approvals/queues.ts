/** The queues of requests: where each is read and decided, and what a request of it says. */
import type { Result, Schema } from 'chapter-membership-client';
import { client } from '../../api/client';
import { send } from '../../api/send';
import { words } from '../processes/kinds';
import type { Fact } from './facts';
import type { ReviewValues } from './approvalFields';

export type PendingApproval = Schema<'PendingApproval'>;
export type ApprovalKind = PendingApproval['kind'];
export type ReviewOutcome = Schema<'ReviewOutcome'>;

/** A request as its queue shows it. */
export interface RequestDetail {
  status: string;
  version: number;
  facts: Fact[];
}

export interface Review extends ReviewValues {
  decision: string;
  notes?: string;
  version?: number;
}

interface Queue {
  label: string;
  /** Part of the addresses of its requests, in the console and in notifications. */
  path: string;
  /** The word with which the queue declines a request. */
  decline: 'reject' | 'refuse';
  /** Reads a request; null if it can only be read while it is pending. */
  read: (organizationId: string, id: string) => Promise<RequestDetail | null>;
  review: (organizationId: string, id: string, body: Review) => Promise<{ status: string }>;
  /** Decides several requests with one decision. Absent: the queue decides one at a time. */
  reviewAll?: (organizationId: string, body: Schema<'BulkReview'>) => Promise<ReviewOutcome[]>;
}

const inQueue = (organization_id: string, id: string) => ({ params: { path: { organization_id, id } } });
const ofQueue = (organization_id: string) => ({ params: { path: { organization_id } } });

/** Returns the function that reads a request and states its facts. */
function reads<Request extends { status: string; version: number }>(
  get: (organizationId: string, id: string) => Promise<Result<Request>>,
  factsOf: (request: Request) => Fact[],
): Queue['read'] {
  return async (organizationId, id) => {
    const request = await send(() => get(organizationId, id));
    return { status: request.status, version: request.version, facts: factsOf(request) };
  };
}

export const QUEUES: Readonly<Record<ApprovalKind, Queue>> = {
  account: {
    label: 'Account',
    path: 'account-requests',
    decline: 'reject',
    read: reads(
      (organization, id) =>
        client.GET('/api/organizations/{organization_id}/account-requests/{id}/', inQueue(organization, id)),
      (request) => [
        { label: 'Name', text: `${request.first_name} ${request.last_name}` },
        { label: 'E-mail address', text: request.email },
        { label: 'Telephone', text: request.phone_number },
        { label: 'Chapter', chapter: request.chapter },
        { label: 'Justification', text: request.justification },
        { label: 'Verified', at: request.verified_at },
      ],
    ),
    review: (organization, id, body) =>
      send(() =>
        client.POST('/api/organizations/{organization_id}/account-requests/{id}/review/', {
          ...inQueue(organization, id),
          body: body as Schema<'AccountReview'>,
        }),
      ),
    reviewAll: (organization, body) =>
      send(() =>
        client.POST('/api/organizations/{organization_id}/account-requests/bulk-review/', {
          ...ofQueue(organization),
          body,
        }),
      ),
  },
  member_add: {
    label: 'New member',
    path: 'member-add-requests',
    decline: 'reject',
    read: reads(
      (organization, id) =>
        client.GET('/api/organizations/{organization_id}/member-add-requests/{id}/', inQueue(organization, id)),
      (request) => [
        { label: 'Name', text: `${request.first_name} ${request.last_name}` },
        { label: 'E-mail address', text: request.email },
        { label: 'Role', text: words(request.role) },
        { label: 'Chapter', chapter: request.chapter },
        { label: 'Joined', text: request.joined_date },
        { label: 'Graduation', text: graduation(request) },
        { label: 'Pledge class', text: request.pledge_class },
        { label: 'Justification', text: request.justification },
        ...firstTier(request),
      ],
    ),
    review: (organization, id, body) =>
      send(() =>
        client.POST('/api/organizations/{organization_id}/member-add-requests/{id}/review/', {
          ...inQueue(organization, id),
          body: body as Schema<'MemberAddReview'>,
        }),
      ),
    reviewAll: (organization, body) =>
      send(() =>
        client.POST('/api/organizations/{organization_id}/member-add-requests/bulk-review/', {
          ...ofQueue(organization),
          body,
        }),
      ),
  },
  status_change: {
    label: 'Status',
    path: 'status-change-requests',
    decline: 'reject',
    read: reads(
      (organization, id) =>
        client.GET('/api/organizations/{organization_id}/status-change-requests/{id}/', inQueue(organization, id)),
      (request) => [
        { label: 'Member', membership: request.membership },
        { label: 'Requested status', text: words(request.to_status) },
        { label: 'Status when requested', text: words(request.from_status) },
        { label: 'Present status', text: words(request.current_status) },
        { label: 'From the day', text: request.effective_on ?? 'Day of the approval' },
        { label: 'Reason', text: request.reason },
        { label: 'Document', file: request.document },
        ...firstTier(request),
      ],
    ),
    review: (organization, id, body) =>
      send(() =>
        client.POST('/api/organizations/{organization_id}/status-change-requests/{id}/review/', {
          ...inQueue(organization, id),
          body: body as Schema<'StatusChangeReview'>,
        }),
      ),
    reviewAll: (organization, body) =>
      send(() =>
        client.POST('/api/organizations/{organization_id}/status-change-requests/bulk-review/', {
          ...ofQueue(organization),
          body,
        }),
      ),
  },
  transfer: {
    label: 'Transfer',
    path: 'transfer-requests',
    decline: 'reject',
    read: reads(
      (organization, id) =>
        client.GET('/api/organizations/{organization_id}/transfer-requests/{id}/', inQueue(organization, id)),
      (request) => [
        { label: 'Member', membership: request.membership },
        { label: 'From', chapter: request.chapter },
        { label: 'To', chapter: request.to_chapter },
        { label: 'From the day', text: request.effective_on ?? 'Day of the approval' },
        { label: 'Reason', text: request.reason },
        ...firstTier(request),
      ],
    ),
    review: (organization, id, body) =>
      send(() =>
        client.POST('/api/organizations/{organization_id}/transfer-requests/{id}/review/', {
          ...inQueue(organization, id),
          body: body as Schema<'TransferReview'>,
        }),
      ),
    reviewAll: (organization, body) =>
      send(() =>
        client.POST('/api/organizations/{organization_id}/transfer-requests/bulk-review/', {
          ...ofQueue(organization),
          body,
        }),
      ),
  },
  hand_over: {
    label: 'Hand-over',
    path: 'hand-over-requests',
    decline: 'reject',
    read: reads(
      (organization, id) =>
        client.GET('/api/organizations/{organization_id}/hand-over-requests/{id}/', inQueue(organization, id)),
      (request) => [
        { label: 'Successor', membership: request.successor },
        { label: 'Chapter', chapter: request.chapter },
        { label: 'From the day', text: request.effective_on ?? 'Day of the approval' },
        { label: 'Planned end', text: request.ends_on },
      ],
    ),
    review: (organization, id, body) =>
      send(() =>
        client.POST('/api/organizations/{organization_id}/hand-over-requests/{id}/review/', {
          ...inQueue(organization, id),
          body: body as Schema<'HandOverReview'>,
        }),
      ),
    reviewAll: (organization, body) =>
      send(() =>
        client.POST('/api/organizations/{organization_id}/hand-over-requests/bulk-review/', {
          ...ofQueue(organization),
          body,
        }),
      ),
  },
  pnm_name: {
    label: 'Name of a prospective member',
    path: 'name-assignments',
    decline: 'reject',
    read: readProposedName,
    review: (_organization, id, body) =>
      send(() =>
        client.POST('/api/name-assignments/{id}/review/', {
          params: { path: { id } },
          body: body as Schema<'NameReview'>,
        }),
      ),
    reviewAll: (organization, body) =>
      send(() =>
        client.POST('/api/organizations/{organization_id}/name-assignments/bulk-review/', {
          ...ofQueue(organization),
          body,
        }),
      ),
  },
  refund: {
    label: 'Refund',
    path: 'refund-requests',
    decline: 'refuse',
    read: reads(
      (organization, id) =>
        client.GET('/api/organizations/{organization_id}/refund-requests/{id}/', inQueue(organization, id)),
      (request) => [
        request.amount_cents === null
          ? { label: 'Amount', text: 'All that is refundable' }
          : { label: 'Amount', cents: request.amount_cents },
        { label: 'Invoice', invoice: request.invoice },
        { label: 'Reason', text: request.reason },
        { label: 'Reference', text: request.reference },
      ],
    ),
    review: (organization, id, body) =>
      send(() =>
        client.POST('/api/organizations/{organization_id}/refund-requests/{id}/review/', {
          ...inQueue(organization, id),
          body: body as Schema<'RefundRequestReview'>,
        }),
      ),
  },
  plan: {
    label: 'Payment plan',
    path: 'plan-requests',
    decline: 'refuse',
    read: reads(
      (organization, id) => client.GET('/api/hq/dues/{organization_id}/plan-requests/{id}/', inQueue(organization, id)),
      (request) => [
        { label: 'Member', membership: request.member.membership },
        { label: 'Invoice', invoice: request.invoice },
        { label: 'Due', text: request.invoice_due_date },
        { label: 'Balance due', cents: request.balance_due_cents },
        { label: 'Requested by', text: request.requester.name },
        { label: 'Justification', text: request.justification },
        { label: 'Installments due', text: request.installments.map(({ due_date }) => due_date).join(', ') },
        ...request.installments.map(({ due_date, amount_cents }) => ({
          label: `Installment of ${due_date}`,
          cents: amount_cents,
        })),
        { label: 'Within the policy', text: policy(request) },
        { label: 'Reminders pause until', at: request.freeze_expires_at },
      ],
    ),
    review: (organization, id, body) =>
      send(() =>
        client.POST('/api/hq/dues/{organization_id}/plan-requests/{id}/review/', {
          ...inQueue(organization, id),
          body: body as Schema<'PlanReview'>,
        }),
      ),
  },
};

export const KINDS = Object.keys(QUEUES) as ApprovalKind[];

/** Reads a proposed name. The API has a list of the names only. */
async function readProposedName(organizationId: string, id: string): Promise<RequestDetail | null> {
  const proposed = await send(() =>
    client.all('/api/organizations/{organization_id}/name-assignments/', {
      params: { path: { organization_id: organizationId }, query: { status: 'proposed' } },
    }),
  );
  const found = proposed.find((row) => row.id === id);
  if (!found) return null;
  const { status, version, name, chapter } = found;
  return {
    status,
    version,
    facts: [
      { label: 'Name', text: name },
      { label: 'Chapter', chapter },
    ],
  };
}

type Graduating = Pick<Schema<'MemberAddRequest'>, 'graduation_season' | 'graduation_year'>;

const graduation = ({ graduation_season, graduation_year }: Graduating): string =>
  [graduation_season && words(graduation_season.toLowerCase()), graduation_year].filter(Boolean).join(' ');

function policy({ is_in_policy, policy_reasons }: Schema<'PlanRequest'>): string | null {
  if (is_in_policy === null) return null;
  return is_in_policy ? 'Yes' : ['No', ...(policy_reasons ?? []).map(words)].join(', ');
}

type TwoTiered = Pick<Schema<'StatusChangeRequest'>, 'first_tier_skipped' | 'first_reviewed_at' | 'first_review_notes'>;

/** Says what the first of two tiers has decided. */
const firstTier = ({ first_tier_skipped, first_reviewed_at, first_review_notes }: TwoTiered): Fact[] => [
  { label: 'First decision', text: first_tier_skipped ? 'Skipped: nobody else could make it' : null },
  { label: 'Approved first', at: first_reviewed_at },
  { label: 'Notes of the first decision', text: first_review_notes },
];
