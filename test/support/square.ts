/** Square's stand-in beside the platform of a test file, and organizations that take cards by it. */
import { config } from '../../config.js';
import { type SquareStandin, startSquareStandin } from '../../development/standins/square/server.js';
import { encrypt } from '../../models/database/encryption.js';
import { uuidv7 } from '../../models/database/uuid.js';
import { asOwner } from './owner.js';
import type { Platform } from './platform.js';
import type { World } from './world.js';

export interface Square extends SquareStandin {
  order(method: string, where: string, body?: unknown): Promise<unknown>;
  /** How its payments stand: held ones are APPROVED. */
  payments(): Promise<string[]>;
  /** What truly moved, in cents: captured, and given back. */
  moved(): Promise<{ captured: number; refunded: number }>;
}

export async function startSquare(): Promise<Square> {
  const standin = await startSquareStandin({ port: 0, controlPort: 0 });
  config.SQUARE_API_URL = standin.url;
  const order = async (method: string, where: string, body?: unknown) => {
    const init = body === undefined ? { method } : { method, body: JSON.stringify(body) };
    const answer = await fetch(standin.controlUrl + where, init);
    if (!answer.ok) throw new Error(`Square's control port answered ${answer.status}: ${await answer.text()}`);
    return answer.json();
  };
  const moved = async () => {
    const entries = (await order('GET', '/ledger')) as { kind: string; amount_cents: number }[];
    const sum = (kind: string) =>
      entries.filter((one) => one.kind === kind).reduce((all, one) => all + one.amount_cents, 0);
    return { captured: sum('capture'), refunded: sum('refund') };
  };
  const payments = async () => ((await order('GET', '/payments')) as { status: string }[]).map(({ status }) => status);
  return { ...standin, order, payments, moved };
}

/** Connects an account of its own, whose events are told to its own address. @returns the processor's id */
export async function aSquareProcessor(platform: Pick<Platform, 'api'>, square: Square, world: World): Promise<string> {
  const id = uuidv7();
  const token = `EAAA_${id.replaceAll('-', '')}`;
  const secret = `signature_key_${id}`;
  const sealed = (column: string, text: string) =>
    encrypt(text, { table: 'org_payment_processors', column, rowId: id });
  await asOwner(
    `INSERT INTO org_payment_processors (id, organization_id, provider, label, secret_key_encrypted, webhook_secret_encrypted)
     VALUES ($1, $2, 'square', 'Cards', $3, $4)`,
    [
      id,
      world.organizationId,
      sealed('secret_key_encrypted', JSON.stringify({ secret_key: token, location_id: 'LTEST' })),
      sealed('webhook_secret_encrypted', secret),
    ],
  );
  // What the platform is told to sign by is its own address, wherever the request comes in.
  config.backendUrl = platform.api.url;
  await square.order('POST', '/webhook-endpoints', {
    account_key: token,
    url: `${platform.api.url}/api/finances/webhooks/processor/?processor=${id}`,
    secret,
  });
  return id;
}
