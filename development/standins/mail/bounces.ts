/** Sends bounces like a real mail server: delivery reports (RFC 3464) to the return path. */
import { createTransport } from 'nodemailer';

/**
 * Matches addresses such as `bounce-5.1.1@…`. Mail to them is accepted, and later reported as undeliverable with the
 * status in the address.
 */
const BOUNCING = /^bounce-([45]\.\d{1,3}\.\d{1,3})@/i;

const MAX_TRIES = 20;
const PAUSE_MS = 500;

/**
 * Sends a delivery report for each recipient whose address asks for one (`bounce-…`).
 * @param port port that accepts reports; without it none are sent
 */
export async function bounce(recipients: string[], returnPath: string, port: number | undefined): Promise<void> {
  if (port === undefined || returnPath === '') return;
  for (const recipient of recipients) {
    const status = BOUNCING.exec(recipient)?.[1];
    if (status) await report(recipient, status, returnPath, port);
  }
}

/** Like real servers, retries while the report is not accepted. */
async function report(recipient: string, status: string, returnPath: string, port: number): Promise<void> {
  const transport = createTransport({ host: '127.0.0.1', port, ignoreTLS: true });
  const mail = { envelope: { from: '', to: returnPath }, raw: reportOf(recipient, status, returnPath) };
  for (let tried = 1; tried <= MAX_TRIES; tried += 1) {
    const failure = await transport.sendMail(mail).then(
      () => null,
      (error: { responseCode?: number }) => error,
    );
    if (!failure || (failure.responseCode ?? 0) >= 500) break;
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS).unref());
  }
  transport.close();
}

const reportOf = (recipient: string, status: string, returnPath: string): string =>
  [
    'From: Mail Delivery System <mailer-daemon@catcher.invalid>',
    `To: ${returnPath}`,
    'Subject: Undelivered Mail Returned to Sender',
    'Auto-Submitted: auto-replied',
    'MIME-Version: 1.0',
    'Content-Type: multipart/report; report-type=delivery-status; boundary="report"',
    '',
    '--report',
    'Content-Type: text/plain; charset=utf-8',
    '',
    `The mail to ${recipient} could not be delivered.`,
    '',
    '--report',
    'Content-Type: message/delivery-status',
    '',
    'Reporting-MTA: dns; catcher.invalid',
    '',
    `Final-Recipient: rfc822; ${recipient}`,
    'Action: failed',
    `Status: ${status}`,
    `Diagnostic-Code: smtp; ${status.startsWith('4') ? 450 : 550} ${status} As requested by the address`,
    '',
    '--report--',
    '',
  ].join('\r\n');
