/** A mail port that counts the outcomes of its mails. */
import { Counter } from 'prom-client';
import { type MailPort, MailRefused } from './port.js';

const mails = new Counter({
  name: 'membership_mails_total',
  help: 'Mails offered to the mail server: sent, refused permanently, or not accepted now.',
  labelNames: ['outcome'] as const,
});

/** Returns the port with metrics. */
export const metered = (port: MailPort): MailPort => ({
  async send(mail) {
    try {
      const sent = await port.send(mail);
      mails.inc({ outcome: sent });
      return sent;
    } catch (error) {
      mails.inc({ outcome: error instanceof MailRefused ? 'refused' : 'unavailable' });
      throw error;
    }
  },
  close: () => port.close(),
});
