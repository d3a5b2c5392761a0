import { chargeOfAttempt } from '../finances/attempts/chargeOfAttempt.js';
import { givenBack } from '../finances/captures/givingBack.js';
import { eventReportsMoney } from '../finances/webhooks/eventReportsMoney.js';

export type MoneyMoved = 'yes' | 'no' | 'unknown';

type Answer = (input: Record<string, unknown>) => Promise<MoneyMoved>;

const never: Answer = () => Promise.resolve('no');

/** Whether money has moved in a process, as the rows say, by the name of its workflow. */
const BY_PROCESS: Readonly<Record<string, Answer>> = {
  payRemittance: ({ attemptId }) => chargeOfAttempt(String(attemptId)),
  hostedPage: ({ attemptId }) => chargeOfAttempt(String(attemptId)),
  applyProcessorEvent: ({ webhookEventId }) => eventReportsMoney(String(webhookEventId)),
  giveBackPayment: ({ resolutionId }) => givenBack(String(resolutionId)),
  issueDues: never,
  markOverdue: never,
  markOverdueEverywhere: never,
  checkSamlConnections: never,
  sendOverdueNotices: never,
  recoverProcesses: never,
};

/**
 * Whether money has moved. What nobody has said of a kind, or what the rows do not tell, is not known.
 * Needs the tenant of the process, where it has one.
 */
export async function moneyMoved(name: string, input: Record<string, unknown> | null): Promise<MoneyMoved> {
  const answer = BY_PROCESS[name];
  if (!answer || (!input && answer !== never)) return 'unknown';
  return answer(input ?? {});
}
