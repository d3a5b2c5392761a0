/** What all requests have in common once somebody decides one: its row is locked, and whoever waits for it hears of it. */
import type { Model } from 'sequelize';
import { audit } from '../../database/audit.js';
import { editRow, now, requireVersion } from '../../database/model/change.js';
import type { Kind } from '../../database/model/defineModel.js';
import { invalid } from '../../errors.js';
import { notify } from '../../notifications/notify.js';
import { resolveNotifications } from '../../notifications/resolve.js';
import type { NotificationType } from '../../notifications/types.js';
import { CLOSED } from './columns.js';
import { requestErrors } from './errors.js';

/** What every request's row says. */
interface Decidable extends Model {
  id: string;
  status: string;
  /** Not there where whoever asks has no account. */
  requested_by?: string | null;
  reviewed_by: string | null;
  reviewed_at: Date | null;
  review_notes: string | null;
  version: number;
}

/** A decision, as its giver says it. */
export interface Review {
  decision: 'approve' | 'reject';
  notes?: string | undefined;
  /** That the reviewer saw. */
  version?: number | undefined;
  /** One of many that are decided alike: the notes are not about this one alone. */
  isInBulk?: boolean;
}

/** How one kind of request is called, and what people are told of it. */
export interface RequestKind<Row extends Decidable> {
  model: Kind<Row>;
  /** In the audit log and in notifications. */
  subject: string;
  /** Those who can decide now. */
  requested: NotificationType;
  /** Whoever asked. Null: nobody who has an account did. */
  decided: NotificationType | null;
}

/** Whether it still waits for somebody. */
const isOpen = ({ status }: Pick<Decidable, 'status'>): boolean => !CLOSED.some((closed) => closed === status);

/** What a reviewer must not be, and a request must be. @throws Refusal own_request, request_closed, stale_version */
export function requireDecidable(request: Decidable, userId: string, version: number | undefined): void {
  if (request.requested_by === userId) throw requestErrors.own_request();
  if (!isOpen(request)) throw requestErrors.request_closed();
  requireVersion(request, version);
}

/**
 * Returns the reviewer's own reason, which an approval needs that brings a disaffiliated person back.
 * @throws Refusal validation_error naming notes, where they are missing or were written for many requests
 */
export function requireOwnReason({ notes, isInBulk }: Review): string {
  if (isInBulk)
    throw invalid('notes', 'This would bring a disaffiliated person back. Review this request alone, and say why.');
  if (notes === undefined) throw invalid('notes', 'This would bring a disaffiliated person back. Say why.');
  return notes;
}

/** It was filed: those who can decide are told. */
export async function announceRequest<Row extends Decidable>(
  { subject, requested }: RequestKind<Row>,
  { id, status }: Row,
): Promise<void> {
  await audit({ action: `${subject}.filed`, subjectType: subject, subjectId: id, after: { status } });
  await notify(requested, [id], { cause: status });
}

/** The first of two tiers has approved: what waited there is done, and the next is told. */
export async function passOn<Row extends Decidable>(kind: RequestKind<Row>, request: Row, edit: Partial<Row>) {
  await move(kind, request, 'passed_on', edit);
  await notify(kind.requested, [request.id], { cause: request.status });
}

/** Closes a request by a decision whose effect the caller has carried out. @param effect what it brought about */
export async function closeRequest<Row extends Decidable>(
  kind: RequestKind<Row>,
  request: Row,
  { decision, notes }: Review,
  { userId, ...effect }: Partial<Row> & { userId: string },
): Promise<void> {
  const verb = decision === 'approve' ? 'approved' : 'rejected';
  const decided = { status: verb, reviewed_by: userId, reviewed_at: now, review_notes: notes ?? null };
  await move(kind, request, verb, { ...effect, ...decided } as unknown as Partial<Row>);
  if (kind.decided) await notify(kind.decided, [request.id]);
}

/** Whoever asked takes it back. @param more what else becomes of it. @throws Refusal request_closed */
export async function withdrawRequest<Row extends Decidable>(
  kind: RequestKind<Row>,
  request: Row,
  more: Partial<Row> = {},
): Promise<void> {
  if (!isOpen(request)) throw requestErrors.request_closed();
  await move(kind, request, 'withdrawn', { ...more, status: 'withdrawn' });
}

/** The log says what became of it, and nothing that was typed: names and reasons go with their person. */
async function move<Row extends Decidable>(
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
