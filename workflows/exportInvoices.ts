import { CancellationScope, defineSignal, isCancellation, proxyActivities, setHandler } from '@temporalio/workflow';
import type * as steps from '../activities/finances/invoiceExports.js';
import {
  EXPORT_RETRIED,
  exportInvoices as entry,
  type ExportInvoicesInput,
  type ExportInvoicesOutcome,
} from './contracts/exportInvoices.js';
import { stagesOf } from './stage.js';

const stage = stagesOf(entry);

// The time limit must be below one hour, because the cleanup schedule deletes files that are incomplete after an hour.
const { writeInvoices } = proxyActivities<typeof steps>({
  startToCloseTimeout: '30 minutes',
  heartbeatTimeout: '15 seconds',
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '5 minutes' },
});

const { cancelInvoiceExport } = proxyActivities<typeof steps>({
  startToCloseTimeout: '1 minute',
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '1 minute' },
});

const retried = defineSignal(EXPORT_RETRIED);

/**
 * Writes invoices as one object. A failed attempt is repeated from the beginning. A running export reads between
 * batches whether its row was cancelled.
 */
export async function exportInvoices(input: ExportInvoicesInput): Promise<ExportInvoicesOutcome> {
  let isRetryRequested = false;
  setHandler(retried, () => {
    isRetryRequested = true;
  });
  try {
    stage('writing');
    let status: Awaited<ReturnType<typeof writeInvoices>>;
    do {
      isRetryRequested = false;
      status = await writeInvoices(input);
      // If the export was requested again while this process was ending, this process writes it again, because no
      // second process is started.
    } while (isRetryRequested);
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
