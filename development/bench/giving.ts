/** Prepares the benchmark of gifts: the people and campaigns of foundations, and the calls of donors. */
import type { Client } from 'pg';
import type { Call } from './protocol.js';
import { CAN_SIGN_IN, type Person, READERS, type SignedIn } from './world.js';

/** A public campaign that accepts gifts. */
interface PublicCampaign {
  foundationId: string;
  slug: string;
}

export interface Giving {
  /** Admins and editors of foundations. */
  people: SignedIn[];
  /** A campaign of each foundation. */
  campaigns: PublicCampaign[];
}

/** Chooses people who can sign in. One person of each foundation comes before any foundation's second person. */
export async function chooseFoundationPeople(owner: Client): Promise<Person[]> {
  const { rows } = await owner.query<Person>(
    `SELECT u.email, a.organization_id AS "organizationId"
       FROM foundation_admins a JOIN users u ON u.id = a.user_id JOIN organizations o ON o.id = a.organization_id AND o.is_active
      WHERE ${CAN_SIGN_IN}
      ORDER BY row_number() OVER (PARTITION BY a.organization_id ORDER BY a.role, a.id), a.organization_id LIMIT ${READERS}`,
  );
  return rows;
}

export async function chooseCampaigns(owner: Client): Promise<PublicCampaign[]> {
  const { rows } = await owner.query<PublicCampaign>(
    `SELECT DISTINCT ON (f.id) f.id AS "foundationId", c.slug
       FROM foundation_configs f JOIN organizations o ON o.id = f.organization_id AND o.is_active
       JOIN campaigns c ON c.organization_id = f.organization_id AND c.status = 'active' AND c.visibility = 'public'
      ORDER BY f.id, c.raised_cents DESC, c.id LIMIT ${READERS}`,
  );
  return rows;
}

export const campaignPath = ({ foundationId, slug }: PublicCampaign): string =>
  `/api/foundation/public/campaigns/${foundationId}/${slug}/`;

/**
 * Returns calls that each make a gift. The campaigns take turns. Each call has its own donor and its own network
 * address.
 */
export const donateCalls = (campaigns: PublicCampaign[], count: number): Call[] =>
  Array.from({ length: count }, (_, n) => ({
    method: 'POST',
    path: `${campaignPath(campaigns[n % campaigns.length] as PublicCampaign)}donate/`,
    headers: { 'Content-Type': 'application/json', 'X-Forwarded-For': `198.19.${(n >> 8) % 256}.${n % 256}` },
    body: JSON.stringify({
      amount_cents: 5_000,
      email: `donor-${crypto.randomUUID()}@bench.example.org`,
      first_name: 'Ada',
      last_name: 'Donor',
      idempotency_key: crypto.randomUUID(),
    }),
  }));
