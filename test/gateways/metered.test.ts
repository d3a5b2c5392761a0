/**
 * Metrics of the gateways: mails and calls of payment gateways, by outcome.
 * @jest-environment node
 */
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { register } from 'prom-client';
import { type Catcher, startCatcher } from '../../development/standins/mail/catcher.js';
import { metered } from '../../gateways/mail/metered.js';
import { type Mail, MailRefused, MailUnavailable } from '../../gateways/mail/port.js';
import { smtpMail } from '../../gateways/mail/smtp.js';
import { ChargeRefused, OutcomeUnknown } from '../../gateways/payments/port.js';
import { paymentPort } from '../../gateways/payments/processors.js';
import { config } from '../../config.js';
import { opened } from './payments/opened.js';
import { type Standin, startStandin } from '../../development/standins/payments/server.js';

const folder = mkdtempSync(path.join(os.tmpdir(), 'metered-test-'));
const settings = { from: 'Platform <no-reply@example.org>', requireTls: false };
let catcher: Catcher;
let gateway: Standin;

beforeAll(async () => {
  catcher = await startCatcher({ smtpPort: 0, httpPort: 0, file: path.join(folder, 'mail.jsonl') });
  gateway = await startStandin({ port: 0, controlPort: 0 });
});
afterAll(async () => {
  await catcher.close();
  await gateway.close();
  rmSync(folder, { recursive: true });
});

/** The counts of a metric by the values of its labels, joined by spaces. */
async function counts(name: string): Promise<Record<string, number>> {
  const metric = register.getSingleMetric(name);
  if (!metric) throw new Error(`There is no ${name}.`);
  const values: { metricName?: string; labels: object; value: number }[] = (await metric.get()).values;
  const counted = values.filter(({ metricName = name }) => metricName === name || metricName === `${name}_count`);
  return Object.fromEntries(counted.map(({ labels, value }) => [Object.values(labels).join(' '), value]));
}

const aMail = (to: string): Mail => ({ to, subject: 'Dues', text: 'Please pay.', messageId: 'invoice.42' });

test('mails are counted as sent, refused or failed', async () => {
  const mail = metered(smtpMail({ ...settings, url: catcher.smtpUrl }));
  const nowhere = metered(smtpMail({ ...settings, url: 'smtp://127.0.0.1:1' }));
  await mail.send(aMail('kim@example.org'));
  await expect(mail.send(aMail('no address'))).rejects.toBeInstanceOf(MailRefused);
  await expect(nowhere.send(aMail('kim@example.org'))).rejects.toBeInstanceOf(MailUnavailable);
  mail.close();
  nowhere.close();
  expect(await counts('membership_mails_total')).toEqual({ sent: 1, refused: 1, unavailable: 1 });
});

test('calls of a gateway are counted by operation and outcome', async () => {
  config.STRIPE_API_URL = gateway.url;
  const port = paymentPort({ provider: 'stripe', credentials: { secret_key: 'sk_test_metered' } });
  const open = (idempotencyKey: string) =>
    opened(port, { amountCents: 1_000, currency: 'usd', reference: {}, idempotencyKey });
  const confirm = async (paymentMethod: string) =>
    port.confirmCharge({
      intentId: await open(paymentMethod),
      paymentMethod,
      idempotencyKey: `confirm ${paymentMethod}`,
    });
  expect(await confirm('pm_card_visa')).toMatchObject({ status: 'captured' });
  expect(await confirm('pm_card_chargeDeclined')).toMatchObject({ status: 'declined' });
  await expect(port.readCharge('pi_nobody')).rejects.toBeInstanceOf(ChargeRefused);
  config.STRIPE_API_URL = 'http://127.0.0.1:1';
  const unreachable = paymentPort({ provider: 'stripe', credentials: { secret_key: 'sk_test_metered' } });
  await expect(unreachable.readCharge('pi_nobody')).rejects.toBeInstanceOf(OutcomeUnknown);
  expect(await counts('membership_gateway_call_duration_seconds')).toEqual({
    'openCharge ok': 2,
    'confirmCharge ok': 1,
    'confirmCharge declined': 1,
    'readCharge refused': 1,
    'readCharge unknown': 1,
  });
});
