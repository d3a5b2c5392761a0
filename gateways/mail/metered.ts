/** A mail port that counts what becomes of its mails. */
import { Counter } from 'prom-client';
import { type MailPort, MailRefused } from './port.js';

const mails = new Counter({
  name: 'membership_mails_total',
  help: 'Mails offered to the mail server: sent, refused for good, or not taken now.',
  labelNames: ['outcome'] as const,
});

/** The same port, observed. */
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
