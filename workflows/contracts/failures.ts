/** Texts that describe failures to people, by error name. They contain no error messages, addresses or code. */

export interface FailureText {
  code: string;
  detail: string;
}

export type FailureTexts = Readonly<Record<string, FailureText>>;

const failureText = (code: string, detail: string): FailureText => ({ code, detail });

/** Failures of steps that call a payment provider. */
export const PROVIDER_FAILURES: FailureTexts = {
  OutcomeUnknown: failureText(
    'provider_silent',
    'The payment provider has not reported the outcome of the charge. The request is repeated.',
  ),
  CredentialsRefused: failureText(
    'provider_refused_key',
    'The payment provider rejects the key. Rotate the processor to another key of the same account; the process then continues.',
  ),
  ChargeRefused: failureText('provider_refused', 'The payment provider refused the request.'),
};

/** Failures of steps that send mail. */
export const MAIL_FAILURES: FailureTexts = {
  MailUnavailable: failureText('mail_unavailable', 'The mail server does not accept mail at the moment.'),
};

/** Name of the error with which a process ends if its row was deleted. */
export const NOT_FOUND = 'NotFound';

/** Failures that any step may have. */
const COMMON: FailureTexts = {
  DatabaseAway: failureText('database_unavailable', 'The database did not answer.'),
  [NOT_FOUND]: failureText('row_missing', 'The subject of this process has been deleted.'),
  StepTooLong: failureText('step_too_long', 'The step exceeded its time limit.'),
  StepNotTaken: failureText('no_worker', 'No worker started the step in time.'),
  WorkerLost: failureText('worker_lost', 'The worker that ran the step stopped responding.'),
};

const UNEXPECTED = failureText(
  'unexpected',
  'The step failed with an unexpected error. An operator can find the details in Temporal.',
);

/**
 * Returns the text for a failure.
 * @param failures texts of the process kind
 * @param type name of the error
 */
export function describeFailure(failures: FailureTexts, type: string): FailureText {
  const texts = { ...COMMON, ...failures };
  return (Object.hasOwn(texts, type) ? texts[type] : undefined) ?? UNEXPECTED;
}
