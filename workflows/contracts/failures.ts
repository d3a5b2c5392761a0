/** What went wrong, for people, by the name of the error: nothing of messages, addresses or code. */

export interface FailureWord {
  code: string;
  detail: string;
}

export type FailureWords = Readonly<Record<string, FailureWord>>;

const said = (code: string, detail: string): FailureWord => ({ code, detail });

/** Of steps that ask a payment provider. */
export const PROVIDER_FAILURES: FailureWords = {
  OutcomeUnknown: said(
    'provider_silent',
    'The payment provider has not said what became of the charge. It is asked again.',
  ),
  CredentialsRefused: said(
    'provider_refused_key',
    'The payment provider does not take the key. Rotate the processor to a key of the same account: then this goes on.',
  ),
  ChargeRefused: said('provider_refused', 'The payment provider refused what it was asked for.'),
};

/** Of steps that mail. */
export const MAIL_FAILURES: FailureWords = {
  MailUnavailable: said('mail_unavailable', 'The mail server does not take mail at the moment.'),
};

/** The row that a process is about is gone: it ends with that. */
export const NOT_FOUND = 'NotFound';

/** Of any step. */
const COMMON: FailureWords = {
  DatabaseAway: said('database_unavailable', 'The database did not answer.'),
  [NOT_FOUND]: said('row_missing', 'What the process is about is not there any more.'),
  StepTooLong: said('step_too_long', 'The step took longer than it may.'),
  StepNotTaken: said('no_worker', 'No worker took the step in time.'),
  WorkerLost: said('worker_lost', 'The worker that was at the step went away.'),
};

const UNEXPECTED = said(
  'unexpected',
  'The step failed in a way that nobody foresaw. An operator finds the details in Temporal.',
);

/** @param failures those of the kind @param type the error's name */
export function wordsFor(failures: FailureWords, type: string): FailureWord {
  const known = { ...COMMON, ...failures };
  return (Object.hasOwn(known, type) ? known[type] : undefined) ?? UNEXPECTED;
}
