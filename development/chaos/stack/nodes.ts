/** Temporal's nodes that go for good: each time one of both, and another comes in its place where none has been lately. */
import { nodeProgram } from '../../stack/cluster/startCluster.js';
import { SPARE_HOST } from '../../stack/cluster/settings.js';
import type { Program } from '../../stack/program.js';
import type { StackSettings } from '../../stack/settings.js';

export class Nodes {
  /** Where each node is, by its name. */
  private readonly hosts: Map<string, string>;
  /** The address that no node has. */
  private spare: string = SPARE_HOST;
  private readonly replaced = new Set<string>();
  /** The name of the node that goes next. */
  next = 'temporal-1';

  /** @param settings of a cluster */
  constructor(private readonly settings: StackSettings) {
    const { hosts = [] } = settings.cluster ?? {};
    this.hosts = new Map(hosts.map((host, n) => [`temporal-${n + 1}`, host]));
  }

  /** From now on the next node is elsewhere, once it is started. */
  replaceNext(): void {
    const gone = this.hosts.get(this.next) as string;
    this.hosts.set(this.next, this.spare);
    this.spare = gone;
    this.replaced.add(this.next);
    this.next = this.next === 'temporal-1' ? 'temporal-2' : 'temporal-1';
  }

  /** @returns undefined where the same is started again */
  inPlaceOf({ name, command: server }: Program): Program | undefined {
    if (!this.replaced.delete(name)) return undefined;
    return nodeProgram(this.settings, { server, name, host: this.hosts.get(name) as string });
  }
}
