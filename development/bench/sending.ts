/** Mails and pushes: delivered by the product, and sent by a bare loop that records nothing. */
import type { Client } from 'pg';
import { createTransport } from 'nodemailer';
import { config } from '../../config.js';
import { renderMail } from '../../gateways/mail/render.js';
import { pushGateways } from '../../gateways/push/gateways.js';
import { encrypt } from '../../models/database/encryption.js';
import { uuidv7 } from '../../models/database/uuid.js';
import { hashToken } from '../../models/identity/secretTokens.js';
import { withClient } from '../stack/roles.js';
import type { Channel, Load, Measured } from './protocol.js';
import { until } from './until.js';

type Delivering = Extract<Load, { kind: 'deliver' }>;
type Sending = Extract<Load, { kind: 'send' }>;

/** How often the deliveries are polled, and how long a round may take before it fails. */
const POLLING = {
  pollMs: 100,
  patienceMs: 300_000,
  otherwise: 'The deliveries did not end in time.',
};

/**
 * SQL that inserts notifications about invoices for one round. Their deliveries are then deleted, except those of the
 * measured channel.
 */
const INSERT_NOTIFICATIONS = `
  INSERT INTO notifications (organization_id, recipient_id, event_id, notification_type, event_type, title, body, target_url,
    subject_type, subject_id, requires_action, action_label, needs_access)
  SELECT i.organization_id, m.user_id, 'invoice:' || i.id || ':' || $2 || n, 'invoice_issued', 'invoice_issued',
         'New invoice: ' || i.description, '"' || i.description || '" is due on ' || to_char(i.due_date, 'YYYY-MM-DD') || '. '
         || app.money_text(i.balance_due_cents, i.currency) || ' is due.', '/invoices/' || i.id, 'invoice', i.id, true,
         'See and pay', false
    FROM (SELECT * FROM chapter_invoices WHERE organization_id = $1 AND membership_id IS NOT NULL AND status <> 'void'
           ORDER BY id LIMIT $3) i
    JOIN memberships m ON m.organization_id = i.organization_id AND m.id = i.membership_id
   CROSS JOIN generate_series(1, $3) AS n ORDER BY n, i.id LIMIT $3`;

/**
 * Updates the planner statistics of the tables that grow. Autovacuum does this once a minute, but a round is shorter,
 * and plans made for empty tables scan the whole grown tables.
 */
const ANALYZE_WHAT_GROWS = 'ANALYZE notifications, notification_deliveries, mail_messages, push_delivery_records';

/** Measures from the commit of the notifications to the last recorded outcome. */
export async function deliver({ ownerUrl, organizationId, channel, count }: Delivering): Promise<Measured> {
  return withClient(ownerUrl, async (owner) => {
    const round = uuidv7();
    if (channel !== 'email') await givePhones(owner, organizationId);
    await owner.query('BEGIN');
    await owner.query(INSERT_NOTIFICATIONS, [organizationId, round, count]);
    await owner.query(
      'DELETE FROM notification_deliveries WHERE organization_id = $1 AND outcome IS NULL AND channel <> $2',
      [organizationId, channel],
    );
    await owner.query('COMMIT');
    await owner.query(ANALYZE_WHAT_GROWS);
    const started = performance.now();
    await untilDelivered(owner, organizationId);
    const took = (performance.now() - started) / 1000;
    const { rows } = await owner.query<{ ms: number; went_well: boolean }>(
      `SELECT extract(epoch FROM d.concluded_at - n.created_at)::float8 * 1000 AS ms, d.outcome = 'sent' AS went_well
         FROM notification_deliveries d JOIN notifications n ON n.organization_id = d.organization_id AND n.id = d.notification_id
        WHERE n.organization_id = $1 AND n.event_id LIKE '%:' || $2 || '%' AND d.channel = $3 ORDER BY 1`,
      [organizationId, round, channel],
    );
    const failures = count - rows.filter((row) => row.went_well).length;
    return { perSecond: count / took, latencies: rows.map(({ ms }) => ms), failures };
  });
}

