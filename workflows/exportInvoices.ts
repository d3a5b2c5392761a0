import { CancellationScope, isCancellation, proxyActivities, sleep } from '@temporalio/workflow';
import type * as steps from '../activities/finances/invoiceExports.js';
import {
  exportInvoices as entry,
  type ExportInvoicesInput,
  type ExportInvoicesOutcome,
} from './contracts/exportInvoices.js';
import { stagesOf } from './stage.js';

const stage = stagesOf(entry);

const ASKED_TO_END_WITHIN = '1 minute';

// The sweep takes what is not whole within an hour for given up.
const { writeInvoices } = proxyActivities<typeof steps>({
  startToCloseTimeout: '30 minutes',
  heartbeatTimeout: '15 seconds',
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '5 minutes' },
});

const { cancelInvoiceExport } = proxyActivities<typeof steps>({
  startToCloseTimeout: '1 minute',
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '1 minute' },
});

/** Writes invoices as one object; a try that fails is begun anew. A page that is under way notices by its row that all is over. */
export async function exportInvoices(input: ExportInvoicesInput): Promise<ExportInvoicesOutcome> {
  try {
    stage('writing');
    const status = await writeInvoices(input);
    // The row is cancelled before the process is asked to end; if nobody asks, there is nothing left to do all the same.
    if (status === 'cancelled') await sleep(ASKED_TO_END_WITHIN);
    const end = status === 'running' || status === 'queued' ? 'cancelled' : status;
    stage(end);
    return end;
  } catch (error) {
    if (isCancellation(error)) {
      await CancellationScope.nonCancellable(() => cancelInvoiceExport(input));
      stage('cancelled');
    }
    throw error;
  }
}
