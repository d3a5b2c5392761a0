/** PayPal's stand-in beside the platform of a test file, and organizations that take cards by it. */
import { config } from '../../config.js';
import { type PaypalStandin, startPaypalStandin } from '../../development/standins/paypal/server.js';
import { encrypt } from '../../models/database/encryption.js';
import { uuidv7 } from '../../models/database/uuid.js';
import { asOwner } from './owner.js';
import type { Platform } from './platform.js';
import type { World } from './world.js';

export interface Paypal extends PaypalStandin {
  order(method: string, where: string, body?: unknown): Promise<unknown>;
  /** How what it holds stands: CREATED where nothing was taken or let go yet. */
  holds(): Promise<string[]>;
  /** What truly moved, in cents: captured, and given back. */
  moved(): Promise<{ captured: number; refunded: number }>;
}

export async function startPaypal(): Promise<Paypal> {
  const standin = await startPaypalStandin({ port: 0, controlPort: 0 });
  Object.assign(config, { PAYPAL_API_URL: standin.url, PAYPAL_CA: standin.authority });
  const order = async (method: string, where: string, body?: unknown) => {
    const init = body === undefined ? { method } : { method, body: JSON.stringify(body) };
    const answer = await fetch(standin.controlUrl + where, init);
    if (!answer.ok) throw new Error(`PayPal's control port answered ${answer.status}: ${await answer.text()}`);
    return answer.json();
  };
  const moved = async () => {
    const entries = (await order('GET', '/ledger')) as { kind: string; amount_cents: number }[];
    const sum = (kind: string) =>
      entries.filter((one) => one.kind === kind).reduce((all, one) => all + one.amount_cents, 0);
    return { captured: sum('capture'), refunded: sum('refund') };
  };
  const holds = async () =>
    ((await order('GET', '/authorizations')) as { status: string }[]).map(({ status }) => status);
  return { ...standin, order, holds, moved };
}

/** Connects an account of its own, whose events are told to its own address. @returns the processor's id */
export async function aPaypalProcessor(platform: Platform, paypal: Paypal, world: World): Promise<string> {
  const id = uuidv7();
  const [secret, client_id, webhook_id] = [`EPaypal_${id}`, `APaypal_${id}`, `WH-${id}`];
  const sealed = (column: string, text: string) =>
    encrypt(text, { table: 'org_payment_processors', column, rowId: id });
  await asOwner(
    `INSERT INTO org_payment_processors (id, organization_id, provider, label, secret_key_encrypted, webhook_secret_encrypted)
     VALUES ($1, $2, 'paypal', 'Cards', $3, $4)`,
    [
      id,
      world.organizationId,
      sealed('secret_key_encrypted', JSON.stringify({ secret_key: secret, client_id })),
      sealed('webhook_secret_encrypted', webhook_id),
    ],
  );
  await paypal.order('POST', '/webhook-endpoints', {
    client_id,
    secret,
    url: `${platform.api.url}/api/finances/webhooks/processor/?processor=${id}`,
    webhook_id,
  });
  return id;
}