const untilDelivered = (owner: Client, organizationId: string): Promise<true> =>
  until(async () => {
    const { rows } = await owner.query(
      'SELECT 1 FROM notification_deliveries WHERE organization_id = $1 AND outcome IS NULL LIMIT 1',
      [organizationId],
    );
    return rows.length === 0 || null;
  }, POLLING);

/** Registers an iOS push token for each member without one. */
async function givePhones(owner: Client, organizationId: string): Promise<void> {
  const { rows } = await owner.query<{ user_id: string }>(
    `SELECT DISTINCT m.user_id FROM memberships m WHERE m.organization_id = $1
        AND NOT EXISTS (SELECT FROM push_tokens t WHERE t.user_id = m.user_id)`,
    [organizationId],
  );
  const phones = rows.map(({ user_id: user }) => {
    const [id, token] = [uuidv7(), tokenOf(user)];
    const sealed = encrypt(token, { table: 'push_tokens', column: 'token_encrypted', rowId: id });
    return { id, user, sealed, hash: hashToken(`ios:${token}`) };
  });
  await owner.query(
    `INSERT INTO push_tokens (id, user_id, platform, environment, token_encrypted, token_hash, last_registered_at)
     SELECT p.id, p."user", 'ios', 'production', p.sealed, p.hash, now()
       FROM jsonb_to_recordset($1::jsonb) AS p (id uuid, "user" uuid, sealed text, hash text)`,
    [JSON.stringify(phones)],
  );
}

const tokenOf = (userId: string): string => userId.replaceAll('-', '').repeat(2);

/** Sends `count` messages, each to another person, with `connections` concurrent loops. */
export async function sendBare({ channel, count, connections }: Sending): Promise<Measured> {
  const { send, close } = LOOPS[channel](connections);
  const latencies: number[] = [];
  let [next, failures] = [0, 0];
  const loop = async () => {
    while (next < count) {
      const begun = performance.now();
      if (!(await send((next += 1)).catch(() => false))) failures += 1;
      latencies.push(performance.now() - begun);
    }
  };
  const started = performance.now();
  try {
    await Promise.all(Array.from({ length: connections }, loop));
  } finally {
    close();
  }
  const took = (performance.now() - started) / 1000;
  return { perSecond: count / took, latencies: latencies.sort((a, b) => a - b), failures };
}

interface Bare {
  send: (n: number) => Promise<boolean>;
  close: () => void;
}

const LOOPS: Record<Channel, (connections: number) => Bare> = { email: mails, ios: pushes };

const TEXTS = { title: 'New invoice: Activity fee', body: '"Activity fee" is due on 2030-01-01. 50.00 USD is due.' };

function mails(connections: number): Bare {
  const transport = createTransport({ url: config.SMTP_URL, pool: true, maxConnections: connections });
  // Each mail differs, as in the product: its own greeting and amount.
  const letter = (n: number) =>
    renderMail({
      subject: TEXTS.title,
      sender: { name: 'Bench', primaryColor: null },
      firstName: `Ada ${n}`,
      title: TEXTS.title,
      paragraphs: [TEXTS.body.replace('50.00', `${n}.00`)],
      button: { label: 'See and pay', url: `${config.frontendUrl}/invoices/${n}` },
      timezone: 'UTC',
    });
  return {
    send: async (n) => {
      await transport.sendMail({ from: config.MAIL_FROM, to: `bench-${n}@example.org`, ...letter(n) });
      return true;
    },
    close: () => transport.close(),
  };
}

function pushes(): Bare {
  const { ios } = pushGateways();
  if (!ios) throw new Error('There are no credentials for pushes.');
  return {
    send: async () => {
      const id = uuidv7();
      const message = { recordId: id, collapseId: id, token: tokenOf(id), environment: 'production' as const };
      const { outcome } = await ios.send({ ...message, ...TEXTS, badge: 1, data: { notification_id: id } });
      return outcome === 'success';
    },
    close: () => ios.close(),
  };
}
