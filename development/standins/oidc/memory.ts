/** In-memory storage of the OpenID provider. */
import type { Adapter, AdapterPayload } from 'oidc-provider';

const entries = new Map<string, AdapterPayload>();

/** Storage of one kind of entry. The provider itself refuses expired entries. */
export class Memory implements Adapter {
  constructor(private readonly kind: string) {}

  private readonly key = (id: string): string => `${this.kind}:${id}`;

  async upsert(id: string, payload: AdapterPayload): Promise<void> {
    entries.set(this.key(id), payload);
  }

  async find(id: string): Promise<AdapterPayload | undefined> {
    return entries.get(this.key(id));
  }

  async findByUid(uid: string): Promise<AdapterPayload | undefined> {
    return this.matching((payload) => payload.uid === uid)[0]?.[1];
  }

  async findByUserCode(userCode: string): Promise<AdapterPayload | undefined> {
    return this.matching((payload) => payload.userCode === userCode)[0]?.[1];
  }

  async consume(id: string): Promise<void> {
    const payload = entries.get(this.key(id));
    if (payload) payload['consumed'] = Math.floor(Date.now() / 1000);
  }

  async destroy(id: string): Promise<void> {
    entries.delete(this.key(id));
  }

  async revokeByGrantId(grantId: string): Promise<void> {
    for (const [key] of this.matching((payload) => payload.grantId === grantId)) entries.delete(key);
  }

  private matching(predicate: (payload: AdapterPayload) => boolean): [string, AdapterPayload][] {
    return [...entries].filter(([key, payload]) => key.startsWith(`${this.kind}:`) && predicate(payload));
  }
}
