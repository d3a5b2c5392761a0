/** Compares the refunds at the gateway with our refunds. */
import type { Books, Row } from '../books.js';
import type { Gateway, GatewayRefund } from '../gateway.js';
import { secretKeysOf } from '../load/load.js';
import { type Finding, repeated } from './finding.js';

/**
 * SQL for all refunds: those of payments of invoices, and those of gifts, which are stored as resolutions of captures.
 */
const REFUNDS = `(SELECT id, organization_id, capture_id, status, amount_cents, gateway_refund_id, finished_at, created_at FROM refunds
  UNION ALL SELECT id, organization_id, capture_id, CASE status WHEN 'done' THEN 'succeeded' ELSE status END, amount_cents,
    gateway_refund_id, finished_at, created_at FROM capture_resolutions WHERE resolution = 'refund') AS r`;

/** SQL for refunds whose outcome is still unknown. */
export const PENDING_REFUNDS = `SELECT id AS refund_id, capture_id, status, amount_cents, created_at FROM ${REFUNDS}
  WHERE finished_at IS NULL`;

interface Ours extends Row {
  id: string;
  status: string;
  intent_id: string;
  amount_cents: number;
  gateway_refund_id: string | null;
}

interface Charge extends Row {
  intent_id: string;
  captured_cents: number;
  noted_cents: number;
  own_cents: number;
}

/** Checks all rules about refunds. @throws Error when the gateway or the database is down */
export async function soundRefunds(books: Books, gateway: Gateway): Promise<Finding[]> {
  const gatewayRefunds: GatewayRefund[] = [];
  for (const { slug } of await books.read<{ slug: string }>('SELECT slug FROM organizations'))
    for (const secretKey of secretKeysOf(slug)) gatewayRefunds.push(...(await gateway.refunds(secretKey)));
  const ours = await books.read<Ours>(
    `SELECT r.id, r.status, c.intent_id, r.amount_cents::int, r.gateway_refund_id
       FROM ${REFUNDS} JOIN processor_captures c ON c.organization_id = r.organization_id AND c.id = r.capture_id`,
  );
  return [
    knownByOneRow(gatewayRefunds, ours),
    confirmedAreThere(gatewayRefunds, ours),
    await withinCaptured(books, gatewayRefunds),
    {
      name: 'no refund is still pending',
      examined: ours.length,
      violations: await books.read(PENDING_REFUNDS),
    },
  ];
}

/** Returns our refund's id. Refunds made outside the platform have none. */
const refundIdIn = ({ metadata }: GatewayRefund): string | undefined => metadata['refund_id'];

function knownByOneRow(made: GatewayRefund[], ours: Ours[]): Finding {
  const requested = made.filter((one) => refundIdIn(one) !== undefined);
  const rowsOf = ({ id }: GatewayRefund) => ours.filter(({ gateway_refund_id: refundId }) => refundId === id);
  const isKnown = (one: GatewayRefund) => {
    const [row, ...others] = rowsOf(one);
    return row?.status === 'succeeded' && others.length === 0;
  };
  return {
    name: 'every refund that the platform requested has exactly one row',
    examined: requested.length,
    violations: [
      ...requested.filter((one) => !isKnown(one)).map((one) => ({ ...one, rows: rowsOf(one) })),
      ...repeated(requested, (one) => String(refundIdIn(one))).map(({ item, times }) => ({ ...item, times })),
    ],
  };
}

function confirmedAreThere(made: GatewayRefund[], ours: Ours[]): Finding {
  const confirmed = ours.filter(({ status }) => status === 'succeeded');
  const known = new Map(made.map((one) => [one.id, one]));
  const isThere = ({ gateway_refund_id: id, intent_id: intent, amount_cents: cents }: Ours) => {
    const one = known.get(id ?? '');
    return one?.status === 'succeeded' && one.payment_intent === intent && one.amount === cents;
  };
  return {
    name: 'every confirmed refund is at the gateway, with its exact amount',
    examined: confirmed.length,
    violations: confirmed.filter((row) => !isThere(row)),
  };
}

/**
 * Checks that all refunds of a charge, including those that an accountant made at the gateway, agree with the recorded
 * total and do not exceed the captured amount.
 */
async function withinCaptured(books: Books, made: GatewayRefund[]): Promise<Finding> {
  const charges = await books.read<Charge>(
    `SELECT c.intent_id, c.amount_cents::int AS captured_cents, c.refunded_cents::int AS noted_cents,
            coalesce((SELECT sum(r.amount_cents)::int FROM ${REFUNDS} WHERE r.organization_id = c.organization_id AND r.capture_id = c.id
                        AND r.status <> 'failed'), 0) AS own_cents
       FROM processor_captures c WHERE c.intent_id = ANY ($1)`,
    [made.map(({ payment_intent: intent }) => intent)],
  );
  const givenBack = ({ intent_id: intent }: Charge) =>
    made.reduce((cents, one) => cents + (one.payment_intent === intent ? one.amount : 0), 0);
  const isSound = (charge: Charge) =>
    charge.noted_cents === givenBack(charge) && Math.max(charge.noted_cents, charge.own_cents) <= charge.captured_cents;
  return {
    name: 'no charge is refunded beyond its amount, and the recorded refund total is right',
    examined: charges.length,
    violations: charges.filter((one) => !isSound(one)).map((one) => ({ ...one, refunded_cents: givenBack(one) })),
  };
}
