/** What went wrong, for people: nothing of messages, addresses or code. */
import type { FailureKind } from '../../gateways/temporal/processes/failures.js';

export interface TranslatedFailure {
  code: string;
  detail: string;
}

const said = (code: string, detail: string): TranslatedFailure => ({ code, detail });

const BY_TYPE: Readonly<Record<string, TranslatedFailure>> = {
  OutcomeUnknown: said(
    'provider_silent',
    'The payment provider has not said what became of the charge. It is asked again.',
  ),
  CredentialsRefused: said(
    'provider_refused_key',
    'The payment provider does not take the key. Rotate the processor to a key of the same account: then this goes on.',
  ),
  ChargeRefused: said('provider_refused', 'The payment provider refused what it was asked for.'),
  RefundBeforePayment: said('payment_not_known_yet', 'A refund was reported whose payment is not recorded yet.'),
  MailUnavailable: said('mail_unavailable', 'The mail server does not take mail at the moment.'),
  NoticesDeferred: said('mail_deferred', 'A mail server wants some of the mails later.'),
  DatabaseAway: said('database_unavailable', 'The database did not answer.'),
  NotFound: said('row_missing', 'What the process is about is not there any more.'),
  StepTooLong: said('step_too_long', 'The step took longer than it may.'),
  StepNotTaken: said('no_worker', 'No worker took the step in time.'),
  WorkerLost: said('worker_lost', 'The worker that was at the step went away.'),
};

const UNEXPECTED = said(
  'unexpected',
  'The step failed in a way that nobody foresaw. An operator finds the details in Temporal.',
);

export const translateFailure = ({ type }: FailureKind): TranslatedFailure =>
  Object.hasOwn(BY_TYPE, type) ? (BY_TYPE[type] as TranslatedFailure) : UNEXPECTED;
