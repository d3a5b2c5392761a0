/** An organization that invites, another whose people it does not know, and their mail. */
import { type AccountMailbox, aMailbox } from '../../../support/accountMail.js';
import { Client, type Reply } from '../../../support/api.js';
import { ApiWorld, apiWorld } from '../../../support/apiWorld.js';
import { asOwner } from '../../../support/owner.js';
import { forgetAttempts } from '../../identity/accounts.support.js';

export const NEW_PASSWORD = 'walnut-comet-drizzle-19';

// oxlint-disable-next-line typescript/no-explicit-any -- tests look into answers freely
type AnyReply = Reply<any>;

export class Inviting extends ApiWorld {
  private count = 0;

  constructor(
    { api, world, other }: ApiWorld,
    readonly mailbox: AccountMailbox,
  ) {
    super(api, world, other);
  }

  get native(): Client {
    return new Client(this.api.url, { headers: { 'X-Client': 'native' } });
  }

  address = (): string => `invited-${process.pid}-${Date.now().toString(36)}-${(this.count += 1)}@example.org`;
  typed = (email: string, more: object = {}) => ({ email, first_name: 'Typed', last_name: 'Name', ...more });

  addMember = (email: string, more: object = {}, chapter = this.world.chapterId): Promise<AnyReply> =>
    this.admin.post(`/api/chapters/${chapter}/members/`, this.typed(email, more));
  addAdmin = (email: string): Promise<AnyReply> =>
    this.admin.post(`/api/organizations/${this.world.organizationId}/admins/`, this.typed(email));
  addRegionalAdmin = (email: string, region = this.world.regionId): Promise<AnyReply> =>
    this.admin.post(
      `/api/organizations/${this.world.organizationId}/regional-admins/`,
      this.typed(email, { region, role: 'coordinator' }),
    );

  accept = (token: string, password?: string): Promise<AnyReply> =>
    this.nobody.post('/api/auth/invitations/accept/', { token, password });
  decline = (token: string): Promise<AnyReply> => this.nobody.post('/api/auth/invitations/decline/', { token });

  /** Moves all mails of this organization to more than a day ago. */
  aDayLater = () =>
    asOwner("UPDATE invitation_mails SET mailed_at = mailed_at - interval '25 hours' WHERE organization_id = $1", [
      this.world.organizationId,
    ]);
  /** Moves the expiry of the invitations into the past. */
  expire = (placeholder: string) =>
    asOwner("UPDATE invitations SET expires_at = now() - interval '1 second' WHERE user_id = $1", [placeholder]);
}

/** Starts the API of a test file with two new worlds and a mail server. */
export function inviting(): Inviting {
  const mailbox = aMailbox();
  beforeEach(forgetAttempts);
  return new Inviting(apiWorld(), mailbox);
}
