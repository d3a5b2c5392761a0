/** Wraps a mail port and counts the outcomes of the mails. */
import { Counter } from 'prom-client';
import { type MailPort, MailRefused } from './port.js';

const mails = new Counter({
  name: 'membership_mails_total',
  help: 'Mails offered to the mail server: sent, refused permanently, or not accepted now.',
  labelNames: ['outcome'] as const,
});

/** Returns a port that sends mail through the given one and counts the outcomes. */
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
