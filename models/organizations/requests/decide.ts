/**
 * Steps that decisions on all kinds of requests share. The caller has locked the request; the people concerned are
 * notified.
 */
import type { Model } from 'sequelize';
import { audit } from '../../database/audit.js';
import { editRow, now, requireVersion } from '../../database/model/change.js';
import type { Kind } from '../../database/model/defineModel.js';
import { invalid } from '../../errors.js';
import { notify } from '../../notifications/notify.js';
import { resolveNotifications } from '../../notifications/resolve.js';
import type { NotificationType } from '../../notifications/types.js';
import { CLOSED_STATUSES } from './columns.js';
import { requestErrors } from './errors.js';

/** Columns that every request has. */
export interface Decidable extends Model {
  id: string;
  status: string;
  /** The requester; not present in requests whose requester has no account. */
  requested_by?: string | null;
  reviewed_by: string | null;
  reviewed_at: Date | null;
  review_notes: string | null;
  version: number;
}

/** A reviewer's decision. */
export interface Review {
  decision: 'approve' | 'reject';
  notes?: string | undefined;
  /** The version that the reviewer saw. */
  version?: number | undefined;
  /** Whether the request is one of several that are decided together. The notes are then not specific to it. */
  isInBulk?: boolean;
}

/** A kind of request, with its notifications. */
export interface RequestKind<Row extends Decidable> {
  model: Kind<Row>;
  /** Type of the subject in the audit log and in notifications. */
  subject: string;
  /** Notification for the people who can decide the request now. */
  requested: NotificationType;
  /** Notification for the requester about the decision; null if the requester has no account. */
  decided: NotificationType | null;
}

/** Reports whether the request is pending. */
const isOpen = ({ status }: Pick<Decidable, 'status'>): boolean => !CLOSED_STATUSES.some((closed) => closed === status);

/** Requires that a request is not the reviewer's own. @throws Refusal own_request */
export function requireOtherPerson(requesterId: string | null | undefined, userId: string): void {
  if (requesterId === userId) throw requestErrors.own_request();
}

/**
 * Checks that the reviewer may decide the request and that it is pending. @throws Refusal own_request, request_closed,
 * stale_version
 */
export function requireDecidable(request: Decidable, userId: string, version: number | undefined): void {
  requireOtherPerson(request.requested_by, userId);
  if (!isOpen(request)) throw requestErrors.request_closed();
  requireVersion(request, version);
}

/**
 * Returns the reason that the reviewer gave for an approval that readmits a disaffiliated person. Such an approval
 * needs a reason of its own.
 * @throws Refusal validation_error naming notes if the notes are missing, or were written for several requests together
 */
export function requireOwnReason({ notes, isInBulk }: Review): string {
  if (isInBulk)
    throw invalid(
      'notes',
      'This would readmit a disaffiliated person. Review this request on its own and give the reason in notes.',
    );
  if (notes === undefined)
    throw invalid('notes', 'This would readmit a disaffiliated person. Give the reason in notes.');
  return notes;
}

/** Records that a request was filed, and notifies the people who can decide it. */
export async function announceRequest<Row extends Decidable>(
  { subject, requested }: RequestKind<Row>,
  { id, status }: Row,
): Promise<void> {
  await audit({ action: `${subject}.filed`, subjectType: subject, subjectId: id, after: { status } });
  await notify(requested, [id], { cause: status });
}

/**
 * Passes a request on to the second tier after the first tier has approved it. The first tier's notifications are
 * marked as resolved, and the second tier is notified.
 */
export async function passToNextTier<Row extends Decidable>(kind: RequestKind<Row>, request: Row, edit: Partial<Row>) {
  await editRequest(kind, request, 'passed_on', edit);
  await notify(kind.requested, [request.id], { cause: request.status });
}

/**
 * Closes a request with a decision whose effect the caller has already carried out.
 * @param effect columns that record the result
 */
export async function closeRequest<Row extends Decidable>(
  kind: RequestKind<Row>,
  request: Row,
  { decision, notes }: Review,
  { userId, ...effect }: Partial<Row> & { userId: string },
): Promise<void> {
  const verb = decision === 'approve' ? 'approved' : 'rejected';
  const decided = { status: verb, reviewed_by: userId, reviewed_at: now, review_notes: notes ?? null };
  await editRequest(kind, request, verb, { ...effect, ...decided } as unknown as Partial<Row>);
  if (kind.decided) await notify(kind.decided, [request.id]);
}

/** Withdraws a request for its requester. @param more further changes of the row. @throws Refusal request_closed */
export async function withdrawRequest<Row extends Decidable>(
  kind: RequestKind<Row>,
  request: Row,
  more: Partial<Row> = {},
): Promise<void> {
  if (!isOpen(request)) throw requestErrors.request_closed();
  await editRequest(kind, request, 'withdrawn', { ...more, status: 'withdrawn' });
}

/**
 * Changes a request's row. The audit log records the status only, not the texts, since names and reasons are erased
 * with their person.
 */
async function editRequest<Row extends Decidable>(
  { subject }: RequestKind<Row>,
  request: Row,
  verb: string,
  edit: Partial<Row>,
): Promise<void> {
  const before = { status: request.status };
  await editRow(request, edit);
  const after = { status: request.status };
  await audit({ action: `${subject}.${verb}`, subjectType: subject, subjectId: request.id, before, after });
  await resolveNotifications(subject, request.id);
}
