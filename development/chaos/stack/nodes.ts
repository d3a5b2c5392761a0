/**
 * Replaces Temporal's nodes for good. Each time one of the two nodes is removed, and its replacement starts at the
 * address that no node used. The removed node's address is then free for the next replacement.
 */
import { nodeProgram } from '../../stack/cluster/startCluster.js';
import { SPARE_HOST } from '../../stack/cluster/settings.js';
import type { Program } from '../../stack/program.js';
import type { StackSettings } from '../../stack/settings.js';

export class Nodes {
  /** The address of each node, by name. */
  private readonly hosts: Map<string, string>;
  /** The address that no node uses. */
  private spare: string = SPARE_HOST;
  private readonly replaced = new Set<string>();
  /** The name of the node that is removed next. */
  next = 'temporal-1';

  /** @param settings settings of a cluster */
  constructor(private readonly settings: StackSettings) {
    const { hosts = [] } = settings.cluster ?? {};
    this.hosts = new Map(hosts.map((host, n) => [`temporal-${n + 1}`, host]));
  }

  /** Assigns the free address to the node that is replaced next. The node uses it from its next start on. */
  replaceNext(): void {
    const removedHost = this.hosts.get(this.next) as string;
    this.hosts.set(this.next, this.spare);
    this.spare = removedHost;
    this.replaced.add(this.next);
    this.next = this.next === 'temporal-1' ? 'temporal-2' : 'temporal-1';
  }

  /** Returns the program that replaces a removed node; undefined when the same node is restarted. */
  replacementFor({ name, command: server }: Program): Program | undefined {
    if (!this.replaced.delete(name)) return undefined;
    return nodeProgram(this.settings, { server, name, host: this.hosts.get(name) as string });
  }
}
