/** The common parts of the card providers' stand-ins for a test file, and the connection of an account. */
import { encrypt } from '../../models/database/encryption.js';
import { uuidv7 } from '../../models/database/uuid.js';
import { asOwner } from './owner.js';
import type { World } from './world.js';

/** For a stand-in that reports the statuses of its payments. */
export const statusesOf = async ({ order }: Pick<Ordered, 'order'>): Promise<string[]> =>
  ((await order('GET', '/payments')) as { status: string }[]).map(({ status }) => status);

export interface Ordered {
  order: (method: string, where: string, body?: unknown) => Promise<unknown>;
  /** Money that moved, in cents: captured and refunded. */
  moved: () => Promise<{ captured: number; refunded: number }>;
}

/** The control port of a stand-in for tests. @param name for people */
export function ordered(name: string, controlUrl: string): Ordered {
  const order = async (method: string, where: string, body?: unknown) => {
    const init = body === undefined ? { method } : { method, body: JSON.stringify(body) };
    const answer = await fetch(controlUrl + where, init);
    if (!answer.ok) throw new Error(`${name}'s control port answered ${answer.status}: ${await answer.text()}`);
    return answer.json();
  };
  const moved = async () => {
    const entries = (await order('GET', '/ledger')) as { kind: string; amount_cents: number }[];
    const sum = (kind: string) =>
      entries.filter((one) => one.kind === kind).reduce((all, one) => all + one.amount_cents, 0);
    return { captured: sum('capture'), refunded: sum('refund') };
  };
  return { order, moved };
}

/**
 * Connects an account to an organization.
 * @param secretsOf returns the credentials and the webhook secret, by the processor's id
 * @returns the processor's id
 */
export async function connectAccount(
  { organizationId }: Pick<World, 'organizationId'>,
  provider: string,
  secretsOf: (id: string) => { credentials: { secret_key: string } & Record<string, string>; webhookSecret: string },
): Promise<string> {
  const id = uuidv7();
  const { credentials, webhookSecret } = secretsOf(id);
  const sealed = (column: string, text: string) =>
    encrypt(text, { table: 'org_payment_processors', column, rowId: id });
  await asOwner(
    `INSERT INTO org_payment_processors (id, organization_id, provider, label, secret_key_encrypted, webhook_secret_encrypted)
     VALUES ($1, $2, $3, 'Cards', $4, $5)`,
    [
      id,
      organizationId,
      provider,
      sealed('secret_key_encrypted', JSON.stringify(credentials)),
      sealed('webhook_secret_encrypted', webhookSecret),
    ],
  );
  return id;
}
