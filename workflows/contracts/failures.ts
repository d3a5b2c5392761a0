/** Failures in words for people, by error name: without messages, addresses or code. */

export interface FailureWord {
  code: string;
  detail: string;
}

export type FailureWords = Readonly<Record<string, FailureWord>>;

const said = (code: string, detail: string): FailureWord => ({ code, detail });

/** Failures of steps that call a payment provider. */
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

/** Failures of steps that mail. */
export const MAIL_FAILURES: FailureWords = {
  MailUnavailable: said('mail_unavailable', 'The mail server does not take mail at the moment.'),
};

/** The row of a process was deleted; the process ends with this. */
export const NOT_FOUND = 'NotFound';

/** Failures of any step. */
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

/** @param failures words of the kind @param type name of the error */
export function wordsFor(failures: FailureWords, type: string): FailureWord {
  const known = { ...COMMON, ...failures };
  return (Object.hasOwn(known, type) ? known[type] : undefined) ?? UNEXPECTED;
}
