/** A bare loop that draws and mails the annual receipts of a run, and records nothing. */
import { createTransport } from 'nodemailer';
import { config } from '../../config.js';
import { letterPdf } from '../../gateways/documents/letter.js';
import { renderMail } from '../../gateways/mail/render.js';
import {
  composeReceiptDocument,
  composeReceiptMail,
  type ReceiptFacts,
  receiptFileName,
} from '../../models/foundation/receipts/receiptTexts.js';
import { withClient } from '../stack/roles.js';

type DrawnReceipt = ReceiptFacts & { email: string; first_name: string };

/** Reads the receipts of a run. */
export const receiptsOf = (ownerUrl: string, runId: string): Promise<DrawnReceipt[]> =>
  withClient(ownerUrl, async (owner) => {
    const { rows } = await owner.query<DrawnReceipt>(
      `SELECT r.number, r.amount_cents::int, r.currency, r.code, r.printed, o.email, o.first_name
         FROM tax_receipts r JOIN donors o ON o.id = r.donor_id WHERE r.annual_run_id = $1 ORDER BY r.donor_id`,
      [runId],
    );
    return rows;
  });

/** Returns a function that draws and mails a receipt, and one that closes the connections. */
export function receiptSender(connections: number) {
  const transport = createTransport({ url: config.SMTP_URL, pool: true, maxConnections: connections });
  return {
    send: async ({ email, first_name: firstName, ...receipt }: DrawnReceipt): Promise<boolean> => {
      const content = await letterPdf(composeReceiptDocument(receipt));
      const { sender: name, ...texts } = composeReceiptMail(receipt);
      const mail = renderMail({ ...texts, sender: { name, primaryColor: null }, firstName, timezone: 'UTC' });
      const attachment = { filename: receiptFileName(receipt), contentType: 'application/pdf', content };
      await transport.sendMail({ from: config.MAIL_FROM, to: email, ...mail, attachments: [attachment] });
      return true;
    },
    close: () => transport.close(),
  };
}
