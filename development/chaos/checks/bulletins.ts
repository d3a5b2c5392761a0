/** Compares the recipients of bulletins with the mails that arrived. */
import type { Books } from '../books.js';
import type { Mailbox } from '../mailbox.js';
import { type Finding, repeated } from './finding.js';

/** Checks all rules about bulletins. @throws Error when a part is down */
export async function soundBulletins(books: Books, mailbox: Mailbox): Promise<Finding[]> {
  // Recipients are read before the mails, so that the mail of each recipient recorded as mailed has arrived.
  const started = await books.read<{ subject: string; email: string; status: string; started_at: Date }>(
    `SELECT b.subject, r.email, r.status, b.started_at FROM foundation_bulletin_recipients r
       JOIN foundation_bulletins b ON b.organization_id = r.organization_id AND b.id = r.bulletin_id`,
  );
  const caught = await mailbox.caught();
  const arrived = caught
    .filter(({ message_id: id }) => /^<?bulletin\./.test(id))
    .flatMap(({ subject, to }) => to.map((email) => ({ subject, email })));
  const keyOf = ({ subject, email }: { subject: string; email: string }) => `${subject} to ${email}`;
  const reached = new Set(arrived.map(keyOf));
  // The mail catcher keeps only the latest mails, so earlier bulletins cannot be compared.
  const earliest = new Date(caught.map(({ at }) => at).sort()[0] ?? Date.now());
  const recipients = started.filter(({ started_at }) => started_at >= earliest);
  return [
    {
      name: 'each address got a bulletin at most once',
      examined: arrived.length,
      violations: repeated(arrived, keyOf).map(({ item, times }) => ({ ...item, times })),
    },
    {
      name: 'every recipient of a bulletin has an outcome, and every recipient recorded as mailed got the mail',
      examined: recipients.length,
      violations: recipients.filter(
        (one) => one.status === 'pending' || (one.status === 'sent' && !reached.has(keyOf(one))),
      ),
    },
  ];
}
