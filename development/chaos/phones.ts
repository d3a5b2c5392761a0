/** The stand-ins of the push gateways from outside: their control port. */
import { z } from 'zod';

const Arrivals = z.array(z.object({ id: z.string(), platform: z.string(), token: z.string() }));
const PATIENCE_MS = 3_000;

export class Phones {
  constructor(private readonly controlUrl: string) {}

  /** Keeps the next push back. @returns false when nobody answers: then nothing is kept back */
  async holdNext(): Promise<boolean> {
    return (await this.reach('POST', '/faults', { kind: 'hold' })) !== null;
  }

  /** Whether one is kept back now. */
  async isHolding(): Promise<boolean> {
    const answer = await this.reach('GET', '/faults');
    return z.object({ holding: z.number() }).safeParse(answer).data?.holding === 1;
  }

  /** Lets it go. */
  async letGo(): Promise<void> {
    await this.reach('DELETE', '/faults');
  }

  /** What reached a phone. @throws Error when the gateways cannot be asked */
  async arrivals(): Promise<z.output<typeof Arrivals>> {
    return Arrivals.parse(await this.reach('GET', '/ledger'));
  }

  /** @returns null when nobody answers */
  private async reach(method: string, path: string, body?: object): Promise<unknown> {
    try {
      const answer = await fetch(this.controlUrl + path, {
        method,
        ...(body && { body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(PATIENCE_MS),
      });
      return answer.ok ? await answer.json() : null;
    } catch {
      return null;
    }
  }
}
