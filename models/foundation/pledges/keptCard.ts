/** The card of a pledge: the provider's token, encrypted at rest. */
import { decrypt, encrypt } from '../../database/encryption.js';
import { changeRow, computed, lockExclusive } from '../../database/model/change.js';
import { loadIfExists } from '../../database/model/read.js';
import { Donation } from '../donations/Donation.js';
import { RowMissing } from '../../errors.js';
import { openAccess, type ProcessorAccess } from '../../finances/attempts/processorAccess.js';
import { currentOrganization, firstRow } from '../../database/rows.js';
import { wakePledge } from './lockPledge.js';
import { RecurringPledge } from './RecurringPledge.js';

type CardColumn = 'card_encrypted' | 'retired_card_encrypted';

const additionalData = (rowId: string, column: CardColumn) => ({ table: 'recurring_pledges', column, rowId });

/** Decrypts the card of a pledge; null if it has none. */
export const cardOf = ({ id, card_encrypted }: Pick<RecurringPledge, 'id' | 'card_encrypted'>): string | null =>
  card_encrypted === null ? null : decrypt(card_encrypted, additionalData(id, 'card_encrypted'));

/**
 * Thrown if a card cannot be replaced yet, because the provider has not deleted the one before. The process of the
 * pledge has it deleted, and a retry succeeds.
 */
class CardBeingReplaced extends Error {
  override readonly name = 'CardBeingReplaced';
}

/**
 * Keeps the card that a donor entered on the page of a gift: as the card of the pledge that the gift belongs to. The
 * card before is deleted at the provider by the pledge's process.
 * @returns false if no pledge needs the card, so that the caller must have it deleted
 * @throws CardBeingReplaced
 */
export async function keepCard({
  donationId,
  processorId,
  keptCard,
}: {
  donationId: string;
  processorId: string;
  keptCard: string;
}): Promise<boolean> {
  const gift = await loadIfExists(Donation, donationId);
  const pledge = gift?.pledge_id ? await lockExclusive(RecurringPledge, gift.pledge_id) : null;
  if (!pledge || pledge.status === 'cancelled') return false;
  const previous = cardOf(pledge);
  if (previous === keptCard) return true;
  await changeRow(RecurringPledge, pledge.id, {
    processor_id: processorId,
    card_encrypted: encrypt(keptCard, additionalData(pledge.id, 'card_encrypted')),
    ...(previous !== null && retiring(pledge, previous)),
  });
  if (previous !== null) await wakePledge(pledge.id);
  return true;
}

/** The change that hands a card to the process of its pledge, which has it deleted. @throws CardBeingReplaced */
function retiring(pledge: RecurringPledge, card: string) {
  if (pledge.retired_card_encrypted !== null) throw new CardBeingReplaced('The card before is not deleted yet.');
  return { retired_card_encrypted: encrypt(card, additionalData(pledge.id, 'retired_card_encrypted')) };
}

/** Takes the card from a locked pledge, because it must not be charged again. @throws CardBeingReplaced */
export async function retireCard(pledge: RecurringPledge): Promise<void> {
  const card = cardOf(pledge);
  if (card === null) return;
  await changeRow(RecurringPledge, pledge.id, { card_encrypted: null, ...retiring(pledge, card) });
}

/** Cards that the provider must delete, and the access to its account. */
export interface CardsToForget {
  access: ProcessorAccess;
  cards: { column: CardColumn; encrypted: string; card: string }[];
}

/**
 * Reads the cards of a pledge that the provider must delete: a replaced one, and that of a cancelled pledge once none
 * of its charges is in flight. @throws RowMissing
 */
export async function readCardsToForget(pledgeId: string): Promise<CardsToForget> {
  const row = await firstRow<{
    processor_id: string;
    provider: string;
    secret: string;
    card_encrypted: string | null;
    retired_card_encrypted: string | null;
  }>(
    `SELECT g.processor_id, p.provider, p.secret_key_encrypted AS secret, g.retired_card_encrypted,
            CASE WHEN g.status = 'cancelled' AND NOT EXISTS (SELECT FROM pledge_periods d WHERE d.organization_id = g.organization_id
              AND d.pledge_id = g.id AND d.status = 'open') THEN g.card_encrypted END AS card_encrypted
       FROM recurring_pledges g
       JOIN org_payment_processors p ON p.organization_id = g.organization_id AND p.id = g.processor_id
      WHERE g.organization_id = $1 AND g.id = $2`,
    [currentOrganization(), pledgeId],
  );
  if (!row) throw new RowMissing('There is no such pledge.');
  const cards = (['retired_card_encrypted', 'card_encrypted'] as const).flatMap((column) => {
    const encrypted = row[column];
    return encrypted === null
      ? []
      : [{ column, encrypted, card: decrypt(encrypted, additionalData(pledgeId, column)) }];
  });
  return { access: openAccess(row.processor_id, row.provider, row.secret), cards };
}

/** Records that the provider has deleted a card. A card that was stored in its place meanwhile stays. */
export async function recordForgotten(
  pledgeId: string,
  { column, encrypted }: CardsToForget['cards'][number],
): Promise<void> {
  await changeRow(
    RecurringPledge,
    { id: pledgeId, [column]: encrypted },
    {
      [column]: null,
      card_forgotten_at: computed("CASE WHEN status = 'cancelled' THEN now() ELSE card_forgotten_at END"),
    },
  );
}
