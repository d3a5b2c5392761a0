/** The worker's push gateways, opened at first use. */
import { pushGateways } from '../gateways/push/gateways.js';
import type { PushPorts } from '../gateways/push/port.js';

let ports: PushPorts | undefined;

export const pushPorts = (): PushPorts => (ports ??= pushGateways());

/** Closes idle connections; the next push opens new ones. */
export function closePushes(): void {
  for (const port of Object.values(ports ?? {})) port?.close();
  ports = undefined;
}
