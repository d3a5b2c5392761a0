/** A payment port with metrics, and with traces if tracing is on. */
import { trace } from '@opentelemetry/api';
import { Histogram } from 'prom-client';
import { config } from '../../config.js';
import { ChargeRefused, OutcomeUnknown, type PaymentPort } from './port.js';

const calls = new Histogram({
  name: 'membership_gateway_call_duration_seconds',
  help: 'Calls to payment gateways by outcome; the state of an `unknown` one is read again later.',
  labelNames: ['operation', 'outcome'] as const,
  buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 30],
});

type Outcome = 'ok' | 'declined' | 'refused' | 'unknown' | 'error';

/**
 * Returns the port with metrics. The labels are the names of the port's operations, never amounts or accounts.
 * @param open loads the port on the first call
 */
export function metered(open: () => Promise<PaymentPort>): PaymentPort {
  let portPromise: Promise<PaymentPort> | undefined;
  const observed = async <T>(operation: keyof PaymentPort, call: (port: PaymentPort) => Promise<T>): Promise<T> => {
    const port = await (portPromise ??= open());
    return traced(operation, () => measured(operation, () => call(port)));
  };
  return {
    readAccount: () => observed('readAccount', (port) => port.readAccount()),
    openCharge: (opening) => observed('openCharge', (port) => port.openCharge(opening)),
    closeOpening: (opening) => observed('closeOpening', (port) => port.closeOpening(opening)),
    confirmCharge: (charge) => observed('confirmCharge', (port) => port.confirmCharge(charge)),
    readCharge: (intentId) => observed('readCharge', (port) => port.readCharge(intentId)),
    findCharge: (reference, opened) => observed('findCharge', (port) => port.findCharge(reference, opened)),
    forgetCard: (keptCard) => observed('forgetCard', (port) => port.forgetCard(keptCard)),
    cancelCharge: (intentId) => observed('cancelCharge', (port) => port.cancelCharge(intentId)),
    refundCharge: (refund) => observed('refundCharge', (port) => port.refundCharge(refund)),
    readRefunds: (intentId) => observed('readRefunds', (port) => port.readRefunds(intentId)),
    listMovements: (period, after) => observed('listMovements', (port) => port.listMovements(period, after)),
    readDisputes: (intentId, disputeId) => observed('readDisputes', (port) => port.readDisputes(intentId, disputeId)),
    openHostedPayment: (payment) => observed('openHostedPayment', (port) => port.openHostedPayment(payment)),
    findHostedPayments: (reference, opened) =>
      observed('findHostedPayments', (port) => port.findHostedPayments(reference, opened)),
    readHostedPayment: (sessionId) => observed('readHostedPayment', (port) => port.readHostedPayment(sessionId)),
    expireHostedPayment: (sessionId) => observed('expireHostedPayment', (port) => port.expireHostedPayment(sessionId)),
  };
}

async function measured<T>(operation: string, call: () => Promise<T>): Promise<T> {
  const started = performance.now();
  const end = (outcome: Outcome) => {
    calls.observe({ operation, outcome }, (performance.now() - started) / 1000);
    if (config.tracing) trace.getActiveSpan()?.setAttribute('outcome', outcome);
  };
  try {
    const answer = await call();
    end((answer as { status?: string } | null)?.status === 'declined' ? 'declined' : 'ok');
    return answer;
  } catch (error) {
    end(error instanceof ChargeRefused ? 'refused' : error instanceof OutcomeUnknown ? 'unknown' : 'error');
    throw error;
  }
}

function traced<T>(operation: string, call: () => Promise<T>): Promise<T> {
  if (!config.tracing) return call();
  return trace.getTracer('membership').startActiveSpan(`gateway ${operation}`, async (span) => {
    try {
      return await call();
    } finally {
      span.end();
    }
  });
}
