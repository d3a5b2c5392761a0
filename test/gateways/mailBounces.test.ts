/**
 * Bounce reports over the wire: which are applied, and which are ignored.
 * @jest-environment node
 */
import { createTransport } from 'nodemailer';
import { type Catcher, startCatcher } from '../../development/standins/mail/catcher.js';
import { type Receiver, startReceiver } from '../../gateways/mail/bounces/startReceiver.js';
import { smtpMail } from '../../gateways/mail/smtp.js';
import { eventually } from '../support/eventually.js';

let receiver: Receiver;
let catcher: Catcher;
let reported: [string, string][] = [];
let failing = false;

beforeAll(async () => {
  receiver = await startReceiver({
    host: '127.0.0.1',
    port: 0,
    domain: 'bounces.example.org',
    mailOf: (localPart) => /^b\.(\w+)$/.exec(localPart)?.[1] ?? null,
    onReport: async (mailId, { status }) => {
      if (failing) throw new Error('The database is down: secret-host');
      reported.push([mailId, status]);
    },
  });
  catcher = await startCatcher({ smtpPort: 0, httpPort: 0, bouncesPort: receiver.port });
});
afterAll(async () => {
  await catcher.close();
  await receiver.close();
});
beforeEach(() => {
  reported = [];
  failing = false;
});

/** Delivers a message to the receiver. @returns its reply code */
async function bring(raw: string, to = 'b.one@bounces.example.org'): Promise<number> {
  const transport = createTransport({ host: '127.0.0.1', port: receiver.port, ignoreTLS: true });
  const answer = transport.sendMail({ envelope: { from: '', to }, raw: raw.replaceAll('\n', '\r\n') });
  const code = await answer.then(
    () => 250,
    ({ responseCode, response }: { responseCode: number; response: string }) => {
      expect(response).not.toContain('secret');
      return responseCode;
    },
  );
  transport.close();
  return code;
}

const aReport = (groups: string[], type = 'message/delivery-status') => `Subject: Returned
MIME-Version: 1.0
Content-Type: multipart/report; report-type=delivery-status; boundary=x

--x
Content-Type: text/plain

Status: 5.1.1
Action: failed
--x
Content-Type: ${type}

${['Reporting-MTA: dns; mx.example.org', ...groups].join('\n\n')}

--x
Content-Type: message/rfc822

Subject: Dues

Status: 5.1.1
--x--
`;

test('an undeliverable mail is reported to its return path, with its status', async () => {
  const port = smtpMail({ url: catcher.smtpUrl, from: 'a@example.org', requireTls: false });
  const mail = { subject: 'Dues', text: 'Due.', messageId: '1' };
  await port.send({ ...mail, to: 'bounce-5.1.1@example.org', returnPath: 'b.seven@bounces.example.org' });
  await port.send({ ...mail, to: 'kim@example.org', returnPath: 'b.eight@bounces.example.org' });
  await eventually(
    async () => reported.length,
    (count) => count > 0,
  );
  port.close();
  expect(reported).toEqual([['seven', '5.1.1']]);
});

test.each([
  [['Final-Recipient: rfc822; a@example.org\nAction: failed\nStatus: 5.2.2 (mailbox full)'], '5.2.2'],
  [['ACTION: Failed\nDiagnostic-Code: smtp; 550\n unfolded\nSTATUS:\n 5.1.1'], '5.1.1'],
  [['Action: delayed\nStatus: 4.4.1', 'Action: failed\nStatus: 5.7.1'], '5.7.1'],
  [['Action: failed\nStatus: 4.4.7'], '4.4.7'],
])('%j is a failure of %s', async (groups, status) => {
  expect(await bring(aReport(groups))).toBe(250);
  expect(reported).toEqual([['one', status]]);
});

test.each([
  ['a delay', aReport(['Action: delayed\nStatus: 4.4.1'])],
  ['a delivery', aReport(['Action: delivered\nStatus: 2.0.0'])],
  ['a failure that says it succeeded', aReport(['Action: failed\nStatus: 2.0.0'])],
  ['a status that is none', aReport(['Action: failed\nStatus: 5.1.1111'])],
  ['no status', aReport(['Action: failed'])],
  ['no recipient', aReport([])],
  ['a report of something else', aReport(['Action: failed\nStatus: 5.1.1'], 'message/disposition-notification')],
  ['an answer of somebody who is away', 'Subject: Away\n\nAction: failed\nStatus: 5.1.1\n'],
  ['nothing', '\n'],
])('%s is accepted and ignored', async (_what, raw) => {
  expect(await bring(raw)).toBe(250);
  expect(reported).toEqual([]);
});

test.each([
  'b.one@example.org',
  'kim@bounces.example.org',
  'b.one@bounces.example.org.evil.org',
  'b.@bounces.example.org',
])('mail to %s is refused, since it is no return path of the platform', async (to) => {
  expect(await bring(aReport(['Action: failed\nStatus: 5.1.1']), to)).toBe(550);
  expect(reported).toEqual([]);
});

test('a report that cannot be stored now gets a temporary error without internal details', async () => {
  failing = true;
  expect(await bring(aReport(['Action: failed\nStatus: 5.1.1']))).toBe(451);
});

test('a report that is too large gets a permanent error', async () => {
  expect(await bring(`Subject: x\n\n${'x'.repeat(2_200_000)}\n`)).toBe(552);
});
